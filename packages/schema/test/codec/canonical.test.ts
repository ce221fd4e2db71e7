import { eachSeed, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { CodecError } from '../../src/codec/index.ts';
import { CASES, encode } from '../support/codec-cases.ts';

const VALUES = 300;

/** What becomes of a payload: an error, or the bytes that its value is written to. */
function rewritten(codec: (typeof CASES)[number]['codec'], payload: Uint8Array): Uint8Array | CodecError {
  let value: unknown;
  try {
    value = codec.decode(payload);
  } catch (error) {
    if (CodecError.is(error)) return error;
    throw error;
  }
  return encode(codec, value);
}

describe.each(CASES.filter(({ isCanonical }) => isCanonical))('$name', ({ codec, random }) => {
  const cases = (body: (payload: Uint8Array) => void): void => {
    eachSeed(1, (source) => {
      for (let i = 0; i < VALUES; i++) body(encode(codec, random(source)));
    });
  };
  const isErrorOrItself = (payload: Uint8Array): void => {
    const result = rewritten(codec, payload);
    if (!(result instanceof CodecError) && toHex(result) !== toHex(payload)) expect(toHex(result)).toBe(toHex(payload));
  };

  test('C4: a payload with one bit flipped is refused or is the encoding of another value', () => {
    cases((payload) => {
      for (let bit = 0; bit < payload.length * 8; bit++) {
        const changed = payload.slice();
        changed[bit >>> 3]! ^= 1 << (bit & 7);
        isErrorOrItself(changed);
      }
    });
  });

  test('C4: a payload with a byte more, or one less, is refused or is the encoding of another value', () => {
    cases((payload) => {
      for (const last of [0, 1, 0x80, 0xff]) {
        const longer = Uint8Array.from([...payload, last]);
        const result = rewritten(codec, longer);
        if (result instanceof CodecError) continue;
        expect(toHex(result)).toBe(toHex(longer));
      }
      if (payload.length > 0) isErrorOrItself(payload.subarray(0, -1));
    });
  });
});

test('C4: what follows a value of a fixed size is TRAILING, bits beside it are PADDING', () => {
  const [bool] = CASES;
  expect(rewritten(bool!.codec, Uint8Array.of(1, 0))).toMatchObject({ code: 'TRAILING', path: '' });
  expect(rewritten(bool!.codec, Uint8Array.of(3))).toMatchObject({ code: 'PADDING', path: '' });
  expect(rewritten(bool!.codec, Uint8Array.of())).toMatchObject({ code: 'TRUNCATED', path: '' });
  expect(rewritten(bool!.codec, Uint8Array.of(3, 0))).toMatchObject({ code: 'PADDING' });
});
