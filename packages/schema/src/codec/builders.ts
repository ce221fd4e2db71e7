import { bitCodec, nearCodec, nodeOf, structCodec } from './bit-codec.ts';
import type { BitCodec, NearCodec, StructCodec } from './bit-codec.ts';
import type { Infer } from './codec.ts';
import {
  checkFinite,
  checkFunctions,
  checkInteger,
  checkMembers,
  checkNames,
  checkOptions,
  invalidCodec,
  MAX_CODEC_BYTES,
} from './definition.ts';
import { EnumNode, FlagsNode, OptionalNode } from './nodes/choices.ts';
import { AngleNode, FloatNode, QuantisedNode, quantiser } from './nodes/floats.ts';
import type { Quantiser } from './nodes/floats.ts';
import { BoolNode, IntegerNode, VarUintNode, WideIntegerNode } from './nodes/integers.ts';
import { ArrayNode, FixedNode } from './nodes/lists.ts';
import { DirectionNode, QuaternionNode } from './nodes/rotations.ts';
import { StructNode, UnionNode } from './nodes/struct.ts';
import { BytesNode, StringNode } from './nodes/text.ts';
import { VectorNode } from './nodes/vectors.ts';
import { LazyNode, VersionNode } from './nodes/wrappers.ts';

// The builders of the bit codec, which users know as `b`. Layouts stand with the nodes. Every builder throws `CatalogueError` `INVALID_CODEC`.

/** Any codec of `b`. */
type AnyBitCodec = BitCodec<unknown>;

/** Objects as tooltips should show them. */
type Flatten<T> = { [K in keyof T]: T[K] };

/** The object that a struct's fields make: those that can be `undefined` can also be missing. */
export type StructValue<F> = Flatten<
  { -readonly [K in keyof F as undefined extends Infer<F[K]> ? never : K]: Infer<F[K]> } & {
    -readonly [K in keyof F as undefined extends Infer<F[K]> ? K : never]?: Infer<F[K]>;
  }
>;

/** The objects of a union, told apart by `type`. */
export type UnionValue<V> = { [K in keyof V & string]: Flatten<{ type: K } & Infer<V[K]>> }[keyof V & string];

/** The object that flags make. */
export type FlagsValue<N extends string> = { [K in N]: boolean };

/** An array of a fixed length; above 999 elements, or of a length that is not known, an ordinary one. */
export type FixedValue<T, N extends number> = `${N}` extends
  `${number}.${number}` | `-${string}` | `${Digit}${Digit}${Digit}${Digit}${string}`
  ? T[]
  : number extends N
    ? T[]
    : Elements<T, N>;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Elements<T, N extends number, A extends T[] = []> = A['length'] extends N ? A : Elements<T, N, [...A, T]>;

const MAX_U32 = 0xffff_ffff;
/** Most bits of one direction, rotation or angle. */
const MAX_BITS = 32;
const MAX_DEPTH = 255;
/** Steps must be this much coarser than what float64 tells apart at the far end of the range, so that each code has a value of its own. */
const STEPS_PER_ULP = 16;

/** One bit. */
export function bool(): BitCodec<boolean> {
  return bitCodec(new BoolNode());
}

/**
 * Integers of 0 … 2^bits - 1.
 *
 * @param bits - 1 … 32.
 */
export function uint(bits: number): NearCodec {
  const count = checkInteger('uint', 'bits', bits, 1, MAX_BITS);
  return nearCodec(new IntegerNode(`u(${count})`, 0, 2 ** count - 1));
}

/**
 * Integers of a range, in as many bits as it needs.
 *
 * @param min - a safe integer.
 * @param max - a safe integer, at most 2^32 - 1 above `min`. No bits at all when both are the same.
 */
