import { Decoder, encode as libraryEncode, Encoder } from '@msgpack/msgpack';
import { fromHex, SeededRandom, toHex } from '@x/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { msgpack } from '../../src/msgpack.ts';
import { encode } from '../support/codec-cases.ts';
import { codecErrorOf, refusal } from '../support/codec-errors.ts';

const codec = msgpack({ maxBytes: 65_536, version: 1 });
const repeat = (hex: string, count: number): string => hex.repeat(count);

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a decoder has to be ready for: hex, and the code that it is refused with. */
const HOSTILE: readonly (readonly [what: string, hex: string, code: string])[] = [
  ['nothing', '', 'TRUNCATED'],
  ['200 nested arrays', repeat('91', 200) + 'c0', 'DEPTH'],
  ['17 nested arrays', repeat('91', 16) + '90', 'DEPTH'],
  ['a value inside 16 arrays', repeat('91', 16) + 'c0', 'DEPTH'],
  ['nested maps', repeat('81a161', 16) + 'c0', 'DEPTH'],
  ['50 000 nested arrays', repeat('91', 50_000), 'DEPTH'],
  ['2^24 elements in 5 bytes', 'dd01000000', 'TRUNCATED'],
  ['2^32 - 1 elements', 'ddffffffff', 'TRUNCATED'],
  ['2^32 - 1 entries', 'dfffffffff', 'TRUNCATED'],
  ['65 535 elements', 'dcffff', 'TRUNCATED'],
  ['an entry without its value', '81a161', 'TRUNCATED'],
  ['two entries in the bytes of one', '82a161c0', 'TRUNCATED'],
  ['4097 elements', 'dc1001' + repeat('c0', 4097), 'TOO_LARGE'],
  ['4097 elements in two arrays', '92dc0800' + repeat('c0', 2048) + 'dc0800' + repeat('c0', 2048), 'TOO_LARGE'],
  ['a text of 2^32 - 1 bytes', 'dbffffffff', 'TRUNCATED'],
  ['a text longer than what is left', 'a361', 'TRUNCATED'],
  ['binary longer than what is left', 'c40561', 'TRUNCATED'],
  ['binary of 2^32 - 1 bytes', 'c6ffffffff', 'TRUNCATED'],
  ['a length that is cut', 'c501', 'TRUNCATED'],
  ['a float that is cut', 'cb3ff000', 'TRUNCATED'],
  ['an empty extension', 'c70001', 'TYPE'],
  ['an extension of 16 bits', 'c8000001', 'TYPE'],
  ['an extension of 32 bits', 'c90000000001', 'TYPE'],
  ['a fixed extension', 'd40100', 'TYPE'],
  ['a fixed extension of 16', 'd801' + repeat('00', 16), 'TYPE'],
  ['a timestamp', 'd6ff00000000', 'TYPE'],
  ['a long timestamp', 'c70cff' + repeat('00', 12), 'TYPE'],
  ['the byte that is never used', 'c1', 'TYPE'],
  ['a number as a key', '8101c0', 'TYPE'],
  ['nil as a key', '81c0c0', 'TYPE'],
  ['an array as a key', '8190c0', 'TYPE'],
  ['binary as a key', '81c40161c0', 'TYPE'],
  ['__proto__ as a key', '81a95f5f70726f746f5f5f80', 'TYPE'],
  ['__proto__ as a key with a long header', '81d9095f5f70726f746f5f5f80', 'TYPE'],
  ['constructor as a key', '81ab636f6e7374727563746f7280', 'TYPE'],
  ['prototype as a key deep inside', '9181a16181a970726f746f7479706580', 'TYPE'],
  ['ill-formed UTF-8 in a short text', 'a1ff', 'UTF8'],
  ['an overlong slash', 'a2c0af', 'UTF8'],
  ['a surrogate', 'a3eda080', 'UTF8'],
  ['ill-formed UTF-8 in a long text', 'd9fa' + repeat('61', 249) + 'ff', 'UTF8'],
  ['ill-formed UTF-8 in a key', '81a1ffc0', 'UTF8'],
  ['a byte behind the value', 'c0c0', 'TRAILING'],
  ['a value behind an array', '9001', 'TRAILING'],
  ['a long text that begins with a byte order mark', 'd9c9efbbbf' + repeat('61', 198), 'UTF8'],
];

