import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPacket, writePacket } from '../src/packet-codec.ts';
import type { Packet, ReadPacketOptions } from '../src/packet-codec.ts';
import { PACKET_TYPE_CODES } from '../src/packet.ts';
import { ReplayWindow } from '../src/replay-window.ts';
import { bytesOf, key, payload, sealedPacket, u64 } from './support/codec-arbitraries.ts';
import { propertyOptions } from './support/codec-property.ts';
import { flip, OTHER_KEY, PRIVATE_KEY, SESSION_KEY } from './support/codec-samples.ts';
import { minimalBytes, readTwin, sealFrame } from './twins/packet-twin.ts';
import type { TwinRead } from './twins/packet-twin.ts';
import { sealPrivateTwin } from './twins/token-twin.ts';
import { bytesOfHex, hexOf, le } from './twins/wire-hex.ts';

const side = fc.constantFrom('server' as const, 'client' as const);

/** What was read as type, sequence and body in hex; a refusal as its id. */
function comparable(read: ReturnType<typeof readPacket> | TwinRead): unknown {
  if (typeof read === 'string') return read;
  if ('refused' in read) return read.refused;
  if ('body' in read) return [read.type, read.sequence, hexOf(read.body)];
  return [PACKET_TYPE_CODES[read.packet.type], read.sequence, bodyHex(read.packet)];
}

function bodyHex(packet: Packet): string {
  if (packet.type === 'request') return hexOf(packet.privateData.slice(0, 1008));
  if (packet.type === 'payload') return hexOf(packet.payload);
  if (packet.type === 'keepAlive') return le(packet.clientIndex, 4) + le(packet.maxClients, 4);
  return 'challengeData' in packet ? le(packet.challengeSequence, 8) + hexOf(packet.challengeData) : '';
}

/** Both readers on the same bytes. */
function bothRead(bytes: Uint8Array, o: Omit<ReadPacketOptions, 'window'>): [unknown, unknown] {
  const { readKey, privateKey, minExpireTimestamp, ...rest } = o;
  const twin = readTwin(bytes, { ...rest, earliest: minExpireTimestamp ?? 0n, readKey, privateKey });
  return [comparable(readPacket(bytes, o)), comparable(twin)];
}

const body = fc.oneof(
  payload,
  fc.constantFrom(0, 1, 7, 8, 9, 307, 308, 309, 368, 1200, 1201).map((length) => new Uint8Array(length).fill(0x5a)),
);
const options = fc.record({
  side,
  protocolId: u64,
  unixSeconds: fc.constantFrom(0n, 1000n),
  minExpireTimestamp: fc.constantFrom(undefined, 0n, 1030n),
  readKey: fc.constantFrom(SESSION_KEY, SESSION_KEY, SESSION_KEY, OTHER_KEY, undefined),
  privateKey: fc.constantFrom(PRIVATE_KEY, PRIVATE_KEY, OTHER_KEY, undefined),
});

test('when any packet is written, then the bytes are those of the tables, and reading gives packet and sequence back', () => {
  fc.assert(
    fc.property(sealedPacket, u64, u64, key, (packet, sequence, protocolId, secret) => {
      const bytes = writePacket(packet, { protocolId, sequence, key: secret });
      const type = PACKET_TYPE_CODES[packet.type];
      expect(hexOf(bytes)).toBe(hexOf(sealFrame(type, sequence, bytesOfHex(bodyHex(packet)), { key: secret, protocolId })));
      const reader = packet.type === 'response' ? 'server' : 'client';
      const read = readPacket(bytes, { side: reader, protocolId, unixSeconds: 0n, readKey: secret });
      expect(comparable(read)).toEqual([type, sequence, bodyHex(packet)]);
    }),
    propertyOptions(200),
  );
});

