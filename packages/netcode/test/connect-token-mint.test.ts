import { inspect } from 'node:util';
import { SeededRandom, toHex } from '@x/testkit';
import { describe, expect, test, vi } from 'vitest';
import { formatAddress } from '../src/address.ts';
import { generateConnectToken, openConnectToken, readConnectToken } from '../src/connect-token.ts';
import type { ConnectToken, ConnectTokenOptions, PrivateConnectToken } from '../src/connect-token.ts';
import { readPacket, writePacket } from '../src/packet-codec.ts';
import { generateKey, randomBytes } from '../src/random.ts';
import { failureOf, mintOptions, NOW, OTHER_KEY, PRIVATE_KEY, PROTOCOL_ID } from './support/codec-samples.ts';
import { leaksOf } from './support/codec-secrets.ts';

const MAX_U64 = (1n << 64n) - 1n;
const TEN_YEARS = 10n * 365n * 86_400n;

/** Mints and reads both halves. */
function minted(parts: Partial<ConnectTokenOptions> = {}): { token: ConnectToken; opened: PrivateConnectToken } {
  const token = readConnectToken(generateConnectToken(mintOptions(parts)));
  return { token, opened: openConnectToken(token, PRIVATE_KEY)! };
}

function ports(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `10.0.0.1:${i + 1}`);
}

describe('generateConnectToken', () => {
  test('when only what is required is given, then both halves decode to it and to the defaults', () => {
    const { token, opened } = minted();
    expect([token.protocolId, token.createTimestamp, token.expireTimestamp]).toEqual([PROTOCOL_ID, NOW, NOW + 30n]);
    expect([token.timeoutSeconds, opened.timeoutSeconds, opened.clientId]).toEqual([5, 5, 1234n]);
    expect(token.serverAddresses.map(formatAddress)).toEqual(['203.0.113.7:40000', '[2001:db8::7]:40001']);
    expect(opened.serverAddresses.map(formatAddress)).toEqual(['203.0.113.7:40000', '[2001:db8::7]:40001']);
    expect(toHex(opened.userData)).toBe('00'.repeat(256));
    expect(opened.clientToServerKey).toEqual(token.clientToServerKey);
    expect(opened.serverToClientKey).toEqual(token.serverToClientKey);
    expect(token.clientToServerKey).not.toEqual(token.serverToClientKey);
  });

  test('when key and user data are Buffers, then they stay as they are and the token does not change with them', () => {
    const [privateKey, userData] = [Buffer.from(PRIVATE_KEY), Buffer.alloc(20, 7)];
    const bytes = generateConnectToken(mintOptions({ privateKey, userData }));
    expect([privateKey.equals(PRIVATE_KEY), userData.equals(Buffer.alloc(20, 7))]).toEqual([true, true]);
    const token = readConnectToken(bytes);
    const opened = openConnectToken(token, privateKey)!;
    expect(privateKey.equals(PRIVATE_KEY)).toBe(true);
    privateKey.fill(0);
    expect(openConnectToken(token, PRIVATE_KEY)?.userData).toEqual(opened.userData);
    expect(toHex(opened.userData)).toBe('07'.repeat(20).padEnd(512, '0'));
  });

  test('when no time of creation is given, then it is the present second of the wall clock', () => {
    vi.useFakeTimers({ now: 1_234_567_999 });
    const { token } = minted({ createTimestamp: undefined });
    vi.useRealTimers();
    expect([token.createTimestamp, token.expireTimestamp]).toEqual([1_234_567n, 1_234_597n]);
  });

  test('when a server is behind NAT, then the public list is in the public half and the internal one in the private half', () => {
    const { token, opened } = minted({ publicAddresses: ['203.0.113.1:1000'], internalAddresses: ['[fd00::5]:2000'] });
    expect(token.serverAddresses.map(formatAddress)).toEqual(['203.0.113.1:1000']);
    expect(opened.serverAddresses.map(formatAddress)).toEqual(['[fd00::5]:2000']);
  });

  test('when two tokens are minted, then nonce and keys differ, and the key of neither opens with another private key', () => {
    const [a, b] = [minted(), minted()];
    expect(a.token.nonce).not.toEqual(b.token.nonce);
    expect(a.token.clientToServerKey).not.toEqual(b.token.clientToServerKey);
    expect(a.token.serverToClientKey).not.toEqual(b.token.serverToClientKey);
    expect(openConnectToken(a.token, OTHER_KEY)).toBeUndefined();
    expect(failureOf(() => openConnectToken(a.token, OTHER_KEY.slice(1))).code).toBe('INVALID_KEY');
  });

  test('when the source of randomness repeats, then the token does, byte for byte; nonce and keys come from it', () => {
    const drawn: Uint8Array[] = [];
    const mint = (): Uint8Array => {
      const random = new SeededRandom(5);
      const source = (count: number): Uint8Array => {
        drawn.push(random.bytes(count));
        return drawn.at(-1)!.slice();
      };
      return generateConnectToken(mintOptions({ randomBytes: source }));
    };
    const bytes = mint();
    expect(mint()).toEqual(bytes);
    expect(drawn.slice(0, 3).map((draw) => draw.length)).toEqual([24, 32, 32]);
    const { nonce, clientToServerKey, serverToClientKey } = readConnectToken(bytes);
    expect([nonce, clientToServerKey, serverToClientKey]).toEqual(drawn.slice(0, 3));
  });

  test.each([
    [0n, MAX_U64],
    [MAX_U64, 0n],
    [(1n << 53n) + 1n, 1n << 63n],
  ])('when the ids are %i and %i, then no bit is lost', (clientId, protocolId) => {
    const { token, opened } = minted({ clientId, protocolId });
    expect([token.protocolId, opened.clientId]).toEqual([protocolId, clientId]);
  });

  test.each([
    [0, NOW],
    [1, NOW + 1n],
    [0x7fff_ffff, NOW + 0x7fff_ffffn],
    [-1, MAX_U64],
    [-0x8000_0000, MAX_U64],
  ])('when it lives %i seconds, then it expires at %i', (expireSeconds, expected) => {
    expect(minted({ expireSeconds }).token.expireTimestamp).toBe(expected);
  });

  test('when it expires in the last second there is, then that is accepted', () => {
    expect(minted({ createTimestamp: MAX_U64 - 30n }).token.expireTimestamp).toBe(MAX_U64);
  });

  test('FF-08: negative expiry and timeout mean never in both halves, also for a server ten years later', () => {
    const { token, opened } = minted({ expireSeconds: -1, timeoutSeconds: -1 });
    expect(token.expireTimestamp).toBe(0xffff_ffff_ffff_ffffn);
    expect([token.timeoutSeconds, opened.timeoutSeconds]).toEqual([-1, -1]);
    const request = writePacket({ type: 'request', ...token }, { protocolId: PROTOCOL_ID, sequence: 0n, key: PRIVATE_KEY });
    const late = NOW + TEN_YEARS;
    const options = { side: 'server', protocolId: PROTOCOL_ID, unixSeconds: late, minExpireTimestamp: late + 30n } as const;
    expect(readPacket(request, { ...options, privateKey: PRIVATE_KEY })).toMatchObject({ packet: { type: 'request' } });
  });
});

