import { formatAddress, readAddress, tryParseAddress, writeAddress } from './address.ts';
import type { Address } from './address.ts';
import { nobleAead } from './aead.ts';
import type { Aead, AeadKey } from './aead.ts';
import {
  CONNECT_TOKEN_BYTES,
  CONNECT_TOKEN_NONCE_BYTES,
  CONNECT_TOKEN_PRIVATE_BYTES,
  DEFAULT_MAX_CONNECT_TOKEN_LIFETIME,
  KEY_BYTES,
  MAC_BYTES,
  MAX_SERVERS_PER_CONNECT,
  USER_DATA_BYTES,
  VERSION_INFO,
} from './constants.ts';
import { NetcodeError } from './errors.ts';
import {
  checkBytes,
  checkFunction,
  checkI32,
  checkOptionsObject,
  checkU64,
  checkUserData,
  describe,
  describeAddress,
  MAX_U64,
} from './internal/check.ts';
import { ByteReader, ByteWriter } from './internal/cursor.ts';
import { wallClockSeconds } from './internal/globals.ts';
import { drawRandom, randomBytes } from './random.ts';
import type { RandomBytes } from './random.ts';

// The public half of a connect token, 2048 bytes, little-endian (protocol section 5.3):
//
// | offset | bytes       | type  | meaning                                   | reject                                     |
// | ------ | ----------- | ----- | ----------------------------------------- | ------------------------------------------ |
// |        | 2048        |       | the whole token                           | `token-length`: any other length           |
// | 0      | 13          | bytes | VERSION_INFO                              | `token-version`: anything else             |
// | 13     | 8           | u64   | protocol id                               |                                            |
// | 21     | 8           | u64   | create timestamp, Unix seconds            | `token-timestamps`: later than the expiry  |
// | 29     | 8           | u64   | expire timestamp, Unix seconds            |                                            |
// | 37     | 24          | bytes | nonce of the private half                 |                                            |
// | 61     | 1024        | bytes | the private half, sealed                  |                                            |
// | 1085   | 4           | i32   | timeout in seconds, negative: none        |                                            |
// | 1089   | 4           | i32   | number of public server addresses         | `token-address-count`: outside 1 … 32      |
// | 1093   | 7 / 19 each |       | the addresses (table in address.ts)       | `token-address-type`: type neither 1 nor 2 |
// | …      | 32          | bytes | client-to-server key                      |                                            |
// | …      | 32          | bytes | server-to-client key                      |                                            |
// | …      | rest        |       | zeros                                     | not looked at                              |
//
// The private half before sealing, 1024 bytes (protocol section 5.2):
//
// | offset | bytes       | type  | meaning                                   | reject                                       |
// | ------ | ----------- | ----- | ----------------------------------------- | -------------------------------------------- |
// | 0      | 8           | u64   | client id                                 |                                              |
// | 8      | 4           | i32   | timeout in seconds, negative: none        |                                              |
// | 12     | 4           | i32   | number of internal server addresses       | `private-address-count`: outside 1 … 32      |
// | 16     | 7 / 19 each |       | the addresses                             | `private-address-type`: type neither 1 nor 2 |
// | …      | 32          | bytes | client-to-server key                      |                                              |
// | …      | 32          | bytes | server-to-client key                      |                                              |
// | …      | 256         | bytes | user data                                 |                                              |
// | …      | rest        |       | zeros up to 1008                          | not looked at                                |
// | 1008   | 16          |       | room for the tag of the sealed form       | not looked at                                |
//
// Sealing: XChaCha20-Poly1305 over bytes 0 … 1007; associated data VERSION_INFO, protocol id u64, expire timestamp u64: 29 bytes.

/** Why the public half of a connect token cannot be read (protocol section 5.4). */
export type ConnectTokenRefusal = 'token-length' | 'token-version' | 'token-timestamps' | 'token-address-count' | 'token-address-type';

/** Why the opened private half of a connect token cannot be read (protocol section 5.4). */
export type PrivateTokenRefusal = 'private-address-count' | 'private-address-type';

/** The public half of a connect token. Holds session keys: inspection and JSON leave them out. */
export interface ConnectToken {
  readonly protocolId: bigint;
  readonly createTimestamp: bigint;
  readonly expireTimestamp: bigint;
  /** 24 bytes. */
  readonly nonce: Uint8Array;
  /** 1024 bytes, sealed. */
  readonly privateData: Uint8Array;
  readonly timeoutSeconds: number;
  readonly serverAddresses: readonly Address[];
  /** 32 bytes. */
  readonly clientToServerKey: Uint8Array;
  /** 32 bytes. */
  readonly serverToClientKey: Uint8Array;
}

