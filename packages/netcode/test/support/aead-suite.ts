import { inspect } from 'node:util';
import { eachSeed, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import type { Aead } from '../../src/aead.ts';
import { MEMORY_PAIRS, caseOf, flipped, framed, open, oracle, randomCase, same, seal, take } from './aead-cases.ts';
import type { AeadCase } from './aead-cases.ts';
import { RFC_8439_A_5, XCHACHA_A_3_1 } from './aead-vectors.ts';

const CIPHERS = ['packet', 'token'] as const;
const TAG = 16;

/** Declares what every backend has to do, whatever library is behind it. */
export function describeAead(aead: Aead): void {
  test.each([
    { ...RFC_8439_A_5, cipher: 'packet' as const, nonce: RFC_8439_A_5.nonce.slice(4) },
    { ...XCHACHA_A_3_1, cipher: 'token' as const },
  ])('gives the result of $source', (vector) => {
    const key = aead.createKey(vector.key);
    const out = new Uint8Array(vector.sealed.length);
    seal(aead, key, vector, { src: vector.plain, srcOffset: 0, length: vector.plain.length, out, outOffset: 0 });
    expect(toHex(out)).toBe(toHex(vector.sealed));
    const opened = new Uint8Array(vector.plain.length);
    open(aead, key, vector, { src: out, srcOffset: 0, length: out.length, out: opened, outOffset: 0 });
    expect(toHex(opened)).toBe(toHex(vector.plain));
  });

  test('when 10,000 random texts are sealed and opened in any memory at any offset, then the bytes are those of the oracle', () => {
    const arrays = { plain: [new Uint8Array(1400), new Uint8Array(1400)], alloc: [take(aead, 'alloc', 1400), take(aead, 'alloc', 1400)] };
    eachSeed(100, (random) => {
      for (let i = 0; i < 100; i++) {
        const input = randomCase(random);
        const { plain } = input;
        const sealed = oracle(input);
        const key = aead.createKey(input.key);
        const [srcOffset, outOffset, [from, to]] = [random.below(40), random.below(40), random.pick(MEMORY_PAIRS)];
        const [src, out] = [arrays[from][0]!, arrays[to][1]!];

        const plainFrame = framed(src, plain, srcOffset).slice();
        out.fill(0xa5);
        if (seal(aead, key, input, { src, srcOffset, length: plain.length, out, outOffset }) !== sealed.length) expect.fail('wrong length');
        if (!same(out, framed(new Uint8Array(1400), sealed, outOffset)))
          expect.fail(`${input.cipher} sealed ${plain.length} bytes otherwise`);
        if (!same(src, plainFrame)) expect.fail('the source changed');

        const sealedFrame = framed(src, sealed, srcOffset).slice();
        out.fill(0xa5);
        if (open(aead, key, input, { src, srcOffset, length: sealed.length, out, outOffset }) !== plain.length) expect.fail('refused');
        if (!same(out, framed(new Uint8Array(1400), plain, outOffset)))
          expect.fail(`${input.cipher} opened ${plain.length} bytes otherwise`);
        if (!same(src, sealedFrame)) expect.fail('the source changed');
        aead.destroyKey(key);
      }
    });
  });

  describe.each(MEMORY_PAIRS)('from %s to %s memory', (from, to) => {
    test.each(CIPHERS)('when one bit of anything in a %s is turned, then it is refused and the output untouched', (cipher) => {
      const input = caseOf(cipher, 100);
      const sealed = oracle(input);
      const src = take(aead, from, 200);
      const out = take(aead, to, 200);
      const attempt = (changed: Partial<AeadCase>, bytes = sealed): void => {
        const used = { ...input, ...changed };
        const key = aead.createKey(used.key);
        const before = framed(src, bytes, 7).slice();
        out.fill(0x5a);
        expect(open(aead, key, used, { src, srcOffset: 7, length: bytes.length, out, outOffset: 3 })).toBe(-1);
        expect(same(out, new Uint8Array(200).fill(0x5a)), 'output untouched').toBe(true);
        expect(open(aead, key, used, { src, srcOffset: 7, length: bytes.length, out: src, outOffset: 7 })).toBe(-1);
        expect(same(src, before), 'source untouched').toBe(true);
        aead.destroyKey(key);
      };
      for (let bit = 0; bit < 256; bit++) attempt({ key: flipped(input.key, bit) });
      for (let bit = 0; bit < (cipher === 'token' ? 192 : 64); bit++) attempt({ nonce: flipped(input.nonce, bit) });
      for (let bit = 0; bit < input.ad.length * 8; bit++) attempt({ ad: flipped(input.ad, bit) });
      for (let bit = 0; bit < sealed.length * 8; bit++) attempt({}, flipped(sealed, bit));
      attempt({ ad: input.ad.subarray(1) });
      attempt({}, sealed.subarray(0, -1));
      attempt({}, sealed.subarray(1));
    });
  });

  describe.each(['plain', 'alloc'] as const)('in %s memory', (memory) => {
    test.each(CIPHERS)('when a %s is sealed and opened in place, then only its bytes change', (cipher) => {
      const array = take(aead, memory, 1400);
      for (const length of [0, 1, 15, 16, 63, 64, 65, 1024, 1200]) {
        const input = caseOf(cipher, length);
        const key = aead.createKey(input.key);
        framed(array, input.plain, 13);
        expect(seal(aead, key, input, { src: array, srcOffset: 13, length, out: array, outOffset: 13 })).toBe(length + TAG);
        expect(same(array, framed(new Uint8Array(1400), oracle(input), 13))).toBe(true);
        const expected = array.slice();
        expected.set(input.plain, 13);
        expect(open(aead, key, input, { src: array, srcOffset: 13, length: length + TAG, out: array, outOffset: 13 })).toBe(length);
        expect(same(array, expected), `${length} bytes opened in place`).toBe(true);
      }
    });

    test.each(CIPHERS)('when the output of a %s overlaps its input at any distance, then the result is right', (cipher) => {
      const array = take(aead, memory, 1100);
      const input = caseOf(cipher, 300);
      const key = aead.createKey(input.key);
      const sealed = oracle(input);
      for (const outOffset of [0, 1, 83, 84, 85, 399, 400, 401, 464, 699, 700, 701]) {
        framed(array, input.plain, 400);
        seal(aead, key, input, { src: array, srcOffset: 400, length: 300, out: array, outOffset });
        expect(same(array.slice(outOffset, outOffset + sealed.length), sealed), `sealed at ${outOffset}`).toBe(true);
        framed(array, sealed, 400);
        open(aead, key, input, { src: array, srcOffset: 400, length: sealed.length, out: array, outOffset });
        expect(same(array.slice(outOffset, outOffset + 300), input.plain), `opened at ${outOffset}`).toBe(true);
      }
    });
  });

  test.each(['Buffer', 'Uint8Array'])(
    'FF-30: when keys and packets are %s views at odd offsets, then the results are those of aligned copies',
    (kind) => {
      for (const cipher of CIPHERS) {
        for (const length of [1, 17, 64, 333, 1200]) {
          const input = caseOf(cipher, length);
          const view = (bytes: Uint8Array, at: number): Uint8Array => {
            const whole = new Uint8Array(bytes.length + 8);
            whole.set(bytes, at);
            return kind === 'Buffer' ? Buffer.from(whole.buffer, at, bytes.length) : new Uint8Array(whole.buffer, at, bytes.length);
          };
          const odd = {
            ...input,
            key: view(input.key, 1),
            nonce: view(input.nonce, 5),
            ad: view(input.ad, 7),
            plain: view(input.plain, 3),
          };
          const key = aead.createKey(odd.key);
          const sealed = view(new Uint8Array(length + TAG), 5);
          expect(seal(aead, key, odd, { src: odd.plain, srcOffset: 0, length, out: sealed, outOffset: 0 })).toBe(length + TAG);
          expect(toHex(sealed)).toBe(toHex(oracle(input)));
          const opened = view(new Uint8Array(length), 5);
          expect(open(aead, key, odd, { src: sealed, srcOffset: 0, length: length + TAG, out: opened, outOffset: 0 })).toBe(length);
          expect(toHex(opened)).toBe(toHex(input.plain));
          aead.destroyKey(key);
          const { nonce, ad, plain } = odd;
          expect([odd.key, nonce, ad, plain].map((bytes) => toHex(bytes))).toEqual(
            [input.key, input.nonce, input.ad, input.plain].map((bytes) => toHex(bytes)),
          );
        }
      }
    },
  );

  test('when the sequence is at a border of its halves, then the nonce is four zero bytes and the sequence in little-endian', () => {
    const borders = [0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n];
    const input = caseOf('packet', 32);
    const key = aead.createKey(input.key);
    for (const sequence of borders) {
      const nonce = new Uint8Array(24);
      new DataView(nonce.buffer).setBigUint64(0, sequence, true);
      const out = new Uint8Array(48);
      seal(aead, key, { ...input, nonce }, { src: input.plain, srcOffset: 0, length: 32, out, outOffset: 0 });
      expect(toHex(out)).toBe(toHex(oracle({ ...input, nonce })));
    }
  });

  test('when only part of the associated data counts, then the rest has no effect', () => {
    const input = caseOf('packet', 40);
    const key = aead.createKey(input.key);
    const out = new Uint8Array(56);
    for (const length of [0, 1, 21, 22]) {
      aead.seal(key, 1, 2, input.ad, length, input.plain, 0, 40, out, 0);
      const short = input.ad.slice(0, length);
      expect(aead.open(key, 1, 2, short, length, out, 0, 56, new Uint8Array(40), 0)).toBe(40);
    }
  });

  test('when source arrays are far longer than what is read, then only the part counts', () => {
    const input = caseOf('packet', 1200);
    const key = aead.createKey(input.key);
    const sealed = oracle(input);
    for (const size of [4096, 4097, 100_000]) {
      const src = new Uint8Array(size);
      const out = new Uint8Array(size);
      const at = size - 1300;
      src.set(input.plain, at);
      seal(aead, key, input, { src, srcOffset: at, length: 1200, out, outOffset: at });
      expect(same(out.slice(at, at + sealed.length), sealed)).toBe(true);
      open(aead, key, input, { src: out, srcOffset: at, length: sealed.length, out: src, outOffset: 0 });
      expect(same(src.slice(0, 1200), input.plain)).toBe(true);
    }
  });

  test('when texts are longer than any packet, then they are still sealed and opened', () => {
    for (const length of [2048, 2049, 65_520]) {
      const input = caseOf('packet', length);
      const key = aead.createKey(input.key);
      const sealed = new Uint8Array(length + TAG);
      const opened = new Uint8Array(length);
      seal(aead, key, input, { src: input.plain, srcOffset: 0, length, out: sealed, outOffset: 0 });
      expect(same(sealed, oracle(input))).toBe(true);
      expect(open(aead, key, input, { src: sealed, srcOffset: 0, length: length + TAG, out: opened, outOffset: 0 })).toBe(length);
      expect(same(opened, input.plain)).toBe(true);
    }
  });

  test.each(CIPHERS)('when a %s is shorter than a tag, then opening gives -1', (cipher) => {
    const input = caseOf(cipher, 0);
    const key = aead.createKey(input.key);
    for (let length = -1; length < TAG; length++) {
      expect(open(aead, key, input, { src: new Uint8Array(64), srcOffset: 0, length, out: new Uint8Array(0), outOffset: 0 })).toBe(-1);
    }
  });

  test.each(CIPHERS)('when there is no room for the result of a %s, then the call throws BUFFER_TOO_SMALL and writes nothing', (cipher) => {
    const input = caseOf(cipher, 50);
    const key = aead.createKey(input.key);
    const sealed = oracle(input);
    const out = new Uint8Array(70);
    const refusal = expect.objectContaining({ code: 'BUFFER_TOO_SMALL', kind: 'bufferTooSmall', field: 'out' }) as Error;
    expect(() => seal(aead, key, input, { src: input.plain, srcOffset: 0, length: 50, out, outOffset: 5 })).toThrow(refusal);
    expect(() => open(aead, key, input, { src: sealed, srcOffset: 0, length: 66, out, outOffset: 21 })).toThrow(refusal);
    expect(out.every((byte) => byte === 0)).toBe(true);
  });

  test.each([new Uint8Array(31), new Uint8Array(33), new Uint8Array(0), Array.from({ length: 32 }), undefined])(
    'when a key is not 32 bytes, then createKey throws INVALID_KEY (%#)',
    (bytes) => {
      expect(() => aead.createKey(bytes as Uint8Array)).toThrow(expect.objectContaining({ code: 'INVALID_KEY', field: 'key' }) as Error);
    },
  );

  test.each(['Buffer', 'Uint8Array'])(
    'when the %s that a key was made of changes, then the key does not, and the other way round',
    (kind) => {
      const input = caseOf('packet', 20);
      const bytes = kind === 'Buffer' ? Buffer.from(input.key) : input.key.slice();
      const key = aead.createKey(bytes);
      bytes.fill(0xee);
      const out = new Uint8Array(36);
      seal(aead, key, input, { src: input.plain, srcOffset: 0, length: 20, out, outOffset: 0 });
      expect(toHex(out)).toBe(toHex(oracle(input)));
      aead.destroyKey(key);
      expect(bytes.every((byte) => byte === 0xee)).toBe(true);
    },
  );

  test('when a key is destroyed, then it neither seals nor opens and other keys are as before', () => {
    const [first, second] = [caseOf('packet', 20, 1), caseOf('packet', 20, 2)];
    const [key, other] = [aead.createKey(first.key), aead.createKey(second.key)];
    const span = { src: new Uint8Array(20), srcOffset: 0, length: 20, out: new Uint8Array(36), outOffset: 0 };
    seal(aead, key, first, span);
    aead.destroyKey(key);
    const sealed = span.out.slice();
    expect(() => seal(aead, key, first, span)).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }) as Error);
    expect(toHex(span.out)).toBe(toHex(sealed));
    seal(aead, other, second, span);
    expect(toHex(span.out)).toBe(toHex(oracle({ ...second, plain: span.src })));
  });

  test('keys do not appear in inspection or JSON', () => {
    const bytes = new Uint8Array(32).fill(0xc7);
    const key = aead.createKey(bytes);
    aead.seal(key, 0, 0, bytes, 0, bytes, 0, 0, new Uint8Array(16), 0);
    for (const text of [
      inspect(key, { showHidden: true, depth: Infinity, maxArrayLength: Infinity, getters: true }),
      JSON.stringify(key),
    ]) {
      expect(text).not.toMatch(/c7|199|bytes/i);
    }
  });
}
