import { SeededRandom, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { b, mapped, quantise } from '../../src/codec/index.ts';
import type { BitCodec, Infer } from '../../src/codec/index.ts';
import { refusal } from '../support/codec-errors.ts';

const player = b.struct({
  pos: b.vec3(-100, 100, 0.01),
  speed: b.q(0, 10, 0.1).near(3),
  hp: b.int(0, 100).near(4),
  name: b.string(8),
  look: b.struct({ yaw: b.angle(10), pitch: b.q(-2, 2, 0.01).near(5), zoomed: b.bool() }),
  items: b.array(b.uint(4), 4),
  mode: b.union({ walk: b.struct({}), ride: b.struct({ horse: b.uint(6) }) }),
  team: b.optional(b.enum(['red', 'blue'])),
});
type Player = Infer<typeof player>;

const still: Player = {
  pos: { x: 1, y: 2, z: 3 },
  speed: 1,
  hp: 90,
  name: 'Ada',
  look: { yaw: 1, pitch: 0, zoomed: false },
  items: [1, 2],
  mode: { type: 'walk' },
  team: undefined,
};

function delta<T>(codec: BitCodec<T>, base: T, value: T): Uint8Array {
  const out = new Uint8Array(codec.maxBytes + 16);
  return out.slice(0, codec.delta.encodeInto(base, value, out, 0));
}

/** The bits of a delta in the order of the stream. */
function bits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => Array.from(byte.toString(2).padStart(8, '0')).reverse().join('')).join('');
}

describe('layout', () => {
  test('when nothing has changed, then a bit for each field is all there is', () => {
    const base = quantise(player, still);
    expect(toHex(delta(player, base, still))).toBe('00');
    expect(player.delta.decode(base, Uint8Array.of(0))).toEqual(base);
  });

  test('when fields have changed, then the bits come first and the fields after them', () => {
    const codec = b.struct({ a: b.uint(3), b: b.bool(), c: b.uint(4) });
    const base = { a: 1, b: false, c: 9 };
    expect(bits(delta(codec, base, { a: 6, b: false, c: 3 }))).toBe('101' + '011' + '1100' + '000000');
    expect(bits(delta(codec, base, { a: 1, b: true, c: 9 }))).toBe('010' + '1' + '0000');
  });

  test('when a struct in a struct has changed, then it is a bit and its own delta', () => {
    const codec = b.struct({ at: b.struct({ x: b.uint(2), y: b.uint(2) }), n: b.uint(2) });
    expect(bits(delta(codec, { at: { x: 0, y: 0 }, n: 0 }, { at: { x: 0, y: 3 }, n: 0 }))).toBe('10' + '01' + '11' + '00');
  });

  test('when a small difference is near, then it is written in its bits, else in full', () => {
    const codec = b.struct({ n: b.int(0, 100).near(3) });
    expect(bits(delta(codec, { n: 50 }, { n: 53 }))).toBe('1' + '1' + '110' + '000');
    expect(bits(delta(codec, { n: 50 }, { n: 46 }))).toBe('1' + '1' + '001' + '000');
    expect(bits(delta(codec, { n: 50 }, { n: 54 }))).toBe('1' + '0' + '0110110' + '0000000');
    expect(bits(delta(codec, { n: 50 }, { n: 45 }))).toBe('1' + '0' + '1011010' + '0000000');
    const q = b.struct({ v: b.q(-1, 1, 0.25).near(2) });
    expect(bits(delta(q, { v: 0 }, { v: 0.25 }))).toBe('1' + '1' + '10' + '0000');
    expect(q.delta.decode({ v: 0 }, Uint8Array.of(0b1011))).toEqual({ v: -0.5 });
  });

  test('when near is as wide as any difference, then all 32 bits of it count', () => {
    const codec = b.struct({ n: b.uint(32).near(32) });
    for (const n of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) {
      for (const base of [0, 7, 2 ** 31, 2 ** 32 - 1]) {
        expect(codec.delta.decode({ n: base }, delta(codec, { n: base }, { n }))).toEqual({ n });
      }
    }
  });

  test('when a codec is no struct, then it is one field', () => {
    const codec = b.array(b.uint(3), 3);
    expect(bits(delta(codec, [1], [1]))).toBe('00000000');
    expect(bits(delta(codec, [1], [1, 2]))).toBe('1' + '01' + '100' + '010' + '0000000');
    const near = b.int(0, 100).near(3);
    expect(near.delta.decode(50, delta(near, 50, 51))).toBe(51);
  });

  test('when values are mapped or have a version, then the delta is that of the codec inside', () => {
    const inner = b.struct({ x: b.uint(2), y: b.uint(2) });
    const codec = mapped(inner.version('2'), {
      to: ([x, y]: readonly [number, number]) => ({ x, y }),
      from: ({ x, y }) => [x, y] as const,
    });
    expect(bits(delta(codec, [1, 2], [1, 3]))).toBe('01' + '11' + '0000');
    expect(codec.delta.decode([1, 2], delta(codec, [1, 2], [1, 3]))).toEqual([1, 3]);
    const outer = b.struct({ at: codec });
    expect(outer.delta.decode({ at: [1, 2] }, delta(outer, { at: [1, 2] }, { at: [1, 3] }))).toEqual({ at: [1, 3] });
  });
});

