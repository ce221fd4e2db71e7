import { CodecError } from './codec-error.ts';
import { DepthCounter } from './depth-counter.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * Reads what a `BitWriter` wrote; the table is there. Every read checks the end first, in bits and against the length of the data, so `TRUNCATED`
 * comes before any fault of the value. The first fault is thrown and ends the reading. Source: bit packing sections 3 and 5.
 */
export class BitReader {
  readonly depths: DepthCounter = new DepthCounter();
  #bytes: Uint8Array = NO_BYTES;
  #position = 0;
  #end = 0;

  /** Starts reading a stream that is all of `data`. */
  begin(data: Uint8Array): void {
    this.#bytes = data;
    this.#position = 0;
    this.#end = data.length * 8;
  }

  /** The array that is read. */
  get data(): Uint8Array {
    return this.#bytes;
  }

  /** Bits that have not been read. */
  get remaining(): number {
    return this.#end - this.#position;
  }

  /**
   * Reads a value of 0 … 32 bits.
   *
   * @returns its bit pattern: of 32 bits a signed integer.
   */
  bits(count: number): number {
    const position = this.#position;
    if (position + count > this.#end) throw truncated();
    if (count === 0) return 0;
    this.#position = position + count;
    const bytes = this.#bytes;
    let at = position >>> 3;
    let value = bytes[at]! >>> (position & 7);
    for (let have = 8 - (position & 7); have < count; have += 8) value |= bytes[++at]! << have;
    return count === 32 ? value : value & ((1 << count) - 1);
  }

  /** Reads a whole number of 0 … limit, limit below 2^32, as its bit pattern; above it is `RANGE`. */
  upTo(limit: number, count: number): number {
    const pattern = this.bits(count);
    if (pattern >>> 0 > limit) throw new CodecError('RANGE', `a code above ${limit}`);
    return pattern;
  }

  /** Goes to the next byte boundary; bits on the way that are not 0 are `PADDING`. */
  align(): void {
    const odd = this.#position & 7;
    if (odd !== 0 && this.bits(8 - odd) !== 0) throw new CodecError('PADDING', 'bits before a byte boundary that are not 0');
  }

  /** Aligns and skips bytes; gives the index of the first one. */
  skip(length: number): number {
    this.align();
    if (length * 8 > this.remaining) throw truncated();
    const at = this.#position >>> 3;
    this.#position += length * 8;
    return at;
  }

  /** Ends the stream: aligns, and bytes behind it are `TRAILING`. */
  end(): void {
    this.align();
    if (this.#position !== this.#end) throw new CodecError('TRAILING', `${this.remaining / 8} bytes behind the end`);
  }

  /** Lets go of the caller's memory. */
  release(): void {
    this.#bytes = NO_BYTES;
  }
}

/** Makes the error for data that ends too early. */
export function truncated(): CodecError {
  return new CodecError('TRUNCATED', 'the data ends before the value');
}