/** The private half of a connect token. Holds session keys and user data: inspection and JSON leave them out. */
export interface PrivateConnectToken {
  readonly clientId: bigint;
  readonly timeoutSeconds: number;
  readonly serverAddresses: readonly Address[];
  /** 32 bytes. */
  readonly clientToServerKey: Uint8Array;
  /** 32 bytes. */
  readonly serverToClientKey: Uint8Array;
  /** 256 bytes. */
  readonly userData: Uint8Array;
}

/** What {@link generateConnectToken} puts into a token. */
export interface ConnectTokenOptions {
  /** 1 … 32 texts `address:port` that the client dials, in this order. */
  publicAddresses: readonly string[];
  /** As many texts, by which the servers recognise themselves; by default the public ones. */
  internalAddresses?: readonly string[] | undefined;
  /** u64. */
  clientId: bigint;
  /** u64, the same in client, server and backend of one game build. */
  protocolId: bigint;
  /** 32 bytes, shared by backend and servers. */
  privateKey: Uint8Array;
  /** Lifetime from now, i32; negative: never expires. Default 30, equal to the servers' `maxConnectTokenLifetimeSeconds`. */
  expireSeconds?: number | undefined;
  /** Idle timeout of the session, i32; negative: none. 0 lets nobody connect. Default 5. */
  timeoutSeconds?: number | undefined;
  /** 0 … 256 bytes, filled up with zeros; encrypted, given to the server. */
  userData?: Uint8Array | undefined;
  /** u64 Unix seconds; default now. */
  createTimestamp?: bigint | undefined;
  randomBytes?: RandomBytes | undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 5;
const SEALED_BYTES = CONNECT_TOKEN_PRIVATE_BYTES - MAC_BYTES;
/** Length of the associated data of the private half. */
export const TOKEN_AD_BYTES: number = VERSION_INFO.length + 16;

const inspect = Symbol.for('nodejs.util.inspect.custom');

/** Gives an object that holds keys the two methods by which inspection and JSON show everything else. */
function redacted<T extends object>(fields: T, shown: () => object): T {
  const hidden = { enumerable: false, value: shown };
  return Object.defineProperties(fields, { toJSON: hidden, [inspect]: hidden });
}

/** Writes the associated data of the private half: exactly {@link TOKEN_AD_BYTES} bytes from the start of `out`. */
export function writeTokenAd(out: Uint8Array, protocolId: bigint, expireTimestamp: bigint): void {
  const writer = new ByteWriter(out);
  writer.raw(VERSION_INFO);
  writer.u64(protocolId);
  writer.u64(expireTimestamp);
}

/** Lays out the public half: 2048 fresh bytes. The fields are written as they are. */
export function encodeConnectToken(token: ConnectToken): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(CONNECT_TOKEN_BYTES);
  const writer = new ByteWriter(bytes);
  writer.raw(VERSION_INFO);
  writer.u64(token.protocolId);
  writer.u64(token.createTimestamp);
  writer.u64(token.expireTimestamp);
  writer.raw(token.nonce);
  writer.raw(token.privateData);
  writer.i32(token.timeoutSeconds);
  writer.u32(token.serverAddresses.length);
  for (const address of token.serverAddresses) writeAddress(writer, address);
  writer.raw(token.clientToServerKey);
  writer.raw(token.serverToClientKey);
  return bytes;
}

