import { copyBytes } from './bytes.ts';

/** Writes little-endian values one after the other. Writing past the end throws `RangeError`: a fault of the caller, whose buffer has a fixed size. */
export class ByteWriter {
  readonly bytes: Uint8Array;
  position: number = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(value: number): void {
    this.#view.setUint8(this.position, value);
    this.position += 1;
  }

  u16(value: number): void {
    this.#view.setUint16(this.position, value, true);
    this.position += 2;
  }

  u32(value: number): void {
    this.#view.setUint32(this.position, value, true);
    this.position += 4;
  }

  i32(value: number): void {
    this.#view.setInt32(this.position, value, true);
    this.position += 4;
  }

  u64(value: bigint): void {
    this.#view.setBigUint64(this.position, value, true);
    this.position += 8;
  }

  raw(source: Uint8Array): void {
    this.bytes.set(source, this.position);
    this.position += source.length;
  }
}

/** Reads little-endian values one after the other. The caller checks lengths first; reading past the end throws `RangeError`. */
export class ByteReader {
  readonly bytes: Uint8Array;
  position: number = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(): number {
    return this.#view.getUint8(this.position++);
  }

  u16(): number {
    const value = this.#view.getUint16(this.position, true);
    this.position += 2;
    return value;
  }

  i32(): number {
    const value = this.#view.getInt32(this.position, true);
    this.position += 4;
    return value;
  }

  u64(): bigint {
    const value = this.#view.getBigUint64(this.position, true);
    this.position += 8;
    return value;
  }

  /** A copy of the next bytes. */
  raw(length: number): Uint8Array {
    const value = copyBytes(this.bytes, this.position, this.position + length);
    this.position += length;
    return value;
  }
}
