import { describe, expect, test } from 'vitest';
import { b, CodecError } from '../../src/codec/index.ts';
import type { BitCodec } from '../../src/codec/index.ts';
import { fromHex } from '@x/testkit';
import { encode } from '../support/codec-cases.ts';
import { codecErrorOf, refusal } from '../support/codec-errors.ts';

const circle = b.struct({ r: b.uint(4) });
const shape = b.union({ circle, none: b.struct({}) });

/** Values that a codec refuses, with the code and the place. */
const REFUSED: readonly (readonly [what: string, codec: BitCodec<never>, value: unknown, expected: string])[] = [
  ['bool of a number', b.bool() as never, 1, 'TYPE'],
  ['uint of a text', b.uint(8) as never, '5', 'TYPE'],
  ['uint of a bigint', b.uint(8) as never, 5n, 'TYPE'],
  ['uint of nothing', b.uint(8) as never, undefined, 'TYPE'],
  ['uint below', b.uint(8) as never, -1, 'RANGE'],
  ['uint above', b.uint(8) as never, 256, 'RANGE'],
  ['uint with a fraction', b.uint(8) as never, 1.5, 'RANGE'],
  ['uint NaN', b.uint(8) as never, NaN, 'NON_FINITE'],
  ['uint Infinity', b.uint(8) as never, Infinity, 'NON_FINITE'],
  ['int below', b.int(-5, 10) as never, -6, 'RANGE'],
  ['int above', b.int(-5, 10) as never, 11, 'RANGE'],
  ['varuint of 2^32', b.varuint() as never, 2 ** 32, 'RANGE'],
  ['varuint below', b.varuint() as never, -1, 'RANGE'],
  ['u64 of a number', b.u64() as never, 5, 'TYPE'],
  ['u64 below', b.u64() as never, -1n, 'RANGE'],
  ['u64 above', b.u64() as never, 2n ** 64n, 'RANGE'],
  ['i64 above', b.i64() as never, 2n ** 63n, 'RANGE'],
  ['i64 below', b.i64() as never, -(2n ** 63n) - 1n, 'RANGE'],
  ['float32 NaN', b.float32() as never, NaN, 'NON_FINITE'],
  ['float64 NaN', b.float64() as never, NaN, 'NON_FINITE'],
  ['float32 beyond its range', b.float32() as never, 1e39, 'RANGE'],
  ['float32 of a text', b.float32({ nan: true }) as never, 'NaN', 'TYPE'],
  ['q NaN', b.q(0, 1, 0.1) as never, NaN, 'NON_FINITE'],
  ['q of a text', b.q(0, 1, 0.1) as never, '0', 'TYPE'],
  ['q above, not clamped', b.q(0, 1, 0.1, { clamp: false }) as never, 1.01, 'RANGE'],
  ['q infinite, not clamped', b.q(0, 1, 0.1, { clamp: false }) as never, -Infinity, 'RANGE'],
  ['q NaN, not clamped', b.q(0, 1, 0.1, { clamp: false }) as never, NaN, 'NON_FINITE'],
  ['angle NaN', b.angle(8) as never, NaN, 'NON_FINITE'],
  ['angle Infinity', b.angle(8) as never, Infinity, 'NON_FINITE'],
  ['angle of nothing', b.angle(8) as never, undefined, 'TYPE'],
  ['vec2 of nothing', b.vec2(0, 1, 0.1) as never, null, 'TYPE'],
  ['vec2 without y', b.vec2(0, 1, 0.1) as never, { x: 0 }, 'TYPE y'],
  ['vec3 with a text', b.vec3(0, 1, 0.1) as never, { x: 0, y: 0, z: '0' }, 'TYPE z'],
  ['vec3 NaN', b.vec3(0, 1, 0.1) as never, { x: NaN, y: 0, z: 0 }, 'NON_FINITE x'],
  ['vec3 outside, not clamped', b.vec3(0, 1, 0.1, { clamp: false }) as never, { x: 0, y: 2, z: 0 }, 'RANGE y'],
  ['string of a number', b.string(8) as never, 5, 'TYPE'],
  ['string too long', b.string(2) as never, 'abc', 'TOO_LARGE'],
  ['bytes of an array', b.bytes(2) as never, [1], 'TYPE'],
  ['bytes too long', b.bytes(2) as never, new Uint8Array(3), 'TOO_LARGE'],
  ['enum of another name', b.enum(['a', 'b']) as never, 'c', 'RANGE'],
  ['enum of an inherited name', b.enum(['a', 'b']) as never, 'toString', 'RANGE'],
  ['enum of a number', b.enum(['a', 'b']) as never, 0, 'TYPE'],
  ['flags of nothing', b.flags(['a']) as never, undefined, 'TYPE'],
  ['flags with one missing', b.flags(['a', 'b']) as never, { a: true }, 'TYPE b'],
  ['flags with a number', b.flags(['a', 'b']) as never, { a: 1, b: true }, 'TYPE a'],
  ['optional null', b.optional(b.uint(3)) as never, null, 'TYPE'],
  ['optional with a wrong value', b.optional(b.uint(3)) as never, 8, 'RANGE'],
  ['array of nothing', b.array(b.uint(3), 2) as never, undefined, 'TYPE'],
  ['array of a typed array', b.array(b.uint(3), 2) as never, new Uint8Array(2), 'TYPE'],
  ['array with too many', b.array(b.uint(3), 2) as never, [1, 2, 3], 'TOO_LARGE'],
  ['array with a wrong number', b.array(b.uint(3), 2) as never, [1, 9], 'RANGE [1]'],
  ['array with a wrong element', b.array(b.bool(), 2) as never, [true, 1], 'TYPE [1]'],
  // eslint-disable-next-line no-sparse-arrays
  ['array with a hole', b.array(b.uint(3), 3) as never, [1, , 2], 'TYPE [1]'],
  ['fixed with too few', b.fixed(b.uint(3), 2) as never, [1], 'TYPE'],
  ['fixed with too many', b.fixed(b.uint(3), 2) as never, [1, 2, 3], 'TYPE'],
  ['struct of nothing', b.struct({}) as never, undefined, 'TYPE'],
  ['struct of a number', circle as never, 5, 'TYPE'],
  ['struct with a field missing', circle as never, {}, 'TYPE r'],
  ['struct with null in a field', circle as never, { r: null }, 'TYPE r'],
  [
    'a field deep inside',
    b.struct({ a: b.array(b.struct({ p: b.vec2(0, 1, 0.1) }), 2) }) as never,
    { a: [{ p: { x: 0, y: 0 } }, { p: { x: 0 } }] },
    'TYPE a[1].p.y',
  ],
  ['union without a type', shape as never, { r: 1 }, 'TYPE type'],
  ['union with another type', shape as never, { type: 'box' }, 'RANGE type'],
  ['union with an inherited type', shape as never, { type: 'toString' }, 'RANGE type'],
  ['union with a field missing', shape as never, { type: 'circle' }, 'TYPE r'],
  ['union of nothing', shape as never, null, 'TYPE'],
];

