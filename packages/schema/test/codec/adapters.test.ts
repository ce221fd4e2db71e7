import { SeededRandom } from '@x/testkit';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { b, CodecError, custom, json, mapped, quantise, raw, withSchema } from '../../src/codec/index.ts';
import type { Codec, StandardSchema } from '../../src/codec/index.ts';
import { msgpack } from '../../src/msgpack.ts';
import { encode } from '../support/codec-cases.ts';
import { catalogueErrorOf, codecErrorOf, refusal } from '../support/codec-errors.ts';

const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf8'));

describe('json', () => {
  const codec = json({ maxBytes: 1000, version: 1 });

  test.each([null, true, 0, -1.5e10, '', 'Grüße 🦊 \ufeff', [1, [2]], { a: { b: [null] }, toString: 1 }])(
    'when %j is written, then it comes back',
    (value) => {
      const bytes = encode(codec, value);
      expect(Buffer.from(bytes).toString('utf8')).toBe(JSON.stringify(value));
      expect(codec.decode(bytes)).toStrictEqual(value);
    },
  );

  test.each<[string, unknown, string]>([
    ['NaN', NaN, 'NON_FINITE'],
    ['infinity deep inside', { a: [1, Infinity] }, 'NON_FINITE'],
    ['undefined', undefined, 'TYPE'],
    ['a function', () => 1, 'TYPE'],
    ['a bigint', { a: 1n }, 'TYPE'],
    ['a circle', circle(), 'TYPE'],
    ['65 levels', nested(65), 'DEPTH'],
    ['a long text', 'x'.repeat(999), 'TOO_LARGE'],
  ])('when %s is written, then it is refused', (_, value, expected) => {
    expect(refusal(() => encode(codec, value))).toBe(expected);
  });

  test.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), 'TYPE'],
    ['half of an object', utf8('{"a":'), 'TYPE'],
    ['two values', utf8('1 2'), 'TYPE'],
    ['a byte order mark', utf8('\ufeff1'), 'TYPE'],
    ['ill-formed UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'UTF8'],
    ['65 levels', utf8(JSON.stringify(nested(65))), 'DEPTH'],
    ['400 open brackets', utf8('['.repeat(400)), 'DEPTH'],
    ['400 open braces', utf8('{"a":'.repeat(150)), 'DEPTH'],
    ['1001 bytes', utf8(' '.repeat(1001)), 'TOO_LARGE'],
  ])('when %s is read, then it is refused', (_, data, expected) => {
    expect(refusal(() => codec.decode(data))).toBe(expected);
  });

  test('when brackets stand in texts, then they do not count', () => {
    const value = ['['.repeat(100), '\\"[[{', { '{{{"': 1 }];
    expect(codec.decode(encode(codec, value))).toEqual(value);
    expect(codec.decode(encode(codec, nested(64)))).toEqual(nested(64));
  });

  test('when there is little room, then it is TOO_LARGE', () => {
    expect(refusal(() => codec.encodeInto('abc', new Uint8Array(8), 4))).toBe('TOO_LARGE');
    expect(codec.encodeInto('abc', new Uint8Array(9), 4)).toBe(5);
    expect(refusal(() => codec.encodeInto('ééé', new Uint8Array(7), 0))).toBe('TOO_LARGE');
    expect(refusal(() => codec.encodeInto('abc', new Uint8Array(8), -1))).toBe('RANGE');
  });

  test('when payloads are random, then only CodecError is thrown', () => {
    const random = new SeededRandom(3);
    const pieces = ['{', '}', '[', ']', '"', ':', ',', '1', 'null', '\\u005f', '__proto__', '"a"', ' '];
    for (let i = 0; i < 20_000; i++) {
      const data = utf8(Array.from({ length: random.below(12) }, () => random.pick(pieces)).join(''));
      try {
        codec.decode(data);
      } catch (error) {
        expect(CodecError.is(error)).toBe(true);
      }
    }
  });
});

