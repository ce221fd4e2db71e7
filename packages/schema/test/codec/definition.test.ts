import { describe, expect, test } from 'vitest';
import { CatalogueError, ConfigError, defineCatalogue } from '../../src/index.ts';
import { b, custom, json, mapped, raw, withSchema } from '../../src/codec/index.ts';
import type { BitCodec } from '../../src/codec/index.ts';
import { msgpack } from '../../src/msgpack.ts';
import { protobuf } from '../../src/protobuf.ts';
import { catalogueErrorOf } from '../support/codec-errors.ts';

/** Says to the compiler that a wrong argument is right. */
const wrong = (value: unknown): never => value as never;
const channels = { c: { delivery: 'reliableOrdered' } } as const;
const define = (events: unknown, others: object = {}): unknown => defineCatalogue(wrong({ version: 1, channels, events, ...others }));
const bit = b.bool();
const bytes = { encode: () => new Uint8Array(), decode: () => 0 };

interface Endless {
  readonly next: Endless;
}
const endless: BitCodec<Endless> = b.lazy(() => b.struct({ next: endless }), 3);

const REFUSED_CODECS: readonly (readonly [what: string, cause: () => unknown, text: RegExp])[] = [
  ['a name like an integer', () => b.struct({ 1: bit }), /^struct: "1": a name like an integer would come before all others/],
  ['0 as a name', () => b.union({ 0: b.struct({}) }), /^union: "0": a name like an integer/],
  ['a flag like an integer', () => b.flags(['7']), /^flags: "7": a name like an integer/],
  ['__proto__ as a field', () => b.struct({ ['__proto__']: bit }), /^struct: "__proto__": this name is not allowed/],
  [
    '__proto__ as the prototype of the fields',
    () => b.struct(wrong({ __proto__: { a: bit } })),
    /^struct: members: expected a plain object/,
  ],
  ['constructor as a field', () => b.struct({ constructor: bit }), /^struct: "constructor": this name is not allowed/],
  ['prototype as a member', () => b.union({ prototype: b.struct({}) }), /^union: "prototype": this name is not allowed/],
  ['constructor as a flag', () => b.flags(['constructor']), /^flags: "constructor": this name is not allowed/],
  ['another character in a name', () => b.struct({ 'a b': bit }), /^struct: "a b": names are /],
  ['an empty name', () => b.enum(['']), /^enum: "": names are /],
  ['a comma in a name', () => b.enum(['a,b']), /^enum: "a,b": names are /],
  ['a name that is no text', () => b.enum(wrong([1])), /^enum: name: expected a text, got 1/],
  ['the same name twice', () => b.enum(['a', 'b', 'a']), /^enum: "a" is there twice/],
  ['the same flag twice', () => b.flags(['a', 'a']), /^flags: "a" is there twice/],
  ['no names', () => b.enum([]), /^enum: names: expected a list of one name or more/],
  ['no flags', () => b.flags(wrong('ab')), /^flags: names: expected a list/],
  ['no members', () => b.union({}), /^union: expected one member or more/],
  ['a member that is no struct', () => b.union(wrong({ a: bit })), /^union: a: expected a struct/],
  ['a member with a field type', () => b.union({ a: b.struct({ type: bit }) }), /^union: a: a field named type/],
  ['elements without a bit', () => b.array(b.struct({}), 3), /^array: elements without a single bit/],
  ['elements of one value', () => b.array(b.int(3, 3), 3), /^array: elements without a single bit/],
  ['fixed elements without a bit', () => b.fixed(b.enum(['a']), 3), /^fixed: elements without a single bit/],
  ['elements without a bit deep inside', () => b.struct({ a: b.optional(b.array(b.struct({}), 3)) }), /^array: elements without/],
  ['an array without a bound', () => b.array(bit, Infinity), /^array: max: expected an integer in 0 … 134217728, got Infinity/],
  ['an array without a number', () => b.array(bit, wrong(undefined)), /^array: max: expected an integer/],
  ['a negative number of elements', () => b.fixed(bit, -1), /^fixed: count: expected an integer/],
  ['a text without a bound', () => b.string(Infinity), /^string: maxBytes: expected an integer/],
  ['a text of half a byte', () => b.string(1.5), /^string: maxBytes: expected an integer in 0 … 16777216, got 1.5/],
  ['bytes without a bound', () => b.bytes(NaN), /^bytes: maxBytes: expected an integer/],
  ['more than 2^24 bytes', () => b.array(b.string(1000), 20_000), /^maxBytes: 20042502 bytes, but a payload has at most 16777216/],
  ['more than 2^24 bytes of the largest text', () => b.string(16_777_216), /^maxBytes: 16777220 bytes/],
  ['a recursion without an end', () => endless.maxBytes, /^lazy: no value of it comes to an end/],
  ['a recursion without depth', () => b.lazy(() => bit, 0), /^lazy: depth: expected an integer in 1 … 255/],
  ['a recursion of nothing', () => b.lazy(wrong(3), 1), /^lazy: open: expected a function/],
  [
    'a recursion that opens to nothing',
    () =>
      b.lazy(
        wrong(() => 3),
        1,
      ).maxBytes,
    /^lazy: content: expected a codec made by b/,
  ],
  ['0 bits', () => b.uint(0), /^uint: bits: expected an integer in 1 … 32, got 0/],
  ['33 bits', () => b.uint(33), /^uint: bits: expected an integer in 1 … 32, got 33/],
  ['a range upside down', () => b.int(3, 2), /^int: max: expected an integer in 3 … /],
  ['a range above 32 bits', () => b.int(0, 2 ** 32), /^int: max: expected an integer in 0 … 4294967295/],
  ['a bound that is not safe', () => b.int(-(2 ** 53), 0), /^int: min: expected an integer/],
  ['near of 0 bits', () => b.int(0, 9).near(0), /^near: bits: expected an integer in 1 … 32/],
  ['near of 33 bits', () => b.q(0, 1, 0.1).near(33), /^near: bits: expected an integer/],
  ['q with min at max', () => b.q(1, 1, 1), /^q: expected min below max, got 1 and 1/],
  ['q with min above max', () => b.q(2, 1, 1), /^q: expected min below max/],
  ['q with NaN', () => b.q(NaN, 1, 1), /^q: min: expected a finite number, got NaN/],
  ['q to infinity', () => b.q(0, Infinity, 1), /^q: max: expected a finite number/],
  ['q over all of float64', () => b.q(-1.7e308, 1.7e308, 1e300), /^q: expected min below max/],
  ['q without resolution', () => b.q(0, 1, 0), /^q: resolution: expected a number above 0, got 0/],
  ['q with a negative resolution', () => b.q(0, 1, -1), /^q: resolution: expected a number above 0/],
  ['q of 2^32 steps', () => b.q(0, 2 ** 32, 1), /^q: 4294967296 steps, but at most 4294967295/],
  ['q finer than float64', () => b.q(1e15, 1e15 + 1, 0.01), /^q: resolution: 0.01 is finer than numbers are/],
  ['q as a text', () => b.q(wrong('0'), 1, 1), /^q: min: expected a finite number, got "0"/],
  ['a vector of three axes where there are two', () => b.vec2(wrong([0, 0, 0]), 1, 1), /^vec2: min: expected a number or 2 of them/],
  ['an axis upside down', () => b.vec3([0, 0, 5], 1, 0.1), /^vec3: expected min below max, got 5 and 1/],
  ['an angle of no bits', () => b.angle(0), /^angle: bits/],
  ['a direction of one bit', () => b.direction(1), /^direction: bits/],
  ['a rotation of 33 bits', () => b.quat(33), /^quat: bits/],
  ['undefined twice', () => b.optional(b.optional(bit)), /^optional: undefined is already a value/],
  ['something else in an array', () => b.array(wrong({ descriptor: 'x' }), 1), /^array: codec: expected a codec made by b/],
  ['a whole payload as a field', () => b.struct(wrong({ a: json({ maxBytes: 9, version: 1 }) })), /^struct: a: expected a codec made by b/],
  ['no fields', () => b.struct(wrong(null)), /^struct: members: expected an object of codecs, got null/],
  ['options that are none', () => b.struct({}, wrong(null)), /^struct: options: expected an object/],
  ['an empty version', () => bit.version(''), /^version: version: expected a number or a text/],
  ['a version with a bracket', () => bit.version('1)'), /^version: version: expected/],
  ['JSON without a version', () => json(wrong({ maxBytes: 9 })), /^json: version: expected/],
  ['JSON without a size', () => json(wrong({ version: 1 })), /^json: maxBytes: expected an integer in 0 … 16777216/],
  ['JSON with a wrong validator', () => json(wrong({ maxBytes: 9, version: 1, schema: {} })), /^json: schema: expected a validator/],
  ['raw above 2^24', () => raw(2 ** 24 + 1, { version: 1 }), /^raw: maxBytes/],
  ['raw without options', () => raw(1, wrong(undefined)), /^raw: options: expected an object/],
  [
    'custom without a decoder',
    () => custom('x', wrong({ maxBytes: 1, version: 1, encode: bytes.encode })),
    /^custom: decode: expected a function/,
  ],
  ['custom with a bracket in its name', () => custom('x)', { maxBytes: 1, version: 1, ...bytes }), /^custom: name: expected/],
  ['mapped without from', () => mapped(bit, wrong({ to: Boolean })), /^mapped: from: expected a function/],
  ['a validator that is none', () => withSchema(bit, wrong(null), { version: 1 }), /^withSchema: schema: expected a validator/],
  [
    'a validator without a version',
    () => withSchema(bit, wrong({ '~standard': { validate: () => 0 } }), wrong({})),
    /^withSchema: version/,
  ],
  ['MessagePack without a version', () => msgpack(wrong({ maxBytes: 1 })), /^msgpack: version/],
  ['MessagePack with a negative size', () => msgpack({ maxBytes: -1, version: 1 }), /^msgpack: maxBytes/],
  ['protobuf of nothing', () => protobuf(wrong(undefined), { maxBytes: 1 }), /^protobuf: desc: expected a message schema/],
];

