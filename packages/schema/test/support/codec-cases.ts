import type { SeededRandom } from '@x/testkit';
import { b } from '../../src/codec/index.ts';
import type { BitCodec } from '../../src/codec/index.ts';

/** A builder under test: random values of it, how far a value may be off, and a value that takes as many bytes as any. */
export interface CodecCase {
  readonly name: string;
  readonly codec: BitCodec<unknown>;
  /** Whether every payload that is accepted is the encoding of its value. */
  readonly isCanonical: boolean;
  readonly largest: unknown;
  /** Set where no value meets every alignment at its worst, which maxBytes counts. */
  readonly isNeverFull?: boolean;
  random(random: SeededRandom): unknown;
  /** Whether a value can be what came back. */
  accepts(given: unknown, decoded: unknown): boolean;
}

export interface Tree {
  readonly v: number;
  readonly kids: readonly Tree[];
}

export const tree: BitCodec<Tree> = b.lazy(() => b.struct({ v: b.uint(8), kids: b.array(tree, 3) }), 4);

const TURN = 2 * Math.PI;
const between = (random: SeededRandom, min: number, max: number): number => min + random.unit() * (max - min);
/** A number of a range, often one of its ends, a code or half way between two. */
const near = (random: SeededRandom, min: number, max: number, step: number): number => {
  const edge = random.below(4);
  if (edge === 0) return random.chance(0.5) ? min : max;
  if (edge === 1) return Math.min(max, min + random.below(Math.floor((max - min) / step)) * step);
  if (edge === 2) return Math.min(max, min + (random.below(Math.floor((max - min) / step)) + 0.5) * step);
  return between(random, min, max);
};
const bitPattern = (random: SeededRandom): number => new DataView(random.bytes(8).buffer).getFloat64(0);
const finite = (random: SeededRandom): number => {
  const value = bitPattern(random);
  return value !== value ? 1.5 : value;
};

const TEXTS = ['', 'a', 'Ada', 'é', 'Grüße', '中文', '🦊', '\ufeffBOM', '\u0000', 'x'.repeat(24), '\ud83d\ude00!', '\u07ff\u0800\uffff'];

function plainEqual(a: unknown, b2: unknown): boolean {
  if (Object.is(a, b2)) return true;
  if (a instanceof Uint8Array && b2 instanceof Uint8Array) return Buffer.compare(a, b2) === 0;
  if (typeof a !== 'object' || typeof b2 !== 'object' || a === null || b2 === null) return a === 0 && b2 === 0;
  const keys = new Set([...Object.keys(a), ...Object.keys(b2)]);
  return [...keys].every((key) => plainEqual((a as Record<string, unknown>)[key], (b2 as Record<string, unknown>)[key]));
}

function exact<T>(name: string, codec: BitCodec<T>, largest: T, random: (random: SeededRandom) => T): CodecCase {
  return { name, codec: codec, isCanonical: true, largest, random, accepts: plainEqual };
}

function within(name: string, codec: BitCodec<number>, min: number, max: number, resolution: number): CodecCase {
  return {
    name,
    codec: codec,
    isCanonical: true,
    largest: max,
    random: (random) => near(random, min, max, resolution),
    accepts: (given, decoded) =>
      Math.abs((given as number) - (decoded as number)) <= resolution / 2 + 4 * Number.EPSILON * Math.max(Math.abs(min), Math.abs(max)),
  };
}

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Quaternion extends Vector {
  readonly w: number;
}

export function randomDirection(random: SeededRandom): Vector {
  const z = between(random, -1, 1);
  const turn = between(random, 0, TURN);
  const radius = Math.sqrt(1 - z * z);
  return { x: radius * Math.cos(turn), y: radius * Math.sin(turn), z };
}

/** Uniform over all rotations. */
export function randomRotation(random: SeededRandom): Quaternion {
  const u = random.unit();
  const [s, t] = [between(random, 0, TURN), between(random, 0, TURN)];
  const [p, r] = [Math.sqrt(1 - u), Math.sqrt(u)];
  return { x: p * Math.sin(s), y: p * Math.cos(s), z: r * Math.sin(t), w: r * Math.cos(t) };
}

/** Radians between two directions of length 1; exact for small ones. */
export function angleBetween(a: Vector, c: Vector): number {
  const cross = Math.hypot(a.y * c.z - a.z * c.y, a.z * c.x - a.x * c.z, a.x * c.y - a.y * c.x);
  return Math.atan2(cross, a.x * c.x + a.y * c.y + a.z * c.z);
}

