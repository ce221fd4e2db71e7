import { nobleAead } from './aead.ts';
import type { Aead, AeadKey } from './aead.ts';
import {
  CHALLENGE_TOKEN_BYTES,
  CONNECT_TOKEN_NONCE_BYTES,
  CONNECT_TOKEN_PRIVATE_BYTES,
  KEY_BYTES,
  MAX_PAYLOAD_BYTES,
} from './constants.ts';
import { NetcodeError } from './errors.ts';
import { checkBytes, checkI32, checkU64, describe } from './internal/check.ts';
import { ByteReader, ByteWriter } from './internal/cursor.ts';
import { ALLOWED_TYPES, CHALLENGE_BODY_BYTES, KEEP_ALIVE_BODY_BYTES, PACKET_TYPE_CODES, PacketReader, PacketWriter } from './packet.ts';
import type { ReplayWindow } from './replay-window.ts';
import { encodeRequest, REQUEST_BYTES, requestExpireTimestamp, RequestLimits, RequestReader } from './request-packet.ts';

// Whole packets as objects, for tools and conformance tests. The layouts are in packet.ts and request-packet.ts; nothing of clients and servers is here.

/** A packet with its fields (protocol section 7). A request that was read holds the opened private half, 1024 bytes, the last 16 zero: not to be printed. */
export type Packet =
  | { type: 'request'; protocolId: bigint; expireTimestamp: bigint; nonce: Uint8Array; privateData: Uint8Array }
  | { type: 'denied' | 'disconnect' }
  | { type: 'challenge' | 'response'; challengeSequence: bigint; challengeData: Uint8Array }
  | { type: 'keepAlive'; clientIndex: number; maxClients: number }
  | { type: 'payload'; payload: Uint8Array };

/** What seals a packet. */
export interface WritePacketOptions {
  /** u64. */
  protocolId: bigint;
  /** u64; a request does not use it. */
  sequence: bigint;
  /** 32 bytes; a request does not use it. */
  key: Uint8Array;
  aead?: Aead | undefined;
}

/** What a packet is read with. */
export interface ReadPacketOptions {
  /** Decides which types are allowed. */
  side: 'server' | 'client';
  /** u64. */
  protocolId: bigint;
  /** u64, the present second. */
  unixSeconds: bigint;
  /** u64, earliest acceptable expire timestamp of a request; default 0: any. */
  minExpireTimestamp?: bigint | undefined;
  /** 32 bytes, of the sender. */
  readKey?: Uint8Array | undefined;
  /** 32 bytes, opens requests. */
  privateKey?: Uint8Array | undefined;
  window?: ReplayWindow | undefined;
  aead?: Aead | undefined;
}

/**
 * Writes one packet.
 *
 * @returns fresh bytes.
 * @throws {@link NetcodeError} `INVALID_OPTION`, `INVALID_ID`, `INVALID_KEY`, `PAYLOAD_SIZE`.
 */
export function writePacket(packet: Packet, o: WritePacketOptions): Uint8Array {
  checkU64(o.protocolId, 'protocolId', 'invalidId');
  if (packet.type === 'request') {
    checkU64(packet.protocolId, 'protocolId', 'invalidId');
    checkU64(packet.expireTimestamp, 'expireTimestamp', 'invalidExpiry');
    checkBytes(packet.nonce, CONNECT_TOKEN_NONCE_BYTES, 'nonce', 'invalidOption');
    checkBytes(packet.privateData, CONNECT_TOKEN_PRIVATE_BYTES, 'privateData', 'invalidOption');
    return encodeRequest(packet);
  }
  checkU64(o.sequence, 'sequence', 'invalidOption');
  checkBytes(o.key, KEY_BYTES, 'key', 'invalidKey');
  const body = encodeBody(packet);
  return withKey(o.aead ?? nobleAead, o.key, (aead, key) => {
    const writer = new PacketWriter(aead);
    writer.setProtocolId(o.protocolId);
    const hi = Number(o.sequence >> 32n);
    const length = writer.seal(key, PACKET_TYPE_CODES[packet.type], hi, Number(BigInt.asUintN(32, o.sequence)), body, 0, body.length);
    return writer.bytes.slice(0, length);
  });
}

function encodeBody(packet: Exclude<Packet, { type: 'request' }>): Uint8Array {
  switch (packet.type) {
    case 'denied':
    case 'disconnect':
      return new Uint8Array(0);
    case 'challenge':
    case 'response': {
      checkU64(packet.challengeSequence, 'challengeSequence', 'invalidOption');
      checkBytes(packet.challengeData, CHALLENGE_TOKEN_BYTES, 'challengeData', 'invalidOption');
      const writer = new ByteWriter(new Uint8Array(CHALLENGE_BODY_BYTES));
      writer.u64(packet.challengeSequence);
      writer.raw(packet.challengeData);
      return writer.bytes;
    }
    case 'keepAlive': {
      checkI32(packet.clientIndex, 'clientIndex', 'invalidOption');
      checkI32(packet.maxClients, 'maxClients', 'invalidOption');
      const writer = new ByteWriter(new Uint8Array(KEEP_ALIVE_BODY_BYTES));
      writer.i32(packet.clientIndex);
      writer.i32(packet.maxClients);
      return writer.bytes;
    }
    case 'payload': {
      const { payload } = packet;
      if (payload.length >= 1 && payload.length <= MAX_PAYLOAD_BYTES) return payload;
      throw new NetcodeError('payloadSize', `payload: expected 1 … ${MAX_PAYLOAD_BYTES} bytes, got ${describe(payload)}`, {
        field: 'payload',
      });
    }
  }
}

