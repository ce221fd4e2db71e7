import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { fromHex, SeededRandom, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { nobleAead } from '../src/aead.ts';
import { encodePrivateToken, sealPrivateToken } from '../src/connect-token.ts';
import { PACKET_TYPE_CODES, PacketWriter } from '../src/packet.ts';
import { readPacket, writePacket } from '../src/packet-codec.ts';
import type { Packet, ReadPacketOptions } from '../src/packet-codec.ts';
import {
  failureOf,
  NOW,
  OTHER_KEY,
  PRIVATE_KEY,
  PROTOCOL_ID,
  samplePrivateToken,
  sampleToken,
  SESSION_KEY,
} from './support/codec-samples.ts';
import { sealFrame } from './twins/packet-twin.ts';

const random = new SeededRandom(77);
const challengeData = random.bytes(300);
const largest = random.bytes(1200);
const WRITING = { protocolId: PROTOCOL_ID, sequence: 1000n, key: SESSION_KEY };
const plaintext = encodePrivateToken(samplePrivateToken());
const REQUEST = {
  type: 'request' as const,
  protocolId: PROTOCOL_ID,
  expireTimestamp: NOW + 30n,
  nonce: sampleToken().nonce,
  privateData: sealPrivateToken(plaintext, {
    protocolId: PROTOCOL_ID,
    expireTimestamp: NOW + 30n,
    nonce: sampleToken().nonce,
    key: PRIVATE_KEY,
  }),
};

function reading(side: 'server' | 'client'): ReadPacketOptions {
  return { side, protocolId: PROTOCOL_ID, unixSeconds: NOW, readKey: SESSION_KEY, privateKey: PRIVATE_KEY };
}

const PACKETS: [Exclude<Packet, { type: 'request' }>, number, readonly ('server' | 'client')[]][] = [
  [{ type: 'denied' }, 0, ['client']],
  [{ type: 'challenge', challengeSequence: 0x1122_3344_5566_7788n, challengeData }, 308, ['client']],
  [{ type: 'response', challengeSequence: 0x1122_3344_5566_7788n, challengeData }, 308, ['server']],
  [{ type: 'keepAlive', clientIndex: 10, maxClients: 256 }, 8, ['client', 'server']],
  [{ type: 'payload', payload: largest }, 1200, ['client', 'server']],
  [{ type: 'payload', payload: Uint8Array.of(9) }, 1, ['client', 'server']],
  [{ type: 'disconnect' }, 0, ['client', 'server']],
];

describe('request packet', () => {
  const bytes = writePacket(REQUEST, WRITING);

  test('when it is written, then it has 1078 bytes and every field at its offset', () => {
    expect(bytes).toHaveLength(1078);
    expect(toHex(bytes, 0, 14)).toBe('004e4554434f444520312e303200');
    expect(toHex(bytes, 14, 8)).toBe('8877665544332211');
    expect(toHex(bytes, 22, 8)).toBe('9e3bb16a00000000');
    expect(toHex(bytes, 30, 24)).toBe(toHex(REQUEST.nonce));
    expect(toHex(bytes, 54)).toBe(toHex(REQUEST.privateData));
  });

  test('when it is read with the private key, then all fields are equal and the private half is open', () => {
    const before = toHex(bytes);
    const read = readPacket(bytes, reading('server'));
    expect(read).toEqual({ packet: { ...REQUEST, privateData: plaintext }, sequence: 0n });
    expect(toHex(bytes)).toBe(before);
  });

  test('when key and sequence of the session are other ones, then the bytes are the same', () => {
    expect(writePacket(REQUEST, { protocolId: PROTOCOL_ID, sequence: 7n, key: OTHER_KEY })).toEqual(bytes);
  });
});

describe.each(PACKETS)('$type', (packet, bodyBytes, readers) => {
  const bytes = writePacket(packet, WRITING);

  test('when it is written with sequence 1000, then prefix, sequence and length are those of the table', () => {
    expect(bytes).toHaveLength(1 + 2 + bodyBytes + 16);
    expect(toHex(bytes, 0, 3)).toBe(`2${PACKET_TYPE_CODES[packet.type]}e803`);
  });

  test('when it is read, then fields and sequence are equal, and only by the sides that may', () => {
    const before = toHex(bytes);
    for (const side of ['server', 'client'] as const) {
      const expected = readers.includes(side) ? { packet, sequence: 1000n } : { refused: 'type-not-allowed' };
      expect(readPacket(bytes, reading(side))).toEqual(expected);
    }
    expect(toHex(bytes)).toBe(before);
  });

  test('when its bytes change afterwards, then what was read does not', () => {
    const copy = bytes.slice();
    const read = readPacket(copy, reading(readers[0]!));
    copy.fill(0);
    expect(read).toEqual({ packet, sequence: 1000n });
  });
});

describe('layout', () => {
  test('FF-14: the nonce is four zero bytes and the sequence, the header is 25 e8 03', () => {
    const payload = Uint8Array.of(1, 2, 3, 4, 5);
    const bytes = writePacket({ type: 'payload', payload }, WRITING);
    expect(toHex(bytes, 0, 3)).toBe('25e803');
    const nonce = fromHex('00000000e803000000000000');
    const ad = fromHex('4e4554434f444520312e303200887766554433221125');
    expect(toHex(bytes, 3)).toBe(toHex(chacha20poly1305(SESSION_KEY, nonce, ad).encrypt(payload)));
  });

  test('when a body has several numbers, then they stand in its order, little-endian', () => {
    const open = (packet: Packet, prefix: string): string => {
      const ad = fromHex(`4e4554434f444520312e3032008877665544332211${prefix}`);
      const cipher = chacha20poly1305(SESSION_KEY, fromHex('00000000e803000000000000'), ad);
      return toHex(cipher.decrypt(writePacket(packet, WRITING).slice(3)));
    };
    expect(open({ type: 'keepAlive', clientIndex: 258, maxClients: 3 }, '24')).toBe('0201000003000000');
    const sequence = 0x1122_3344_5566_7788n;
    expect(open({ type: 'challenge', challengeSequence: sequence, challengeData }, '22')).toBe(`8877665544332211${toHex(challengeData)}`);
    expect(open({ type: 'response', challengeSequence: sequence, challengeData }, '23')).toBe(`8877665544332211${toHex(challengeData)}`);
  });

  test.each([
    [0n, '1600'],
    [0x11n, '1611'],
    [0xffn, '16ff'],
    [0x100n, '260001'],
    [0x1122n, '262211'],
    [0xffffn, '26ffff'],
    [0x1_0000n, '36000001'],
    [0x11_2233n, '36332211'],
    [0xff_ffffn, '36ffffff'],
    [0x100_0000n, '4600000001'],
    [0x1122_3344n, '4644332211'],
    [0xffff_ffffn, '46ffffffff'],
    [0x1_0000_0000n, '560000000001'],
    [0x11_2233_4455n, '565544332211'],
    [0xff_ffff_ffffn, '56ffffffffff'],
    [0x100_0000_0000n, '66000000000001'],
    [0x1122_3344_5566n, '66665544332211'],
    [0xffff_ffff_ffffn, '66ffffffffffff'],
    [0x1_0000_0000_0000n, '7600000000000001'],
    [0x11_2233_4455_6677n, '7677665544332211'],
    [0xff_ffff_ffff_ffffn, '76ffffffffffffff'],
    [0x100_0000_0000_0000n, '860000000000000001'],
    [0x1122_3344_5566_7788n, '868877665544332211'],
    [1n << 63n, '860000000000000080'],
    [(1n << 64n) - 1n, '86ffffffffffffffff'],
  ])('when the sequence is %i, then the packet begins with %s and reads back', (sequence, header) => {
    const bytes = writePacket({ type: 'disconnect' }, { ...WRITING, sequence });
    expect(toHex(bytes, 0, bytes.length - 16)).toBe(header);
    expect(readPacket(bytes, reading('client'))).toEqual({ packet: { type: 'disconnect' }, sequence });
    expect(toHex(bytes)).toBe(toHex(sealFrame(6, sequence, new Uint8Array(0), WRITING)));
  });

  test('when a sequence has more bytes than it needs, then it is accepted', () => {
    for (let sequenceBytes = 1; sequenceBytes <= 8; sequenceBytes++) {
      const bytes = sealFrame(5, 0x21n, Uint8Array.of(7), { ...WRITING, sequenceBytes });
      expect(readPacket(bytes, reading('server'))).toEqual({ packet: { type: 'payload', payload: Uint8Array.of(7) }, sequence: 0x21n });
    }
  });

  test('when a keep-alive names numbers that no conforming server has, then they are read as signed', () => {
    for (const [clientIndex, maxClients] of [
      [1023, 1024],
      [-1, -0x8000_0000],
    ] as const) {
      const packet = { type: 'keepAlive' as const, clientIndex, maxClients };
      expect(readPacket(writePacket(packet, WRITING), reading('client'))).toEqual({ packet, sequence: 1000n });
    }
  });

  test('when a writer is used again, then the packet is the one of a fresh writer', () => {
    const key = nobleAead.createKey(SESSION_KEY);
    const writer = new PacketWriter(nobleAead);
    writer.setProtocolId(PROTOCOL_ID);
    const body = new Uint8Array(1300).fill(3);
    const first = writer.seal(key, 5, 0, 1, body, 50, 1200);
    expect(first).toBe(1218);
    const length = writer.seal(key, 5, 0, 1000, largest, 100, 20);
    expect(toHex(writer.bytes, 0, length)).toBe(toHex(sealFrame(5, 1000n, largest.slice(100, 120), WRITING)));
  });
});

describe('writePacket checks its arguments', () => {
  const payload = { type: 'payload' as const, payload: Uint8Array.of(1) };

  test.each<[string, unknown, string]>([
    ['protocolId', 5, 'invalidId'],
    ['protocolId', 1n << 64n, 'invalidId'],
    ['sequence', 5, 'invalidOption'],
    ['sequence', -1n, 'invalidOption'],
    ['key', new Uint8Array(31), 'invalidKey'],
  ])('when the %s is %s, then %s', (field, value, kind) => {
    const error = failureOf(() => writePacket(payload, { ...WRITING, [field]: value }));
    expect([error.kind, error.field]).toEqual([kind, field]);
  });

  test.each<[string, Packet, string, string]>([
    ['an empty payload', { type: 'payload', payload: new Uint8Array(0) }, 'payloadSize', 'payload'],
    ['a payload of 1201 bytes', { type: 'payload', payload: new Uint8Array(1201) }, 'payloadSize', 'payload'],
    [
      'a short challenge',
      { type: 'challenge', challengeSequence: 0n, challengeData: new Uint8Array(299) },
      'invalidOption',
      'challengeData',
    ],
    ['a long response', { type: 'response', challengeSequence: 0n, challengeData: new Uint8Array(360) }, 'invalidOption', 'challengeData'],
    ['a negative sequence', { type: 'response', challengeSequence: -1n, challengeData }, 'invalidOption', 'challengeSequence'],
    ['half a slot', { type: 'keepAlive', clientIndex: 0.5, maxClients: 1 }, 'invalidOption', 'clientIndex'],
    ['2^31 slots', { type: 'keepAlive', clientIndex: 0, maxClients: 0x8000_0000 }, 'invalidOption', 'maxClients'],
    ['a short nonce', { ...REQUEST, nonce: new Uint8Array(23) }, 'invalidOption', 'nonce'],
    ['a short private half', { ...REQUEST, privateData: new Uint8Array(1008) }, 'invalidOption', 'privateData'],
    ['a protocol id that is no bigint', { ...REQUEST, protocolId: 5 as never }, 'invalidId', 'protocolId'],
    ['an expiry past 64 bits', { ...REQUEST, expireTimestamp: 1n << 64n }, 'invalidExpiry', 'expireTimestamp'],
  ])('when it is given %s, then it throws', (_, packet, kind, field) => {
    const error = failureOf(() => writePacket(packet, WRITING));
    expect([error.kind, error.field]).toEqual([kind, field]);
  });

  test.each<[string, unknown, string]>([
    ['protocolId', 5, 'invalidId'],
    ['unixSeconds', 5, 'invalidOption'],
    ['minExpireTimestamp', -1n, 'invalidOption'],
    ['readKey', new Uint8Array(33), 'invalidKey'],
    ['privateKey', new Uint8Array(0), 'invalidKey'],
  ])('when a packet is read with a %s of %s, then %s', (field, value, kind) => {
    const error = failureOf(() => readPacket(new Uint8Array(0), { ...reading('server'), [field]: value }));
    expect([error.kind, error.field]).toEqual([kind, field]);
  });
});
