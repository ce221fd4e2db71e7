import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeConnectToken,
  decodePrivateToken,
  encodeConnectToken,
  encodePrivateToken,
  generateConnectToken,
  openConnectToken,
  openPrivateToken,
  readConnectToken,
  sealPrivateToken,
} from '../src/connect-token.ts';
import { formatAddress } from '../src/address.ts';
import { addressList, bytesOf, connectToken, i32, key, privateToken, u64 } from './support/codec-arbitraries.ts';
import { propertyOptions } from './support/codec-property.ts';
import { flip } from './support/codec-samples.ts';
import { openPrivateTwin, readPrivateTwin, readTokenTwin, sealPrivateTwin, writePrivateTwin, writeTokenTwin } from './twins/token-twin.ts';
import { hexOf } from './twins/wire-hex.ts';

/** A token or private half as comparable data: bytes in hex, addresses as bytes and port; a refusal as its id. */
function comparable(read: object | string): unknown {
  if (typeof read === 'string') return read;
  if ('refused' in read) return read.refused;
  const flat = Object.entries(read).map(([name, value]: [string, unknown]) => {
    if (value instanceof Uint8Array) return [name, hexOf(value)];
    if (Array.isArray(value)) return [name, value.map(({ bytes, port }: { bytes: Uint8Array; port: number }) => `${hexOf(bytes)} ${port}`)];
    return [name, value];
  });
  return Object.fromEntries(flat) as unknown;
}

const OFFSETS = [0, 12, 13, 20, 21, 28, 29, 36, 37, 60, 61, 1084, 1085, 1089, 1090, 1092, 1093, 1100, 1112, 2047];
const damage = fc.array(fc.tuple(fc.oneof(fc.nat(2047), fc.constantFrom(...OFFSETS)), fc.integer({ min: 1, max: 255 })), {
  minLength: 1,
  maxLength: 4,
});

test('when any public half is written, then the bytes are those of the table and reading gives the fields back', () => {
  fc.assert(
    fc.property(connectToken, (token) => {
      const bytes = encodeConnectToken(token);
      expect(hexOf(bytes)).toBe(hexOf(writeTokenTwin(token)));
      expect(comparable(decodeConnectToken(bytes))).toEqual(comparable(token));
    }),
    propertyOptions(60),
  );
});

test('when a public half is damaged, then it is read or refused as the table says, and nothing throws', () => {
  fc.assert(
    fc.property(connectToken, damage, (token, changes) => {
      const bytes = changes.reduce<Uint8Array>((copy, [at, mask]) => flip(copy, at, mask), encodeConnectToken(token));
      expect(comparable(decodeConnectToken(bytes))).toEqual(comparable(readTokenTwin(bytes)));
    }),
    propertyOptions(200),
  );
});

test('when any bytes are read as a public half, then nothing throws and the twin agrees', () => {
  const version = Uint8Array.from(Buffer.from('NETCODE 1.02\0', 'latin1'));
  const almost = fc
    .tuple(bytesOf(2048), fc.nat(40), fc.array(fc.constantFrom(0, 1, 2, 3), { minLength: 8, maxLength: 8 }))
    .map(([bytes, count, types]) => {
      bytes.set(version);
      bytes.fill(0, 21, 29);
      bytes.set([count, 0, 0, 0, ...types], 1089);
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(almost, fc.uint8Array({ maxLength: 3000 }), bytesOf(2048)), (bytes) => {
      expect(comparable(decodeConnectToken(bytes))).toEqual(comparable(readTokenTwin(bytes)));
    }),
    propertyOptions(200),
  );
});

test('when any private half is written, then the bytes are those of the table and reading gives the fields back', () => {
  fc.assert(
    fc.property(privateToken, (token) => {
      const bytes = encodePrivateToken(token);
      expect(hexOf(bytes)).toBe(hexOf(writePrivateTwin(token)));
      expect(comparable(decodePrivateToken(bytes))).toEqual(comparable(token));
    }),
    propertyOptions(80),
  );
});

test('when any 1008 bytes or more are read as a private half, then nothing throws and the twin agrees', () => {
  const counted = fc
    .tuple(fc.uint8Array({ minLength: 1008, maxLength: 1024 }), fc.nat(34), fc.constantFrom(1, 2, 3))
    .map(([bytes, count, type]) => {
      bytes.set([count, 0, 0, 0, type], 12);
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(counted, bytesOf(1008), bytesOf(1024)), (bytes) => {
      expect(comparable(decodePrivateToken(bytes))).toEqual(comparable(readPrivateTwin(bytes)));
    }),
    propertyOptions(150),
  );
});

test('when a private half is sealed, then the twin opens it and the reverse; with one byte changed nobody does', () => {
  fc.assert(
    fc.property(
      fc.record({ plain: bytesOf(1024), key, nonce: bytesOf(24), protocolId: u64, expireTimestamp: u64 }),
      fc.nat(1023),
      fc.integer({ min: 1, max: 255 }),
      ({ plain, ...sealing }, at, mask) => {
        const { protocolId, expireTimestamp, nonce } = sealing;
        const sealed = sealPrivateToken(plain, sealing);
        expect(hexOf(sealed)).toBe(hexOf(sealPrivateTwin(plain, sealing.key, nonce, protocolId, expireTimestamp)));
        const opened = openPrivateToken(sealed, sealing) as Uint8Array;
        expect(hexOf(opened)).toBe(hexOf(openPrivateTwin(sealed, sealing.key, nonce, protocolId, expireTimestamp)!).padEnd(2048, '0'));
        expect(openPrivateToken(flip(sealed, at, mask), sealing)).toEqual({ refused: 'request-decrypt' });
        expect(openPrivateToken(sealed, { ...sealing, nonce: flip(nonce, at % 24, mask) })).toEqual({ refused: 'request-decrypt' });
      },
    ),
    propertyOptions(60),
  );
});

test('when a token is minted from any options, then both halves give them back and agree on what they share', () => {
  const dialled = addressList.map((list) =>
    list.map((address) => formatAddress({ ...address, port: address.port === 0 ? 1 : address.port })),
  );
  const options = fc.record({
    publicAddresses: dialled,
    clientId: u64,
    protocolId: u64,
    privateKey: key,
    expireSeconds: i32,
    timeoutSeconds: i32,
    userData: fc.uint8Array({ maxLength: 256 }),
    createTimestamp: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n - 0x8000_0000n }),
  });
  fc.assert(
    fc.property(options, (o) => {
      const token = readConnectToken(generateConnectToken(o));
      const opened = openConnectToken(token, o.privateKey)!;
      expect(token.serverAddresses.map(formatAddress)).toEqual(o.publicAddresses);
      expect(opened.serverAddresses.map(formatAddress)).toEqual(o.publicAddresses);
      expect([token.protocolId, token.createTimestamp, opened.clientId]).toEqual([o.protocolId, o.createTimestamp, o.clientId]);
      const never = 2n ** 64n - 1n;
      expect(token.expireTimestamp).toBe(o.expireSeconds < 0 ? never : o.createTimestamp + BigInt(o.expireSeconds));
      expect([token.timeoutSeconds, opened.timeoutSeconds]).toEqual([o.timeoutSeconds, o.timeoutSeconds]);
      expect(hexOf(opened.userData)).toBe(hexOf(o.userData).padEnd(512, '0'));
      expect(opened.clientToServerKey).toEqual(token.clientToServerKey);
      expect(opened.serverToClientKey).toEqual(token.serverToClientKey);
    }),
    propertyOptions(50),
  );
});
