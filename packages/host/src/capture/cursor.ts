import { decodeUtf8 } from '../internal/globals.ts';
import { CaptureError } from './errors.ts';

/** Reads the fields of a capture one after the other and throws {@link CaptureError} `TRUNCATED` where one is cut short. */
export class Cursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  /** @param bytes - borrowed: not copied, not changed. A subclass such as Node's `Buffer` is read as what it is, plain bytes. */
  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the next field begins. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes that have not been read. */
  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A copy of the next bytes; nothing is allocated before it is known that there are as many. */
  bytes(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.slice(start, start + count);
  }

  /** A name: its length in one byte, then UTF-8. */
  name(): string {
    const bytes = this.bytes(this.u8());
    const name = decodeUtf8(bytes);
    if (name === undefined) throw new CaptureError('invalidName', this.#offset - bytes.length);
    return name;
  }

  #take(count: number): number {
    const start = this.#offset;
    if (count > this.#bytes.length - start) throw new CaptureError('truncated', start);
    this.#offset = start + count;
    return start;
  }
}
