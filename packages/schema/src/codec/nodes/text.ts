import { copyBytes, copyInto, sameBytes } from '../../internal/bytes.ts';
import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { CodecError } from '../codec-error.ts';
import { BitNode, widthOf } from '../node.ts';
import type { Size, ValueKind } from '../node.ts';
import { mismatch } from '../number-cell.ts';
import { isAsciiText, readUtf8, utf8Length } from '../utf8.ts';

// | builder     | bits                              | wire                                           | refused                                      |
// | ----------- | --------------------------------- | ---------------------------------------------- | -------------------------------------------- |
// | string(max) | width of max, 0 … 7, 8 for a byte | length in bytes as int[0, max], align, UTF-8   | lone surrogates, ill-formed UTF-8: UTF8      |
// | bytes(max)  | the same                          | length as int[0, max], align, the bytes        |                                              |
//
// Read, a length above max is RANGE, bits of the alignment that are not 0 PADDING. Written, what is longer is TOO_LARGE.

const ALIGNMENT_BITS = 7;

function sizeOf(maxBytes: number): Size {
  const width = widthOf(maxBytes);
  return { min: width, max: width + ALIGNMENT_BITS + 8 * maxBytes };
}

function tooLong(maxBytes: number, length: number): CodecError {
  return new CodecError('TOO_LARGE', `expected at most ${maxBytes} bytes, got ${length}`);
}

/** `string`. */
export class StringNode extends BitNode {
  readonly #maxBytes: number;
  readonly #width: number;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
    this.#width = widthOf(maxBytes);
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(): string {
    return `str(${this.#maxBytes})`;
  }

  size(): Size {
    return sizeOf(this.#maxBytes);
  }

  write(writer: BitWriter, value: unknown): void {
    if (typeof value !== 'string') throw mismatch('a text', value);
    const length = this.#lengthOf(value);
    writer.bits(length, this.#width);
    writer.text(value, length);
  }

  read(reader: BitReader, into: unknown): unknown {
    const length = reader.upTo(this.#maxBytes, this.#width);
    const at = reader.skip(length);
    if (typeof into === 'string' && isAsciiText(into, reader.data, at, length)) return into;
    return readUtf8(reader.data, at, length);
  }

  equals(a: unknown, b: unknown): boolean {
    for (const value of [a, b]) {
      if (typeof value !== 'string') throw mismatch('a text', value);
      this.#lengthOf(value);
    }
    return a === b;
  }

  #lengthOf(text: string): number {
    const length = utf8Length(text);
    if (length > this.#maxBytes) throw tooLong(this.#maxBytes, length);
    return length;
  }
}

/** `bytes`. */
export class BytesNode extends BitNode {
  readonly #maxBytes: number;
  readonly #width: number;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
    this.#width = widthOf(maxBytes);
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(): string {
    return `bytes(${this.#maxBytes})`;
  }

  size(): Size {
    return sizeOf(this.#maxBytes);
  }

  write(writer: BitWriter, value: unknown): void {
    const bytes = this.#take(value);
    writer.bits(bytes.length, this.#width);
    writer.bytes(bytes);
  }

  read(reader: BitReader, into: unknown): unknown {
    const length = reader.upTo(this.#maxBytes, this.#width);
    const at = reader.skip(length);
    if (!(into instanceof Uint8Array && into.length === length)) return copyBytes(reader.data, at, length);
    copyInto(into, 0, reader.data, at, length);
    return into;
  }

  equals(a: unknown, b: unknown): boolean {
    return sameBytes(this.#take(a), this.#take(b));
  }

  #take(value: unknown): Uint8Array {
    if (!(value instanceof Uint8Array)) throw mismatch('a Uint8Array', value);
    if (value.length > this.#maxBytes) throw tooLong(this.#maxBytes, value.length);
    return value;
  }
}
