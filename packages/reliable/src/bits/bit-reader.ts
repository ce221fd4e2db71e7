import { checkByteRange, checkRange } from '../internal/check.ts';
import { ABSOLUTE_TIER, MAX_RELATIVE, TIER_FIRST, TIER_PAYLOAD_BITS, bitsRequired } from './fields.ts';
import type { BitSource } from './fields.ts';

/** Why a read failed: 0 nothing failed, 1 truncated, 2 range, 3 padding, 4 trailing. {@link BIT_ERRORS} has the names. */
export type BitError = 0 | 1 /* truncated */ | 2 /* range */ | 3 /* padding */ | 4; /* trailing */

/** Names of the values of {@link BitError}, by number. */
export const BIT_ERRORS: readonly ['ok', 'truncated', 'range', 'padding', 'trailing'] = Object.freeze([
  'ok',
  'truncated',
  'range',
  'padding',
  'trailing',
] as const);

const TRUNCATED = 1;
const RANGE = 2;
const PADDING = 3;
const TRAILING = 4;

const NO_BYTES = new Uint8Array(0);

/**
 * Reads what a `BitWriter` wrote. Content never throws: the first read that fails sets {@link error}, and from then on every read fails, gives
 * 0 (or false) and does not move. Truncation is judged before the value, in bits, against the stated length; no bits beyond it count.
 *
 * One reader serves any number of streams, see {@link reset}; a stream in the same array as the one before costs no allocation.
 * Source: bit packing sections 3 … 6.
 */
export class BitReader implements BitSource {
  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = new DataView(NO_BYTES.buffer);
  /** Position of the next bit, counted from the start of the array. */
  #position: number = 0;
  /** Position behind the last bit. */
  #end: number = 0;
  #error: BitError = 0;

  /** The first failure, 0 when there was none. */
  get error(): BitError {
    return this.#error;
  }

  /** Bits that have not been read. */
  get bitsRemaining(): number {
    return this.#end - this.#position;
  }

  /**
   * Starts reading a stream.
   *
   * @param buffer - holds the stream; borrowed until the next `reset`, never written.
   * @param offset - its first byte.
   * @param length - its length in bytes, below 2^28 together with the offset.
   * @throws `ReliableError` `INVALID_RANGE` when that is not within the buffer.
   */
  reset(buffer: Uint8Array, offset: number, length: number): void {
    checkByteRange(buffer, offset, length);
    checkRange(offset + length, 'length', 0, 0xfff_ffff);
    if (buffer !== this.#bytes) {
      this.#bytes = buffer;
      this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    }
    this.#position = offset * 8;
    this.#end = (offset + length) * 8;
    this.#error = 0;
  }

  /**
   * Reads a value.
   *
   * @param count - 0 … 32; 0 reads nothing.
   * @returns a u32.
   * @throws `ReliableError` `INVALID_RANGE` for another count.
   */
  bits(count: number): number {
    if (!(count >= 0 && count <= 32)) checkRange(count, 'count', 0, 32);
    return this.#need(count) ? this.#take(count) : 0;
  }

  /** Reads one bit. */
  bool(): boolean {
    return this.#need(1) && this.#take(1) !== 0;
  }

  /**
   * Reads a whole number of a range. A value above `max` fails with `range`. When the range holds one value no bit is read.
   *
   * @throws `ReliableError` `INVALID_RANGE` when the range is empty or wider than 32 bits.
   */
  int(min: number, max: number): number {
    const count = bitsRequired(min, max);
    if (!this.#need(count)) return 0;
    const raw = this.#take(count);
    if (raw > max - min) return this.#fail(RANGE);
    return raw + min;
  }

  /** Goes to the next byte boundary; the bits on the way must be 0, else `padding`. */
  align(): void {
    const odd = this.#position & 7;
    if (odd === 0 || this.#error !== 0) return;
    if (this.#take(8 - odd) !== 0) this.#fail(PADDING);
  }

  /**
   * Aligns, then skips bytes.
   *
   * @param length - how many.
   * @returns the index of the first one in the array given to {@link reset}; 0 after a failure.
   * @throws `ReliableError` `INVALID_RANGE` when `length` is not a u32.
   */
  skipBytes(length: number): number {
    if (length >>> 0 !== length) checkRange(length, 'length', 0, 0xffff_ffff);
    this.align();
    if (!this.#need(length * 8)) return 0;
    const at = this.#position >>> 3;
    this.#position += length * 8;
    return at;
  }

  /**
   * Reads what `intRelative` wrote. Codes that no difference has, results above 2^31 − 1 and absolute values not above `previous` fail with
   * `range`; an absolute value that a shorter tier could have carried is accepted.
   *
   * @param previous - 0 … 2^31 − 1.
   */
  intRelative(previous: number): number {
    if (previous < 0 || (previous | 0) !== previous) checkRange(previous, 'previous', 0, MAX_RELATIVE);
    let tier = 0;
    while (this.#need(1) && this.#take(1) === 0 && ++tier < ABSOLUTE_TIER);
    if (!this.#need(TIER_PAYLOAD_BITS[tier]!)) return 0;
    const payload = this.#take(TIER_PAYLOAD_BITS[tier]!);
    const current = tier === ABSOLUTE_TIER ? payload : previous + TIER_FIRST[tier]! + payload;
    const isUnused = tier === ABSOLUTE_TIER ? current <= previous : current - previous >= TIER_FIRST[tier + 1]!;
    return isUnused || current > MAX_RELATIVE ? this.#fail(RANGE) : current;
  }

  /** Ends the stream: aligns, then no byte may follow, else `trailing`. */
  end(): void {
    this.align();
    if (this.#error === 0 && this.#position !== this.#end) this.#fail(TRAILING);
  }

  #fail(error: BitError): 0 {
    this.#error = error;
    return 0;
  }

  /** Whether `count` bits can be read; fails otherwise. */
  #need(count: number): boolean {
    if (this.#error !== 0) return false;
    if (this.#position + count <= this.#end) return true;
    this.#error = TRUNCATED;
    return false;
  }

  /** Reads 0 … 32 bits that are there. */
  #take(count: number): number {
    const bytes = this.#bytes;
    const position = this.#position;
    const at = position >>> 3;
    const odd = position & 7;
    this.#position = position + count;
    // One load of 32 bits; the last bytes of the array one by one, since reads beyond it are slow.
    let value = (at + 4 <= bytes.length ? this.#view.getUint32(at, true) : tail(bytes, at)) >>> odd;
    if (count === 32 && odd === 0) return value;
    if (odd + count > 32) value |= bytes[at + 4]! << (32 - odd);
    return count === 32 ? value >>> 0 : value & ((1 << count) - 1);
  }
}

/** The up to 3 bytes from `at` to the end of the array, as a little-endian number. */
function tail(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = bytes.length - 1; i >= at; i--) value = (value << 8) | bytes[i]!;
  return value;
}