/** Radians of the rotation that leads from one to the other; a quaternion and its negative are one rotation. */
export function rotationBetween(a: Quaternion, c: Quaternion): number {
  const sign = a.x * c.x + a.y * c.y + a.z * c.z + a.w * c.w < 0 ? -1 : 1;
  const half = Math.hypot(a.x - sign * c.x, a.y - sign * c.y, a.z - sign * c.z, a.w - sign * c.w) / 2;
  return 4 * Math.asin(Math.min(1, half));
}

const circle = b.struct({ r: b.q(0, 10, 0.5) });
const box = b.struct({ w: b.uint(5), h: b.uint(5) });

/** Every builder, by the name of codecs section 4, some of them several times. */
export const CASES: readonly CodecCase[] = [
  exact('bool', b.bool(), true, (r) => r.chance(0.5)),
  ...[1, 7, 8, 13, 31, 32].map((n) => exact(`uint(${n})`, b.uint(n), 2 ** n - 1, (r) => r.below(2 ** n))),
  exact('int(-5, 10)', b.int(-5, 10), 10, (r) => r.below(16) - 5),
  exact('int of one value', b.int(7, 7), 7, () => 7),
  exact('int of 32 bits', b.int(-(2 ** 31), 2 ** 31 - 1), -1, (r) => r.uint32() - 2 ** 31),
  exact('int far from 0', b.int(1e12, 1e12 + 100), 1e12 + 100, (r) => 1e12 + r.below(101)),
  exact('u64', b.u64(), 2n ** 64n - 1n, (r) => (BigInt(r.uint32()) << 32n) | BigInt(r.uint32())),
  exact('i64', b.i64(), -1n, (r) => BigInt.asIntN(64, (BigInt(r.uint32()) << 32n) | BigInt(r.uint32()))),
  exact('varuint', b.varuint(), 2 ** 32 - 1, (r) => r.below(2 ** (1 + r.below(32)))),
  exact('float32', b.float32(), Infinity, (r) => Math.fround(finite(r)) || 0.5),
  exact('float32 with NaN', b.float32({ nan: true }), NaN, (r) => (r.chance(0.2) ? NaN : 0.25)),
  exact('float64', b.float64(), -0.1, finite),
  exact('float64 with NaN', b.float64({ nan: true }), NaN, bitPattern),
  within('q(-100, 100, 0.01)', b.q(-100, 100, 0.01), -100, 100, 0.01),
  within('q(0, 1, 0.3)', b.q(0, 1, 0.3), 0, 1, 0.3),
  within('q of one step', b.q(-1, 1, 5), -1, 1, 2),
  within('q of 32 bits', b.q(0, 2 ** 32 - 1, 1), 0, 2 ** 32 - 1, 1),
  within('q far from 0', b.q(1e6, 1e6 + 1, 1e-6), 1e6, 1e6 + 1, 1e-6),
  ...[1, 8, 10, 16, 32].map((bits): CodecCase => ({
    name: `angle(${bits})`,
    codec: b.angle(bits),
    isCanonical: true,
    largest: 3,
    random: (r) => between(r, -3 * TURN, 3 * TURN),
    accepts(given, decoded) {
      const [from, to] = [given as number, decoded as number];
      const turns = (from - to) / TURN;
      return to >= 0 && to < TURN && Math.abs(turns - Math.round(turns)) <= 0.5 / 2 ** bits + 1e-14;
    },
  })),
  {
    name: 'vec2',
    codec: b.vec2([-10, 0], [10, 1], [0.1, 0.25]),
    isCanonical: true,
    largest: { x: 10, y: 1 },
    random: (r) => ({ x: near(r, -10, 10, 0.1), y: near(r, 0, 1, 0.25) }),
    accepts(given, decoded) {
      const [from, to] = [given as Vector, decoded as Vector];
      return Math.abs(from.x - to.x) <= 0.05 + 1e-9 && Math.abs(from.y - to.y) <= 0.125 + 1e-9 && !('z' in to);
    },
  },
  {
    name: 'vec3',
    codec: b.vec3(-1000, 1000, 0.01),
    isCanonical: true,
    largest: { x: 1, y: 2, z: 3 },
    random: (r) => ({ x: near(r, -1000, 1000, 0.01), y: near(r, -1000, 1000, 0.01), z: between(r, -1000, 1000) }),
    accepts(given, decoded) {
      const [from, to] = [given as Vector, decoded as Vector];
      return (['x', 'y', 'z'] as const).every((axis) => Math.abs(from[axis] - to[axis]) <= 0.005 + 1e-9);
    },
  },
  {
    name: 'direction(10)',
    codec: b.direction(10),
    isCanonical: false,
    largest: { x: 1, y: 0, z: 0 },
    random: (r) => randomDirection(r),
    accepts: (given, decoded) => angleBetween(given as Vector, decoded as Vector) <= (0.24 * 1.1 * Math.PI) / 180,
  },
  {
    name: 'quat(10)',
    codec: b.quat(10),
    isCanonical: false,
    largest: { x: 0, y: 0, z: 0, w: 1 },
    random: (r) => randomRotation(r),
    accepts: (given, decoded) => rotationBetween(given as Quaternion, decoded as Quaternion) <= (0.25 * 1.1 * Math.PI) / 180,
  },
  // Alignment counts at its worst, which a text meets only when it does not begin a byte: one bit before it does that.
  exact('string(24)', b.struct({ odd: b.uint(4), text: b.string(24) }), { odd: 1, text: 'x'.repeat(24) }, (r) => ({
    odd: r.below(16),
    text: r.pick(TEXTS),
  })),
  neverFull(exact('string of no bytes', b.string(0), '', () => '')),
  exact('bytes(15)', b.struct({ odd: b.uint(5), bytes: b.bytes(15) }), { odd: 1, bytes: new Uint8Array(15) }, (r) => ({
    odd: r.below(32),
    bytes: r.bytes(r.below(16)),
  })),
  exact('enum', b.enum(['red', 'green', 'blue']), 'blue', (r) => r.pick(['red', 'green', 'blue'] as const)),
  exact('enum of one', b.enum(['only']), 'only', () => 'only' as const),
  exact('flags', b.flags(['a', 'b', 'toString']), { a: true, b: true, toString: true }, (r) => ({
    a: r.chance(0.5),
    b: r.chance(0.5),
    toString: r.chance(0.5),
  })),
  exact('optional', b.optional(b.uint(9)), 511, (r) => (r.chance(0.3) ? undefined : r.below(512))),
  exact('array', b.array(b.uint(3), 9), [1, 2, 3, 4, 5, 6, 7, 0, 1], (r) => Array.from({ length: r.below(10) }, () => r.below(8))),
  neverFull(
    exact('array of texts', b.array(b.string(3), 4), ['xyz', 'xyz', 'xyz', 'xyz'], (r) =>
      Array.from({ length: r.below(5) }, () => r.pick(['', 'é', 'xyz'])),
    ),
  ),
  exact('fixed', b.fixed(b.int(-1, 1), 3), [1, 1, 1], (r) => [r.below(3) - 1, r.below(3) - 1, r.below(3) - 1]),
  exact('struct', b.struct({ a: b.bool(), toString: b.optional(b.uint(2)), n: b.varuint() }), { a: true, toString: 3, n: 70_000 }, (r) => ({
    a: r.chance(0.5),
    toString: r.chance(0.5) ? r.below(4) : undefined,
    n: r.uint32(),
  })),
  exact('struct of nothing', b.struct({}), {}, () => ({})),
  exact('union', b.union({ circle, box, none: b.struct({}) }), { type: 'box', w: 31, h: 31 }, (r) =>
    r.pick([{ type: 'circle', r: r.below(21) / 2 }, { type: 'box', w: r.below(32), h: r.below(32) }, { type: 'none' }] as const),
  ),
  exact('lazy', tree, full(4), (r) => randomTree(r, 4)),
  neverFull(
    exact(
      'deep mixture',
      b.array(b.struct({ at: b.optional(b.array(b.u64(), 2)), name: b.string(5) }), 3),
      [1, 2, 3].map(() => ({ at: [1n, 2n], name: 'abcde' })),
      (r) =>
        Array.from({ length: r.below(4) }, () => ({
          at: r.chance(0.5) ? [BigInt(r.uint32())] : undefined,
          name: r.pick(['', 'é', '🦊!']),
        })),
    ),
  ),
];

function full(depth: number): Tree {
  return { v: 255, kids: depth === 1 ? [] : [full(depth - 1), full(depth - 1), full(depth - 1)] };
}

function randomTree(random: SeededRandom, depth: number): Tree {
  return { v: random.below(256), kids: depth === 1 ? [] : Array.from({ length: random.below(4) }, () => randomTree(random, depth - 1)) };
}

function neverFull(entry: CodecCase): CodecCase {
  return { ...entry, isNeverFull: true };
}

/** The encoding of a value, exactly as long as it is. */
export function encode<T>(
  codec: { readonly maxBytes: number; encodeInto(value: T, out: Uint8Array, offset: number): number },
  value: T,
): Uint8Array {
  const out = new Uint8Array(codec.maxBytes);
  return out.slice(0, codec.encodeInto(value, out, 0));
}
