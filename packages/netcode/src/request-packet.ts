import type { Aead, AeadKey } from './aead.ts';
import { TOKEN_AD_BYTES, writeTokenAd } from './connect-token.ts';
import type { ConnectToken } from './connect-token.ts';
import { CONNECT_TOKEN_NONCE_BYTES, CONNECT_TOKEN_PRIVATE_BYTES, MAC_BYTES, VERSION_INFO } from './constants.ts';
import type { DropReason } from './drop-reason.ts';
import { ByteWriter } from './internal/cursor.ts';

// The request, type 0, 1078 bytes, a plaintext frame around the sealed private half (protocol section 7.1):
//
// | offset | bytes | type  | meaning                                  | reject                                                         |
// | ------ | ----- | ----- | ---------------------------------------- | -------------------------------------------------------------- |
// |        | 1078  |       | the whole packet                         | `request-length`                                               |
// | 0      | 1     | u8    | 0                                        | on a client: `request-not-allowed`                             |
// | 1      | 13    | bytes | VERSION_INFO                             | `request-version`                                              |
// | 14     | 8     | u64   | protocol id                              | `request-protocol-id`                                          |
// | 22     | 8     | u64   | expire timestamp, Unix seconds           | `request-expired`: ≤ now; `request-predates-start`: < earliest |
// | 30     | 24    | bytes | nonce                                    |                                                                |
// | 54     | 1024  | bytes | sealed private half; the last 16 are its | `request-decrypt`                                              |
// |        |       |       | tag, by which the token is remembered    |                                                                |

/** Length of a request. */
export const REQUEST_BYTES = 1078;
const VERSION_OFFSET = 1;
const PROTOCOL_ID_OFFSET = 14;
const EXPIRE_OFFSET = 22;
const NONCE_OFFSET = 30;
const PRIVATE_OFFSET = 54;
const MAC_OFFSET = REQUEST_BYTES - MAC_BYTES;
const PROTOCOL_ID_BYTES = 8;
const TIMESTAMP_BYTES = 8;
const AD_EXPIRE_OFFSET = TOKEN_AD_BYTES - TIMESTAMP_BYTES;

/** The fields of a public token that travel in a request. */
export type RequestFields = Pick<ConnectToken, 'protocolId' | 'expireTimestamp' | 'nonce' | 'privateData'>;

/** Lays out a request: 1078 fresh bytes. */
export function encodeRequest(fields: RequestFields): Uint8Array {
  const writer = new ByteWriter(new Uint8Array(REQUEST_BYTES));
  writer.u8(0);
  writer.raw(VERSION_INFO);
  writer.u64(fields.protocolId);
  writer.u64(fields.expireTimestamp);
  writer.raw(fields.nonce);
  writer.raw(fields.privateData);
  return writer.bytes;
}

/** Wall-clock limits of a request as unsigned halves, so that refusing a flood of stale ones makes no BigInt. */
export class RequestLimits {
  nowHi: number = 0;
  nowLo: number = 0;
  earliestHi: number = 0;
  earliestLo: number = 0;

  /** Sets the present second, u64. */
  setNow(unixSeconds: bigint): void {
    this.nowHi = Number(BigInt.asUintN(32, unixSeconds >> 32n));
    this.nowLo = Number(BigInt.asUintN(32, unixSeconds));
  }

  /** Sets the earliest expire timestamp that is accepted, u64; 0: any. */
  setEarliest(expireTimestamp: bigint): void {
    this.earliestHi = Number(BigInt.asUintN(32, expireTimestamp >> 32n));
    this.earliestLo = Number(BigInt.asUintN(32, expireTimestamp));
  }
}

/** Checks and opens requests. */
export class RequestReader {
  /** The private half of the last request opened, 1024 bytes of which the last 16 mean nothing. Holds secrets until {@link wipe}. */
  readonly plaintext: Uint8Array;
  /** The tag of the last request opened, 16 bytes: names its token in the history. */
  readonly mac: Uint8Array = new Uint8Array(MAC_BYTES);
  readonly #aead: Aead;
  readonly #ad: Uint8Array = new Uint8Array(TOKEN_AD_BYTES);
  /** The nonce of the last request opened, 24 bytes. */
  readonly nonce: Uint8Array = new Uint8Array(CONNECT_TOKEN_NONCE_BYTES);

  constructor(aead: Aead, protocolId: bigint) {
    this.#aead = aead;
    writeTokenAd(this.#ad, protocolId, 0n);
    this.plaintext = aead.alloc?.(CONNECT_TOKEN_PRIVATE_BYTES) ?? new Uint8Array(CONNECT_TOKEN_PRIVATE_BYTES);
  }

  /** Checks 5 to 7a of protocol section 8 on a packet of 1078 bytes: everything that costs next to nothing. */
  check(bytes: Uint8Array, offset: number, limits: RequestLimits): DropReason | undefined {
    for (let i = 0; i < VERSION_INFO.length; i++) if (bytes[offset + VERSION_OFFSET + i] !== VERSION_INFO[i]) return 'request-version';
    for (let i = 0; i < PROTOCOL_ID_BYTES; i++) {
      if (bytes[offset + PROTOCOL_ID_OFFSET + i] !== this.#ad[VERSION_INFO.length + i]) return 'request-protocol-id';
    }
    const lo = readU32(bytes, offset + EXPIRE_OFFSET);
    const hi = readU32(bytes, offset + EXPIRE_OFFSET + 4);
    if (hi < limits.nowHi || (hi === limits.nowHi && lo <= limits.nowLo)) return 'request-expired';
    if (hi < limits.earliestHi || (hi === limits.earliestHi && lo < limits.earliestLo)) return 'request-predates-start';
    return undefined;
  }

  /** Opens the private half of a packet that passed {@link check} into {@link plaintext}; false when the key did not seal it. */
  open(bytes: Uint8Array, offset: number, key: AeadKey): boolean {
    for (let i = 0; i < TIMESTAMP_BYTES; i++) this.#ad[AD_EXPIRE_OFFSET + i] = bytes[offset + EXPIRE_OFFSET + i]!;
    for (let i = 0; i < CONNECT_TOKEN_NONCE_BYTES; i++) this.nonce[i] = bytes[offset + NONCE_OFFSET + i]!;
    for (let i = 0; i < MAC_BYTES; i++) this.mac[i] = bytes[offset + MAC_OFFSET + i]!;
    const length = CONNECT_TOKEN_PRIVATE_BYTES;
    return this.#aead.openX(key, this.nonce, this.#ad, TOKEN_AD_BYTES, bytes, offset + PRIVATE_OFFSET, length, this.plaintext, 0) >= 0;
  }

  /** Forgets the private half. */
  wipe(): void {
    this.plaintext.fill(0);
  }
}

function readU32(bytes: Uint8Array, offset: number): number {
  return (bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16) | (bytes[offset + 3]! << 24)) >>> 0;
}

/** The expire timestamp of a request. */
export function requestExpireTimestamp(bytes: Uint8Array, offset: number): bigint {
  return (BigInt(readU32(bytes, offset + EXPIRE_OFFSET + 4)) << 32n) | BigInt(readU32(bytes, offset + EXPIRE_OFFSET));
}