describe('refused', () => {
  const codec = b.struct({ look: b.struct({ n: b.int(0, 9).near(3) }) });

  test('when a difference leads outside, then it is RANGE', () => {
    const base = { look: { n: 8 } };
    expect(codec.delta.decode(base, Uint8Array.of(0b01111))).toEqual({ look: { n: 9 } });
    expect(refusal(() => codec.delta.decode(base, Uint8Array.of(0b010111)))).toBe('RANGE look.n');
    expect(refusal(() => codec.delta.decode({ look: { n: 1 } }, Uint8Array.of(0b100111)))).toBe('RANGE look.n');
    expect(refusal(() => codec.delta.decode(base, Uint8Array.of(0b1111011, 0)))).toBe('RANGE look.n');
  });

  test('when the data is too short, too long or has other bits, then the code says so', () => {
    const base = { look: { n: 8 } };
    expect(refusal(() => codec.delta.decode(base, new Uint8Array()))).toBe('TRUNCATED');
    expect(refusal(() => codec.delta.decode(base, Uint8Array.of(0, 0)))).toBe('TRAILING');
    expect(refusal(() => codec.delta.decode(base, Uint8Array.of(0x80)))).toBe('PADDING');
    expect(refusal(() => player.delta.decode(quantise(player, still), Uint8Array.of(0xff, 1)))).toMatch(/^TRUNCATED pos/);
  });

  test('when a base or a value is none, then the place is named', () => {
    expect(refusal(() => delta(codec, { look: { n: 10 } }, { look: { n: 1 } }))).toBe('RANGE look.n');
    expect(refusal(() => delta(codec, { look: { n: 1 } }, { look: { n: 1.5 } }))).toBe('RANGE look.n');
    expect(refusal(() => delta(codec, {} as never, { look: { n: 1 } }))).toBe('TYPE look');
    expect(refusal(() => codec.delta.decode(undefined as never, Uint8Array.of(0)))).toBe('TYPE');
  });
});

/** Changes one thing. */
function edit(random: SeededRandom, state: Player): void {
  const nudge = (value: number, size: number, min: number, max: number): number =>
    Math.min(max, Math.max(min, value + (random.unit() - 0.5) * size));
  const edits: readonly (() => void)[] = [
    () => (state.pos.x = nudge(state.pos.x, 5, -100, 100)),
    () => (state.pos.z = nudge(state.pos.z, 0.05, -100, 100)),
    () => (state.speed = nudge(state.speed, 1, 0, 10)),
    () => (state.hp = Math.round(nudge(state.hp, 20, 0, 100))),
    () => (state.name = random.pick(['Ada', 'Bob', '🦊', ''])),
    () => (state.look.yaw = random.unit() * 10),
    () => (state.look.pitch = nudge(state.look.pitch, 0.3, -2, 2)),
    () => (state.look.zoomed = random.chance(0.5)),
    () => (state.items = Array.from({ length: random.below(5) }, () => random.below(16))),
    () => (state.mode = random.chance(0.5) ? { type: 'walk' } : { type: 'ride', horse: random.below(64) }),
    () => (state.team = random.pick(['red', 'blue', undefined] as const)),
  ];
  random.pick(edits)();
}

