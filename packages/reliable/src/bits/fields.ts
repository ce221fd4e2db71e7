import { checkRange } from '../internal/check.ts';
import { ReliableError } from '../errors.ts';

// What is composed of plain bits.
//
// | field          | bits                   | layout                                                                    |
// | -------------- | ---------------------- | ------------------------------------------------------------------------- |
// | int(min, max)  | bitsRequired(min, max) | value − min                                                               |
// | u64            | 64                     | low 32 bits, then high 32 bits                                            |
// | u128           | 128                    | four groups of 32 bits, least significant first: 16 bytes, lowest first   |
// | intRelative    | 1 … 38                 | d = current − previous, by tier:                                          |
//
// | tier | d           | flags, in stream order | payload                        | bits | reject (`range`)              |
// | ---- | ----------- | ---------------------- | ------------------------------ | ---- | ----------------------------- |
// | 0    | 1           | 1                      | none                           | 1    | current > 2^31 − 1 (any tier) |
// | 1    | 2 … 6       | 0 1                    | d − 2 in 3 bits                | 5    | payload > 4                   |
// | 2    | 7 … 23      | 0 0 1                  | d − 7 in 5 bits                | 8    | payload > 16                  |
// | 3    | 24 … 280    | 0 0 0 1                | d − 24 in 9 bits               | 13   | payload > 256                 |
// | 4    | 281 … 4377  | 0 0 0 0 1              | d − 281 in 13 bits             | 18   | payload > 4096                |
// | 5    | 4378 …69914 | 0 0 0 0 0 1            | d − 4378 in 17 bits            | 23   | payload > 65536               |
// | 6    | ≥ 69915     | 0 0 0 0 0 0            | current itself, u32 in 32 bits | 38   | current ≤ previous            |

/** Largest value of {@link BitSink.intRelative}: 2^31 − 1. */
export const MAX_RELATIVE = 0x7fff_ffff;
/** The tier that carries the value itself. */
export const ABSOLUTE_TIER = 6;
/** Smallest difference of each tier 0 … 5, then the first difference of tier 6. */
export const TIER_FIRST: readonly number[] = Object.freeze([1, 2, 7, 24, 281, 4378, 69_915]);
/** Payload bits of each tier. */
export const TIER_PAYLOAD_BITS: readonly number[] = Object.freeze([0, 3, 5, 9, 13, 17, 32]);

const MIN_I32 = -0x8000_0000;
const MAX_U32 = 0xffff_ffff;

/** What the bit writer and its measuring twin have in common. */
export interface BitSink {
  bits(value: number, count: number): void;
  bool(v: boolean): void;
  int(value: number, min: number, max: number): void;
  align(): void;
  bytes(src: Uint8Array, offset?: number, length?: number): void;
  intRelative(previous: number, current: number): void;
  readonly bitPosition: number;
}

/** The part of a bit reader that composed fields need. */
export interface BitSource {
  bits(count: number): number;
  /** 0 while nothing has failed. */
  readonly error: number;
}

/**
 * How many bits a value of a range takes: 0 when the range holds one value, else the bit length of `max − min`.
 *
 * @param min - whole number, −2^31 … 2^32 − 1.
 * @param max - whole number from `min`; `max − min` is at most 2^32 − 1.
 * @returns 0 … 32.
 * @throws {@link ReliableError} `INVALID_RANGE` when the range is empty or out of bounds.
 * Source: bit packing section 2.
 */
export function bitsRequired(min: number, max: number): number {
  const span = max - min;
  if (!(span >= 0 && span <= MAX_U32 && min >= MIN_I32 && max <= MAX_U32 && Number.isInteger(min) && Number.isInteger(max))) {
    throw new ReliableError('invalidRange', `max: expected whole numbers min ≤ max of at most 32 bits, got ${min} … ${max}`, {
      field: 'max',
    });
  }
  return span === 0 ? 0 : 32 - Math.clz32(span);
}

/** The tier 0 … 6 that codes a difference of 1 or more. */
export function relativeTier(difference: number): number {
  if (difference < 7) return difference === 1 ? 0 : 1;
  if (difference < 281) return difference < 24 ? 2 : 3;
  if (difference < 69_915) return difference < 4378 ? 4 : 5;
  return ABSOLUTE_TIER;
}

