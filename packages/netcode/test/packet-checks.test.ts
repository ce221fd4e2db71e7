import { toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { nobleAead } from '../src/aead.ts';
import { encodePrivateToken, sealPrivateToken } from '../src/connect-token.ts';
import { ALLOWED_TYPES, PacketReader } from '../src/packet.ts';
import { readPacket, writePacket } from '../src/packet-codec.ts';
import type { ReadPacketOptions } from '../src/packet-codec.ts';
import { ReplayWindow } from '../src/replay-window.ts';
import { flip, NOW, OTHER_KEY, PRIVATE_KEY, PROTOCOL_ID, samplePrivateToken, sampleToken, SESSION_KEY } from './support/codec-samples.ts';
import { sealFrame } from './twins/packet-twin.ts';

const EXPIRE = NOW + 30n;
const MAX_U64 = (1n << 64n) - 1n;
const FRAME = { key: SESSION_KEY, protocolId: PROTOCOL_ID };
const NOTHING = new Uint8Array(0);

function refusal(bytes: Uint8Array, side: 'server' | 'client', parts: Partial<ReadPacketOptions> = {}): string {
  const options = { side, protocolId: PROTOCOL_ID, unixSeconds: NOW, readKey: SESSION_KEY, privateKey: PRIVATE_KEY };
  const read = readPacket(bytes, { ...options, ...parts });
  return 'refused' in read ? read.refused : `accepted ${read.packet.type}`;
}

function request(expireTimestamp: bigint = EXPIRE): Uint8Array {
  const { nonce } = sampleToken();
  const sealing = { protocolId: PROTOCOL_ID, expireTimestamp, nonce, key: PRIVATE_KEY };
  const privateData = sealPrivateToken(encodePrivateToken(samplePrivateToken()), sealing);
  return writePacket({ type: 'request', protocolId: PROTOCOL_ID, expireTimestamp, nonce, privateData }, { ...FRAME, sequence: 0n });
}

describe('checks of a request, in order', () => {
  const good = request();
  const wrongDecrypt = flip(good, 1077);
  const wrongProtocol = flip(wrongDecrypt, 14);
  const wrongVersion = flip(wrongProtocol, 13);
  const wrongLength = wrongVersion.slice(0, 1077);

  test('when nothing is wrong, then it is accepted', () => {
    expect(refusal(good, 'server')).toBe('accepted request');
    expect(refusal(good, 'server', { readKey: undefined })).toBe('accepted request');
  });

  test('when everything is wrong, then the checks refuse one after the other', () => {
    const late = { unixSeconds: EXPIRE, minExpireTimestamp: EXPIRE + 1n };
    const noKey = { ...late, privateKey: undefined };
    expect(refusal(NOTHING, 'client', noKey)).toBe('empty');
    expect(refusal(wrongLength, 'client', noKey)).toBe('request-not-allowed');
    expect(refusal(wrongLength, 'server', noKey)).toBe('request-length');
    expect(refusal(wrongVersion, 'server', noKey)).toBe('request-no-private-key');
    expect(refusal(wrongVersion, 'server', late)).toBe('request-version');
    expect(refusal(wrongProtocol, 'server', late)).toBe('request-protocol-id');
    expect(refusal(wrongDecrypt, 'server', late)).toBe('request-expired');
    expect(refusal(wrongDecrypt, 'server', { minExpireTimestamp: EXPIRE + 1n })).toBe('request-predates-start');
    expect(refusal(wrongDecrypt, 'server')).toBe('request-decrypt');
    expect(refusal(good, 'server', { privateKey: OTHER_KEY })).toBe('request-decrypt');
  });

  test.each([1, 2, 54, 1077, 1079, 1300, 1301])('when it has %i bytes, then request-length', (length) => {
    const resized = new Uint8Array(length);
    resized.set(good.subarray(0, length));
    expect(refusal(resized, 'server')).toBe('request-length');
  });

  test('when any byte of version or protocol id differs, then that is the reason', () => {
    for (let i = 1; i <= 13; i++) expect(refusal(flip(good, i, 0x80), 'server')).toBe('request-version');
    for (let i = 14; i <= 21; i++) expect(refusal(flip(good, i, 0x80), 'server')).toBe('request-protocol-id');
  });

  test.each([22, 29, 30, 53, 54, 1061, 1062, 1077])('when byte %i is changed, then it does not open', (at) => {
    expect(refusal(flip(good, at), 'server', { unixSeconds: 0n })).toBe('request-decrypt');
  });

  test.each([
    [EXPIRE, EXPIRE - 1n, 'accepted request'],
    [EXPIRE, EXPIRE, 'request-expired'],
    [EXPIRE, EXPIRE + 1n, 'request-expired'],
    [MAX_U64, MAX_U64 - 1n, 'accepted request'],
    [MAX_U64, MAX_U64, 'request-expired'],
    [1n << 32n, 0xffff_ffffn, 'accepted request'],
    [0xffff_ffffn, 1n << 32n, 'request-expired'],
    [1n << 63n, (1n << 63n) - 1n, 'accepted request'],
    [(1n << 63n) - 1n, 1n << 63n, 'request-expired'],
    [0x8000_0000n, 0x7fff_ffffn, 'accepted request'],
  ])('when it expires at %i and it is %i, then %s', (expire, unixSeconds, expected) => {
    expect(refusal(request(expire), 'server', { unixSeconds })).toBe(expected);
  });

  test.each([
    [EXPIRE, EXPIRE, 'accepted request'],
    [EXPIRE, EXPIRE + 1n, 'request-predates-start'],
    [EXPIRE, 0n, 'accepted request'],
    [1n << 32n, (1n << 32n) + 1n, 'request-predates-start'],
    [(1n << 32n) + 5n, (2n << 32n) + 4n, 'request-predates-start'],
    [(2n << 32n) + 4n, (1n << 32n) + 5n, 'accepted request'],
    [(1n << 63n) - 1n, 1n << 63n, 'request-predates-start'],
    [MAX_U64, MAX_U64, 'accepted request'],
  ])('when it expires at %i and the earliest expiry of this run is %i, then %s', (expire, minExpireTimestamp, expected) => {
    expect(refusal(request(expire), 'server', { unixSeconds: 0n, minExpireTimestamp })).toBe(expected);
  });
});

describe('checks of other packets, in order', () => {
  test('when everything is wrong, then the checks refuse one after the other', () => {
    expect(refusal(Uint8Array.of(0x0f), 'server', { readKey: undefined })).toBe('no-read-key');
    expect(refusal(new Uint8Array(17).fill(0x07), 'server')).toBe('too-small');
    expect(refusal(new Uint8Array(18).fill(0x07), 'server')).toBe('type-invalid');
    expect(refusal(new Uint8Array(18).fill(0x02), 'server')).toBe('type-not-allowed');
    expect(refusal(new Uint8Array(18).fill(0x06), 'server')).toBe('sequence-bytes');
    expect(refusal(new Uint8Array(18).fill(0x26), 'server')).toBe('short-for-sequence');
    const window = new ReplayWindow();
    window.advance(0x16n);
    expect(refusal(new Uint8Array(18).fill(0x16), 'server', { window })).toBe('replay');
    expect(refusal(new Uint8Array(18).fill(0x16), 'server')).toBe('decrypt');
    expect(refusal(sealFrame(6, 1n, Uint8Array.of(1), FRAME), 'server')).toBe('size-disconnect');
  });

  test('when a reader has no key for the sender, then that comes before every look at the bytes', () => {
    const reader = new PacketReader(nobleAead, ALLOWED_TYPES.server, 1300);
    for (const length of [2, 17, 18, 1300])
      expect(reader.open(new Uint8Array(1300).fill(0x0f), 0, length, undefined, undefined)).toBe('no-read-key');
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('when there are %i sequence bytes, then there is room for them from 17 more on', (count) => {
    const shortest = sealFrame(6, 1n, NOTHING, { ...FRAME, sequenceBytes: count });
    expect(refusal(shortest, 'server')).toBe('accepted disconnect');
    const cut = shortest.slice(0, -1);
    expect(refusal(cut, 'server')).toBe(cut.length < 18 ? 'too-small' : 'short-for-sequence');
  });

  test.each([7, 8, 15])('when the type is %i, then type-invalid whatever the count', (type) => {
    for (const count of [0, 1, 8, 9, 15]) {
      const bytes = new Uint8Array(40).fill((count << 4) | type);
      if (bytes[0] !== 0) expect(refusal(bytes, 'client')).toBe('type-invalid');
    }
  });

  test.each([0, 9, 15])('when the sequence byte count is %i, then sequence-bytes even if it would authenticate', (sequenceBytes) => {
    const bytes = sealFrame(5, 0n, Uint8Array.of(1), { ...FRAME, sequenceBytes });
    const padded = new Uint8Array(Math.max(bytes.length, 18));
    padded.set(bytes);
    expect(refusal(padded, 'server')).toBe('sequence-bytes');
  });

  test.each([
    ['server', [0, 3, 4, 5, 6]],
    ['client', [1, 2, 4, 5, 6]],
  ] as const)('when the reader is a %s, then it opens the types %j', (side, allowed) => {
    for (let type = 0; type < 7; type++) {
      const isRefused = refusal(sealFrame(type, 1n, new Uint8Array(99), FRAME), side) === 'type-not-allowed';
      expect(isRefused).toBe(!allowed.includes(type as never));
    }
  });

  test.each([
    [1, 'client', 'size-denied', 'denied', 0, [1, 8]],
    [2, 'client', 'size-challenge', 'challenge', 308, [0, 8, 307, 309, 368]],
    [3, 'server', 'size-response', 'response', 308, [0, 8, 307, 309, 368]],
    [4, 'server', 'size-keep-alive', 'keepAlive', 8, [0, 7, 9]],
    [4, 'client', 'size-keep-alive', 'keepAlive', 8, [0, 7, 9]],
    [5, 'server', 'size-payload-small', 'payload', 1, [0]],
    [5, 'client', 'size-payload-large', 'payload', 1200, [1201, 1275]],
    [6, 'client', 'size-disconnect', 'disconnect', 0, [1, 8]],
  ] as const)('FF-14: when type %i arrives at a %s with a wrong body, then %s after decryption', (type, side, id, name, right, wrong) => {
    expect(refusal(sealFrame(type, 1n, new Uint8Array(right), FRAME), side)).toBe(`accepted ${name}`);
    for (const size of wrong) {
      const bytes = sealFrame(type, 1n, new Uint8Array(size), FRAME);
      expect(refusal(bytes, side)).toBe(id);
      expect(refusal(flip(bytes, bytes.length - 1), side)).toBe('decrypt');
    }
  });

  test.each([0, 1, 8, 1200])('when type 0 stands behind a prefix with a body of %i bytes, then type-zero on a server', (size) => {
    const bytes = sealFrame(0, 1n, new Uint8Array(size), FRAME);
    expect(toHex(bytes, 0, 1)).toBe('10');
    expect(refusal(bytes, 'server')).toBe('type-zero');
    expect(refusal(bytes, 'client')).toBe('type-not-allowed');
    expect(refusal(flip(bytes, 3), 'server')).toBe('decrypt');
  });

  test('when key, protocol id, sequence or prefix is another one, then decrypt', () => {
    const bytes = sealFrame(6, 0x0102n, NOTHING, FRAME);
    expect(refusal(bytes, 'server', { readKey: OTHER_KEY })).toBe('decrypt');
    expect(refusal(bytes, 'server', { protocolId: PROTOCOL_ID ^ (1n << 63n) })).toBe('decrypt');
    expect(refusal(flip(bytes, 2), 'server')).toBe('decrypt');
    expect(refusal(flip(bytes, 0, 0x02), 'server')).toBe('decrypt');
  });
});

describe('the replay window of a reader', () => {
  const keepAlive = (sequence: bigint): Uint8Array => sealFrame(4, sequence, new Uint8Array(8), FRAME);

  test('when an authentic packet comes twice, then the second is a replay', () => {
    for (const [type, size] of [
      [4, 8],
      [5, 1],
      [6, 0],
    ] as const) {
      const window = new ReplayWindow();
      const bytes = sealFrame(type, 77n, new Uint8Array(size), FRAME);
      expect(refusal(bytes, 'client', { window })).toMatch(/^accepted/);
      expect(refusal(bytes, 'client', { window })).toBe('replay');
      expect(refusal(bytes, 'client')).toMatch(/^accepted/);
    }
  });

  test('when a forged packet comes, then the window does not move and the true one is accepted', () => {
    const window = new ReplayWindow();
    expect(refusal(flip(keepAlive(5000n), 12), 'server', { window })).toBe('decrypt');
    expect(window.mostRecent).toBe(0n);
    expect(refusal(keepAlive(3n), 'server', { window })).toBe('accepted keepAlive');
    expect(refusal(keepAlive(5000n), 'server', { window })).toBe('accepted keepAlive');
    expect(refusal(keepAlive(4000n), 'server', { window })).toBe('replay');
  });

  test('when an authentic packet of a wrong size comes, then the window has moved', () => {
    const window = new ReplayWindow();
    expect(refusal(sealFrame(4, 600n, new Uint8Array(9), FRAME), 'server', { window })).toBe('size-keep-alive');
    expect(window.mostRecent).toBe(600n);
    expect(refusal(keepAlive(600n), 'server', { window })).toBe('replay');
    expect(refusal(keepAlive(344n), 'server', { window })).toBe('replay');
    expect(refusal(keepAlive(345n), 'server', { window })).toBe('accepted keepAlive');
  });

  test('when denied, challenge, response or type zero come, then the window neither refuses nor moves', () => {
    for (const [type, size, side] of [
      [1, 0, 'client'],
      [2, 308, 'client'],
      [3, 308, 'server'],
      [0, 5, 'server'],
    ] as const) {
      const window = new ReplayWindow();
      window.advance(9000n);
      const bytes = sealFrame(type, 9000n, new Uint8Array(size), FRAME);
      const low = sealFrame(type, 1n, new Uint8Array(size), FRAME);
      for (const frame of [bytes, bytes, low]) expect(refusal(frame, side, { window })).not.toBe('replay');
      expect(refusal(sealFrame(type, 1n << 63n, new Uint8Array(size), FRAME), side, { window })).not.toBe('replay');
      expect(window.mostRecent).toBe(9000n);
    }
  });
});