/**
 * Reads one packet: every check of protocol section 8 in its order.
 *
 * @param datagram - any length; not modified.
 * @returns fresh copies and the sequence (0 for a request), or the id of the check that refused it. `window` is moved as a receiver moves it.
 * @throws {@link NetcodeError} `INVALID_ID`, `INVALID_OPTION`, `INVALID_KEY`.
 */
export function readPacket(datagram: Uint8Array, o: ReadPacketOptions): { packet: Packet; sequence: bigint } | { refused: string } {
  checkU64(o.protocolId, 'protocolId', 'invalidId');
  checkU64(o.unixSeconds, 'unixSeconds', 'invalidOption');
  checkU64(o.minExpireTimestamp ?? 0n, 'minExpireTimestamp', 'invalidOption');
  if (o.readKey !== undefined) checkBytes(o.readKey, KEY_BYTES, 'readKey', 'invalidKey');
  if (o.privateKey !== undefined) checkBytes(o.privateKey, KEY_BYTES, 'privateKey', 'invalidKey');
  if (datagram.length < 1) return { refused: 'empty' };
  return datagram[0] === 0 ? readRequest(datagram, o) : readSealed(datagram, o);
}

function readRequest(datagram: Uint8Array, o: ReadPacketOptions): { packet: Packet; sequence: bigint } | { refused: string } {
  if (o.side === 'client') return { refused: 'request-not-allowed' };
  if (datagram.length !== REQUEST_BYTES) return { refused: 'request-length' };
  if (o.privateKey === undefined) return { refused: 'request-no-private-key' };
  return withKey(o.aead ?? nobleAead, o.privateKey, (aead, key) => {
    const reader = new RequestReader(aead, o.protocolId);
    const limits = new RequestLimits();
    limits.setNow(o.unixSeconds);
    limits.setEarliest(o.minExpireTimestamp ?? 0n);
    const refused = reader.check(datagram, 0, limits);
    if (refused !== undefined) return { refused };
    if (!reader.open(datagram, 0, key)) return { refused: 'request-decrypt' };
    const privateData = reader.plaintext.slice();
    reader.wipe();
    const expireTimestamp = requestExpireTimestamp(datagram, 0);
    return {
      packet: { type: 'request', protocolId: o.protocolId, expireTimestamp, nonce: reader.nonce.slice(), privateData },
      sequence: 0n,
    };
  });
}

function readSealed(datagram: Uint8Array, o: ReadPacketOptions): { packet: Packet; sequence: bigint } | { refused: string } {
  if (o.readKey === undefined) return { refused: 'no-read-key' };
  return withKey(o.aead ?? nobleAead, o.readKey, (aead, key) => {
    const reader = new PacketReader(aead, ALLOWED_TYPES[o.side], datagram.length);
    reader.setProtocolId(o.protocolId);
    const refused = reader.open(datagram, 0, datagram.length, key, o.window);
    if (refused !== undefined) return { refused };
    const sequence = (BigInt(reader.sequenceHi) << 32n) | BigInt(reader.sequenceLo);
    return { packet: decodeBody(reader.type, reader.body.subarray(0, reader.bodyLength)), sequence };
  });
}

function decodeBody(type: number, body: Uint8Array): Packet {
  const reader = new ByteReader(body);
  switch (type) {
    case PACKET_TYPE_CODES.denied:
      return { type: 'denied' };
    case PACKET_TYPE_CODES.disconnect:
      return { type: 'disconnect' };
    case PACKET_TYPE_CODES.keepAlive:
      return { type: 'keepAlive', clientIndex: reader.i32(), maxClients: reader.i32() };
    case PACKET_TYPE_CODES.payload:
      return { type: 'payload', payload: body.slice() };
    default:
      return {
        type: type === PACKET_TYPE_CODES.challenge ? 'challenge' : 'response',
        challengeSequence: reader.u64(),
        challengeData: reader.raw(CHALLENGE_TOKEN_BYTES),
      };
  }
}

function withKey<T>(aead: Aead, bytes: Uint8Array, body: (aead: Aead, key: AeadKey) => T): T {
  const key = aead.createKey(bytes);
  try {
    return body(aead, key);
  } finally {
    aead.destroyKey(key);
  }
}