/** Reads the public half into fresh copies, or names the first check of section 5.4 that refuses it. */
export function decodeConnectToken(bytes: Uint8Array): ConnectToken | { refused: ConnectTokenRefusal } {
  if (bytes.length !== CONNECT_TOKEN_BYTES) return { refused: 'token-length' };
  const reader = new ByteReader(bytes);
  const version = reader.raw(VERSION_INFO.length);
  if (!version.every((byte, i) => byte === VERSION_INFO[i])) return { refused: 'token-version' };
  const protocolId = reader.u64();
  const createTimestamp = reader.u64();
  const expireTimestamp = reader.u64();
  if (createTimestamp > expireTimestamp) return { refused: 'token-timestamps' };
  const nonce = reader.raw(CONNECT_TOKEN_NONCE_BYTES);
  const privateData = reader.raw(CONNECT_TOKEN_PRIVATE_BYTES);
  const timeoutSeconds = reader.i32();
  const serverAddresses = readAddresses(reader);
  if (serverAddresses === 'count') return { refused: 'token-address-count' };
  if (serverAddresses === 'type') return { refused: 'token-address-type' };
  const clientToServerKey = reader.raw(KEY_BYTES);
  const serverToClientKey = reader.raw(KEY_BYTES);
  const token = {
    protocolId,
    createTimestamp,
    expireTimestamp,
    nonce,
    privateData,
    timeoutSeconds,
    serverAddresses,
    clientToServerKey,
    serverToClientKey,
  };
  return redacted(token, () => ({
    protocolId: String(protocolId),
    createTimestamp: String(createTimestamp),
    expireTimestamp: String(expireTimestamp),
    timeoutSeconds,
    serverAddresses: serverAddresses.map(formatAddress),
  }));
}

function readAddresses(reader: ByteReader): Address[] | 'count' | 'type' {
  const count = reader.i32();
  if (count <= 0 || count > MAX_SERVERS_PER_CONNECT) return 'count';
  const addresses: Address[] = [];
  for (let i = 0; i < count; i++) {
    const address = readAddress(reader);
    if (address === undefined) return 'type';
    addresses.push(address);
  }
  return addresses;
}

/** Lays out the private half before sealing: 1024 fresh bytes, the last 16 zero. The fields are written as they are. */
export function encodePrivateToken(token: PrivateConnectToken): Uint8Array {
  const writer = new ByteWriter(new Uint8Array(CONNECT_TOKEN_PRIVATE_BYTES));
  writer.u64(token.clientId);
  writer.i32(token.timeoutSeconds);
  writer.u32(token.serverAddresses.length);
  for (const address of token.serverAddresses) writeAddress(writer, address);
  writer.raw(token.clientToServerKey);
  writer.raw(token.serverToClientKey);
  writer.raw(token.userData);
  return writer.bytes;
}

/**
 * Reads the opened private half into fresh copies, or names the check of section 5.4 that refuses it.
 *
 * @param plaintext - at least 1008 bytes.
 * @throws {@link NetcodeError} `INVALID_CONNECT_TOKEN` if it is shorter.
 */
export function decodePrivateToken(plaintext: Uint8Array): PrivateConnectToken | { refused: PrivateTokenRefusal } {
  if (plaintext.length < SEALED_BYTES) {
    throw new NetcodeError('invalidConnectToken', `plaintext: expected at least ${SEALED_BYTES} bytes, got ${plaintext.length}`, {
      field: 'plaintext',
    });
  }
  const reader = new ByteReader(plaintext);
  const clientId = reader.u64();
  const timeoutSeconds = reader.i32();
  const serverAddresses = readAddresses(reader);
  if (serverAddresses === 'count') return { refused: 'private-address-count' };
  if (serverAddresses === 'type') return { refused: 'private-address-type' };
  const clientToServerKey = reader.raw(KEY_BYTES);
  const serverToClientKey = reader.raw(KEY_BYTES);
  const userData = reader.raw(USER_DATA_BYTES);
  const token = { clientId, timeoutSeconds, serverAddresses, clientToServerKey, serverToClientKey, userData };
  return redacted(token, () => ({ clientId: String(clientId), timeoutSeconds, serverAddresses: serverAddresses.map(formatAddress) }));
}

/** What seals and opens the private half of one token. */
export interface TokenSealing {
  /** u64. */
  protocolId: bigint;
  /** u64 Unix seconds. */
  expireTimestamp: bigint;
  /** 24 bytes. */
  nonce: Uint8Array;
  /** 32 bytes, the private key. */
  key: Uint8Array;
  aead?: Aead | undefined;
}

/** Checks what seals a token and hands its parts to the body; the key that the backend prepares lives no longer than that. */
function withTokenKey<T>(o: TokenSealing, body: (aead: Aead, ad: Uint8Array, key: AeadKey) => T): T {
  checkU64(o.protocolId, 'protocolId', 'invalidId');
  checkU64(o.expireTimestamp, 'expireTimestamp', 'invalidExpiry');
  checkBytes(o.nonce, CONNECT_TOKEN_NONCE_BYTES, 'nonce', 'invalidOption');
  checkBytes(o.key, KEY_BYTES, 'key', 'invalidKey');
  const aead = o.aead ?? nobleAead;
  const ad = new Uint8Array(TOKEN_AD_BYTES);
  writeTokenAd(ad, o.protocolId, o.expireTimestamp);
  const key = aead.createKey(o.key);
  try {
    return body(aead, ad, key);
  } finally {
    aead.destroyKey(key);
  }
}

