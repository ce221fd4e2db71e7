import { Decoder, Encoder } from '@msgpack/msgpack';
import { CodecError } from './codec/codec-error.ts';
import type { Codec } from './codec/codec.ts';
import { checkMaxBytes, checkOptions, checkVersion } from './codec/definition.ts';
import type { VersionOptions } from './codec/raw.ts';
import { checkSchema, validate } from './codec/standard-schema.ts';
import type { StandardSchema } from './codec/standard-schema.ts';
import { checkData, checkOut, putBytes } from './codec/whole-payload.ts';
import { copyBytes } from './internal/bytes.ts';
import { checkValue, isPlainObject } from './msgpack/check-value.ts';
import { MAX_DEPTH, scan } from './msgpack/scan.ts';

// | codec              | descriptor             | wire                                                                  |
// | ------------------ | ---------------------- | --------------------------------------------------------------------- |
// | msgpack            | `msgpack(max)#v`       | MessagePack as `@msgpack/msgpack` writes it; scan.ts says what is read |
// | msgpack with `f32` | `msgpack(max,f32)#v`   | the same, numbers with a fraction as float32                          |

/** What the MessagePack codec can be told. */
export interface MsgpackOptions<T> extends VersionOptions {
  /** Bytes: longer encodings are refused. 0 … 2^24. */
  readonly maxBytes: number;
  /** Checks each value that is read. */
  readonly schema?: StandardSchema<unknown, T> | undefined;
  /** Writes numbers with a fraction as float32. Integers beyond 32 bits, which it would round, are `RANGE` then. */
  readonly f32?: boolean | undefined;
}

/** No extension goes in or out, dates and other classes neither. */
const NO_EXTENSIONS = {
  tryToEncode(value: unknown): null {
    if (Array.isArray(value) || value instanceof Uint8Array || isPlainObject(value)) return null;
    throw new CodecError('TYPE', 'expected an array, bytes or a plain object');
  },
  decode(): never {
    throw new CodecError('TYPE', 'an extension');
  },
};

/**
 * Values as MessagePack: null, booleans, numbers, texts, bytes, arrays and plain objects. Integers of up to 32 bits are `number`, a `bigint` is written in
 * 64 bits and comes back as one, any other `number` is a float64. Members that are `undefined` are left out.
 *
 * Needs the package `@msgpack/msgpack` 3.1 or newer.
 *
 * @throws {@link CatalogueError} `INVALID_CODEC`.
 * Source: codecs section 6.
 */
export function msgpack<T = unknown>(options: MsgpackOptions<T>): Codec<T> {
  checkOptions('msgpack', options);
  const { schema } = options;
  const maxBytes = checkMaxBytes('msgpack', options.maxBytes);
  const isFloat32 = options.f32 === true;
  if (schema !== undefined) checkSchema('msgpack', schema);
  const common = { useBigInt64: true, extensionCodec: NO_EXTENSIONS };
  const encoder = new Encoder({ ...common, ignoreUndefined: true, forceFloat32: isFloat32, maxDepth: MAX_DEPTH });
  const decoder = new Decoder({
    ...common,
    maxStrLength: maxBytes,
    maxBinLength: maxBytes,
    maxArrayLength: maxBytes,
    maxMapLength: maxBytes,
    maxExtLength: 0,
  });
  return Object.freeze({
    descriptor: `msgpack(${maxBytes}${isFloat32 ? ',f32' : ''})#${checkVersion('msgpack', options.version)}`,
    maxBytes,
    encodeInto(value: T, out: Uint8Array, offset: number): number {
      checkOut(out, offset);
      checkValue(value, isFloat32);
      return putBytes(
        asCodecError(() => encoder.encodeSharedRef(value)),
        maxBytes,
        out,
        offset,
      );
    },
    decode(data: Uint8Array): T {
      checkData(data, maxBytes);
      const { hasBinary } = scan(data);
      const decoded: unknown = asCodecError(() => decoder.decode(data));
      const value = hasBinary ? withOwnBytes(decoded) : decoded;
      return schema === undefined ? (value as T) : validate(schema, value);
    },
  });
}

function asCodecError<R>(action: () => R): R {
  try {
    return action();
  } catch (cause) {
    if (CodecError.is(cause)) throw cause;
    throw new CodecError('TYPE', '@msgpack/msgpack refused it', '', { cause });
  }
}

/** Copies the binary values, which are views of the payload. No value is deeper than the look at the bytes allowed. */
function withOwnBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return copyBytes(value);
  if (Array.isArray(value)) return value.map(withOwnBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withOwnBytes(member)]));
}
