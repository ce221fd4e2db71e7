import { describe, expect, test } from 'vitest';
import { defineCatalogue, Schema } from '../../src/index.ts';
import type { CodecLike } from '../../src/index.ts';
import { b, codecVersion, custom, json, mapped, raw, withSchema } from '../../src/codec/index.ts';
import type { BitCodec } from '../../src/codec/index.ts';
import { msgpack } from '../../src/msgpack.ts';
import { one } from '../support/definition-one.ts';
import { two } from '../support/definition-two.ts';

const any = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
const bytes = { encode: () => new Uint8Array(), decode: () => 0 };

interface List {
  readonly next?: List | undefined;
}
const list = (depth: number): BitCodec<List> => {
  const codec: BitCodec<List> = b.lazy(() => b.struct({ next: b.optional(codec) }), depth);
  return codec;
};

/** Groups of definitions of which no two may be taken for each other. */
const FAMILIES: Readonly<Record<string, readonly CodecLike[]>> = {
  'the kind of a field': [
    ...[b.bool(), b.uint(1), b.int(0, 1), b.varuint(), b.u64(), b.i64(), b.float32(), b.float64(), b.float32({ nan: true })],
    ...[
      b.float64({ nan: true }),
      b.q(0, 1, 1),
      b.angle(1),
      b.direction(2),
      b.quat(2),
      b.string(1),
      b.bytes(1),
      b.enum(['a']),
      b.flags(['a']),
    ],
    ...[b.optional(b.bool()), b.array(b.bool(), 1), b.fixed(b.bool(), 1), b.struct({ a: b.bool() }), b.union({ a: b.struct({}) }), list(2)],
    ...[b.vec2(0, 1, 1), b.vec3(0, 1, 1)],
  ],
  'a bound': [
    ...[
      b.uint(1),
      b.uint(2),
      b.int(0, 2),
      b.int(1, 2),
      b.q(0, 1, 0.1),
      b.q(0, 1, 0.2),
      b.q(0, 2, 0.1),
      b.q(-1, 1, 0.1),
      b.angle(2),
      b.angle(3),
    ],
    ...[
      b.string(1),
      b.string(2),
      b.bytes(1),
      b.bytes(2),
      b.array(b.bool(), 1),
      b.array(b.bool(), 2),
      b.fixed(b.bool(), 1),
      b.fixed(b.bool(), 2),
    ],
    ...[b.direction(2), b.direction(3), b.quat(2), b.quat(3), list(2), list(3)],
    ...[b.vec2([0, 0], 1, 0.1), b.vec2([0, -1], 1, 0.1), b.vec2([-1, 0], 1, 0.1), b.vec2(0, 1, [0.1, 0.2])],
  ],
  'the order': [
    ...[b.struct({ a: b.bool(), b: b.uint(1) }), b.struct({ b: b.uint(1), a: b.bool() }), b.enum(['a', 'b']), b.enum(['b', 'a'])],
    ...[
      b.flags(['a', 'b']),
      b.flags(['b', 'a']),
      b.union({ a: b.struct({}), b: b.struct({}) }),
      b.union({ b: b.struct({}), a: b.struct({}) }),
    ],
  ],
  'a name': [
    ...[b.struct({ a: b.bool() }), b.struct({ b: b.bool() }), b.struct({ a: b.bool() }, { names: false }), b.enum(['a']), b.enum(['b'])],
    ...[b.flags(['a']), b.flags(['b']), b.union({ a: b.struct({}) }), b.union({ b: b.struct({}) })],
  ],
  'a version or a size of an adapter': [
    ...[json({ maxBytes: 9, version: 1 }), json({ maxBytes: 9, version: 2 }), json({ maxBytes: 8, version: 1 }), raw(9, { version: 1 })],
    ...[raw(9, { version: 2 }), raw(8, { version: 1 }), msgpack({ maxBytes: 9, version: 1 }), msgpack({ maxBytes: 9, version: 2 })],
    ...[msgpack({ maxBytes: 9, version: 1, f32: true }), custom('x', { version: 1, maxBytes: 9, ...bytes })],
    ...[custom('y', { version: 1, maxBytes: 9, ...bytes }), custom('x', { version: 2, maxBytes: 9, ...bytes })],
    ...[b.bool(), b.bool().version('1'), b.bool().version('2'), withSchema(json({ maxBytes: 9, version: 3 }), any, { version: 3 })],
    ...[b.int(0, 9), b.int(0, 9).near(2), b.int(0, 9).near(3), b.q(0, 1, 0.1), b.q(0, 1, 0.1).near(2)],
  ],
};

function fingerprint(codec: CodecLike): string {
  const catalogue = defineCatalogue({
    version: 1,
    channels: { c: { delivery: 'reliableOrdered' } },
    events: { E: { channel: 'c', codec } },
  });
  return String(catalogue.schema.fingerprint);
}

describe.each(Object.entries(FAMILIES))('%s', (_, codecs) => {
  test('C6: changing it changes the codec version and the fingerprint', () => {
    const count = codecs.length;
    expect(new Set(codecs.map(({ descriptor }) => descriptor)).size).toBe(count);
    expect(new Set(codecs.map(({ descriptor }) => codecVersion(descriptor))).size).toBe(count);
    expect(new Set(codecs.map(fingerprint)).size).toBe(count);
  });
});

test('C6: equal definitions in separate modules have one fingerprint, the direction does not count', () => {
  expect(one.schema.fingerprint.equals(two.schema.fingerprint)).toBe(true);
  expect(one.schema.events.map(({ codecVersion: version }) => version)).toEqual([1, 734_279_451, 3_113_373_976]);
});