describe('C11: hostile payloads', () => {
  test.each(HOSTILE)('C11: %s is refused before the library is asked', (_, hex, code) => {
    const decode = vi.spyOn(Decoder.prototype, 'decode');
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    expect(refusal(() => codec.decode(fromHex(hex)))).toBe(code);
    expect(decode).not.toHaveBeenCalled();
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
  });

  test('C11: a payload above maxBytes is TOO_LARGE before it is looked at', () => {
    const decode = vi.spyOn(Decoder.prototype, 'decode');
    expect(refusal(() => msgpack({ maxBytes: 3, version: 1 }).decode(fromHex('93010203')))).toBe('TOO_LARGE');
    expect(decode).not.toHaveBeenCalled();
  });

  test('C11: a spy would notice the library', () => {
    const decode = vi.spyOn(Decoder.prototype, 'decode');
    expect(codec.decode(fromHex('c0'))).toBe(null);
    expect(decode).toHaveBeenCalledTimes(1);
  });

  test('C11: what the library accepts although it is refused here shows why', () => {
    const plain = new Decoder();
    expect(plain.decode(fromHex(repeat('91', 40) + 'c0'))).toHaveLength(1);
    expect(plain.decode(fromHex('a1ff'))).not.toBe('\ufffd');
    expect(plain.decode(fromHex('d6ff00000000'))).toBeInstanceOf(Date);
  });

  test('C11: random and damaged payloads only throw CodecError', () => {
    const random = new SeededRandom(11);
    const right = libraryEncode({ a: [1, 'é', null, { b: new Uint8Array(3) }], c: 1.5, d: -7n }, { useBigInt64: true });
    let accepted = 0;
    for (let i = 0; i < 50_000; i++) {
      const bytes = random.chance(0.5) ? random.bytes(random.below(40)) : right.slice(0, right.length - random.below(2));
      for (let flips = random.below(3); flips > 0 && bytes.length > 0; flips--) bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
      try {
        codec.decode(bytes);
        accepted++;
      } catch (error) {
        expect((error as Error).name).toBe('CodecError');
      }
    }
    expect(accepted).toBeGreaterThan(1000);
  });
});

describe('values', () => {
  test.each<[unknown]>([
    [null],
    [true],
    [0],
    [-32],
    [255],
    [-(2 ** 31)],
    [2 ** 32 - 1],
    [2 ** 32],
    [2 ** 53],
    [-(2 ** 31) - 1],
    [0.1],
    [-Infinity],
    [NaN],
    [0n],
    [2n ** 64n - 1n],
    [-(2n ** 63n)],
    [''],
    ['Grüße 🦊'],
    ['\ufeffmark'],
    ['x'.repeat(70_000).slice(0, 60_000)],
    [new Uint8Array([1, 2, 3])],
    [[]],
    [[1, [2, [3]]]],
    [{}],
    [{ a: 1, toString: 'own', nested: { b: [null, { c: new Uint8Array(2) }] } }],
    [Object.assign(Object.create(null) as object, { a: 1 })],
  ])('when it is written and read, then it is the same: %#', (value) => {
    expect(codec.decode(encode(codec, value))).toEqual(value);
  });

  test('when values go in, then the bytes are those of the library', () => {
    const random = new SeededRandom(12);
    const make = (depth: number): unknown =>
      [
        () => random.below(2 ** 32) - 2 ** 31,
        () => random.unit(),
        () => random.pick(['a', 'é', '🦊', 'x'.repeat(40)]),
        () => random.chance(0.5),
        () => BigInt(random.uint32()),
        () => random.bytes(random.below(5)),
        () => (depth > 4 ? null : Array.from({ length: random.below(4) }, () => make(depth + 1))),
        () => (depth > 4 ? null : Object.fromEntries(Array.from({ length: random.below(4) }, (_, i) => [`k${i}`, make(depth + 1)]))),
      ][random.below(8)]!();
    for (let i = 0; i < 3000; i++) {
      const value = make(0);
      expect(toHex(encode(codec, value))).toBe(toHex(new Encoder({ useBigInt64: true, ignoreUndefined: true }).encode(value)));
      expect(codec.decode(encode(codec, value))).toEqual(value);
    }
  });

  test('when members are undefined, then they are left out', () => {
    expect(codec.decode(encode(codec, { a: undefined, b: 1 }))).toStrictEqual({ b: 1 });
  });

  test('when binary is read, then it shares no memory with the payload', () => {
    const data = encode(codec, [new Uint8Array([1, 2, 3]), { deep: new Uint8Array([4]) }, 'text']);
    const value = codec.decode(data) as [Uint8Array, { deep: Uint8Array }, string];
    data.fill(0);
    expect(value).toEqual([new Uint8Array([1, 2, 3]), { deep: new Uint8Array([4]) }, 'text']);
    expect(value[0].buffer.byteLength).toBe(3);
  });

  test('when float32 is asked for, then fractions are rounded and large integers are refused', () => {
    const narrow = msgpack({ maxBytes: 64, version: 1, f32: true });
    expect(encode(narrow, 0.1)).toHaveLength(5);
    expect(narrow.decode(encode(narrow, 0.1))).toBe(Math.fround(0.1));
    expect(narrow.decode(encode(narrow, 2 ** 32 - 1))).toBe(2 ** 32 - 1);
    expect(narrow.decode(encode(narrow, 2n ** 40n + 1n))).toBe(2n ** 40n + 1n);
    for (const value of [2 ** 40 + 1, 2 ** 32, -(2 ** 31) - 1, 1e300]) {
      expect(refusal(() => encode(narrow, value))).toBe('RANGE');
      expect(refusal(() => encode(narrow, { a: [value] }))).toBe('RANGE a[0]');
    }
  });

  test('when values come back deep or wide, then both ends have the same limits', () => {
    const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);
    expect(codec.decode(encode(codec, nested(15)))).toEqual(nested(15));
    expect(refusal(() => encode(codec, nested(16)))).toMatch(/^DEPTH \[0\]/);
    expect(
      codec.decode(
        encode(
          codec,
          Array.from({ length: 4096 }, () => 0),
        ),
      ),
    ).toHaveLength(4096);
    expect(
      refusal(() =>
        encode(
          codec,
          Array.from({ length: 4097 }, () => 0),
        ),
      ),
    ).toBe('TOO_LARGE');
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(refusal(() => encode(codec, cycle))).toMatch(/^DEPTH/);
  });
});

