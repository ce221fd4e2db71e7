import { copyInto } from '../internal/bytes.ts';
import { CodecError } from './codec-error.ts';
import { DepthCounter } from './depth-counter.ts';
import { outside } from './number-cell.ts';
import { writeUtf8 } from './utf8.ts';

const NO_BYTES = new Uint8Array(0);

// A stream of bits: bit k of the stream is bit k mod 8, least significant first, of byte k / 8.
//
// | piece      | bits                    | meaning                                                         |
// | ---------- | ----------------------- | --------------------------------------------------------------- |
// | bits(v, n) | n, 0 … 32               | the low n bits of v, least significant first                    |
// | align      | 0 … 7                   | zero bits up to the next byte boundary; none when on one        |
// | bytes      | 0 … 7 and 8 for each    | align, also for no bytes, then the bytes; their number is not in it |
// | end        | 0 … 7                   | align; the stream is whole bytes                                |

/**
 * Packs values of 0 … 32 bits into the caller's memory. It trusts its callers with values and judges the room once, at the end: a store beyond an
 * array does nothing. Source: bit packing sections 1 to 3.
 */
export class BitWriter {
  readonly depths: DepthCounter = new DepthCounter();
  #bytes: Uint8Array = NO_BYTES;
  #start = 0;
  /** Index of the first byte that is not stored yet; what belongs there is in the scratch. */
  #at = 0;
  #scratch = 0;
  /** Bits in the scratch, 0 … 31. */
  #fill = 0;

  /** Starts a stream at a byte of `out`. */
  begin(out: Uint8Array, offset: number): void {
    if (!(Number.isInteger(offset) && offset >= 0 && offset <= out.length)) throw outside(`an offset in 0 … ${out.length}`, offset);
    this.#bytes = out;
    this.#start = offset;
    this.#at = offset;
    this.#scratch = 0;
    this.#fill = 0;
  }

  /** Bits written so far. */
  get bitPosition(): number {
    return (this.#at - this.#start) * 8 + this.#fill;
  }

  /** Writes the low bits of a pattern whose other bits are 0; as 32 bits also a negative integer, which stands for its bit pattern. */
  bits(pattern: number, count: number): void {
    const fill = this.#fill;
    const total = fill + count;
    const scratch = this.#scratch | (pattern << fill);
    if (total < 32) {
      this.#scratch = scratch;
      this.#fill = total;
      return;
    }
    const bytes = this.#bytes;
    const at = this.#at;
    bytes[at] = scratch;
    bytes[at + 1] = scratch >>> 8;
    bytes[at + 2] = scratch >>> 16;
    bytes[at + 3] = scratch >>> 24;
    this.#at = at + 4;
    // Shifts count modulo 32: with nothing held back before, nothing is left over.
    this.#scratch = fill === 0 ? 0 : pattern >>> (32 - fill);
    this.#fill = total - 32;
  }

  /** Goes to the next byte boundary. */
  align(): void {
    const odd = this.#fill & 7;
    if (odd !== 0) this.bits(0, 8 - odd);
  }

  /** Aligns and writes bytes. */
  bytes(source: Uint8Array): void {
    const at = this.#room(source.length);
    copyInto(this.#bytes, at, source, 0, source.length);
  }

  /** Aligns and writes a well-formed text whose UTF-8 has `length` bytes. */
  text(text: string, length: number): void {
    writeUtf8(text, this.#bytes, this.#room(length));
  }

  /**
   * Ends the stream.
   *
   * @returns its length in bytes.
   * @throws {@link CodecError} `TOO_LARGE` when it did not fit.
   */
  finish(): number {
    this.#flush();
    if (this.#at > this.#bytes.length) throw this.#full(this.#at);
    return this.#at - this.#start;
  }

  /** Lets go of the caller's memory. */
  release(): void {
    this.#bytes = NO_BYTES;
  }

  /** Takes whole bytes from the next boundary on; gives the index of the first. */
  #room(length: number): number {
    this.#flush();
    const at = this.#at;
    if (at + length > this.#bytes.length) throw this.#full(at + length);
    this.#at = at + length;
    return at;
  }

  /** Stores the scratch, up to the next boundary. */
  #flush(): void {
    let scratch = this.#scratch;
    for (let left = this.#fill; left > 0; left -= 8, scratch >>>= 8) this.#bytes[this.#at++] = scratch;
    this.#scratch = 0;
    this.#fill = 0;
  }

  #full(end: number): CodecError {
    return new CodecError(
      'TOO_LARGE',
      `out has ${this.#bytes.length - this.#start} bytes from the offset on, ${end - this.#start} or more are needed`,
    );
  }
}