test('C6: without names two structs with other names are one codec', () => {
  const [x, y] = [b.struct({ a: b.bool(), c: b.uint(3) }, { names: false }), b.struct({ d: b.bool(), e: b.uint(3) }, { names: false })];
  expect(x.descriptor).toBe('struct{bool,u(3)}');
  expect(fingerprint(x)).toBe(fingerprint(y));
});

test('C6: a catalogue without codecs has the fingerprint of the raw schema', () => {
  const a = defineCatalogue({
    version: 1,
    channels: { reliable: { delivery: 'reliableOrdered' } },
    events: { Chat: { channel: 'reliable', raw: true, maxPayload: 256 } },
  });
  const c = defineCatalogue({
    version: 1,
    maxMessagesPerPacket: 32,
    channels: {
      reliable: { delivery: 'reliableOrdered', capacity: 64 },
      state: { delivery: 'unreliableUnordered', capacity: 64 },
      bulk: { delivery: 'reliableOrdered', capacity: 16 },
    },
    events: {
      Chat: { channel: 'reliable', raw: true, maxPayload: 256 },
      Spawn: { channel: 'reliable', raw: true, maxPayload: 1024 },
      Move: { channel: 'state', raw: true, maxPayload: 64 },
      Ping: { channel: 'state', raw: true, maxPayload: 0 },
      Blob: { channel: 'bulk', raw: true, maxPayload: 8000 },
    },
  });
  expect(String(a.schema.fingerprint)).toBe('f21c691ac93b184cdb445b1f9ae7dd95');
  expect(String(c.schema.fingerprint)).toBe('66937746fb6beb3a04f8a4016bc60053');
});

test('C6: a codec gives the event its size and its version, as the same numbers by hand do', () => {
  const codec = b.struct({ text: b.string(200) });
  const builder = Schema.builder(1);
  const byHand = builder.event('E', builder.channel({ name: 'c', delivery: 'reliableOrdered' }), 202, 734_279_451).build();
  expect(fingerprint(codec)).toBe(String(byHand.fingerprint));
});

test.each<[string, string, number]>([
  ['a struct with a text', 'struct{text:str(200)}', 734_279_451],
  ['a struct with a vector and an angle', 'struct{pos:v2(q(-100,100,0.01),q(-100,100,0.01)),yaw:ang(10)}', 3_113_373_976],
  ['JSON', 'json(512)#1', 516_652_343],
])('when the descriptor is that of %s, then the version is the one of the specification', (_, descriptor, version) => {
  expect(codecVersion(descriptor)).toBe(version);
});

test.each<[CodecLike, string]>([
  [b.struct({ text: b.string(200) }), 'struct{text:str(200)}'],
  [b.q(-0, 100, 0.01), 'q(0,100,0.01)'],
  [b.q(-1e21, 1e21, 1e13), 'q(-1e+21,1e+21,10000000000000)'],
  [b.vec3([0, 0, -1], 1, 0.5, { clamp: false }), 'v3(q(0,1,0.5),q(0,1,0.5),q(-1,1,0.5))'],
  [b.q(-1, 1, 0.5).near(3), 'q(-1,1,0.5)~3'],
  [b.int(-5, 10).near(2).version('b'), 'i(-5,10)~2#b'],
  [b.array(b.optional(b.flags(['a', 'b'])), 8), 'arr(opt(flags(a,b)),8)'],
  [
    b.union({ jump: b.struct({}), shoot: b.struct({ at: b.fixed(b.float32({ nan: true }), 2) }).version('2') }),
    'union{jump:struct{},shoot:struct{at:fix(f32n,2)}#2}',
  ],
  [list(5), 'lazy(5,struct{next:opt(^)})'],
  [mapped(b.u64(), { to: (value: string) => BigInt(value), from: String }), 'u64'],
  [
    mapped(json<string[]>({ maxBytes: 9, version: 'a' }), { to: (value: Set<string>) => [...value], from: (value) => new Set(value) }),
    'json(9)#a',
  ],
  [withSchema(json({ maxBytes: 9, version: 1 }), any, { version: 2 }), 'json(9)#1#2'],
  [custom('my.codec', { version: 7, maxBytes: 3, ...bytes }), 'custom(my.codec)#7'],
  [raw(12, { version: '1.2' }), 'raw(12)#1.2'],
  [msgpack({ maxBytes: 64, version: 1 }), 'msgpack(64)#1'],
  [msgpack({ maxBytes: 64, version: 1, f32: true }), 'msgpack(64,f32)#1'],
])('when a codec is described, then it is as the grammar says: %#', ({ descriptor }, expected) => {
  expect(descriptor).toBe(expected);
});

test('when recursive codecs stand in each other, then carets count them from the inside', () => {
  interface Folder {
    readonly files: readonly File[];
  }
  interface File {
    readonly size: number;
    readonly folder?: Folder | undefined;
    readonly previous?: File | undefined;
  }
  const file: BitCodec<File> = b.lazy(() => b.struct({ size: b.uint(4), folder: b.optional(folder), previous: b.optional(file) }), 3);
  const folder: BitCodec<Folder> = b.lazy(() => b.struct({ files: b.array(file, 2) }), 2);
  expect(folder.descriptor).toBe('lazy(2,struct{files:arr(lazy(3,struct{size:u(4),folder:opt(^^),previous:opt(^)}),2)})');
  expect(file.descriptor).toBe('lazy(3,struct{size:u(4),folder:opt(lazy(2,struct{files:arr(^^,2)})),previous:opt(^)})');
  expect(folder.maxBytes).toBeGreaterThan(10);
});