export function int(min: number, max: number): NearCodec {
  const low = checkInteger('int', 'min', min, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const high = checkInteger('int', 'max', max, low, Math.min(low + MAX_U32, Number.MAX_SAFE_INTEGER));
  return nearCodec(new IntegerNode(`i(${low},${high})`, low, high));
}

/** Integers of 0 … 2^64 - 1, as `bigint`. */
export function u64(): BitCodec<bigint> {
  return bitCodec(new WideIntegerNode(false));
}

/** Integers of -2^63 … 2^63 - 1, as `bigint`. */
export function i64(): BitCodec<bigint> {
  return bitCodec(new WideIntegerNode(true));
}

/** Integers of 0 … 2^32 - 1 in 6, 10, 18 or 34 bits: few for small numbers. */
export function varuint(): BitCodec<number> {
  return bitCodec(new VarUintNode());
}

/** What floats can be told. */
export interface FloatOptions {
  /** Allows NaN, always as the same bits. Without it NaN is refused, written and read. */
  readonly nan?: boolean | undefined;
}

/** Numbers rounded to float32; a finite number beyond its range is refused. Infinity is a value. */
export function float32(options: FloatOptions = {}): BitCodec<number> {
  checkOptions('float32', options);
  return bitCodec(new FloatNode(32, options.nan === true));
}

/** All numbers, exactly. */
export function float64(options: FloatOptions = {}): BitCodec<number> {
  checkOptions('float64', options);
  return bitCodec(new FloatNode(64, options.nan === true));
}

/** What a quantised number can be told. */
export interface QuantisedOptions {
  /** `false`: numbers outside the range are refused with `RANGE`. By default they are moved to its edge, infinite ones too. */
  readonly clamp?: boolean | undefined;
}

/**
 * Numbers of a range in equal steps. The error is at most half a resolution.
 *
 * @param min - finite.
 * @param max - finite, above `min`.
 * @param resolution - above 0; at most 2^32 - 1 steps, and coarse enough for float64 near the ends of the range.
 */
export function q(min: number, max: number, resolution: number, options: QuantisedOptions = {}): NearCodec {
  return nearCodec(new QuantisedNode(axisOf('q', min, max, resolution, options)));
}

/**
 * Angles in radians, any turn; read in [0, 2π).
 *
 * @param bits - 1 … 32 for 2^bits directions.
 */
export function angle(bits: number): BitCodec<number> {
  return bitCodec(new AngleNode(checkInteger('angle', 'bits', bits, 1, MAX_BITS)));
}

/** `{ x, y }`, each as {@link q}. One number for all axes, or an array with one for each. */
export function vec2(
  min: PerAxis<2>,
  max: PerAxis<2>,
  resolution: PerAxis<2>,
  options: QuantisedOptions = {},
): BitCodec<{ x: number; y: number }> {
  const [x, y] = axesOf('vec2', 2, min, max, resolution, options);
  return bitCodec(new VectorNode(x!, y!, undefined));
}

/** `{ x, y, z }`, each as {@link q}. One number for all axes, or an array with one for each. */
export function vec3(
  min: PerAxis<3>,
  max: PerAxis<3>,
  resolution: PerAxis<3>,
  options: QuantisedOptions = {},
): BitCodec<{ x: number; y: number; z: number }> {
  const [x, y, z] = axesOf('vec3', 3, min, max, resolution, options);
  return bitCodec(new VectorNode(x!, y!, z));
}

/** A number for all axes, or one for each. */
export type PerAxis<N extends 2 | 3> = number | (N extends 2 ? readonly [number, number] : readonly [number, number, number]);

/**
 * Directions in space; vectors of any length but 0, read with length 1.
 *
 * @param bits - 2 … 32 for each of two numbers.
 */
export function direction(bits: number): BitCodec<{ x: number; y: number; z: number }> {
  return bitCodec(new DirectionNode(checkInteger('direction', 'bits', bits, 2, MAX_BITS)));
}

/**
 * Rotations; quaternions of any length but 0, read with length 1.
 *
 * @param bits - 2 … 32 for each of three numbers, and 2 more.
 */
export function quat(bits: number): BitCodec<{ x: number; y: number; z: number; w: number }> {
  return bitCodec(new QuaternionNode(checkInteger('quat', 'bits', bits, 2, MAX_BITS)));
}

/**
 * Texts.
 *
 * @param maxBytes - of their UTF-8. Lone surrogates are refused.
 */
export function string(maxBytes: number): BitCodec<string> {
  return bitCodec(new StringNode(checkInteger('string', 'maxBytes', maxBytes, 0, MAX_CODEC_BYTES)));
}

/** Bytes; read as a copy. */
export function bytes(maxBytes: number): BitCodec<Uint8Array> {
  return bitCodec(new BytesNode(checkInteger('bytes', 'maxBytes', maxBytes, 0, MAX_CODEC_BYTES)));
}

/**
 * One of some texts.
 *
 * @param names - at least one, `[A-Za-z_][A-Za-z0-9_]*`, none twice.
 */
function enumOf<const N extends readonly string[]>(names: N): BitCodec<N[number]> {
  return bitCodec(new EnumNode(checkNames('enum', names)));
}
export { enumOf as enum };

/**
 * An object of booleans, a bit for each.
 *
 * @param names - as those of `enum`.
 */
export function flags<const N extends readonly string[]>(names: N): BitCodec<FlagsValue<N[number]>> {
  return bitCodec(new FlagsNode(checkNames('flags', names)));
}

/** A value or `undefined`; as a field of a struct it can be missing. */
export function optional<T>(codec: BitCodec<T>): BitCodec<T | undefined> {
  return bitCodec(new OptionalNode(nodeOf('optional', 'codec', codec)));
}

/** Arrays of up to `max` elements, each of one bit at least. */
export function array<T>(codec: BitCodec<T>, max: number): BitCodec<T[]> {
  return bitCodec(new ArrayNode(nodeOf('array', 'codec', codec), checkInteger('array', 'max', max, 0, 8 * MAX_CODEC_BYTES)));
}

/** Arrays of exactly `count` elements, each of one bit at least. */
export function fixed<T, const N extends number>(codec: BitCodec<T>, count: N): BitCodec<FixedValue<T, N>> {
  return bitCodec(new FixedNode(nodeOf('fixed', 'codec', codec), checkInteger('fixed', 'count', count, 1, 8 * MAX_CODEC_BYTES)));
}

/** What a struct can be told. */
export interface StructOptions {
  /** `false` leaves the names of the fields out of the descriptor, so that they can be changed without a new fingerprint. */
  readonly names?: boolean | undefined;
}

/** Objects with fields, in the order of declaration. Members without a field are not written. */
export function struct<const F extends Readonly<Record<string, AnyBitCodec>>>(
  fields: F,
  options: StructOptions = {},
): StructCodec<StructValue<F>> {
  checkOptions('struct', options);
  const nodes = checkMembers('struct', fields).map(([name, codec]) => [name, nodeOf('struct', name, codec)] as const);
  return structCodec(new StructNode(nodes, options.names !== false));
}

/** Objects of one of several structs; `type` says of which. No struct may have a field of that name. */
export function union<const V extends Readonly<Record<string, StructCodec<object>>>>(variants: V): BitCodec<UnionValue<V>> {
  const members = checkMembers('union', variants);
  if (members.length === 0) throw invalidCodec('union', 'expected one member or more');
  const nodes = members.map(([type, codec]) => {
    const described = nodeOf('union', type, codec);
    let struct = described;
    while (struct instanceof VersionNode) struct = struct.content;
    if (!(struct instanceof StructNode)) throw invalidCodec('union', `${type}: expected a struct`);
    if (struct.hasField('type')) throw invalidCodec('union', `${type}: a field named type would hide the member's own`);
    return { type, struct, described };
  });
  return bitCodec(new UnionNode(nodes));
}

/**
 * A codec that refers to itself, through the variable that it is assigned to.
 *
 * @param open - gives the content; called once, when the codec is used for the first time.
 * @param depth - 1 … 255: how many values of it there can be in each other, the outermost included.
 */
export function lazy<T>(open: () => BitCodec<T>, depth: number): BitCodec<T> {
  checkFunctions('lazy', { open }, 'open');
  return bitCodec(new LazyNode(() => nodeOf('lazy', 'content', open()), checkInteger('lazy', 'depth', depth, 1, MAX_DEPTH)));
}

function axisOf(builder: string, givenMin: number, givenMax: number, givenResolution: number, options: QuantisedOptions): Quantiser {
  checkOptions(builder, options);
  const min = checkFinite(builder, 'min', givenMin);
  const max = checkFinite(builder, 'max', givenMax);
  const resolution = checkFinite(builder, 'resolution', givenResolution);
  if (!(min < max && Number.isFinite(max - min))) throw invalidCodec(builder, `expected min below max, got ${min} and ${max}`);
  if (!(resolution > 0)) throw invalidCodec(builder, `resolution: expected a number above 0, got ${resolution}`);
  const quantised = quantiser(min, max, resolution, options.clamp !== false);
  if (!(quantised.limit <= MAX_U32)) throw invalidCodec(builder, `${quantised.limit} steps, but at most ${MAX_U32} are possible`);
  if (quantised.step < STEPS_PER_ULP * Number.EPSILON * Math.max(Math.abs(min), Math.abs(max))) {
    throw invalidCodec(builder, `resolution: ${resolution} is finer than numbers are near ${min} … ${max}`);
  }
  return quantised;
}

function axesOf(
  builder: string,
  count: 2 | 3,
  min: number | readonly number[],
  max: number | readonly number[],
  resolution: number | readonly number[],
  options: QuantisedOptions,
): Quantiser[] {
  const part = (argument: string, value: number | readonly number[], axis: number): number => {
    if (typeof value === 'number') return value;
    if (!Array.isArray(value) || value.length !== count) throw invalidCodec(builder, `${argument}: expected a number or ${count} of them`);
    return (value as readonly number[])[axis]!;
  };
  return Array.from({ length: count }, (_, axis) =>
    axisOf(builder, part('min', min, axis), part('max', max, axis), part('resolution', resolution, axis), options),
  );
}
