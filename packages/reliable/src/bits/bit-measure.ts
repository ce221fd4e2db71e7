import { checkByteRange } from '../internal/check.ts';
import { bitsRequired, checkBits, checkInt, checkRelative, intRelativeBits } from './fields.ts';
import type { BitSink } from './fields.ts';

/**
 * Takes the calls of a `BitWriter` and only counts bits, so that the cost of a message is known before it is written. Alignment counts from
 * the position of this measure, which starts at 0. Refuses the same values as the writer does.
 */
export class BitMeasure implements BitSink {
  #position: number = 0;

  /** Bits counted so far. */
  get bitPosition(): number {
    return this.#position;
  }

  /** Starts at 0 again. */
  reset(): void {
    this.#position = 0;
  }

  /** Counts `count` bits, 0 … 32. @throws `ReliableError` `INVALID_RANGE` as the writer. */
  bits(value: number, count: number): void {
    checkBits(value, count);
    this.#position += count;
  }

  /** Counts one bit. */
  bool(_v: boolean): void {
    this.#position++;
  }

  /** Counts the bits of a value of a range. @throws `ReliableError` `INVALID_RANGE` as the writer. */
  int(value: number, min: number, max: number): void {
    const count = bitsRequired(min, max);
    checkInt(value, min, max);
    this.#position += count;
  }

  /** Goes to the next byte boundary. */
  align(): void {
    this.#position = Math.ceil(this.#position / 8) * 8;
  }

  /** Aligns, then counts the bytes. @throws `ReliableError` `INVALID_RANGE` as the writer. */
  bytes(src: Uint8Array, offset: number = 0, length: number = src.length - offset): void {
    checkByteRange(src, offset, length);
    this.align();
    this.#position += length * 8;
  }

  /** Counts the bits of `current` after `previous`. @throws `ReliableError` `INVALID_RANGE` as the writer. */
  intRelative(previous: number, current: number): void {
    checkRelative(previous, current);
    this.#position += intRelativeBits(current - previous);
  }
}
