import { sha256 } from '@noble/hashes/sha2.js';
import { encodeText } from '../internal/globals.ts';

const DOMAIN_TAG = 'x-codec/1\0';

/**
 * The codec version of a descriptor, which goes into the fingerprint: u32, never 0. A guard against mistakes, not an authentication.
 *
 * It is the first 4 bytes, little-endian, of the SHA-256 of `x-codec/1`, a zero byte and the descriptor in UTF-8; 1 should that be 0.
 * Source: codecs section 3.
 */
export function codecVersion(descriptor: string): number {
  const digest = sha256(encodeText(DOMAIN_TAG + descriptor));
  const value = new DataView(digest.buffer, digest.byteOffset).getUint32(0, true);
  return value === 0 ? 1 : value;
}