/**
 * Seals the private half.
 *
 * @param plaintext - 1024 bytes as {@link encodePrivateToken} gives them; the last 16 are not read.
 * @returns 1024 fresh bytes.
 * @throws {@link NetcodeError} `INVALID_KEY`, `INVALID_ID`, `INVALID_EXPIRY`, `INVALID_OPTION` (nonce), `INVALID_CONNECT_TOKEN` (plaintext).
 */
export function sealPrivateToken(plaintext: Uint8Array, o: TokenSealing): Uint8Array {
  checkBytes(plaintext, CONNECT_TOKEN_PRIVATE_BYTES, 'plaintext', 'invalidConnectToken');
  return withTokenKey(o, (aead, ad, key) => {
    const sealed = new Uint8Array(CONNECT_TOKEN_PRIVATE_BYTES);
    aead.sealX(key, o.nonce, ad, TOKEN_AD_BYTES, plaintext, 0, SEALED_BYTES, sealed, 0);
    return sealed;
  });
}

/**
 * Opens the private half.
 *
 * @param sealed - 1024 bytes; not modified.
 * @returns 1024 fresh bytes, the last 16 zero, or `request-decrypt` when the key, nonce, protocol id or expiry is not the one it was sealed with.
 * @throws as {@link sealPrivateToken}.
 */
export function openPrivateToken(sealed: Uint8Array, o: TokenSealing): Uint8Array | { refused: 'request-decrypt' } {
  checkBytes(sealed, CONNECT_TOKEN_PRIVATE_BYTES, 'sealed', 'invalidConnectToken');
  return withTokenKey(o, (aead, ad, key) => {
    const plaintext = new Uint8Array(CONNECT_TOKEN_PRIVATE_BYTES);
    const length = aead.openX(key, o.nonce, ad, TOKEN_AD_BYTES, sealed, 0, CONNECT_TOKEN_PRIVATE_BYTES, plaintext, 0);
    return length < 0 ? { refused: 'request-decrypt' } : plaintext;
  });
}

/**
 * Reads the public half of a connect token.
 *
 * @param token - 2048 bytes; not modified.
 * @returns the fields as fresh copies.
 * @throws {@link NetcodeError} `INVALID_CONNECT_TOKEN` with the refusal id in `reason`.
 * Source: protocol section 5.4.
 */
export function readConnectToken(token: Uint8Array): ConnectToken {
  if (!(token instanceof Uint8Array)) {
    throw new NetcodeError('invalidConnectToken', `token: expected ${CONNECT_TOKEN_BYTES} bytes, got ${describe(token)}`, {
      field: 'token',
      reason: 'token-length',
    });
  }
  const read = decodeConnectToken(token);
  if (!('refused' in read)) return read;
  throw new NetcodeError('invalidConnectToken', `token: not a connect token of this protocol (${read.refused})`, {
    field: 'token',
    reason: read.refused,
  });
}

/**
 * Opens the private half of a connect token.
 *
 * @param token - the public half, read by {@link readConnectToken}; not modified.
 * @param privateKey - exactly 32 bytes.
 * @returns the fields as fresh copies; `undefined` when the key is not the one that sealed it or the content cannot be read.
 * @throws {@link NetcodeError} `INVALID_KEY` if `privateKey` is not 32 bytes.
 * Source: protocol section 5.2.
 */
export function openConnectToken(token: ConnectToken, privateKey: Uint8Array): PrivateConnectToken | undefined {
  checkBytes(privateKey, KEY_BYTES, 'privateKey', 'invalidKey');
  const { protocolId, expireTimestamp, nonce } = token;
  const plaintext = openPrivateToken(token.privateData, { protocolId, expireTimestamp, nonce, key: privateKey });
  if ('refused' in plaintext) return undefined;
  const read = decodePrivateToken(plaintext);
  return 'refused' in read ? undefined : read;
}

