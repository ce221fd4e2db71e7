// The sample of the size table: what a game might send about one player, and codecs for it. Used by bench, tests and README alike.
import { b } from '@x/schema/codec';

/** A fresh copy each time; `step` makes the numbers change without changing any size. */
export function sample(step = 0) {
  return {
    id: 311,
    name: 'Ada',
    pos: { x: 12.5 + (step & 7), y: -3.2, z: 8.75 },
    yaw: 1.57,
    hp: 87,
    jump: true,
    run: false,
    aim: true,
    tick: 7201 + (step & 1023),
  };
}

/** The same without names, for serialisers that write them. */
export const asArray = ({ id, name, pos, yaw, hp, jump, run, aim, tick }) => [
  id,
  name,
  [pos.x, pos.y, pos.z],
  yaw,
  hp,
  jump,
  run,
  aim,
  tick,
];

/** 20 bytes for the sample. */
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
