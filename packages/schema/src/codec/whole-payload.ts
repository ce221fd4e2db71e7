import { copyInto } from '../internal/bytes.ts';
import type { Codec } from './codec.ts';
import { CodecError } from './codec-error.ts';
import { mismatch, outside } from './number-cell.ts';

// What codecs have in common whose payload is one piece.

/** Throws unless there is a place to write to. */
export function checkOut(out: unknown, offset: number): asserts out is Uint8Array {
  if (!(out instanceof Uint8Array)) throw mismatch('out to be a Uint8Array', out);
  if (!(Number.isInteger(offset) && offset >= 0 && offset <= out.length)) throw outside(`an offset in 0 … ${out.length}`, offset);
}

/** Writes finished bytes; throws `TOO_LARGE` when they are more than the codec allows or than there is room for. */
export function putBytes(bytes: Uint8Array, maxBytes: number, out: Uint8Array, offset: number): number {
  checkLength(bytes.length, maxBytes);
  const room = out.length - offset;
  if (bytes.length > room) throw new CodecError('TOO_LARGE', `out has ${room} bytes from the offset on, ${bytes.length} are needed`);
  copyInto(out, offset, bytes, 0, bytes.length);
  return bytes.length;
}

/** Throws unless a payload is bytes, and no more than the codec allows. */
export function checkData(data: unknown, maxBytes: number): asserts data is Uint8Array {
  if (!(data instanceof Uint8Array)) throw mismatch('data to be a Uint8Array', data);
  checkLength(data.length, maxBytes);
}

function checkLength(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new CodecError('TOO_LARGE', `expected at most ${maxBytes} bytes, got ${length}`);
}

/** The comparison of a codec around another one; none where that has none. */
export function equalsOf<T, W>(codec: Codec<W>, to: (value: T) => W): { equals?(a: T, b: T): boolean } {
  const compare = codec.equals?.bind(codec);
  return compare === undefined ? {} : { equals: (a, b) => compare(to(a), to(b)) };
}