function parseServerAddresses(texts: readonly string[], field: string): Address[] {
  // Visits holes, which `map` would leave out.
  return Array.from(texts, (text: unknown, i) => {
    const address = typeof text === 'string' ? tryParseAddress(text) : undefined;
    const got = describeAddress(text);
    if (address === undefined) {
      throw new NetcodeError(
        'invalidAddress',
        `${field}[${i}]: expected a numeric address with a port, got ${got}; resolve host names first`,
        {
          field,
        },
      );
    }
    if (address.port === 0) {
      throw new NetcodeError('invalidAddress', `${field}[${i}]: expected a port other than 0, got ${got}`, { field });
    }
    return address;
  });
}

function checkAddressCount(texts: unknown, field: string): void {
  if (Array.isArray(texts) && texts.length >= 1 && texts.length <= MAX_SERVERS_PER_CONNECT) return;
  throw new NetcodeError('addressCount', `${field}: expected 1 … ${MAX_SERVERS_PER_CONNECT} addresses, got ${describe(texts)}`, { field });
}

/**
 * Mints a connect token: one per login attempt, handed to an authenticated client over a trusted channel. Everything is checked before any
 * randomness is drawn.
 *
 * @returns 2048 fresh bytes, good for one session on each server that they list. A secret until used.
 * @throws {@link NetcodeError} `ADDRESS_COUNT`, `ADDRESS_COUNT_MISMATCH`, `INVALID_ADDRESS`, `INVALID_ID`, `INVALID_KEY`, `INVALID_EXPIRY`,
 * `INVALID_TIMEOUT`, `INVALID_USER_DATA`, `INVALID_OPTION`; `field` names the option.
 * Source: protocol section 5.5.
 */
export function generateConnectToken(options: ConnectTokenOptions): Uint8Array<ArrayBuffer> {
  checkOptionsObject(options);
  const { publicAddresses, clientId, protocolId, privateKey } = options;
  const internalAddresses = options.internalAddresses ?? publicAddresses;
  const expireSeconds = options.expireSeconds ?? DEFAULT_MAX_CONNECT_TOKEN_LIFETIME;
  const timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const userData = options.userData ?? new Uint8Array(0);
  const createTimestamp = options.createTimestamp ?? wallClockSeconds();
  const random = options.randomBytes ?? randomBytes;
  checkAddressCount(publicAddresses, 'publicAddresses');
  checkAddressCount(internalAddresses, 'internalAddresses');
  if (publicAddresses.length !== internalAddresses.length) {
    throw new NetcodeError(
      'addressCountMismatch',
      `internalAddresses: expected ${publicAddresses.length} addresses, as many as publicAddresses, got ${internalAddresses.length}`,
      { field: 'internalAddresses' },
    );
  }
  const publicList = parseServerAddresses(publicAddresses, 'publicAddresses');
  const internalList = parseServerAddresses(internalAddresses, 'internalAddresses');
  checkU64(clientId, 'clientId', 'invalidId');
  checkU64(protocolId, 'protocolId', 'invalidId');
  checkBytes(privateKey, KEY_BYTES, 'privateKey', 'invalidKey');
  checkI32(expireSeconds, 'expireSeconds', 'invalidExpiry');
  checkI32(timeoutSeconds, 'timeoutSeconds', 'invalidTimeout');
  checkUserData(userData, USER_DATA_BYTES);
  checkU64(createTimestamp, 'createTimestamp', 'invalidExpiry');
  const expireTimestamp = expireSeconds < 0 ? MAX_U64 : createTimestamp + BigInt(expireSeconds);
  checkU64(expireTimestamp, 'expireSeconds', 'invalidExpiry');
  checkFunction(random, 'randomBytes');

  const nonce = drawRandom(random, CONNECT_TOKEN_NONCE_BYTES);
  const clientToServerKey = drawRandom(random, KEY_BYTES);
  const serverToClientKey = drawRandom(random, KEY_BYTES);
  const paddedUserData = new Uint8Array(USER_DATA_BYTES);
  paddedUserData.set(userData);
  const plaintext = encodePrivateToken({
    clientId,
    timeoutSeconds,
    serverAddresses: internalList,
    clientToServerKey,
    serverToClientKey,
    userData: paddedUserData,
  });
  const privateData = sealPrivateToken(plaintext, { protocolId, expireTimestamp, nonce, key: privateKey });
  return encodeConnectToken({
    protocolId,
    createTimestamp,
    expireTimestamp,
    nonce,
    privateData,
    timeoutSeconds,
    serverAddresses: publicList,
    clientToServerKey,
    serverToClientKey,
  });
}