describe('values that are refused', () => {
  test.each(REFUSED)('when it is %s, then writing and comparing say why', (_, codec, value, expected) => {
    expect(refusal(() => encode(codec, value as never))).toBe(expected);
    const isInArray = expected.startsWith('TOO_LARGE') || expected.includes('[');
    if (!isInArray) expect(refusal(() => codec.equals(value as never, value as never))).toBe(expected);
  });
});

/** Payloads that a codec refuses. */
const REFUSED_BYTES: readonly (readonly [what: string, codec: BitCodec<never>, hex: string, expected: string])[] = [
  ['int above its range', b.int(-5, 9) as never, '0f', 'RANGE'],
  ['varuint in 8 bits that fits 4', b.varuint() as never, '3d00', 'RANGE'],
  ['varuint in 16 bits that fits 8', b.varuint() as never, 'fe0300', 'RANGE'],
  ['varuint in 32 bits that fits 16', b.varuint() as never, 'ffff030000', 'RANGE'],
  ['q above its steps', b.q(0, 1, 0.25) as never, '05', 'RANGE'],
  ['a vector above its steps', b.vec2(0, 1, 0.25) as never, '28', 'RANGE y'],
  ['float32 NaN', b.float32() as never, '0000c07f', 'NON_FINITE'],
  ['float32 NaN of another pattern', b.float32({ nan: true }) as never, '0100c07f', 'NON_FINITE'],
  ['float32 NaN with a sign', b.float32({ nan: true }) as never, '0000c0ff', 'NON_FINITE'],
  ['float32 signalling NaN', b.float32({ nan: true }) as never, '0100807f', 'NON_FINITE'],
  ['float64 NaN', b.float64() as never, '000000000000f87f', 'NON_FINITE'],
  ['float64 NaN of another pattern', b.float64({ nan: true }) as never, '010000000000f87f', 'NON_FINITE'],
  ['float64 NaN of another high half', b.float64({ nan: true }) as never, '000000000000fc7f', 'NON_FINITE'],
  ['alignment that is not 0', b.string(10) as never, '1161', 'PADDING'],
  ['an element above its range', b.array(b.int(0, 2), 2) as never, '0e', 'RANGE [0]'],
  ['a field of a union', b.union({ a: b.struct({ x: b.int(0, 2) }), b: b.struct({}) }) as never, '06', 'RANGE x'],
];