describe('C9: what no codec can be is refused at definition', () => {
  test.each(REFUSED_CODECS)('C9: %s', (_, cause, text) => {
    const error = catalogueErrorOf(cause);
    expect(error).toMatchObject({ name: 'CatalogueError', kind: 'invalidCodec', code: 'INVALID_CODEC' });
    expect(error.message).toMatch(text);
  });
});

const REFUSED_CATALOGUES: readonly (readonly [what: string, cause: () => unknown, kind: string, text: string | RegExp])[] = [
  [
    'an event like an integer',
    () => define({ 1: { channel: 'c', codec: bit } }),
    'invalidCatalogue',
    /^events: "1": a name like an integer/,
  ],
  [
    'a channel like an integer',
    () => define({}, { channels: { 0: channels.c } }),
    'invalidCatalogue',
    /^channels: "0": a name like an integer/,
  ],
  [
    'an event named __proto__',
    () => define({ ['__proto__']: { channel: 'c', codec: bit } }),
    'invalidCatalogue',
    /^events: "__proto__": this name/,
  ],
  ['an unknown channel', () => define({ E: { channel: 'd', codec: bit } }), 'invalidCatalogue', 'event "E": unknown channel "d"'],
  [
    'an inherited channel',
    () => define({ E: { channel: 'toString', codec: bit } }),
    'invalidCatalogue',
    'event "E": unknown channel "toString"',
  ],
  ['neither codec nor raw', () => define({ E: { channel: 'c' } }), 'invalidCatalogue', 'event "E": expected either a codec or raw: true'],
  [
    'codec and raw',
    () => define({ E: { channel: 'c', codec: bit, raw: true } }),
    'invalidCatalogue',
    'event "E": expected either a codec or raw: true',
  ],
  ['raw: false', () => define({ E: { channel: 'c', raw: false } }), 'invalidCatalogue', 'event "E": expected either a codec or raw: true'],
  [
    'a raised maxPayload',
    () => define({ E: { channel: 'c', codec: bit, maxPayload: 2 } }),
    'invalidCatalogue',
    'event "E": maxPayload: 2 is above the 1 bytes of its codec',
  ],
  [
    'another direction',
    () => define({ E: { channel: 'c', codec: bit, direction: 'up' } }),
    'invalidCatalogue',
    'event "E": direction: expected toServer, toClient or both, got "up"',
  ],
  ['an event that is no object', () => define({ E: 3 }), 'invalidCatalogue', 'event "E": expected an object, got 3'],
  ['events that are none', () => define(null), 'invalidCatalogue', 'events: expected an object, got null'],
  ['channels that are none', () => define({}, { channels: undefined }), 'invalidCatalogue', 'channels: expected an object, got undefined'],
  [
    'a channel that is no object',
    () => define({}, { channels: { c: 'reliable' } }),
    'invalidCatalogue',
    'channel "c": expected an object, got "reliable"',
  ],
  ['nothing at all', () => defineCatalogue(wrong(undefined)), 'invalidCatalogue', 'definition: expected an object, got undefined'],
  [
    'a codec without a descriptor',
    () => define({ E: { channel: 'c', codec: { maxBytes: 3 } } }),
    'invalidCodec',
    'event "E": codec: expected an object with a descriptor and maxBytes',
  ],
  [
    'a codec without a size',
    () => define({ E: { channel: 'c', codec: { descriptor: 'x', maxBytes: Infinity } } }),
    'invalidCodec',
    'event "E": codec: maxBytes: expected an integer in 0 … 16777216, got Infinity',
  ],
  [
    'a codec that cannot end',
    () => define({ E: { channel: 'c', codec: endless } }),
    'invalidCodec',
    'event "E": codec: lazy: no value of it comes to an end',
  ],
];

