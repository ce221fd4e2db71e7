import type { Aead, AeadKey } from './aead.ts';
import { CHALLENGE_TOKEN_BYTES, MAC_BYTES, USER_DATA_BYTES } from './constants.ts';
import { checkBytes } from './internal/check.ts';
import { ByteReader, ByteWriter } from './internal/cursor.ts';

// A challenge token before sealing, 300 bytes, little-endian (protocol section 6):
//
// | offset | bytes | type  | meaning                            | reject |
// | ------ | ----- | ----- | ---------------------------------- | ------ |
// | 0      | 8     | u64   | client id                          |        |
// | 8      | 256   | bytes | user data of the connect token     |        |
// | 264    | 20    |       | zeros                              |        |
// | 284    | 16    |       | room for the tag                   |        |
//
// Sealing: ChaCha20-Poly1305 over bytes 0 … 283 with the server's challenge key, the challenge sequence as nonce, no associated data. Refused with
// `challenge-decrypt` when it does not open. Clients do not look inside.

/** What a server learns from its own challenge when a client echoes it. Holds user data: not to be printed. */
export interface ChallengeToken {
  /** u64. */
  clientId: bigint;
  /** 256 bytes. */
  userData: Uint8Array;
}

const SEALED_BYTES = CHALLENGE_TOKEN_BYTES - MAC_BYTES;
const NO_AD = new Uint8Array(0);

/**
 * Lays out a challenge token before sealing: 300 fresh bytes, the last 36 zero.
 *
 * @throws {@link NetcodeError} `INVALID_USER_DATA` unless there are 256 bytes of user data.
 */
export function encodeChallengeToken(token: ChallengeToken): Uint8Array {
  checkBytes(token.userData, USER_DATA_BYTES, 'userData', 'invalidUserData');
  const writer = new ByteWriter(new Uint8Array(CHALLENGE_TOKEN_BYTES));
  writer.u64(token.clientId);
  writer.raw(token.userData);
  return writer.bytes;
}

/** Reads an opened challenge token; at least 264 bytes. */
export function decodeChallengeToken(plaintext: Uint8Array): ChallengeToken {
  const reader = new ByteReader(plaintext);
  return { clientId: reader.u64(), userData: reader.raw(USER_DATA_BYTES) };
}

/** Seals a challenge token into `out[outOffset … outOffset + 300)`. */
export function sealChallenge(
  aead: Aead,
  key: AeadKey,
  sequenceHi: number,
  sequenceLo: number,
  token: ChallengeToken,
  out: Uint8Array,
  outOffset: number,
): void {
  aead.seal(key, sequenceHi, sequenceLo, NO_AD, 0, encodeChallengeToken(token), 0, SEALED_BYTES, out, outOffset);
}

/** Opens the 300 bytes at `sealed[offset]`; `undefined` when they are not a challenge of this key and sequence. */
export function openChallenge(
  aead: Aead,
  key: AeadKey,
  sequenceHi: number,
  sequenceLo: number,
  sealed: Uint8Array,
  offset: number,
): ChallengeToken | undefined {
  const plaintext = new Uint8Array(SEALED_BYTES);
  const length = aead.open(key, sequenceHi, sequenceLo, NO_AD, 0, sealed, offset, CHALLENGE_TOKEN_BYTES, plaintext, 0);
  return length < 0 ? undefined : decodeChallengeToken(plaintext);
}