describe('values that MessagePack would change', () => {
  class Point {
    readonly x = 1;
  }

  test.each<[string, unknown, string]>([
    ['a Map', new Map([[1, 2]]), 'TYPE'],
    ['a Set deep inside', { a: [new Set()] }, 'TYPE a[0]'],
    ['a Date', new Date(0), 'TYPE'],
    ['a class', { p: new Point() }, 'TYPE p'],
    ['another array', new Uint16Array(2), 'TYPE'],
    ['a function', () => 1, 'TYPE'],
    ['a symbol', Symbol('x'), 'TYPE'],
    ['undefined', undefined, 'TYPE'],
    ['undefined in an array', [1, undefined], 'TYPE [1]'],
    // eslint-disable-next-line no-sparse-arrays
    ['a hole in an array', [1, , 2], 'TYPE [1]'],
    ['a bigint above 64 bits', 2n ** 64n, 'RANGE'],
    ['a bigint below 64 bits', -(2n ** 63n) - 1n, 'RANGE'],
    ['a lone surrogate', '\ud800', 'UTF8'],
    ['a lone surrogate in a key', { '\ud800': 1 }, 'UTF8 \ud800'],
    ['a forbidden key', JSON.parse('{"__proto__":1}'), 'TYPE __proto__'],
    ['another forbidden key', { a: { constructor: 1 } }, 'TYPE a.constructor'],
    ['a long text with a byte order mark', `\ufeff${'x'.repeat(300)}`, 'UTF8'],
  ])('when it is %s, then it is refused', (_, value, expected) => {
    expect(refusal(() => encode(codec, value))).toBe(expected);
  });

  test('when the encoding is too long, then it is TOO_LARGE', () => {
    const small = msgpack({ maxBytes: 4, version: 1 });
    expect(encode(small, 'abc')).toHaveLength(4);
    expect(refusal(() => encode(small, 'abcd'))).toBe('TOO_LARGE');
    expect(refusal(() => small.encodeInto('abc', new Uint8Array(5), 2))).toBe('TOO_LARGE');
    expect(refusal(() => small.encodeInto('abc', new Uint8Array(5), 6))).toBe('RANGE');
    expect(refusal(() => small.encodeInto('abc', 'out' as never, 0))).toBe('TYPE');
    expect(refusal(() => small.decode('data' as never))).toBe('TYPE');
  });

  test('when the library throws, then it is a CodecError with the cause', () => {
    vi.spyOn(Decoder.prototype, 'decode').mockImplementation(() => {
      throw new RangeError('theirs');
    });
    const error = codecErrorOf(() => codec.decode(fromHex('c0')));
    expect(error).toMatchObject({ code: 'TYPE' });
    expect(error.cause).toBeInstanceOf(RangeError);
  });

  test('when an extension reaches the library all the same, then it goes neither in nor out', () => {
    let options: { extensionCodec: { tryToEncode(value: unknown): unknown; decode(): unknown } } | undefined;
    vi.spyOn(Encoder.prototype, 'encodeSharedRef').mockImplementation(function (this: unknown) {
      options = this as typeof options;
      return new Uint8Array();
    });
    encode(codec, 1);
    const { extensionCodec } = options!;
    expect(refusal(() => extensionCodec.tryToEncode(new Map()))).toBe('TYPE');
    expect(extensionCodec.tryToEncode([1])).toBe(null);
    expect(refusal(() => extensionCodec.decode())).toBe('TYPE');
  });
});