/**
 * How many bits {@link BitSink.intRelative} takes for a difference.
 *
 * @param difference - `current − previous`, whole number, 1 … 2^31 − 1.
 * @throws {@link ReliableError} `INVALID_RANGE` otherwise.
 * Source: bit packing section 4.
 */
export function intRelativeBits(difference: number): 1 | 5 | 8 | 13 | 18 | 23 | 38 {
  checkRange(difference, 'difference', 1, MAX_RELATIVE);
  if (difference < 7) return difference === 1 ? 1 : 5;
  if (difference < 281) return difference < 24 ? 8 : 13;
  if (difference < 69_915) return difference < 4378 ? 18 : 23;
  return 38;
}

/** Throws `invalidRange` unless 0 ≤ `previous` < `current` ≤ 2^31 − 1, whole numbers. */
export function checkRelative(previous: number, current: number): void {
  // `| 0` keeps whole numbers of 32 bits with a sign as they are and changes everything else.
  if ((previous | 0) === previous && (current | 0) === current && previous >= 0 && previous < current) return;
  checkRange(previous, 'previous', 0, MAX_RELATIVE - 1);
  checkRange(current, 'current', previous + 1, MAX_RELATIVE);
}

/** Throws `invalidRange` unless `count` is 0 … 32 and `value` fits it; with 32 bits a negative 32-bit integer stands for its bit pattern. */
export function checkBits(value: number, count: number): void {
  const v = value | 0;
  if (count >>> 0 === count && (count < 32 ? v === value && v >>> count === 0 : count === 32 && (v === value || v >>> 0 === value))) return;
  checkRange(count, 'count', 0, 32);
  checkRange(value, 'value', count === 32 ? MIN_I32 : 0, 2 ** count - 1);
}

/** Throws `invalidRange` unless `value` is a whole number in `min` … `max`. */
export function checkInt(value: number, min: number, max: number): void {
  if (value >= min && value <= max && Number.isInteger(value)) return;
  checkRange(value, 'value', min, max);
}

/**
 * Writes a u64, low half first.
 *
 * @param value - 0 … 2^64 − 1.
 * @throws {@link ReliableError} `INVALID_RANGE` otherwise.
 */
export function writeU64(sink: BitSink, value: bigint): void {
  if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value) {
    throw new ReliableError('invalidRange', `value: expected a bigint in 0 … 2^64 - 1, got ${String(value)}`, { field: 'value' });
  }
  sink.bits(Number(value & 0xffff_ffffn), 32);
  sink.bits(Number(value >> 32n), 32);
}

/** Reads what {@link writeU64} wrote; 0 once the reader has failed. */
export function readU64(source: BitSource): bigint {
  const low = source.bits(32);
  const high = source.bits(32);
  // A failure between the halves leaves no half a value.
  return source.error === 0 ? (BigInt(high) << 32n) | BigInt(low) : 0n;
}

/**
 * Writes a u128 given as 16 bytes, least significant first; the bytes are laid down unaligned, at the current position.
 *
 * @param bytes - at least 16 bytes from `offset`; only read.
 * @throws {@link ReliableError} `INVALID_RANGE` when there are fewer.
 */
export function writeU128(sink: BitSink, bytes: Uint8Array, offset: number = 0): void {
  checkRange(offset, 'offset', 0, bytes.length - 16);
  for (let i = offset; i < offset + 16; i += 4) {
    sink.bits(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24), 32);
  }
}

/**
 * Reads what {@link writeU128} wrote into 16 bytes of `out`, least significant first; groups after a failure are 0.
 *
 * @param out - at least 16 bytes from `offset`.
 * @throws {@link ReliableError} `INVALID_RANGE` when there are fewer.
 */
export function readU128(source: BitSource, out: Uint8Array, offset: number = 0): void {
  checkRange(offset, 'offset', 0, out.length - 16);
  for (let i = offset; i < offset + 16; i += 4) {
    const group = source.bits(32);
    out[i] = group;
    out[i + 1] = group >>> 8;
    out[i + 2] = group >>> 16;
    out[i + 3] = group >>> 24;
  }
}
