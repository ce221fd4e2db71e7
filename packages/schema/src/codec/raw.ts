import { copyBytes, sameBytes } from '../internal/bytes.ts';
import type { Codec } from './codec.ts';
import { checkCodecName, checkFunctions, checkMaxBytes, checkOptions, checkVersion } from './definition.ts';
import { mismatch } from './number-cell.ts';
import { asValidation } from './nodes/wrappers.ts';
import { checkData, checkOut, putBytes } from './whole-payload.ts';

// | codec  | descriptor       | wire                                       |
// | ------ | ---------------- | ------------------------------------------ |
// | raw    | `raw(max)#v`     | the bytes                                  |
// | custom | `custom(name)#v` | what the function of the application gives |

/** What says how a codec's bytes are to be understood, where its shape cannot be seen. */
export interface VersionOptions {
  /** In the descriptor; to be changed with the meaning of the bytes. A number or a text of `A-Z a-z 0-9 _ . : + -`. */
  readonly version: number | string;
}

/**
 * Bytes as they are; read as a copy.
 *
 * @param maxBytes - 0 … 2^24.
 * @throws {@link CatalogueError} `INVALID_CODEC`.
 */
export function raw(maxBytes: number, options: VersionOptions): Codec<Uint8Array> {
  const most = checkMaxBytes('raw', maxBytes);
  checkOptions('raw', options);
  const take = (value: unknown): Uint8Array => {
    if (value instanceof Uint8Array) return value;
    throw mismatch('a Uint8Array', value);
  };
  return Object.freeze({
    descriptor: `raw(${most})#${checkVersion('raw', options.version)}`,
    maxBytes: most,
    encodeInto(value: Uint8Array, out: Uint8Array, offset: number): number {
      checkOut(out, offset);
      return putBytes(take(value), most, out, offset);
    },
    decode(data: Uint8Array): Uint8Array {
      checkData(data, most);
      return copyBytes(data);
    },
    equals: (a: Uint8Array, b: Uint8Array) => sameBytes(take(a), take(b)),
  });
}

/** A codec in the application's own words. */
export interface CustomOptions<T> extends VersionOptions {
  /** Bytes: no encoding is longer. 0 … 2^24. */
  readonly maxBytes: number;
  /** Gives the encoding. What it throws reaches the caller as `CodecError` `VALIDATION` with the cause, unless it is a `CodecError`. */
  encode(value: T): Uint8Array;
  /** Reads a copy of a payload, which it may keep. What it throws is treated alike. */
  decode(bytes: Uint8Array): T;
}

/**
 * A codec of two functions. Its decoder must be ready for any bytes of up to `maxBytes`.
 *
 * @param name - one or more characters of `A-Z a-z 0-9 _ . : / -`; in the descriptor.
 * @throws {@link CatalogueError} `INVALID_CODEC`.
 */
export function custom<T>(name: string, options: CustomOptions<T>): Codec<T> {
  const checkedName = checkCodecName('custom', name);
  checkOptions('custom', options);
  checkFunctions('custom', options, 'encode', 'decode');
  const most = checkMaxBytes('custom', options.maxBytes);
  return Object.freeze({
    descriptor: `custom(${checkedName})#${checkVersion('custom', options.version)}`,
    maxBytes: most,
    encodeInto(value: T, out: Uint8Array, offset: number): number {
      checkOut(out, offset);
      const bytes: unknown = asValidation('encode', () => options.encode(value));
      if (!(bytes instanceof Uint8Array)) throw mismatch('encode to give a Uint8Array', bytes);
      return putBytes(bytes, most, out, offset);
    },
    decode(data: Uint8Array): T {
      checkData(data, most);
      return asValidation('decode', () => options.decode(copyBytes(data)));
    },
  });
}
