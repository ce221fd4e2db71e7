import { b } from '../../src/codec/index.ts';

/** The sample of the size table; bench/support/sample.mjs has the same for the built package. */
export const sampleCodec = b.struct({
  id: b.uint(16),
  name: b.string(16),
  pos: b.vec3(-1000, 1000, 0.01),
  yaw: b.angle(10),
  hp: b.int(0, 100),
  jump: b.bool(),
  run: b.bool(),
  aim: b.bool(),
  tick: b.uint(32),
});

interface Sample {
  id: number;
  name: string;
  pos: { x: number; y: number; z: number };
  yaw: number;
  hp: number;
  jump: boolean;
  run: boolean;
  aim: boolean;
  tick: number;
}

export function sample(): Sample {
  return { id: 311, name: 'Ada', pos: { x: 12.5, y: -3.2, z: 8.75 }, yaw: 1.57, hp: 87, jump: true, run: false, aim: true, tick: 7201 };
}

/** The same without names, for serialisers that write them. */
export function asArray({ id, name, pos, yaw, hp, jump, run, aim, tick }: Sample): unknown[] {
  return [id, name, [pos.x, pos.y, pos.z], yaw, hp, jump, run, aim, tick];
}
