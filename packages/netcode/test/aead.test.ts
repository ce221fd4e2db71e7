import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { SeededRandom, toHex } from '@x/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { nobleAead } from '../src/aead.ts';
import { NetcodeError } from '../src/errors.ts';
import { verifyAead } from '../src/aead-self-test.ts';
import { createSodiumAead } from '../src/sodium.ts';
import { caseOf, oracle, seal } from './support/aead-cases.ts';
import { FAULTY_BACKENDS } from './support/aead-faults.ts';
import { describeAead } from './support/aead-suite.ts';
import { RFC_8439_2_8_2 } from './support/aead-vectors.ts';

const sodium = await createSodiumAead();
const BACKENDS = [nobleAead, sodium];

test('the oracle gives the result of RFC 8439 section 2.8.2', () => {
  const { key, nonce, ad, plain, sealed } = RFC_8439_2_8_2;
  expect(toHex(chacha20poly1305(key, nonce, ad).encrypt(plain))).toBe(toHex(sealed));
});

describe.each(BACKENDS)('$name', describeAead);

describe('libsodium only', () => {
  test('when memory is taken, then it is zeroed, aligned and of the module until that is used up, and works afterwards', async () => {
    const aead = await createSodiumAead();
    const first = aead.alloc!(3);
    const memory = first.buffer;
    let taken = 0;
    for (let array = first; array.buffer === memory; array = aead.alloc!(100_001)) {
      expect(array.byteOffset % 16).toBe(0);
      expect(array.every((byte) => byte === 0)).toBe(true);
      array.fill(0xff);
      taken += array.length;
    }
    expect(taken).toBeGreaterThan(4_000_000);
    const plain = aead.alloc!(4_194_305);
    expect([plain.buffer === memory, plain.length]).toEqual([false, 4_194_305]);
    expect(() => verifyAead(aead)).not.toThrow();
    const input = caseOf('packet', 64);
    const key = aead.createKey(input.key);
    seal(aead, key, input, { src: input.plain, srcOffset: 0, length: 64, out: plain, outOffset: 9 });
    expect(toHex(plain.slice(9, 89))).toBe(toHex(oracle(input)));
    expect(first.buffer).toBe(memory);
  });

  test('when arrays are longer than the scratch, then memory that was taken is not written to', async () => {
    const aead = await createSodiumAead();
    const taken = aead.alloc!(4_194_304).fill(0x5a);
    const [large, ad] = [new Uint8Array(300_000), new Uint8Array(22)];
    const key = aead.createKey(new Uint8Array(32));
    expect(aead.seal(key, 0, 0, ad, 22, large, 200_000, 65_520, large, 1)).toBe(65_536);
    expect(aead.open(key, 0, 0, ad, 22, large, 1, 65_536, large, 1)).toBe(65_520);
    expect(aead.open(key, 0, 0, ad, 22, large, 0, 65_537, large, 0)).toBe(-1);
    expect(aead.openX(key, large.subarray(0, 24), ad, 22, large, 0, 250_000, large, 0)).toBe(-1);
    expect(taken.every((byte) => byte === 0x5a)).toBe(true);
  });

  test.each([-1, 1.5, NaN, '5'])('when %s bytes are asked for, then alloc throws INVALID_OPTION', (length) => {
    expect(() => sodium.alloc!(length as number)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', field: 'length' }) as Error);
  });

  test('when a key is destroyed, then the memory of the module does not hold it any more', async () => {
    const aead = await createSodiumAead();
    const memory = Buffer.from(aead.alloc!(1200).buffer);
    const bytes = new SeededRandom(5).bytes(32);
    const key = aead.createKey(bytes);
    const out = new Uint8Array(80);
    aead.seal(key, 0, 0, bytes, 0, out, 0, 64, out, 0);
    aead.openX(key, new Uint8Array(24), bytes, 0, out, 0, 80, out, 0);
    expect(memory.indexOf(bytes)).toBeGreaterThan(0);
    aead.destroyKey(key);
    expect(memory.indexOf(bytes)).toBe(-1);
  });

  test.each([
    ['payloadSize', 'length', 65_521, 0, 0, 0],
    ['payloadSize', 'length', -1, 0, 0, 0],
    ['payloadSize', 'length', NaN, 0, 0, 0],
    ['bufferTooSmall', 'src', 100, 1, 0, 0],
    ['bufferTooSmall', 'src', 10, -1, 0, 0],
    ['bufferTooSmall', 'out', 100, 0, -1, 0],
    ['payloadSize', 'adLength', 100, 0, 0, 101],
  ])(
    'when a call would leave the bytes of its arrays, then sealing throws %s of %s',
    (kind, field, length, srcOffset, outOffset, adLength) => {
      const aead = sodium;
      const key = aead.createKey(new Uint8Array(32));
      const array = aead.alloc!(100);
      const call = (): number => aead.seal(key, 0, 0, array, adLength, array, srcOffset, length, aead.alloc!(200), outOffset);
      expect(call).toThrow(expect.objectContaining({ kind, field }) as Error);
      expect(aead.open(key, 0, 0, array, 0, array, 90, 16, array, 0)).toBe(-1);
      expect(() => aead.sealX(key, new Uint8Array(23), array, 0, array, 0, 1, array, 0)).toThrow(
        'nonce24: expected 24 bytes, got 23 bytes',
      );
      expect(() => aead.seal(nobleAead.createKey(new Uint8Array(32)), 0, 0, array, 0, array, 0, 1, array, 0)).toThrow(
        'key: expected a key made by this backend',
      );
    },
  );
});

describe('verifyAead', () => {
  test.each(BACKENDS)('accepts $name', (aead) => {
    expect(() => verifyAead(aead)).not.toThrow();
  });

  test.each(FAULTY_BACKENDS)('refuses a backend that $name', (aead) => {
    expect(() => verifyAead(aead)).toThrow(expect.objectContaining({ code: 'AEAD_SELF_TEST', field: 'aead' }) as Error);
  });
});

describe('createSodiumAead', () => {
  afterEach(() => {
    vi.doUnmock('libsodium');
    vi.resetModules();
  });

  async function failure(factory: () => object): Promise<unknown> {
    vi.resetModules();
    vi.doMock('libsodium', factory);
    const fresh = await import('../src/sodium.ts');
    return fresh.createSodiumAead().catch((error: unknown) => error);
  }

  test('when the package is missing, then the error names it and how to install it', async () => {
    const error = await failure(() => {
      throw new Error("Cannot find package 'libsodium'");
    });
    if (!NetcodeError.is(error)) expect.fail('not an error of this package');
    expect([error.kind, error.code, error.field]).toEqual(['invalidOption', 'INVALID_OPTION', 'aead']);
    expect(error.message).toMatch(/package libsodium .* `npm install libsodium@\^0\.8\.4/);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test.each([{ default: { ready: true } }, { default: () => Promise.resolve({ _malloc: () => 0 }) }])(
    'when the package is another version, then the error is the same (%#)',
    async (module) => {
      expect(await failure(() => module)).toMatchObject({ kind: 'invalidOption', cause: expect.any(TypeError) as Error });
    },
  );

  test('when the module opens forgeries, then it is not started', async () => {
    const { default: create } = await vi.importActual<{ default: () => Promise<object> }>('libsodium');
    const faulty = async (): Promise<object> => Object.assign(await create(), { _crypto_aead_chacha20poly1305_ietf_decrypt: () => 0 });
    expect(await failure(() => ({ default: faulty }))).toMatchObject({ kind: 'aeadSelfTest', code: 'AEAD_SELF_TEST' });
  });
});