interface Packet {
  readonly version: number;
  readonly base: number;
  readonly payload: Uint8Array;
}

/**
 * A sender that tells its state against the newest one that the receiver is known to have, over a link that loses and reorders both ways.
 */
class LossyLink {
  readonly sent = new Map<number, Player>();
  readonly received = new Map<number, Player>();
  acknowledged = 0;
  newest = 0;
  bytes = 0;
  readonly #random: SeededRandom;
  readonly #loss: number;
  readonly #flying: Packet[] = [];

  constructor(random: SeededRandom, loss: number, start: Player) {
    this.#random = random;
    this.#loss = loss;
    this.sent.set(0, quantise(player, start));
    this.received.set(0, quantise(player, start));
  }

  step(version: number, state: Player): void {
    const base = this.sent.get(this.acknowledged)!;
    const payload = delta(player, base, state);
    this.bytes += payload.length;
    this.sent.set(version, quantise(player, state));
    this.#flying.push({ version, base: this.acknowledged, payload });
    while (this.#flying.length > 3) this.#deliver(this.#random.below(this.#flying.length));
  }

  drain(): void {
    while (this.#flying.length > 0) this.#deliver(0);
  }

  #deliver(index: number): void {
    const [{ version, base, payload }] = this.#flying.splice(index, 1) as [Packet];
    const from = this.received.get(base);
    if (this.#random.chance(this.#loss) || from === undefined) return;
    this.received.set(version, player.delta.decode(from, payload));
    this.newest = Math.max(this.newest, version);
    if (this.#random.chance(this.#loss) || version <= this.acknowledged) return;
    this.acknowledged = version;
    for (const [map, keep] of [
      [this.sent, version],
      [this.received, version - 40],
    ] as const) {
      for (const old of map.keys()) if (old < keep) map.delete(old);
    }
  }
}

test('C10: 100 000 random edits over a lossy link converge to equal decoded state', () => {
  const random = new SeededRandom(7);
  const state = structuredClone(still);
  const link = new LossyLink(random, 0.3, state);
  let version = 0;
  for (let edits = 0; edits < 100_000;) {
    for (let i = random.below(20); i >= 0; i--, edits++) edit(random, state);
    link.step(++version, state);
    if (version % 500 === 0) expect(link.received.get(link.newest)).toEqual(link.sent.get(link.newest) ?? quantise(player, state));
  }
  while (link.newest !== version) {
    link.step(++version, state);
    link.drain();
  }
  expect(link.received.get(link.newest)).toEqual(quantise(player, state));
  expect(version).toBeGreaterThan(5000);
});

test('C10: noise below half a resolution around the middle of a step sends nothing', () => {
  const random = new SeededRandom(9);
  const base = quantise(player, still);
  const state = structuredClone(base);
  const noise = (): number => (random.unit() - 0.5) * 0.98;
  for (let i = 0; i < 10_000; i++) {
    state.pos = { x: base.pos.x + noise() * 0.01, y: base.pos.y + noise() * 0.01, z: base.pos.z + noise() * 0.01 };
    state.speed = base.speed + noise() * 0.1;
    state.look.pitch = base.look.pitch + noise() * 0.01;
    state.look.yaw = base.look.yaw + noise() * ((2 * Math.PI) / 1024);
    expect(player.equals(base, state)).toBe(true);
    const payload = delta(player, base, state);
    if (payload.length !== 1 || payload[0] !== 0) expect(toHex(payload)).toBe('00');
  }
});
