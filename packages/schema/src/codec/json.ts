import { quoted } from '../internal/debug-text.ts';
import { decodeText, encodeTextInto } from '../internal/globals.ts';
import type { Codec } from './codec.ts';
import { CodecError } from './codec-error.ts';
import { checkMaxBytes, checkOptions, checkVersion } from './definition.ts';
import type { VersionOptions } from './raw.ts';
import { checkSchema, validate } from './standard-schema.ts';
import type { StandardSchema } from './standard-schema.ts';
import { checkData, checkOut } from './whole-payload.ts';

// | codec | descriptor    | wire                                                          | refused when read                                     |
// | ----- | ------------- | ------------------------------------------------------------- | ----------------------------------------------------- |
// | json  | `json(max)#v` | the value as JSON text in UTF-8, without a byte order mark    | UTF8; DEPTH above 64 levels; what is no JSON is TYPE  |
//
// Members named `__proto__` are dropped when read.

/** Deepest nesting of arrays and objects: the functions that walk a value afterwards are recursive. */
const MAX_DEPTH = 64;

/** What the JSON codec can be told. */
export interface JsonOptions<T> extends VersionOptions {
  /** Bytes: longer texts are refused. 0 … 2^24. */
  readonly maxBytes: number;
  /** Checks each value that is read. */
  readonly schema?: StandardSchema<unknown, T> | undefined;
}

/**
 * Values as JSON text. What JSON cannot express is refused or left out as `JSON.stringify` does it, numbers that are not finite are `NON_FINITE`.
 *
 * @throws {@link CatalogueError} `INVALID_CODEC`.
 */
export function json<T = unknown>(options: JsonOptions<T>): Codec<T> {
  checkOptions('json', options);
  const { schema } = options;
  const maxBytes = checkMaxBytes('json', options.maxBytes);
  if (schema !== undefined) checkSchema('json', schema);
  return Object.freeze({
    descriptor: `json(${maxBytes})#${checkVersion('json', options.version)}`,
    maxBytes,
    encodeInto(value: T, out: Uint8Array, offset: number): number {
      checkOut(out, offset);
      const text = textOf(value);
      const room = Math.min(maxBytes, out.length - offset);
      const { read, written } = encodeTextInto(text, out.subarray(offset, offset + room));
      if (read < text.length) throw new CodecError('TOO_LARGE', `expected at most ${room} bytes of JSON`);
      return written;
    },
    decode(data: Uint8Array): T {
      checkData(data, maxBytes);
      const value = valueOf(textIn(data));
      return schema === undefined ? (value as T) : validate(schema, value);
    },
  });
}

function textOf(value: unknown): string {
  // Of a function, say, it makes nothing, whatever its type promises.
  let text: unknown;
  try {
    text = JSON.stringify(value, refuseNonFinite);
  } catch (cause) {
    if (cause instanceof CodecError) throw cause;
    throw new CodecError('TYPE', 'expected a value that JSON can express', '', { cause });
  }
  if (typeof text !== 'string') throw new CodecError('TYPE', 'expected a value that JSON can express');
  checkDepth(text);
  return text;
}

/** `JSON.stringify` would write null without a word. */
function refuseNonFinite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new CodecError('NON_FINITE', `expected finite numbers, got ${value} as ${quoted(key)}`);
  return value;
}

function textIn(data: Uint8Array): string {
  try {
    return decodeText(data);
  } catch (cause) {
    throw new CodecError('UTF8', 'bytes that are not UTF-8', '', { cause });
  }
}

function valueOf(text: string): unknown {
  checkDepth(text);
  try {
    // A name can also be written with escapes, so that the plain look finds nothing.
    return text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch (cause) {
    throw new CodecError('TYPE', 'a text that is not JSON', '', { cause });
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Throws `DEPTH` for a text with too many brackets in each other, before anything is built of it. */
function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
    } else if (character === '[' || character === '{') {
      if (++depth > MAX_DEPTH) throw new CodecError('DEPTH', `expected at most ${MAX_DEPTH} levels`);
    } else if (character === ']' || character === '}') {
      depth--;
    }
  }
}