function circle(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function nested(levels: number): unknown {
  return levels === 1 ? [] : [nested(levels - 1)];
}

describe('raw', () => {
  const codec = raw(4, { version: 1 });

  test('when bytes are written, then they come back as a copy', () => {
    const data = encode(codec, Uint8Array.of(1, 2));
    const value = codec.decode(data);
    data.fill(9);
    expect(value).toEqual(Uint8Array.of(1, 2));
    expect(
      codec.equals!(value, Uint8Array.of(1, 2)) && !codec.equals!(value, Uint8Array.of(1, 3)) && !codec.equals!(value, Uint8Array.of(1)),
    ).toBe(true);
  });

  test('when they are too many or none, then they are refused', () => {
    expect(refusal(() => encode(codec, new Uint8Array(5)))).toBe('TOO_LARGE');
    expect(refusal(() => codec.decode(new Uint8Array(5)))).toBe('TOO_LARGE');
    expect(refusal(() => encode(codec, [1] as never))).toBe('TYPE');
    expect(refusal(() => codec.equals!([1] as never, new Uint8Array()))).toBe('TYPE');
    expect(refusal(() => codec.decode([1] as never))).toBe('TYPE');
  });
});

describe('custom', () => {
  const dates: Codec<Date> = custom('date', {
    version: 1,
    maxBytes: 8,
    encode: (value: Date) => {
      if (!(value instanceof Date)) throw new CodecError('TYPE', 'expected a Date', 'when');
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setFloat64(0, value.getTime());
      return bytes;
    },
    decode: (bytes) => new Date(new DataView(bytes.buffer).getFloat64(0)),
  });

  test('when it is used, then it is what its functions make', () => {
    expect(dates.decode(encode(dates, new Date(77)))).toEqual(new Date(77));
  });

  test('when its functions throw, then it is a CodecError with the cause', () => {
    expect(refusal(() => encode(dates, 3 as never))).toBe('TYPE when');
    const error = codecErrorOf(() => dates.decode(new Uint8Array(3)));
    expect(error).toMatchObject({ code: 'VALIDATION', message: 'decode threw RangeError' });
    expect(error.cause).toBeInstanceOf(RangeError);
  });

  test('when what they give is none or too long, then it is refused', () => {
    const make = (result: unknown) => custom<number>('x', { version: 1, maxBytes: 2, encode: () => result as Uint8Array, decode: () => 0 });
    expect(refusal(() => encode(make('text'), 1))).toBe('TYPE');
    expect(refusal(() => encode(make(new Uint8Array(3)), 1))).toBe('TOO_LARGE');
    expect(refusal(() => make(new Uint8Array(2)).encodeInto(1, new Uint8Array(3), 2))).toBe('TOO_LARGE');
    expect(refusal(() => make(0).decode(new Uint8Array(3)))).toBe('TOO_LARGE');
  });

  test('when the decoder keeps what it is given, then that is its own', () => {
    const keeping = custom('keep', { version: 1, maxBytes: 4, encode: (value: Uint8Array) => value, decode: (bytes) => bytes });
    const data = Buffer.from([1, 2]);
    const value = keeping.decode(data);
    data.fill(0);
    expect(value).toEqual(Uint8Array.of(1, 2));
  });
});

describe('mapped', () => {
  class Point {
    readonly x: number;
    readonly y: number;

    constructor(x: number, y: number) {
      this.x = x;
      this.y = y;
      if (x < 0) throw new RangeError('left of the edge');
    }
  }
  const points = mapped(b.vec2(-10, 10, 0.5), { to: ({ x, y }: Point) => ({ x, y }), from: ({ x, y }) => new Point(x, y) });

  test('when it stands in others, then instances go in and out', () => {
    const codec = b.struct({ list: b.array(points, 3), last: b.optional(points) });
    const value = { list: [new Point(1, 2), new Point(3, 4)], last: undefined };
    const decoded = codec.decode(encode(codec, value));
    expect(decoded).toEqual(value);
    expect(decoded.list[0]).toBeInstanceOf(Point);
    expect(codec.decodeInto(encode(codec, value), decoded)).toBe(decoded);
    expect(codec.equals(value, decoded)).toBe(true);
  });

  test('when its functions throw, then it is VALIDATION with the place and the cause', () => {
    const codec = b.struct({ at: points });
    const bytes = encode(b.struct({ at: b.vec2(-10, 10, 0.5) }), { at: { x: -1, y: 0 } });
    expect(refusal(() => codec.decode(bytes))).toBe('VALIDATION at');
    expect(codecErrorOf(() => codec.decode(bytes)).cause).toBeInstanceOf(RangeError);
    expect(refusal(() => encode(codec, { at: undefined } as never))).toBe('VALIDATION at');
  });

  test('when numbers are mapped, then they are numbers to the functions', () => {
    const percent = mapped(b.q(0, 1, 0.01), { to: (value: number) => value / 100, from: (value) => Math.round(value * 100) });
    const codec = b.struct({ p: percent, list: b.fixed(percent, 2) });
    expect(codec.decode(encode(codec, { p: 37, list: [1, 99] }))).toEqual({ p: 37, list: [1, 99] });
    expect(percent.decode(encode(percent, 50))).toBe(50);
  });

  test('when another codec is mapped, then it is a codec of whole payloads', () => {
    const sets = mapped(json<string[]>({ maxBytes: 50, version: 1 }), {
      to: (value: Set<string>) => [...value],
      from: (value) => new Set(value),
    });
    expect(sets.decode(encode(sets, new Set(['a', 'b'])))).toEqual(new Set(['a', 'b']));
    expect(sets.equals).toBe(undefined);
    const bytes = mapped(raw(4, { version: 1 }), { to: (value: number[]) => Uint8Array.from(value), from: (value) => [...value] });
    expect(bytes.equals!([1, 2], [1, 2]) && !bytes.equals!([1], [2])).toBe(true);
    expect(refusal(() => encode(sets, 5 as never))).toBe('VALIDATION');
  });

  test('when a function comes back to the codec it is called by, then both calls go on undisturbed', () => {
    const inner = b.struct({ a: b.uint(5), b: b.string(9) });
    const busy = mapped(inner, {
      to(value: { a: number; b: string }) {
        quantise(inner, { a: 31, b: 'elsewhere' });
        return value;
      },
      from(value) {
        quantise(inner, { a: 31, b: 'elsewhere' });
        return value;
      },
    });
    const codec = b.struct({ x: b.uint(3), busy: b.array(busy, 3), y: b.q(0, 1, 0.5) });
    const value = {
      x: 5,
      busy: [
        { a: 1, b: 'one' },
        { a: 2, b: 'two' },
      ],
      y: 0.5,
    };
    expect(quantise(codec, value)).toEqual(value);
  });
});

describe('withSchema', () => {
  const chat = v.object({
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(5)),
    to: v.optional(v.array(v.object({ id: v.number() }))),
  });
  const codec = withSchema(json<v.InferInput<typeof chat>>({ maxBytes: 200, version: 1 }), chat, { version: 2 });

  test('when the value is good, then it is what the validator makes of it', () => {
    expect(codec.decode(encode(codec, { text: 'hi' }))).toEqual({ text: 'hi' });
  });

  test('when it is not, then it is one VALIDATION error with the path of the first issue', () => {
    expect(refusal(() => codec.decode(utf8('{"text":""}')))).toBe('VALIDATION text');
    expect(refusal(() => codec.decode(utf8('{"text":"a","to":[{"id":1},{"id":"2"}]}')))).toBe('VALIDATION to[1].id');
    expect(codecErrorOf(() => codec.decode(utf8('5'))).message).toMatch(/^Invalid type/);
  });

  test('when only what is read is checked, then anything is written; with both, writing is checked too', () => {
    expect(encode(codec, { text: '' })).toHaveLength(11);
    const both = withSchema(json<v.InferInput<typeof chat>>({ maxBytes: 200, version: 1 }), chat, { version: 2, both: true });
    expect(refusal(() => encode(both, { text: '' }))).toBe('VALIDATION text');
    expect(encode(both, { text: 'a' })).toHaveLength(12);
  });

  test('when the codec inside refuses, then the validator is not asked', () => {
    expect(refusal(() => codec.decode(utf8('{')))).toBe('TYPE');
  });

  test('when a bit codec is checked, then the output may be narrower', () => {
    const even = withSchema(
      b.struct({ n: b.uint(4) }),
      v.pipe(
        v.object({ n: v.number() }),
        v.check(({ n }) => n % 2 === 0, 'odd'),
      ),
      { version: 1 },
    );
    expect(even.decode(Uint8Array.of(4))).toEqual({ n: 4 });
    expect(codecErrorOf(() => even.decode(Uint8Array.of(5)))).toMatchObject({ code: 'VALIDATION', message: 'odd', path: '' });
    expect(even.equals!({ n: 1 }, { n: 1 })).toBe(true);
  });

  test('when msgpack and json are given a validator, then they use it', () => {
    for (const make of [msgpack, json]) {
      const own = make({ maxBytes: 99, version: 1, schema: chat });
      expect(own.decode(encode(own, { text: 'hi' }))).toEqual({ text: 'hi' });
      expect(refusal(() => own.decode(encode(own, { text: 'too long' })))).toBe('VALIDATION text');
    }
  });

  test('when the validator answers with a promise, then it cannot be used', () => {
    const later: StandardSchema<unknown, unknown> = {
      '~standard': { version: 1, vendor: 'test', validate: () => Promise.reject(new Error('nobody looks at this')) },
    };
    const slow = withSchema(json({ maxBytes: 9, version: 1 }), later, { version: 1, both: true });
    const error = catalogueErrorOf(() => slow.decode(utf8('1')));
    expect(error).toMatchObject({
      kind: 'asynchronousSchema',
      code: 'ASYNCHRONOUS_SCHEMA',
      message: 'asynchronous schemas cannot be used',
    });
    expect(catalogueErrorOf(() => encode(slow, 1)).kind).toBe('asynchronousSchema');
    expect(
      catalogueErrorOf(() =>
        withSchema(json({ maxBytes: 9, version: 1 }), v.pipeAsync(v.string()) as never, { version: 1 }).decode(utf8('"a"')),
      ).kind,
    ).toBe('asynchronousSchema');
  });

  test('when the validator throws or answers nonsense, then it is VALIDATION', () => {
    const answering = (validate: () => unknown) =>
      withSchema(
        json({ maxBytes: 9, version: 1 }),
        { '~standard': { version: 1, vendor: 'test', validate: validate as never } },
        { version: 1 },
      );
    const throwing = answering(() => {
      throw new TypeError('mine');
    });
    expect(codecErrorOf(() => throwing.decode(utf8('1'))).cause).toBeInstanceOf(TypeError);
    expect(refusal(() => answering(() => undefined).decode(utf8('1')))).toBe('VALIDATION');
    expect(refusal(() => answering(() => ({ issues: [] })).decode(utf8('1')))).toBe('VALIDATION');
    expect(refusal(() => answering(() => ({ issues: [{ message: 'no', path: [Symbol('s'), 0, { key: 'k' }] }] })).decode(utf8('1')))).toBe(
      'VALIDATION Symbol(s)[0].k',
    );
  });
});

test('when a value is quantised, then it is what the receiver sees', () => {
  const codec = b.struct({ a: b.q(0, 1, 0.25), t: b.string(100_000) });
  expect(quantise(codec, { a: 0.3, t: 'x' })).toEqual({ a: 0.25, t: 'x' });
  expect(quantise(b.struct({}), {})).toEqual({});
  expect(quantise(raw(200_000, { version: 1 }), new Uint8Array(3))).toEqual(new Uint8Array(3));
  expect(refusal(() => quantise(codec, { a: NaN, t: '' }))).toBe('NON_FINITE a');
  expect(quantise(codec, { a: 2, t: '' })).toEqual({ a: 1, t: '' });
});