describe('FF-28: token address lists and the other arguments are checked', () => {
  test.each([1, 32])('when there are %i addresses, then they decode identically', (count) => {
    const { token, opened } = minted({ publicAddresses: ports(count) });
    expect(token.serverAddresses.map(formatAddress)).toEqual(ports(count));
    expect(opened.serverAddresses.map(formatAddress)).toEqual(ports(count));
  });

  test.each([0, 1, 255, 256])('when user data has %i bytes, then it is filled up with zeros to 256', (length) => {
    const userData = new SeededRandom(length).bytes(length);
    const { opened } = minted({ userData });
    expect(toHex(opened.userData)).toBe(toHex(userData).padEnd(512, '0'));
  });

  test.each<[keyof ConnectTokenOptions, unknown, string]>([
    ['publicAddresses', [], 'addressCount'],
    ['publicAddresses', ports(33), 'addressCount'],
    ['publicAddresses', undefined, 'addressCount'],
    ['publicAddresses', '10.0.0.1:5', 'addressCount'],
    ['internalAddresses', [], 'addressCount'],
    ['internalAddresses', ports(33), 'addressCount'],
    ['internalAddresses', ports(1), 'addressCountMismatch'],
    ['internalAddresses', ports(3), 'addressCountMismatch'],
    ['publicAddresses', ['10.0.0.1:5', 'game.example.org:40000'], 'invalidAddress'],
    ['publicAddresses', ['10.0.0.1:5', '10.0.0.1:0'], 'invalidAddress'],
    ['publicAddresses', ['10.0.0.1:5', '10.0.0.1'], 'invalidAddress'],
    ['publicAddresses', ['[::1]:5', '[::1]'], 'invalidAddress'],
    ['publicAddresses', ['10.0.0.1:5', 5], 'invalidAddress'],
    ['internalAddresses', ['10.0.0.1:5', 'game.example.org:40000'], 'invalidAddress'],
    ['internalAddresses', ['10.0.0.1:0', '10.0.0.1:5'], 'invalidAddress'],
    ['clientId', 5, 'invalidId'],
    ['clientId', undefined, 'invalidId'],
    ['clientId', -1n, 'invalidId'],
    ['clientId', MAX_U64 + 1n, 'invalidId'],
    ['protocolId', 5, 'invalidId'],
    ['protocolId', -1n, 'invalidId'],
    ['protocolId', MAX_U64 + 1n, 'invalidId'],
    ['privateKey', PRIVATE_KEY.slice(1), 'invalidKey'],
    ['privateKey', new Uint8Array(33), 'invalidKey'],
    ['privateKey', [...PRIVATE_KEY], 'invalidKey'],
    ['privateKey', toHex(PRIVATE_KEY), 'invalidKey'],
    ['expireSeconds', 1.5, 'invalidExpiry'],
    ['expireSeconds', NaN, 'invalidExpiry'],
    ['expireSeconds', Infinity, 'invalidExpiry'],
    ['expireSeconds', 0x8000_0000, 'invalidExpiry'],
    ['expireSeconds', -0x8000_0001, 'invalidExpiry'],
    ['expireSeconds', 30n, 'invalidExpiry'],
    ['expireSeconds', '30', 'invalidExpiry'],
    ['timeoutSeconds', 1.5, 'invalidTimeout'],
    ['timeoutSeconds', NaN, 'invalidTimeout'],
    ['timeoutSeconds', 0x8000_0000, 'invalidTimeout'],
    ['timeoutSeconds', -0x8000_0001, 'invalidTimeout'],
    ['timeoutSeconds', '5', 'invalidTimeout'],
    ['userData', new Uint8Array(257), 'invalidUserData'],
    ['userData', 'text', 'invalidUserData'],
    ['userData', [1, 2], 'invalidUserData'],
    ['createTimestamp', 1_790_000_000, 'invalidExpiry'],
    ['createTimestamp', -1n, 'invalidExpiry'],
    ['createTimestamp', MAX_U64 + 1n, 'invalidExpiry'],
  ])('when %s is %s, then %s before anything is drawn', (field, value, kind) => {
    const draw = vi.fn(randomBytes);
    const error = failureOf(() => generateConnectToken(mintOptions({ randomBytes: draw, [field]: value })));
    expect([error.kind, error.field]).toEqual([kind, field]);
    expect(error.message).toContain(field);
    expect(draw).not.toHaveBeenCalled();
    expect(leaksOf(inspect(error, { showHidden: true, depth: Infinity }), PRIVATE_KEY)).toEqual([]);
  });

  test('when the list has holes, then INVALID_ADDRESS before anything is drawn', () => {
    const draw = vi.fn(randomBytes);
    const holes = new Array<string>(2);
    holes[1] = '10.0.0.1:5';
    for (const lists of [{ publicAddresses: holes }, { publicAddresses: ports(2), internalAddresses: holes }]) {
      const error = failureOf(() => generateConnectToken(mintOptions({ randomBytes: draw, ...lists })));
      expect(error.kind).toBe('invalidAddress');
    }
    expect(draw).not.toHaveBeenCalled();
  });

  test('when the expiry would pass the end of 64 bits, then INVALID_EXPIRY before anything is drawn', () => {
    const draw = vi.fn(randomBytes);
    const error = failureOf(() => generateConnectToken(mintOptions({ randomBytes: draw, createTimestamp: MAX_U64, expireSeconds: 1 })));
    expect([error.kind, error.field]).toEqual(['invalidExpiry', 'expireSeconds']);
    expect(draw).not.toHaveBeenCalled();
  });

  test.each([5, 'x', {}])('when randomBytes is %s, then INVALID_OPTION', (value) => {
    const error = failureOf(() => generateConnectToken(mintOptions({ randomBytes: value as never })));
    expect([error.kind, error.field]).toEqual(['invalidOption', 'randomBytes']);
  });

  test.each([31, 33, 0])('when a source gives %i bytes instead of 32, then the token is not minted', (length) => {
    const source = (count: number): Uint8Array => new Uint8Array(count === 32 ? length : count);
    const error = failureOf(() => generateConnectToken(mintOptions({ randomBytes: source })));
    expect([error.kind, error.field]).toEqual(['invalidOption', 'randomBytes']);
    expect(failureOf(() => generateConnectToken(mintOptions({ randomBytes: () => [] as never }))).kind).toBe('invalidOption');
  });
});

describe('random bytes', () => {
  test('when keys are made, then they have 32 bytes and never repeat', () => {
    const keys = Array.from({ length: 50 }, generateKey);
    expect(keys.every((key) => key.length === 32)).toBe(true);
    expect(new Set(keys.map((key) => toHex(key))).size).toBe(50);
  });

  test('when more is asked for than the system gives at once, then every part is filled', () => {
    const bytes = randomBytes(200_001);
    expect(bytes).toHaveLength(200_001);
    for (let i = 0; i < 200_000; i += 50_000) expect(new Set(bytes.subarray(i, i + 50_000)).size).toBe(256);
    expect(new Set(bytes.subarray(199_901)).size).toBeGreaterThan(30);
    expect(randomBytes(0)).toHaveLength(0);
  });

  test.each([-1, 1.5, NaN, '5', undefined])('when %s bytes are asked for, then INVALID_OPTION', (count) => {
    const error = failureOf(() => randomBytes(count as number));
    expect([error.kind, error.field]).toEqual(['invalidOption', 'count']);
  });
});
