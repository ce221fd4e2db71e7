import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescFile, DescMessage, MessageShape } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { sha256 } from '@noble/hashes/sha2.js';
import { CodecError } from './codec/codec-error.ts';
import type { Codec } from './codec/codec.ts';
import { checkMaxBytes, checkOptions, invalidCodec } from './codec/definition.ts';
import { checkSchema, validate } from './codec/standard-schema.ts';
import type { StandardSchema } from './codec/standard-schema.ts';
import { checkData, checkOut, putBytes } from './codec/whole-payload.ts';
import { copyBytes } from './internal/bytes.ts';

// | codec    | descriptor            | wire                                                                              |
// | -------- | --------------------- | --------------------------------------------------------------------------------- |
// | protobuf | `proto(name,digest)`  | the message in the binary format of protobuf; whatever its decoder refuses is TYPE |
//
// name: full name of the message type. digest: the first 16 hex digits of the SHA-256 of a google.protobuf.FileDescriptorSet with the files that the
// message's file imports, each once and before those that import it, and at last that file.

const DIGEST_BYTES = 8;

/** What the protobuf codec can be told. */
export interface ProtobufOptions<T> {
  /** Bytes: longer encodings are refused. 0 … 2^24. */
  readonly maxBytes: number;
  /** Checks each message that is read. */
  readonly schema?: StandardSchema<unknown, T> | undefined;
}

/**
 * Messages of a `.proto` file. A change of the file, or of one that it imports, changes the descriptor.
 *
 * Needs the package `@bufbuild/protobuf` 2.
 *
 * @param desc - the schema that protoc-gen-es generated, such as `MoveSchema`.
 * @throws {@link CatalogueError} `INVALID_CODEC`.
 * Source: codecs section 6.
 */
export function protobuf<Desc extends DescMessage>(desc: Desc, options: ProtobufOptions<MessageShape<Desc>>): Codec<MessageShape<Desc>> {
  checkOptions('protobuf', options);
  if ((desc as { readonly kind?: unknown } | undefined)?.kind !== 'message') {
    throw invalidCodec('protobuf', 'desc: expected a message schema made by protoc-gen-es');
  }
  const { schema } = options;
  const maxBytes = checkMaxBytes('protobuf', options.maxBytes);
  if (schema !== undefined) checkSchema('protobuf', schema);
  return Object.freeze({
    descriptor: `proto(${desc.typeName},${digestOf(desc.file)})`,
    maxBytes,
    encodeInto(value: MessageShape<Desc>, out: Uint8Array, offset: number): number {
      checkOut(out, offset);
      const bytes = asCodecError('expected a message of this type', () => toBinary(desc, value));
      return putBytes(bytes, maxBytes, out, offset);
    },
    decode(data: Uint8Array): MessageShape<Desc> {
      checkData(data, maxBytes);
      // Read from a copy: fields of bytes are views of it.
      const value = asCodecError('bytes that are not a message of this type', () => fromBinary(desc, copyBytes(data)));
      return schema === undefined ? value : validate(schema, value);
    },
  });
}

function asCodecError<R>(problem: string, action: () => R): R {
  try {
    return action();
  } catch (cause) {
    throw new CodecError('TYPE', problem, '', { cause });
  }
}

function digestOf(file: DescFile): string {
  const files = new Set<DescFile>();
  addFile(files, file);
  const set = create(FileDescriptorSetSchema, { file: Array.from(files, ({ proto }) => proto) });
  const digest = sha256(toBinary(FileDescriptorSetSchema, set)).subarray(0, DIGEST_BYTES);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function addFile(files: Set<DescFile>, file: DescFile): void {
  for (const imported of file.dependencies) if (!files.has(imported)) addFile(files, imported);
  files.add(file);
}
