import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { SeededRandom } from '@x/testkit';
import type { Aead, AeadKey } from '../../src/aead.ts';

/** Everything that decides the result of one sealing. `nonce` has 24 bytes for a token; for a packet the sequence is its first 8, little-endian. */
export interface AeadCase {
  readonly cipher: 'packet' | 'token';
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly ad: Uint8Array;
  readonly plain: Uint8Array;
}

/** Where a call reads and writes. */
export interface Span {
  readonly src: Uint8Array;
  readonly srcOffset: number;
  readonly length: number;
  readonly out: Uint8Array;
  readonly outOffset: number;
}

/** The kinds of memory that a caller may hand over. */
export type Memory = 'plain' | 'alloc';

/** Every choice of memory for source and target. */
export const MEMORY_PAIRS: readonly (readonly [Memory, Memory])[] = [
  ['plain', 'plain'],
  ['plain', 'alloc'],
  ['alloc', 'plain'],
  ['alloc', 'alloc'],
];

/** Gives memory of a kind; a backend without its own gets plain memory twice. */
export function take(aead: Aead, memory: Memory, length: number): Uint8Array {
  return memory === 'alloc' && aead.alloc !== undefined ? aead.alloc(length) : new Uint8Array(length);
}

/** A case with both ciphers equally likely, up to 1300 bytes of text and 64 of associated data. */
export function randomCase(random: SeededRandom): AeadCase {
  return {
    cipher: random.pick(['packet', 'token'] as const),
    key: random.bytes(32),
    nonce: random.bytes(24),
    ad: random.bytes(random.below(65)),
    plain: random.bytes(random.below(1301)),
  };
}

/** A case with a text of this length; the same seed gives the same one. */
export function caseOf(cipher: AeadCase['cipher'], length: number, seed = length + 1): AeadCase {
  const random = new SeededRandom(seed);
  return { cipher, key: random.bytes(32), nonce: random.bytes(24), ad: random.bytes(22), plain: random.bytes(length) };
}

/** The sealed bytes by another road: the cipher called directly, its nonce written with BigInt. */
export function oracle({ cipher, key, nonce, ad, plain }: AeadCase): Uint8Array {
  if (cipher === 'token') return xchacha20poly1305(key, nonce, ad).encrypt(plain);
  const sequence = new DataView(nonce.buffer, nonce.byteOffset).getBigUint64(0, true);
  const packetNonce = new Uint8Array(12);
  new DataView(packetNonce.buffer).setBigUint64(4, sequence, true);
  return chacha20poly1305(key, packetNonce, ad).encrypt(plain);
}

function halves(nonce: Uint8Array): [hi: number, lo: number] {
  const view = new DataView(nonce.buffer, nonce.byteOffset);
  return [view.getUint32(4, true), view.getUint32(0, true)];
}

/** Calls the sealing function that the case is for. */
export function seal(aead: Aead, key: AeadKey, { cipher, nonce, ad }: AeadCase, { src, srcOffset, length, out, outOffset }: Span): number {
  if (cipher === 'token') return aead.sealX(key, nonce, ad, ad.length, src, srcOffset, length, out, outOffset);
  const [hi, lo] = halves(nonce);
  return aead.seal(key, hi, lo, ad, ad.length, src, srcOffset, length, out, outOffset);
}

/** Calls the opening function that the case is for. */
export function open(aead: Aead, key: AeadKey, { cipher, nonce, ad }: AeadCase, { src, srcOffset, length, out, outOffset }: Span): number {
  if (cipher === 'token') return aead.openX(key, nonce, ad, ad.length, src, srcOffset, length, out, outOffset);
  const [hi, lo] = halves(nonce);
  return aead.open(key, hi, lo, ad, ad.length, src, srcOffset, length, out, outOffset);
}

/** An array with the bytes at an offset and a filling that shows stray writes everywhere else. */
export function framed(array: Uint8Array, bytes: Uint8Array, offset: number): Uint8Array {
  array.fill(0xa5);
  array.set(bytes, offset);
  return array;
}

/** The same bytes with one bit turned. */
export function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

/** Whether two arrays hold the same bytes; far cheaper than a matcher where thousands are compared. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
