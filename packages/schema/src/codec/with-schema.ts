import type { Codec } from './codec.ts';
import { equalsOf } from './whole-payload.ts';
import { checkOptions, checkVersion } from './definition.ts';
import type { VersionOptions } from './raw.ts';
import { checkSchema, validate } from './standard-schema.ts';
import type { StandardSchema } from './standard-schema.ts';

// | codec      | descriptor             | wire                     |
// | ---------- | ---------------------- | ------------------------ |
// | withSchema | that of the codec, `#v` | that of the codec        |

/** How a validator is used. */
export interface SchemaOptions extends VersionOptions {
  /** Also checks values before they are written. What is written is the value as it was given. */
  readonly both?: boolean | undefined;
}

/**
 * A codec whose values a validator looks at after they are read. What it answers is the value; what it does not like is one `VALIDATION` error with the
 * path of the first issue.
 *
 * @param schema - of any library that follows Standard Schema; synchronous. Its output must be a value that the codec can write.
 * @throws {@link CatalogueError} `INVALID_CODEC`, and `ASYNCHRONOUS_SCHEMA` from the codec's methods once the validator answers with a promise.
 */
export function withSchema<T, Output extends T>(
  codec: Codec<T>,
  schema: StandardSchema<unknown, Output>,
  options: SchemaOptions,
): Codec<Output> {
  checkOptions('withSchema', options);
  checkSchema('withSchema', schema);
  return Object.freeze({
    descriptor: `${codec.descriptor}#${checkVersion('withSchema', options.version)}`,
    maxBytes: codec.maxBytes,
    encodeInto(value: Output, out: Uint8Array, offset: number): number {
      if (options.both === true) validate(schema, value);
      return codec.encodeInto(value, out, offset);
    },
    decode: (data: Uint8Array) => validate(schema, codec.decode(data)),
    ...equalsOf(codec, (value: Output) => value),
  });
}
