export * as b from './builders.ts';
export type {
  FixedValue,
  FlagsValue,
  FloatOptions,
  PerAxis,
  QuantisedOptions,
  StructOptions,
  StructValue,
  UnionValue,
} from './builders.ts';
export type { BitCodec, NearCodec, StructCodec } from './bit-codec.ts';
export type { Codec, DeltaCodec, Infer } from './codec.ts';
export { CodecError } from './codec-error.ts';
export type { CodecErrorCode, CodecErrorKind } from './codec-error.ts';
export { json } from './json.ts';
export type { JsonOptions } from './json.ts';
export { mapped } from './mapped.ts';
export type { MappedOptions } from './mapped.ts';
export { quantise } from './quantise.ts';
export { custom, raw } from './raw.ts';
export type { CustomOptions, VersionOptions } from './raw.ts';
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
export { codecVersion } from './version.ts';
export { withSchema } from './with-schema.ts';
export type { SchemaOptions } from './with-schema.ts';