describe('C9: what no catalogue can be is refused at definition', () => {
  test.each(REFUSED_CATALOGUES)('C9: %s', (_, cause, kind, text) => {
    const error = catalogueErrorOf(cause);
    expect(error.kind).toBe(kind);
    if (typeof text === 'string') expect(error.message).toBe(text);
    else expect(error.message).toMatch(text);
  });

  test('C9: what the schema itself refuses keeps its error', () => {
    const causes: readonly (readonly [string, () => unknown])[] = [
      ['invalidName', () => define({ 'a b': { channel: 'c', codec: bit } })],
      ['invalidOption', () => define({}, { version: -1 })],
      ['invalidOption', () => define({ E: { channel: 'c', codec: bit, codecVersion: 1.5 } })],
      ['invalidOption', () => define({ E: { channel: 'c', codec: bit, maxPayload: -1 } })],
      ['invalidOption', () => define({ E: { channel: 'c', raw: true } })],
      ['eventTooLarge', () => define({ E: { channel: 'c', raw: true, maxPayload: 2 ** 24 + 1 } })],
      ['invalidCapacity', () => define({}, { channels: { c: { delivery: 'reliableOrdered', capacity: 0 } } })],
      ['reliableOverflowPolicy', () => define({}, { channels: { c: { delivery: 'reliableOrdered', overflow: 'dropOldest' } } })],
      ['invalidMaxMessagesPerPacket', () => define({}, { maxMessagesPerPacket: 0 })],
    ];
    for (const [kind, cause] of causes) {
      let caught: unknown;
      try {
        cause();
      } catch (error) {
        caught = error;
      }
      expect(ConfigError.is(caught), kind).toBe(true);
      expect((caught as ConfigError).kind).toBe(kind);
    }
  });
});

test('when an error comes from another installed copy, then CatalogueError.is knows it', () => {
  expect(CatalogueError.is(new CatalogueError('invalidCodec', 'x'))).toBe(true);
  expect(CatalogueError.is(Object.assign(new Error('x'), { name: 'CatalogueError', kind: 'invalidCodec', code: 'INVALID_CODEC' }))).toBe(
    true,
  );
  expect(CatalogueError.is(new Error('x'))).toBe(false);
  expect(CatalogueError.is(undefined)).toBe(false);
});

test('when a definition is refused, then nothing else is affected', () => {
  const fields = { a: bit };
  const codec = b.struct(fields);
  Object.assign(fields, { z: b.uint(3) });
  expect(codec.descriptor).toBe('struct{a:bool}');
  const names = ['a', 'b'];
  const choice = b.enum(names);
  names.push('c');
  expect(choice.descriptor).toBe('enum(a,b)');
  expect(Object.isFrozen(codec) && Object.isFrozen(codec.delta)).toBe(true);
});
