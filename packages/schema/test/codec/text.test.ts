import { fromHex, SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { b } from '../../src/codec/index.ts';
import { encode } from '../support/codec-cases.ts';
import { codecErrorOf, refusal } from '../support/codec-errors.ts';

const text = b.string(200);
/** A payload with these bytes as the text. */
const payload = (hex: string): Uint8Array => Uint8Array.of(hex.length / 2, ...fromHex(hex));
const long = 'x'.repeat(60);

describe('C12: texts that UTF-8 cannot express', () => {
  test.each(['\ud800', 'a\ud800', '\udc00b', '\ud800\ud800', '\udc00\ud800', `${long}\udbff`, `\udfff${long}`, 'ok\ud83dx'])(
    'C12: a lone surrogate is refused when written: %j',
    (value) => {
      expect(refusal(() => encode(text, value))).toBe('UTF8');
      expect(refusal(() => encode(b.struct({ a: text }), { a: value }))).toBe('UTF8 a');
      expect(refusal(() => text.equals(value, value))).toBe('UTF8');
    },
  );
});

describe('C12: bytes that are not UTF-8', () => {
  const ILL_FORMED = {
    'a byte of a sequence alone': '80',
    'a sequence without its end': 'c3',
    'a sequence cut by ASCII': 'c341',
    'an overlong two': 'c0af',
    'an overlong three': 'e080af',
    'an overlong four': 'f08080af',
    'an overlong zero': 'c080',
    'a surrogate': 'eda080',
    'a surrogate pair': 'eda0bdedb880',
    'a point above 10ffff': 'f4908080',
    'five bytes': 'f888808080',
    'a byte that never occurs': 'ff',
    'the same at the end of a text': `${'61'.repeat(60)}ff`,
    'the same behind a short one': '6162ff',
  };

  test.each(Object.entries(ILL_FORMED))('C12: %s is refused when read', (_, hex) => {
    expect(refusal(() => text.decode(payload(hex)))).toBe('UTF8');
    expect(codecErrorOf(() => text.decode(payload(hex))).cause).toBeInstanceOf(TypeError);
  });
});

describe('texts that it can', () => {
  test.each([
    '',
    'a',
    'ÄÖÜ',
    '\ufeff',
    '\ufeffa',
    '\u0000',
    '\uffff',
    '\ud7ff\ue000',
    '🦊',
    'ab🦊',
    long,
    `${long}é`,
    '\u2028',
    '\u007f\u0080\u07ff\u0800',
  ])('when it is %j, then it comes back', (value) => {
    const bytes = encode(text, value);
    expect(Buffer.from(bytes.subarray(1)).toString('utf8')).toBe(value);
    expect(text.decode(bytes)).toBe(value);
    expect(text.decodeInto(bytes, 'other')).toBe(value);
    expect(text.decodeInto(bytes, value)).toBe(value);
  });

  test('when texts are random, then their bytes are those of the platform', () => {
    const random = new SeededRandom(4);
    for (let i = 0; i < 5000; i++) {
      const points = Array.from({ length: random.below(20) }, () => {
        const point = random.pick([0x80, 0x800, 0xd800, 0x1_0000, 0x11_0000]);
        const value = random.below(point);
        return value >= 0xd800 && value < 0xe000 ? 0x41 : value;
      });
      const value = String.fromCodePoint(...points);
      const expected = Buffer.from(value, 'utf8');
      expect(Buffer.from(encode(text, value).subarray(1)).equals(expected)).toBe(true);
      expect(text.decode(Uint8Array.of(expected.length, ...expected))).toBe(value);
    }
  });

  test('when a text is too long, then bytes count, not characters', () => {
    expect(encode(b.string(4), '🦊')).toHaveLength(5);
    const error = codecErrorOf(() => encode(b.string(4), 'ééé'));
    expect(error).toMatchObject({ code: 'TOO_LARGE', message: 'expected at most 4 bytes, got 6' });
  });

  test('when an error is about a text, then it does not repeat it', () => {
    const secret = 'correct horse battery staple';
    for (const codec of [b.string(4), b.uint(3), b.bool(), b.enum(['a']), b.struct({})]) {
      expect(codecErrorOf(() => encode(codec as never, secret as never)).message).not.toContain('horse');
    }
  });
});

test('when a payload is a Node Buffer, then what is read shares no memory with it', () => {
  const codec = b.struct({ a: b.bytes(8), t: text });
  const data = Buffer.from(encode(codec, { a: Uint8Array.of(1, 2, 3), t: 'hi' }));
  const value = codec.decode(data);
  data.fill(0xff);
  expect(value).toEqual({ a: Uint8Array.of(1, 2, 3), t: 'hi' });
  expect(Object.getPrototypeOf(value.a)).toBe(Uint8Array.prototype);
});