test('when a frame of any type, sequence length and body arrives, then it is read or refused as the table says', () => {
  const frame = fc.record({ type: fc.nat(15), sequence: u64, extra: fc.nat(3), isOneFewer: fc.constantFrom(false, false, true), body });
  fc.assert(
    fc.property(frame, options, ({ type, sequence, extra, isOneFewer, body: content }, o) => {
      const fitting = Math.min(8, minimalBytes(sequence) + extra);
      const sequenceBytes = isOneFewer ? fitting - 1 : fitting;
      const bytes = sealFrame(type, sequence, content, { key: SESSION_KEY, protocolId: o.protocolId, sequenceBytes });
      const [read, expected] = bothRead(bytes, o);
      expect(read).toEqual(expected);
    }),
    propertyOptions(400),
  );
});

test('when any bytes arrive, then nothing throws and the first check that the table names refuses them', () => {
  const prefixed = fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 60 })).map(([prefix, rest]) => Uint8Array.of(prefix, ...rest));
  const requestLike = fc.tuple(bytesOf(1077), fc.boolean(), u64).map(([rest, isVersioned, expire]) => {
    if (isVersioned) rest.set(bytesOfHex(`${Buffer.from('NETCODE 1.02\0').toString('hex')}0500000000000000${le(expire, 8)}`));
    return Uint8Array.of(0, ...rest);
  });
  const datagram = fc.oneof(prefixed, requestLike, fc.uint8Array({ maxLength: 1400 }), fc.uint8Array({ maxLength: 3 }));
  fc.assert(
    fc.property(datagram, options, (bytes, o) => {
      const [read, expected] = bothRead(bytes, { ...o, protocolId: 5n });
      expect(read).toEqual(expected);
      expect(typeof read).toBe('string');
    }),
    propertyOptions(400),
  );
});

test('when one byte of a packet is changed, cut off or added, then it is never accepted', () => {
  const change = fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }), cut: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(sealedPacket, u64, change, side, (packet, sequence, { at, mask, cut }, reader) => {
      const bytes = writePacket(packet, { protocolId: 7n, sequence, key: SESSION_KEY });
      const o = { side: reader, protocolId: 7n, unixSeconds: 0n, readKey: SESSION_KEY, privateKey: PRIVATE_KEY };
      const changed = [flip(bytes, at % bytes.length, mask), bytes.slice(0, -cut), Uint8Array.of(...bytes, mask)];
      for (const damaged of changed) {
        const window = new ReplayWindow();
        expect(readPacket(damaged, { ...o, window })).toHaveProperty('refused');
        expect(window.mostRecent).toBe(0n);
      }
    }),
    propertyOptions(150),
  );
});

test('when any request arrives, then it is read or refused as the table says; with one byte changed never accepted', () => {
  const near = fc.constantFrom(-2n, -1n, 0n, 1n, 2n, 1n << 32n, -(1n << 32n), 1n << 31n);
  const clamp = (value: bigint): bigint => (value < 0n ? 0n : value >= 1n << 64n ? (1n << 64n) - 1n : value);
  const input = fc.record({ expire: u64, now: near, earliest: near, nonce: bytesOf(24), plain: bytesOf(1008), protocolId: u64 });
  fc.assert(
    fc.property(input, options, fc.nat(1077), fc.integer({ min: 1, max: 255 }), (request, o, at, mask) => {
      const { expire, nonce, plain, protocolId } = request;
      const privateData = sealPrivateTwin(plain, PRIVATE_KEY, nonce, protocolId, expire);
      const fields = { type: 'request' as const, protocolId, expireTimestamp: expire, nonce, privateData };
      const bytes = writePacket(fields, { protocolId, sequence: 0n, key: PRIVATE_KEY });
      const header = `00${Buffer.from('NETCODE 1.02\0').toString('hex')}${le(protocolId, 8)}${le(expire, 8)}`;
      expect(hexOf(bytes)).toBe(header + hexOf(nonce) + hexOf(privateData));
      const clocks = { unixSeconds: clamp(expire + request.now), minExpireTimestamp: clamp(expire + request.earliest) };
      const [read, expected] = bothRead(bytes, { ...o, protocolId, ...clocks });
      expect(read).toEqual(expected);
      const early = { ...o, side: 'server' as const, protocolId, unixSeconds: 0n, privateKey: PRIVATE_KEY };
      expect(readPacket(flip(bytes, at, mask), { ...early, minExpireTimestamp: 0n })).toHaveProperty('refused');
    }),
    propertyOptions(150),
  );
});