describe('payloads that are refused', () => {
  test.each(REFUSED_BYTES)('when it is %s, then reading says why', (_, codec, hex, expected) => {
    expect(refusal(() => codec.decode(fromHex(hex)))).toBe(expected);
  });
});

describe('values that are accepted', () => {
  test('when a number is -0, then integers make it 0 and floats keep it', () => {
    expect(b.uint(3).decode(encode(b.uint(3), -0))).toBe(0);
    expect(b.int(-1, 1).decode(encode(b.int(-1, 1), -0))).toBe(0);
    expect(b.varuint().decode(encode(b.varuint(), -0))).toBe(0);
    expect(b.float32().decode(encode(b.float32(), -0))).toBe(-0);
    expect(b.float64().decode(encode(b.float64(), -0))).toBe(-0);
    expect(b.float64().equals(0, -0)).toBe(false);
  });

  test('when a number is infinite, then floats keep it and q moves it to the edge', () => {
    expect(b.float32().decode(encode(b.float32(), -Infinity))).toBe(-Infinity);
    const q = b.q(-1, 1, 0.1);
    expect([q.decode(encode(q, Infinity)), q.decode(encode(q, -Infinity)), q.decode(encode(q, 7))]).toEqual([1, -1, 1]);
  });

  test('when NaN is allowed, then it always has the same bits', () => {
    const [narrow, wide] = [b.float32({ nan: true }), b.float64({ nan: true })];
    expect(encode(narrow, NaN)).toEqual(fromHex('0000c07f'));
    expect(encode(wide, NaN)).toEqual(fromHex('000000000000f87f'));
    expect(narrow.equals(NaN, NaN) && wide.equals(NaN, NaN)).toBe(true);
  });

  test('when an object has more members, getters or a class, then only the fields count', () => {
    class Player {
      readonly extra = 'no field';
      get r(): number {
        return 7;
      }
    }
    expect(encode(circle, new Player())).toEqual(Uint8Array.of(7));
    expect(encode(circle, { r: 7, extra: 1 } as never)).toEqual(Uint8Array.of(7));
    expect(encode(circle, Object.create({ r: 7 }) as never)).toEqual(Uint8Array.of(7));
  });

  test('when a getter throws, then that reaches the caller', () => {
    const value = {
      get r(): number {
        throw new RangeError('mine');
      },
    };
    expect(() => encode(circle, value)).toThrow(RangeError);
    expect(encode(circle, { r: 3 })).toEqual(Uint8Array.of(3));
  });

  test('when more structs are defined than the engine is helped with, then all of them work', () => {
    for (let i = 0; i < 300; i++) {
      const codec = b.struct({ [`field${i}`]: b.q(0, 1, 0.5), shared: b.string(3), flag: b.flags([`flag${i}`]) });
      const value = { [`field${i}`]: 0.5, shared: 'abc', flag: { [`flag${i}`]: true } };
      expect(codec.decode(encode(codec, value as never))).toEqual(value);
    }
  });
});

