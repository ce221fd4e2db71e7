import { ReliableError } from '../errors.ts';
import { checkByteRange } from '../internal/check.ts';
import { ABSOLUTE_TIER, TIER_FIRST, TIER_PAYLOAD_BITS, bitsRequired, checkBits, checkInt, checkRelative, relativeTier } from './fields.ts';
import type { BitSink } from './fields.ts';

/** Up to this many bytes a loop is faster than making a view to copy from. */
const LOOP_COPY_BYTES = 64;

/**
 * Packs values of 1 … 32 bits into bytes: bit k of the stream is bit k mod 8, least significant first, of byte k / 8, and a value goes down
 * least significant bit first.
 *
 * The buffer is written as the stream grows and is the caller's; read it after {@link finish}. Values outside their range and writes past the
 * end of the buffer throw and leave the stream as it was.
 * Source: bit packing sections 1 … 4.
 */
export class BitWriter implements BitSink {
  #bytes: Uint8Array;
  /** Bytes stored so far; what follows is in the scratch. */
  #stored: number = 0;
  /** The last bits, not stored yet. */
  #scratch: number = 0;
  /** How many they are, 0 … 31. */
  #fill: number = 0;

  /** @param buffer - where the stream goes, from its first byte; its length is the limit. Borrowed until the next `reset`. */
  constructor(buffer: Uint8Array) {
    this.#bytes = buffer;
  }

  /** Bits written so far. */
  get bitPosition(): number {
    return this.#stored * 8 + this.#fill;
  }

  /** Starts a new stream, in another buffer when one is given. */
  reset(buffer: Uint8Array = this.#bytes): void {
    this.#bytes = buffer;
    this.#stored = 0;
    this.#scratch = 0;
    this.#fill = 0;
  }

  /**
   * Writes the low bits of a value.
   *
   * @param value - whole number below 2^count. With 32 bits also a negative 32-bit integer, which stands for its bit pattern.
   * @param count - 0 … 32; 0 writes nothing.
   * @throws {@link ReliableError} `INVALID_RANGE` for other values, `BUFFER_TOO_SMALL` when the buffer is full.
   */
  bits(value: number, count: number): void {
    checkBits(value, count);
    this.#put(value, count);
  }

  /** Writes one bit. */
  bool(v: boolean): void {
    this.#put(v ? 1 : 0, 1);
  }

  /**
   * Writes a whole number of a known range in {@link bitsRequired} bits.
   *
   * @throws {@link ReliableError} `INVALID_RANGE` when it is outside, `BUFFER_TOO_SMALL` when the buffer is full.
   */
  int(value: number, min: number, max: number): void {
    const count = bitsRequired(min, max);
    checkInt(value, min, max);
    this.#put(value - min, count);
  }

  /** Writes zero bits up to the next byte boundary; nothing when on one. */
  align(): void {
    const odd = this.#fill & 7;
    if (odd !== 0) this.#put(0, 8 - odd);
  }

  /**
   * Aligns, also for no bytes, then writes bytes of an array. Their number is not written.
   *
   * @throws {@link ReliableError} `INVALID_RANGE` when the range is not within `src`, `BUFFER_TOO_SMALL` when the buffer is full.
   */
  bytes(src: Uint8Array, offset: number = 0, length: number = src.length - offset): void {
    checkByteRange(src, offset, length);
    const at = this.#stored + ((this.#fill + 7) >>> 3);
    if (at + length > this.#bytes.length) throw this.#full();
    this.finish();
    const bytes = this.#bytes;
    if (length <= LOOP_COPY_BYTES) {
      for (let i = 0; i < length; i++) bytes[at + i] = src[offset + i]!;
    } else {
      bytes.set(offset === 0 && length === src.length ? src : src.subarray(offset, offset + length), at);
    }
    this.#stored = at + length;
    this.#scratch = 0;
    this.#fill = 0;
  }

  /**
   * Writes `current` by its difference to `previous`, in 1 … 38 bits.
   *
   * @throws {@link ReliableError} `INVALID_RANGE` unless 0 ≤ previous < current ≤ 2^31 − 1, `BUFFER_TOO_SMALL` when the buffer is full.
   */
  intRelative(previous: number, current: number): void {
    checkRelative(previous, current);
    const difference = current - previous;
    const tier = relativeTier(difference);
    if (tier === ABSOLUTE_TIER) {
      if (this.bitPosition + 38 > this.#bytes.length * 8) throw this.#full();
      this.#put(0, 6);
      this.#put(current, 32);
      return;
    }
    // The flag of the tier is the only 1 among the flags, so they and the payload are one value.
    this.#put((1 << tier) | ((difference - TIER_FIRST[tier]!) << (tier + 1)), tier + 1 + TIER_PAYLOAD_BITS[tier]!);
  }

  /**
   * Stores what is still held back. The bits of the last byte that were not written are 0. The stream may go on afterwards.
   *
   * @returns the length of the stream in bytes.
   */
  finish(): number {
    let at = this.#stored;
    for (let left = this.#fill, scratch = this.#scratch; left > 0; left -= 8, scratch >>>= 8) this.#bytes[at++] = scratch;
    return at;
  }

  /** Writes a value that is known to fit `count` bits. */
  #put(value: number, count: number): void {
    const bytes = this.#bytes;
    const fill = this.#fill;
    const total = fill + count;
    const at = this.#stored;
    if (at * 8 + total > bytes.length * 8) throw this.#full();
    const scratch = this.#scratch | (value << fill);
    if (total < 32) {
      this.#scratch = scratch;
      this.#fill = total;
      return;
    }
    bytes[at] = scratch;
    bytes[at + 1] = scratch >>> 8;
    bytes[at + 2] = scratch >>> 16;
    bytes[at + 3] = scratch >>> 24;
    this.#stored = at + 4;
    // Shifts count modulo 32: with nothing held back before, nothing is left over.
    this.#scratch = fill === 0 ? 0 : value >>> (32 - fill);
    this.#fill = total - 32;
  }

  #full(): ReliableError {
    return new ReliableError('bufferTooSmall', `buffer: ${this.#bytes.length} bytes are too few for the stream`, { field: 'buffer' });
  }
}
