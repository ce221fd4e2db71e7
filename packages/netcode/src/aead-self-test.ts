import { nobleAead } from './aead.ts';
import type { Aead, AeadKey } from './aead.ts';
import { CONNECT_TOKEN_NONCE_BYTES, CONNECT_TOKEN_PRIVATE_BYTES, KEY_BYTES, MAC_BYTES, MAX_PAYLOAD_BYTES } from './constants.ts';
import { NetcodeError } from './errors.ts';

/** Fills what a backend must leave alone. */
const UNTOUCHED = 0xa5;
/** Bytes around every input and output, so that an offset which is ignored shows. */
const MARGIN = 3;

/** One direction of one cipher with its key, nonce and associated data bound. */
type Bound = (aead: Aead, key: AeadKey, src: Uint8Array, srcOffset: number, length: number, out: Uint8Array, outOffset: number) => number;

interface Case {
  readonly length: number;
  readonly seal: Bound;
  readonly open: Bound;
}

/** Bytes that follow a fixed pattern; no two of the arrays made here are alike. */
function pattern(length: number, salt: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 167 + salt * 59 + (i >> 3)) & 0xff);
}

function packetCase(length: number, adLength: number, hi: number, lo: number): Case {
  const ad = pattern(adLength, 3);
  return {
    length,
    seal: (aead, key, src, srcOffset, count, out, outOffset) => aead.seal(key, hi, lo, ad, adLength, src, srcOffset, count, out, outOffset),
    open: (aead, key, src, srcOffset, count, out, outOffset) => aead.open(key, hi, lo, ad, adLength, src, srcOffset, count, out, outOffset),
  };
}

function tokenCase(): Case {
  const nonce = pattern(CONNECT_TOKEN_NONCE_BYTES, 5);
  const ad = pattern(29, 7);
  return {
    length: CONNECT_TOKEN_PRIVATE_BYTES - MAC_BYTES,
    seal: (aead, key, src, srcOffset, count, out, outOffset) =>
      aead.sealX(key, nonce, ad, ad.length, src, srcOffset, count, out, outOffset),
    open: (aead, key, src, srcOffset, count, out, outOffset) =>
      aead.openX(key, nonce, ad, ad.length, src, srcOffset, count, out, outOffset),
  };
}

function require(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** What a call returned, and all of the memory that it could have written to. */
function matches(written: number, expected: number, out: Uint8Array, reference: Uint8Array): boolean {
  return written === expected && out.every((byte, i) => byte === reference[i]);
}

function compare(aead: Aead, key: AeadKey, referenceKey: AeadKey, { length, seal, open }: Case): void {
  const sealedLength = length + MAC_BYTES;
  const plain = pattern(length + 2 * MARGIN, 11);

  const expected = new Uint8Array(sealedLength + 2 * MARGIN).fill(UNTOUCHED);
  const sealed = expected.slice();
  seal(nobleAead, referenceKey, plain, MARGIN, length, expected, MARGIN);
  require(matches(seal(aead, key, plain, MARGIN, length, sealed, MARGIN), sealedLength, sealed, expected), `sealing ${length} bytes`);

  const inPlace = expected.slice();
  inPlace.set(plain.subarray(MARGIN, MARGIN + length), MARGIN);
  require(matches(
    seal(aead, key, inPlace, MARGIN, length, inPlace, MARGIN),
    sealedLength,
    inPlace,
    expected,
  ), `sealing ${length} bytes in place`);

  const blank = new Uint8Array(length + 2 * MARGIN).fill(UNTOUCHED);
  const opened = blank.slice();
  const reference = blank.slice();
  reference.set(plain.subarray(MARGIN, MARGIN + length), MARGIN);
  require(matches(open(aead, key, expected, MARGIN, sealedLength, opened, MARGIN), length, opened, reference), `opening ${length} bytes`);

  for (const at of new Set([0, length - 1, length, sealedLength - 1])) {
    if (at < 0) continue;
    const forged = expected.slice();
    forged[MARGIN + at]! ^= 0x80;
    const kept = forged.slice();
    const target = blank.slice();
    require(matches(open(aead, key, forged, MARGIN, sealedLength, target, MARGIN), -1, target, blank), `refusing forged ${length} bytes`);
    require(matches(
      open(aead, key, forged, MARGIN, sealedLength, forged, MARGIN),
      -1,
      forged,
      kept,
    ), `refusing forged ${length} bytes in place`);
  }
  require(matches(open(aead, key, expected, MARGIN, MAC_BYTES - 1, opened, MARGIN), -1, opened, reference), 'refusing less than a tag');
}

/**
 * Compares a backend with the default one: a few packets and a token, sealed, opened, in place, and refused after a forgery.
 *
 * @param aead - the backend; two keys of fixed bytes are made in it and destroyed again.
 * @throws {@link NetcodeError} `AEAD_SELF_TEST` if a result differs or a call throws.
 */
export function verifyAead(aead: Aead): void {
  const bytes = pattern(KEY_BYTES, 1);
  const other = pattern(KEY_BYTES, 2);
  try {
    const [referenceKey, key, otherKey] = [nobleAead.createKey(bytes), aead.createKey(bytes), aead.createKey(other)];
    const packet = packetCase(64, 22, 0x8000_0001, 0xfedc_ba98);
    compare(aead, key, referenceKey, packetCase(0, 0, 0, 0));
    compare(aead, key, referenceKey, packetCase(17, 22, 0, 1));
    compare(aead, key, referenceKey, packet);
    compare(aead, otherKey, nobleAead.createKey(other), packet);
    compare(aead, key, referenceKey, packetCase(MAX_PAYLOAD_BYTES, 22, 0xffff_ffff, 0xffff_ffff));
    compare(aead, key, referenceKey, tokenCase());
    aead.destroyKey(key);
    aead.destroyKey(otherKey);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : 'a call threw';
    throw new NetcodeError('aeadSelfTest', `aead: expected ${aead.name} to give the same results as ${nobleAead.name}, failed at ${what}`, {
      field: 'aead',
      cause,
    });
  }
}
