// The slow twin of both halves of a connect token and of the challenge token, from protocol sections 3, 5 and 6 alone.
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesOfHex, fromLe, hexOf, HexReader, le, signedFromLe } from './wire-hex.ts';

const VERSION = Buffer.from('NETCODE 1.02\0', 'latin1').toString('hex');

/** An address as plain data: 4 or 16 bytes in human order. */
export interface PlainAddress {
  readonly bytes: Uint8Array;
  readonly port: number;
}

/** The public half as plain data. */
export interface PlainToken {
  readonly protocolId: bigint;
  readonly createTimestamp: bigint;
  readonly expireTimestamp: bigint;
  readonly nonce: Uint8Array;
  readonly privateData: Uint8Array;
  readonly timeoutSeconds: number;
  readonly serverAddresses: readonly PlainAddress[];
  readonly clientToServerKey: Uint8Array;
  readonly serverToClientKey: Uint8Array;
}

/** The private half as plain data. */
export interface PlainPrivate {
  readonly clientId: bigint;
  readonly timeoutSeconds: number;
  readonly serverAddresses: readonly PlainAddress[];
  readonly clientToServerKey: Uint8Array;
  readonly serverToClientKey: Uint8Array;
  readonly userData: Uint8Array;
}

/** One address entry, section 5.1. */
export function addressHex({ bytes, port }: PlainAddress): string {
  const hex = hexOf(bytes);
  if (bytes.length === 4) return `01${hex}${le(port, 2)}`;
  const swapped = hex.replaceAll(/(..)(..)/g, '$2$1');
  return `02${swapped}${le(port, 2)}`;
}

function listHex(list: readonly PlainAddress[]): string {
  return le(list.length, 4) + list.map(addressHex).join('');
}

function takeList(reader: HexReader, refusals: { count: string; type: string }): PlainAddress[] | string {
  const count = signedFromLe(reader.take(4));
  if (count <= 0 || count > 32) return refusals.count;
  const list: PlainAddress[] = [];
  while (list.length < count) {
    const type = reader.take(1);
    if (type !== '01' && type !== '02') return refusals.type;
    const bytes = bytesOfHex(type === '01' ? reader.take(4) : reader.take(16).replaceAll(/(..)(..)/g, '$2$1'));
    list.push({ bytes, port: Number(reader.number(2)) });
  }
  return list;
}

/** Writes the public half, section 5.3. */
export function writeTokenTwin(token: PlainToken): Uint8Array {
  const hex = [
    VERSION,
    le(token.protocolId, 8),
    le(token.createTimestamp, 8),
    le(token.expireTimestamp, 8),
    hexOf(token.nonce),
    hexOf(token.privateData),
    le(token.timeoutSeconds, 4),
    listHex(token.serverAddresses),
    hexOf(token.clientToServerKey),
    hexOf(token.serverToClientKey),
  ].join('');
  return bytesOfHex(hex.padEnd(4096, '0'));
}

/** Reads the public half, or gives the refusal id of section 5.4. */
export function readTokenTwin(bytes: Uint8Array): PlainToken | string {
  if (bytes.length !== 2048) return 'token-length';
  const reader = new HexReader(hexOf(bytes));
  if (reader.take(13) !== VERSION) return 'token-version';
  const [protocolId, createTimestamp, expireTimestamp] = [reader.number(8), reader.number(8), reader.number(8)];
  if (createTimestamp > expireTimestamp) return 'token-timestamps';
  const nonce = reader.bytes(24);
  const privateData = reader.bytes(1024);
  const timeoutSeconds = signedFromLe(reader.take(4));
  const serverAddresses = takeList(reader, { count: 'token-address-count', type: 'token-address-type' });
  if (typeof serverAddresses === 'string') return serverAddresses;
  return {
    protocolId,
    createTimestamp,
    expireTimestamp,
    nonce,
    privateData,
    timeoutSeconds,
    serverAddresses,
    clientToServerKey: reader.bytes(32),
    serverToClientKey: reader.bytes(32),
  };
}

/** Writes the private half before sealing, section 5.2. */
export function writePrivateTwin(token: PlainPrivate): Uint8Array {
  const hex = [
    le(token.clientId, 8),
    le(token.timeoutSeconds, 4),
    listHex(token.serverAddresses),
    hexOf(token.clientToServerKey),
    hexOf(token.serverToClientKey),
    hexOf(token.userData),
  ].join('');
  return bytesOfHex(hex.padEnd(2048, '0'));
}

/** Reads the opened private half, or gives the refusal id of section 5.4. */
export function readPrivateTwin(bytes: Uint8Array): PlainPrivate | string {
  const reader = new HexReader(hexOf(bytes));
  const clientId = reader.number(8);
  const timeoutSeconds = signedFromLe(reader.take(4));
  const serverAddresses = takeList(reader, { count: 'private-address-count', type: 'private-address-type' });
  if (typeof serverAddresses === 'string') return serverAddresses;
  return {
    clientId,
    timeoutSeconds,
    serverAddresses,
    clientToServerKey: reader.bytes(32),
    serverToClientKey: reader.bytes(32),
    userData: reader.bytes(256),
  };
}

function privateCipher(
  key: Uint8Array,
  nonce: Uint8Array,
  protocolId: bigint,
  expireTimestamp: bigint,
): ReturnType<typeof xchacha20poly1305> {
  return xchacha20poly1305(key, nonce, bytesOfHex(VERSION + le(protocolId, 8) + le(expireTimestamp, 8)));
}

/** Seals the first 1008 bytes of a private half, section 3. */
export function sealPrivateTwin(plain: Uint8Array, key: Uint8Array, nonce: Uint8Array, protocolId: bigint, expire: bigint): Uint8Array {
  return privateCipher(key, nonce, protocolId, expire).encrypt(plain.slice(0, 1008));
}

/** Opens a private half, 1008 bytes, or gives `undefined`. */
export function openPrivateTwin(
  sealed: Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
  protocolId: bigint,
  expire: bigint,
): Uint8Array | undefined {
  try {
    return privateCipher(key, nonce, protocolId, expire).decrypt(sealed);
  } catch {
    return undefined;
  }
}

/** Seals a challenge token, section 6. */
export function sealChallengeTwin(clientId: bigint, userData: Uint8Array, sequence: bigint, key: Uint8Array): Uint8Array {
  const plain = bytesOfHex((le(clientId, 8) + hexOf(userData)).padEnd(2 * 284, '0'));
  return chacha20poly1305(key, bytesOfHex(`00000000${le(sequence, 8)}`)).encrypt(plain);
}

/** Opens a challenge token, or gives `undefined`. */
export function openChallengeTwin(
  sealed: Uint8Array,
  sequence: bigint,
  key: Uint8Array,
): { clientId: bigint; userData: Uint8Array } | undefined {
  if (sealed.length !== 300) return undefined;
  try {
    const plain = chacha20poly1305(key, bytesOfHex(`00000000${le(sequence, 8)}`)).decrypt(sealed);
    return { clientId: fromLe(hexOf(plain.slice(0, 8))), userData: plain.slice(8, 264) };
  } catch {
    return undefined;
  }
}
