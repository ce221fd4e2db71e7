import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescFile, DescMessage, Message } from '@bufbuild/protobuf';
import { fileDesc, messageDesc } from '@bufbuild/protobuf/codegenv2';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { createHash } from 'node:crypto';
import { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { CodecError } from '../../src/codec/index.ts';
import { protobuf } from '../../src/protobuf.ts';
import { encode } from '../support/codec-cases.ts';
import { catalogueErrorOf, codecErrorOf, refusal } from '../support/codec-errors.ts';

/** What protoc-gen-es would declare for the message below. */
type Move = Message<'game.Move'> & { x: number; name: string; blob: Uint8Array };

/** A file as protoc-gen-es writes it, of one message. */
function gameFile(name: string, fieldName: string, imports: readonly DescFile[] = []): DescFile {
  const field = (number: number, label: string, type: FieldDescriptorProto_Type) => ({
    name: label,
    number,
    type,
    label: FieldDescriptorProto_Label.OPTIONAL,
  });
  const proto = create(FileDescriptorProtoSchema, {
    name: `${name}.proto`,
    package: 'game',
    syntax: 'proto3',
    dependency: imports.map((file) => `${file.name}.proto`),
    messageType: [
      {
        name: name === 'move' ? 'Move' : 'Other',
        field: [
          field(1, 'x', FieldDescriptorProto_Type.SINT32),
          field(2, fieldName, FieldDescriptorProto_Type.STRING),
          field(3, 'blob', FieldDescriptorProto_Type.BYTES),
        ],
      },
    ],
  });
  return fileDesc(Buffer.from(toBinary(FileDescriptorProtoSchema, proto)).toString('base64'), [...imports]);
}

const file = gameFile('move', 'name');
const MoveSchema = messageDesc(file, 0) as GenMessage<Move>;
const codec = protobuf(MoveSchema, { maxBytes: 64 });
const move = create(MoveSchema, { x: -3, name: 'Ada', blob: Uint8Array.of(1, 2) });

describe('protobuf', () => {
  test('when a message is written, then its bytes are those of the library, and it comes back', () => {
    expect(encode(codec, move)).toEqual(toBinary(MoveSchema, move));
    expect(codec.decode(encode(codec, move))).toEqual(move);
    expect(codec.decode(new Uint8Array())).toEqual(create(MoveSchema));
  });

  test('when bytes are read, then they share no memory with the payload', () => {
    const data = encode(codec, move);
    const decoded = codec.decode(data);
    data.fill(0);
    expect(decoded.blob).toEqual(Uint8Array.of(1, 2));
  });

  test('when it is described, then with the name and the digest of the file descriptor set', () => {
    const set = create(FileDescriptorSetSchema, { file: [file.proto] });
    const digest = createHash('sha256').update(toBinary(FileDescriptorSetSchema, set)).digest('hex').slice(0, 16);
    expect(codec.descriptor).toBe(`proto(game.Move,${digest})`);
    expect(codec.maxBytes).toBe(64);
  });

  test('when the file or one that it imports changes, then the descriptor does', () => {
    const descriptor = (desc: DescFile): string => protobuf(messageDesc(desc, 0), { maxBytes: 64 }).descriptor;
    const common = gameFile('common', 'name');
    const all = [
      descriptor(file),
      descriptor(gameFile('move', 'title')),
      descriptor(gameFile('move', 'name', [common])),
      descriptor(gameFile('move', 'name', [gameFile('common', 'title')])),
      descriptor(gameFile('move', 'name', [gameFile('common', 'name', [gameFile('base', 'name')])])),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(descriptor(gameFile('move', 'name', [gameFile('common', 'name')]))).toBe(all[2]);
  });

  test('when a file is imported on two ways, then it is in the set once', () => {
    const base = gameFile('base', 'name');
    const desc = gameFile('move', 'name', [gameFile('left', 'name', [base]), gameFile('right', 'name', [base])]);
    const { proto, dependencies } = desc;
    const set = create(FileDescriptorSetSchema, { file: [base.proto, ...dependencies.map((imported) => imported.proto), proto] });
    const digest = createHash('sha256').update(toBinary(FileDescriptorSetSchema, set)).digest('hex').slice(0, 16);
    expect(protobuf(messageDesc(desc, 0), { maxBytes: 64 }).descriptor).toBe(`proto(game.Move,${digest})`);
  });

  test('when a value or a payload is none, then it is a CodecError with the cause', () => {
    expect(refusal(() => encode(codec, { x: 1 } as never))).toBe('TYPE');
    expect(refusal(() => encode(codec, create(MoveSchema, { x: 0.5 })))).toBe('TYPE');
    const error = codecErrorOf(() => codec.decode(Uint8Array.of(0x12, 0x50, 1)));
    expect(error.code).toBe('TYPE');
    expect(error.cause).toBeInstanceOf(Error);
    expect(refusal(() => codec.decode(Uint8Array.of(0x12, 1, 0xff)))).toBe('TYPE');
    expect(refusal(() => codec.decode(new Uint8Array(65)))).toBe('TOO_LARGE');
    expect(refusal(() => encode(codec, create(MoveSchema, { name: 'x'.repeat(63) })))).toBe('TOO_LARGE');
    expect(refusal(() => codec.encodeInto(move, new Uint8Array(3), 0))).toBe('TOO_LARGE');
  });

  test('when payloads are random, then only CodecError is thrown', () => {
    const random = new SeededRandom(2);
    const right = toBinary(MoveSchema, move);
    for (let i = 0; i < 20_000; i++) {
      const data = random.chance(0.5) ? random.bytes(random.below(20)) : right.slice();
      if (data.length > 0) data[random.below(data.length)]! ^= 1 << random.below(8);
      try {
        codec.decode(data);
      } catch (error) {
        expect(CodecError.is(error)).toBe(true);
      }
    }
  });

  test('when there is a validator, then it looks at messages', () => {
    const checked = protobuf(MoveSchema, {
      maxBytes: 64,
      schema: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value) => ((value as Move).x < 0 ? { value: value as Move } : { issues: [{ message: 'right', path: ['x'] }] }),
        },
      },
    });
    expect(checked.decode(encode(checked, move))).toEqual(fromBinary(MoveSchema, toBinary(MoveSchema, move)));
    expect(refusal(() => checked.decode(new Uint8Array()))).toBe('VALIDATION x');
  });

  test('when it is not a message, then it is refused at definition', () => {
    expect(catalogueErrorOf(() => protobuf(file as never as DescMessage, { maxBytes: 3 })).kind).toBe('invalidCodec');
    expect(catalogueErrorOf(() => protobuf(MoveSchema, { maxBytes: -1 })).message).toMatch(/^protobuf: maxBytes/);
    expect(catalogueErrorOf(() => protobuf(MoveSchema, undefined as never)).message).toMatch(/^protobuf: options/);
  });
});
