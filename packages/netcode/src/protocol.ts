// The entry for tools and conformance tests: the codecs and tables by themselves. May allocate.
import { nobleAead } from './aead.ts';
import type { Aead } from './aead.ts';
import { openChallenge, sealChallenge } from './challenge-token.ts';
import type { ChallengeToken } from './challenge-token.ts';
import { CHALLENGE_TOKEN_BYTES, KEY_BYTES, USER_DATA_BYTES } from './constants.ts';
import { checkBytes, checkU64 } from './internal/check.ts';

export { encodeChallengeToken } from './challenge-token.ts';
export type { ChallengeToken } from './challenge-token.ts';
export {
  decodeConnectToken,
  decodePrivateToken,
  encodeConnectToken,
  encodePrivateToken,
  openPrivateToken,
  sealPrivateToken,
} from './connect-token.ts';
export type { ConnectToken, PrivateConnectToken, TokenSealing } from './connect-token.ts';
export { DROP_REASONS } from './drop-reason.ts';
export type { DropReason } from './drop-reason.ts';
export { KeyTable } from './key-table.ts';
export type { KeyMapping } from './key-table.ts';
export { readPacket, writePacket } from './packet-codec.ts';
export type { Packet, ReadPacketOptions, WritePacketOptions } from './packet-codec.ts';
export { ReplayWindow } from './replay-window.ts';
export { inspectServer } from './server-machine.ts';
export type { ServerInspection } from './server-machine.ts';
export { SimulatorRandom } from './simulator.ts';
export { TokenHistory } from './token-history.ts';

/** Names the check that refused something, by the id that the protocol gives it. */
export interface Refused {
  refused: string;
}

function halves(sequence: bigint): [hi: number, lo: number] {
  return [Number(BigInt.asUintN(32, sequence >> 32n)), Number(BigInt.asUintN(32, sequence))];
}

function withKey<T>(aead: Aead, bytes: Uint8Array, body: (key: ReturnType<Aead['createKey']>) => T): T {
  const key = aead.createKey(bytes);
  try {
    return body(key);
  } finally {
    aead.destroyKey(key);
  }
}

/**
 * Seals a challenge token.
 *
 * @param sequence - u64 challenge sequence.
 * @param key - 32 bytes.
 * @returns 300 fresh bytes.
 * @throws {@link NetcodeError} `INVALID_ID`, `INVALID_USER_DATA`, `INVALID_OPTION`, `INVALID_KEY`.
 * Source: protocol section 6.
 */
export function sealChallengeToken(token: ChallengeToken, sequence: bigint, key: Uint8Array): Uint8Array {
  checkU64(token.clientId, 'clientId', 'invalidId');
  checkBytes(token.userData, USER_DATA_BYTES, 'userData', 'invalidUserData');
  checkU64(sequence, 'sequence', 'invalidOption');
  checkBytes(key, KEY_BYTES, 'key', 'invalidKey');
  const sealed = new Uint8Array(CHALLENGE_TOKEN_BYTES);
  withKey(nobleAead, key, (aeadKey) => sealChallenge(nobleAead, aeadKey, ...halves(sequence), token, sealed, 0));
  return sealed;
}

/**
 * Opens a challenge token.
 *
 * @param sealed - not modified.
 * @returns fresh copies, or `challenge-decrypt`.
 * @throws {@link NetcodeError} `INVALID_OPTION`, `INVALID_KEY`.
 * Source: protocol section 6.
 */
export function openChallengeToken(sealed: Uint8Array, sequence: bigint, key: Uint8Array): ChallengeToken | Refused {
  checkU64(sequence, 'sequence', 'invalidOption');
  checkBytes(key, KEY_BYTES, 'key', 'invalidKey');
  if (sealed.length !== CHALLENGE_TOKEN_BYTES) return { refused: 'challenge-decrypt' };
  return (
    withKey(nobleAead, key, (aeadKey) => openChallenge(nobleAead, aeadKey, ...halves(sequence), sealed, 0)) ?? {
      refused: 'challenge-decrypt',
    }
  );
}