describe('values of before', () => {
  const codec = b.struct({
    at: b.vec2(0, 1, 0.5),
    list: b.array(b.struct({ n: b.uint(4) }), 4),
    key: b.bytes(70),
    shape,
    more: b.optional(circle),
  });
  const value = {
    at: { x: 0.5, y: 1 },
    list: [{ n: 1 }, { n: 2 }],
    key: new Uint8Array(70).fill(3),
    shape: { type: 'circle', r: 4 },
    more: { r: 5 },
  } as const;

  test('when the value fits, then its objects, arrays and bytes are used again', () => {
    const into = codec.decode(encode(codec, value as never));
    const { at, list, key, shape: circleOfBefore, more } = into;
    const [first] = list;
    const next = { ...value, list: [{ n: 9 }], key: new Uint8Array(70).fill(4), shape: { type: 'circle', r: 1 } };
    const result = codec.decodeInto(encode(codec, next as never), into);
    expect(result).toBe(into);
    expect(result).toEqual(next);
    expect([result.at, result.list, result.list[0], result.key, result.shape, result.more]).toEqual([
      at,
      list,
      first,
      key,
      circleOfBefore,
      more,
    ]);
    expect(result.list === list && result.list[0] === first && result.key === key && result.shape === circleOfBefore).toBe(true);
  });

  test('when it does not fit, then new ones are made', () => {
    const into = { at: 5, list: 'x', key: new Uint8Array(2), shape: { type: 'none' }, more: 7 };
    expect(codec.decodeInto(encode(codec, value as never), into as never)).toEqual(value);
    expect(codec.decodeInto(encode(codec, value as never), undefined as never)).toEqual(value);
    const numbers = b.array(b.uint(4), 4);
    expect(numbers.decodeInto(encode(numbers, [1, 2]), ['a', 'b', 'c'] as never)).toEqual([1, 2]);
  });

  test('when a text is the same, then it is kept, and when it is not, it is read', () => {
    const text = b.string(60);
    for (const next of ['same', 'other', 'sama', 'é', 'x'.repeat(50)]) expect(text.decodeInto(encode(text, next), 'same')).toBe(next);
  });
});

describe('CodecError', () => {
  test('when the place is known, then path and text have it', () => {
    const codec = b.struct({ list: b.array(b.struct({ pos: b.vec2(0, 1, 0.1) }), 3) });
    const error = codecErrorOf(() => encode(codec, { list: [{ pos: { x: 0, y: 0 } }, { pos: { x: 0, y: NaN } }] }));
    expect(error).toMatchObject({ name: 'CodecError', code: 'NON_FINITE', kind: 'nonFinite', path: 'list[1].pos.y' });
    expect(error.message).toBe('list[1].pos.y: expected a number, got NaN');
    expect(String(error)).toBe('CodecError: list[1].pos.y: expected a number, got NaN');
    expect(error).toBeInstanceOf(Error);
  });

  test('when arrays stand in arrays, then the path has no dots between them', () => {
    expect(refusal(() => encode(b.array(b.array(b.bool(), 2), 2), [[], [true, 1]] as never))).toBe('TYPE [1][1]');
  });

  test('when an error comes from another installed copy, then CodecError.is knows it', () => {
    expect(CodecError.is(new CodecError('RANGE', 'x'))).toBe(true);
    expect(CodecError.is(Object.assign(new Error('x'), { name: 'CodecError', code: 'RANGE', path: '' }))).toBe(true);
    expect(CodecError.is(new RangeError('x'))).toBe(false);
    expect(CodecError.is({ name: 'CodecError', code: 'RANGE', path: '' })).toBe(false);
  });

  test('when a host makes one, then it can give path and cause', () => {
    const cause = new Error('why');
    expect(new CodecError('VALIDATION', 'no', 'a.b', { cause })).toMatchObject({
      message: 'a.b: no',
      path: 'a.b',
      cause,
      kind: 'validation',
    });
  });
});
