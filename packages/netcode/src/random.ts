import { KEY_BYTES } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { copyBytes } from './internal/bytes.ts';
import { checkCount, describe } from './internal/check.ts';
import { fillRandom } from './internal/globals.ts';

/** A source of random bytes: gives a fresh array of exactly `count` bytes, which the caller may keep. */
export type RandomBytes = (count: number) => Uint8Array;

/**
 * Draws bytes from the system's cryptographic generator.
 *
 * @param count - number of bytes, 0 or more.
 * @returns a fresh array.
 * @throws {@link NetcodeError} `INVALID_OPTION` if `count` is not a whole number of 0 or more.
 */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  checkCount(count, 'count');
  const bytes = new Uint8Array(count);
  fillRandom(bytes);
  return bytes;
}

/**
 * Makes a key for minting and opening connect tokens, from the system's cryptographic generator.
 *
 * @returns 32 fresh bytes. The private key belongs on servers and in the minting backend, never in a client.
 */
export function generateKey(): Uint8Array<ArrayBuffer> {
  return randomBytes(KEY_BYTES);
}

/** Draws from a source that the application gave: a copy of what it returned, checked, so that a broken source can neither shorten a key nor change it later. */
export function drawRandom(source: RandomBytes, count: number): Uint8Array {
  const bytes = source(count);
  if (!(bytes instanceof Uint8Array) || bytes.length !== count) {
    throw new NetcodeError('invalidOption', `randomBytes: expected ${count} bytes, got ${describe(bytes)}`, { field: 'randomBytes' });
  }
  return copyBytes(bytes);
}
