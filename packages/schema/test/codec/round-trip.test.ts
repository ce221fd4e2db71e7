import { eachSeed } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { CASES, encode } from '../support/codec-cases.ts';

const VALUES = 10_000;

describe.each(CASES)('$name', ({ codec, random, accepts, isCanonical, largest, isNeverFull = false }) => {
  test(`C2: ${VALUES} random values come back within the stated error, and are written to the same bytes again`, () => {
    eachSeed(1, (source) => {
      const out = new Uint8Array(codec.maxBytes + 2);
      const again = new Uint8Array(codec.maxBytes);
      for (let i = 0; i < VALUES; i++) {
        const value = random(source);
        const length = codec.encodeInto(value, out, 1);
        const payload = out.slice(1, 1 + length);
        const decoded = codec.decode(payload);
        if (!accepts(value, decoded)) expect(decoded, `value ${i}`).toEqual(value);
        if (length > codec.maxBytes) expect(length).toBeLessThanOrEqual(codec.maxBytes);
        if (!isCanonical) continue;
        const rewritten = again.subarray(0, codec.encodeInto(decoded, again, 0));
        if (Buffer.compare(rewritten, payload) !== 0) expect(rewritten, `value ${i}`).toEqual(payload);
        if (!codec.equals(value, decoded)) expect.fail('a value and what is read of it differ on the wire');
      }
    });
  });

  test('C2: some value takes as many bytes as maxBytes says, unless alignments cannot all be at their worst', () => {
    const { length } = encode(codec, largest);
    if (isNeverFull) expect(length).toBeLessThan(codec.maxBytes);
    else expect(length).toBe(codec.maxBytes);
  });

  test('when it is read into a value of before, then that is used and nothing of it is left', () => {
    eachSeed(1, (source) => {
      let into = codec.decode(encode(codec, random(source)));
      for (let i = 0; i < 200; i++) {
        const payload = encode(codec, random(source));
        into = codec.decodeInto(payload, into);
        expect(into).toStrictEqual(codec.decode(payload));
      }
    });
  });

  test('when deltas are made against random values, then they come back as the value does', () => {
    eachSeed(1, (source) => {
      const out = new Uint8Array(codec.maxBytes + 8);
      for (let i = 0; i < 300; i++) {
        const base = codec.decode(encode(codec, random(source)));
        const value = i % 3 === 0 ? base : random(source);
        const length = codec.delta.encodeInto(base, value, out, 0);
        const decoded = codec.delta.decode(base, out.slice(0, length));
        expect(codec.equals(decoded, value)).toBe(true);
        if (isCanonical) expect(decoded).toEqual(codec.decode(encode(codec, value)));
      }
    });
  });
});

test('C2: when writing begins in the middle of an array, then the bytes around it stay', () => {
  for (const { codec, largest, name } of CASES) {
    const out = new Uint8Array(codec.maxBytes + 4).fill(0xa5);
    const length = codec.encodeInto(largest, out, 2);
    expect([out[0], out[1], ...out.subarray(2 + length)], name).toEqual(Array.from({ length: out.length - length }, () => 0xa5));
  }
});
