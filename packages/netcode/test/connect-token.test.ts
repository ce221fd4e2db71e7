import { inspect } from 'node:util';
import { toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { addressEquals, formatAddress, parseAddress } from '../src/address.ts';
import { nobleAead } from '../src/aead.ts';
import type { AeadKey } from '../src/aead.ts';
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
import type { ConnectToken, PrivateConnectToken } from '../src/connect-token.ts';
import { KeyTable } from '../src/key-table.ts';
import {
  failureOf,
  flip,
  mintOptions,
  NOW,
  OTHER_KEY,
  PRIVATE_KEY,
  PROTOCOL_ID,
  samplePrivateToken,
  sampleToken,
} from './support/codec-samples.ts';
import { leaksOf } from './support/codec-secrets.ts';
import { openPrivateTwin } from './twins/token-twin.ts';

const MAX_U64 = (1n << 64n) - 1n;
const TIMEOUT_OFFSET = 1085;
const COUNT_OFFSET = 1089;
const FIRST_ADDRESS_OFFSET = 1093;

function refusal(bytes: Uint8Array): string {
  const read = decodeConnectToken(bytes);
  return 'refused' in read ? read.refused : 'accepted';
}

function privateRefusal(bytes: Uint8Array): string {
  const read = decodePrivateToken(bytes);
  return 'refused' in read ? read.refused : 'accepted';
}

/** A copy with a 32-bit number written at an offset. */
function withI32(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setInt32(offset, value, true);
  return copy;
}

describe('the public half', () => {
  const bytes = encodeConnectToken(sampleToken());
  const at = (offset: number, length: number): string => toHex(bytes, offset, length);

  test('when it is written, then every field stands at its offset', () => {
    const token = sampleToken();
    expect(bytes).toHaveLength(2048);
    expect(at(0, 13)).toBe('4e4554434f444520312e303200');
    expect(at(13, 8)).toBe('8877665544332211');
    expect(at(21, 8)).toBe('803bb16a00000000');
    expect(at(29, 8)).toBe('9e3bb16a00000000');
    expect(at(37, 24)).toBe(toHex(token.nonce));
    expect(at(61, 1024)).toBe(toHex(token.privateData));
    expect(at(TIMEOUT_OFFSET, 4)).toBe('05000000');
    expect(at(COUNT_OFFSET, 4)).toBe('02000000');
    expect(at(FIRST_ADDRESS_OFFSET, 7)).toBe('010a010203409c');
    expect(at(1100, 19)).toBe('020120b80d000000000000000000003412419c');
    expect(at(1119, 32)).toBe(toHex(token.clientToServerKey));
    expect(at(1151, 32)).toBe(toHex(token.serverToClientKey));
    expect(at(1183, 865)).toBe('00'.repeat(865));
  });

  test('when it is read, then all fields are equal and its bytes stay as they were', () => {
    const before = toHex(bytes);
    const { serverAddresses, ...fields } = decodeConnectToken(bytes) as ConnectToken;
    const { serverAddresses: expected, ...rest } = sampleToken();
    expect(fields).toEqual(rest);
    expect(serverAddresses.map(formatAddress)).toEqual(expected.map(formatAddress));
    expect(toHex(bytes)).toBe(before);
  });

  test('when the bytes change after reading, then the fields do not', () => {
    const copy = bytes.slice();
    const read = readConnectToken(copy);
    copy.fill(0xee);
    expect(toHex(encodeConnectToken(read))).toBe(toHex(bytes));
  });

  test('when it is a Buffer, whose slices are views, then the fields are copies all the same', () => {
    const buffer = Buffer.from(bytes);
    const read = readConnectToken(buffer);
    buffer.fill(0xee);
    expect(toHex(encodeConnectToken(read))).toBe(toHex(bytes));
    for (const field of [read.nonce, read.privateData, read.clientToServerKey, read.serverToClientKey]) {
      expect(Object.getPrototypeOf(field)).toBe(Uint8Array.prototype);
    }
  });

  test.each([0, 1, 61, 2047, 2049, 4096])('when it has %i bytes, then token-length', (length) => {
    const resized = new Uint8Array(length);
    resized.set(bytes.subarray(0, length));
    expect(refusal(resized)).toBe('token-length');
  });

  test('when any of the 13 version bytes differs, then token-version', () => {
    for (let i = 0; i < 13; i++) expect(refusal(flip(bytes, i, 0x20))).toBe('token-version');
  });

  test.each([
    [NOW, NOW, 'accepted'],
    [NOW + 1n, NOW, 'token-timestamps'],
    [NOW, NOW + 1n, 'accepted'],
    [0n, MAX_U64, 'accepted'],
    [MAX_U64, 0n, 'token-timestamps'],
    [MAX_U64, MAX_U64, 'accepted'],
    [1n << 63n, (1n << 63n) - 1n, 'token-timestamps'],
    [(1n << 63n) - 1n, 1n << 63n, 'accepted'],
    [1n << 32n, 0xffff_ffffn, 'token-timestamps'],
  ])('when it was created at %i and expires at %i, then %s', (createTimestamp, expireTimestamp, expected) => {
    expect(refusal(encodeConnectToken(sampleToken({ createTimestamp, expireTimestamp })))).toBe(expected);
  });

  test.each([0, -1, 33, 0x7fff_ffff, -0x8000_0000])('when it counts %i addresses, then token-address-count', (count) => {
    expect(refusal(withI32(bytes, COUNT_OFFSET, count))).toBe('token-address-count');
  });

  test('when it holds 32 addresses, then all are read', () => {
    const serverAddresses = Array.from({ length: 32 }, (_, i) => parseAddress(`[2001:db8::${i}:1]:${i + 1}`));
    const read = readConnectToken(encodeConnectToken(sampleToken({ serverAddresses })));
    expect(read.serverAddresses.map(formatAddress)).toEqual(serverAddresses.map(formatAddress));
    expect(read.serverToClientKey).toEqual(sampleToken().serverToClientKey);
  });

  test.each([0, 3, 255])('FF-14: when an address has the type %i, then token-address-type', (type) => {
    for (const offset of [FIRST_ADDRESS_OFFSET, FIRST_ADDRESS_OFFSET + 7]) {
      const copy = bytes.slice();
      copy[offset] = type;
      expect(refusal(copy)).toBe('token-address-type');
    }
  });

  test('when several things are wrong, then the first check names the refusal', () => {
    const all = withI32(flip(encodeConnectToken(sampleToken({ createTimestamp: NOW + 99n })), 0), COUNT_OFFSET, 0);
    expect(refusal(all.slice(0, 2047))).toBe('token-length');
    expect(refusal(all)).toBe('token-version');
    expect(refusal(flip(all, 0))).toBe('token-timestamps');
    const late = withI32(bytes, COUNT_OFFSET, 40);
    late[FIRST_ADDRESS_OFFSET] = 9;
    expect(refusal(late)).toBe('token-address-count');
  });

  test('when padding is not zero, addresses repeat, ports are 0 or timeouts odd, then it is accepted', () => {
    expect(refusal(flip(bytes, 2047, 0xff))).toBe('accepted');
    const twice = [parseAddress('1.2.3.4'), parseAddress('1.2.3.4')];
    expect(refusal(encodeConnectToken(sampleToken({ serverAddresses: twice })))).toBe('accepted');
    for (const timeoutSeconds of [0, -1, 0x7fff_ffff, -0x8000_0000]) {
      const read = readConnectToken(encodeConnectToken(sampleToken({ timeoutSeconds })));
      expect(read.timeoutSeconds).toBe(timeoutSeconds);
    }
  });

  test('when it cannot be read, then readConnectToken throws INVALID_CONNECT_TOKEN with the refusal id', () => {
    const error = failureOf(() => readConnectToken(flip(bytes, 3)));
    expect([error.code, error.field, error.reason]).toEqual(['INVALID_CONNECT_TOKEN', 'token', 'token-version']);
    expect(error.message).toContain('token-version');
    expect(leaksOf(inspect(error), bytes)).toEqual([]);
    for (const value of [undefined, 'text', [...bytes]]) {
      const misuse = failureOf(() => readConnectToken(value as unknown as Uint8Array));
      expect([misuse.kind, misuse.reason]).toEqual(['invalidConnectToken', 'token-length']);
    }
  });
});

describe('the private half', () => {
  const bytes = encodePrivateToken(samplePrivateToken());
  const at = (offset: number, length: number): string => toHex(bytes, offset, length);
  const sealing = { protocolId: PROTOCOL_ID, expireTimestamp: NOW + 30n, nonce: sampleToken().nonce, key: PRIVATE_KEY };

  test('when it is written, then every field stands at its offset', () => {
    const token = samplePrivateToken();
    expect(bytes).toHaveLength(1024);
    expect(at(0, 8)).toBe('1122334455667788');
    expect(at(8, 8)).toBe('0500000002000000');
    expect(at(16, 7)).toBe('01c0a80009409c');
    expect(at(23, 19)).toBe('0280fe0000000000000000000000000900419c');
    expect(at(42, 32)).toBe(toHex(token.clientToServerKey));
    expect(at(74, 32)).toBe(toHex(token.serverToClientKey));
    expect(at(106, 256)).toBe(toHex(token.userData));
    expect(at(362, 662)).toBe('00'.repeat(662));
  });

  test('when it is sealed and opened, then all fields are equal', () => {
    const sealed = sealPrivateToken(bytes, sealing);
    expect(sealed).toHaveLength(1024);
    expect(toHex(openPrivateTwin(sealed, PRIVATE_KEY, sealing.nonce, PROTOCOL_ID, NOW + 30n)!)).toBe(at(0, 1008));
    const opened = openPrivateToken(sealed, sealing) as Uint8Array;
    expect(toHex(opened)).toBe(toHex(bytes));
    const { serverAddresses, ...fields } = decodePrivateToken(opened) as PrivateConnectToken;
    const { serverAddresses: expected, ...rest } = samplePrivateToken();
    expect(fields).toEqual(rest);
    expect(serverAddresses.every((address, i) => addressEquals(address, expected[i]!))).toBe(true);
  });

  test.each([
    ['key', { key: OTHER_KEY }],
    ['protocol id', { protocolId: PROTOCOL_ID + 1n }],
    ['expiry', { expireTimestamp: NOW + 31n }],
    ['nonce', { nonce: flip(sealing.nonce, 23) }],
  ])('when the %s is another one, then request-decrypt', (_, part) => {
    expect(openPrivateToken(sealPrivateToken(bytes, sealing), { ...sealing, ...part })).toEqual({ refused: 'request-decrypt' });
  });

  test.each([0, -1, 33, -0x8000_0000])('when it counts %i addresses, then private-address-count', (count) => {
    expect(privateRefusal(withI32(bytes, 12, count))).toBe('private-address-count');
  });

  test.each([0, 3, 255])('FF-14: when an address has the type %i, then private-address-type', (type) => {
    const copy = bytes.slice();
    copy[23] = type;
    expect(privateRefusal(copy)).toBe('private-address-type');
    const token = readConnectToken(encodeConnectToken(sampleToken({ ...sealing, privateData: sealPrivateToken(copy, sealing) })));
    expect(openConnectToken(token, PRIVATE_KEY)).toBeUndefined();
  });

  test('when 1008 bytes were opened, then they can be read; fewer are a fault of the caller', () => {
    expect(privateRefusal(bytes.slice(0, 1008))).toBe('accepted');
    const error = failureOf(() => decodePrivateToken(bytes.slice(0, 1007)));
    expect([error.kind, error.field]).toEqual(['invalidConnectToken', 'plaintext']);
  });

  test.each([
    ['protocolId', 5, 'invalidId'],
    ['protocolId', -1n, 'invalidId'],
    ['expireTimestamp', 5, 'invalidExpiry'],
    ['expireTimestamp', 1n << 64n, 'invalidExpiry'],
    ['nonce', new Uint8Array(12), 'invalidOption'],
    ['key', new Uint8Array(31), 'invalidKey'],
    ['key', undefined, 'invalidKey'],
  ])('when it is sealed with a %s of %s, then %s', (field, value, kind) => {
    const sealed = new Uint8Array(1024);
    for (const call of [sealPrivateToken, openPrivateToken]) {
      const error = failureOf(() => call(sealed, { ...sealing, [field]: value }));
      expect([error.kind, error.field]).toEqual([kind, field]);
    }
  });

  test('when other than 1024 bytes are sealed or opened, then INVALID_CONNECT_TOKEN', () => {
    for (const length of [0, 1008, 1025]) {
      expect(failureOf(() => sealPrivateToken(new Uint8Array(length), sealing)).code).toBe('INVALID_CONNECT_TOKEN');
      expect(failureOf(() => openPrivateToken(new Uint8Array(length), sealing)).code).toBe('INVALID_CONNECT_TOKEN');
    }
  });
});

describe('secrets', () => {
  const userData = samplePrivateToken().userData;
  const token = readConnectToken(generateConnectToken(mintOptions({ userData })));
  const opened = openConnectToken(token, PRIVATE_KEY)!;

  test('when a secret does stand in a text, then the search finds it', () => {
    const secret = token.clientToServerKey;
    const spaced = toHex(secret).replaceAll(/(..)/g, '$1 ').toUpperCase();
    const forms = [inspect(secret), inspect(Buffer.from(secret)), JSON.stringify(secret), JSON.stringify([...secret]), spaced];
    const base64 = [0, 1, 2].map((shift) => Buffer.concat([Buffer.alloc(shift), secret]).toString('base64url'));
    for (const text of [...forms, ...base64, Buffer.from(secret).toString('latin1')]) expect(leaksOf(text, secret)).not.toEqual([]);
    expect(leaksOf(toHex(secret, 0, 7), secret)).toEqual([]);
  });

  test('FF-82: token objects keep keys, nonce and user data out of every text', () => {
    const secrets = [token.clientToServerKey, token.serverToClientKey, token.nonce, token.privateData, PRIVATE_KEY, userData];
    for (const object of [token, opened]) {
      const holder = { list: [object], cause: new Error('outer', { cause: object }) };
      const texts = [object, holder].flatMap((value) => [
        inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null }),
        inspect(value, { depth: Infinity, compact: false, getters: true }),
        JSON.stringify(value),
        // eslint-disable-next-line @typescript-eslint/no-base-to-string, @typescript-eslint/restrict-template-expressions -- what a careless log line does
        `${value}`,
      ]);
      for (const text of texts) for (const secret of secrets) expect(leaksOf(text, secret)).toEqual([]);
    }
  });

  test('FF-82: prepared keys and the table of keys show none of them', () => {
    const table = new KeyTable<AeadKey>();
    const [sendKey, receiveKey] = [token.serverToClientKey, token.clientToServerKey].map((bytes) => nobleAead.createKey(bytes));
    const times = { timeoutSeconds: 5, expireTime: 5, historyIndex: 0, historySerial: 1 };
    table.add({ address: parseAddress('10.0.0.1:5'), sendKey: sendKey!, receiveKey: receiveKey!, ...times }, 0);
    for (const value of [sendKey, table, table.mapping(0)]) {
      const text = inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null });
      for (const secret of [token.serverToClientKey, token.clientToServerKey]) {
        expect(leaksOf(text, secret)).toEqual([]);
        expect(leaksOf(JSON.stringify(value), secret)).toEqual([]);
      }
    }
  });

  test('when a token object is shown, then what is not secret is there', () => {
    const shared = { timeoutSeconds: 5, serverAddresses: ['203.0.113.7:40000', '[2001:db8::7]:40001'] };
    const own = { protocolId: String(PROTOCOL_ID), createTimestamp: '1790000000', expireTimestamp: '1790000030' };
    expect(JSON.parse(JSON.stringify(token))).toEqual({ ...own, ...shared });
    expect(inspect(token)).toContain("protocolId: '1234605616436508552'");
    expect(JSON.parse(JSON.stringify(opened))).toEqual({ clientId: '1234', ...shared });
    expect(Object.keys(opened)).toContain('userData');
  });
});
