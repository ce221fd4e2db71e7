import { toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { nobleAead } from '../src/aead.ts';
import { decodeChallengeToken, encodeChallengeToken, openChallenge, sealChallenge } from '../src/challenge-token.ts';
import { openChallengeToken, sealChallengeToken } from '../src/protocol.ts';
import { failureOf, flip, OTHER_KEY, samplePrivateToken, SESSION_KEY } from './support/codec-samples.ts';
import { openChallengeTwin } from './twins/token-twin.ts';

const token = { clientId: 0x8877_6655_4433_2211n, userData: samplePrivateToken().userData };
const SEQUENCE = 0x0102_0304_0506_0708n;
const MAX_U64 = (1n << 64n) - 1n;

describe('challenge token', () => {
  test('when it is laid out, then id and user data come first and 36 zeros last', () => {
    const bytes = encodeChallengeToken(token);
    expect(bytes).toHaveLength(300);
    expect(toHex(bytes, 0, 8)).toBe('1122334455667788');
    expect(toHex(bytes, 8, 256)).toBe(toHex(token.userData));
    expect(toHex(bytes, 264)).toBe('00'.repeat(36));
    expect(decodeChallengeToken(bytes)).toEqual(token);
  });

  test.each([0n, 1n, 0xffff_ffffn, 1n << 32n, SEQUENCE, 1n << 63n, MAX_U64])(
    'when it is sealed with the sequence %i, then it opens with that one alone',
    (sequence) => {
      const sealed = sealChallengeToken(token, sequence, SESSION_KEY);
      expect(sealed).toHaveLength(300);
      expect(openChallengeToken(sealed, sequence, SESSION_KEY)).toEqual(token);
      expect(openChallengeTwin(sealed, sequence, SESSION_KEY)).toEqual(token);
      for (const other of [sequence ^ 1n, sequence ^ (1n << 32n), sequence ^ (1n << 63n)]) {
        expect(openChallengeToken(sealed, other, SESSION_KEY)).toEqual({ refused: 'challenge-decrypt' });
      }
    },
  );

  test('when the key is that of another run, then challenge-decrypt', () => {
    const sealed = sealChallengeToken(token, SEQUENCE, SESSION_KEY);
    expect(openChallengeToken(sealed, SEQUENCE, OTHER_KEY)).toEqual({ refused: 'challenge-decrypt' });
  });

  test.each([0, 7, 8, 263, 264, 283, 284, 299])('when byte %i is damaged, then challenge-decrypt', (at) => {
    const sealed = sealChallengeToken(token, SEQUENCE, SESSION_KEY);
    expect(openChallengeToken(flip(sealed, at), SEQUENCE, SESSION_KEY)).toEqual({ refused: 'challenge-decrypt' });
  });

  test.each([0, 16, 299, 301, 360])('FF-14: when it has %i bytes instead of 300, then challenge-decrypt', (length) => {
    const resized = new Uint8Array(length);
    resized.set(sealChallengeToken(token, SEQUENCE, SESSION_KEY).subarray(0, length));
    expect(openChallengeToken(resized, SEQUENCE, SESSION_KEY)).toEqual({ refused: 'challenge-decrypt' });
  });

  test('when it is opened, then the input stays and the result is its own', () => {
    const sealed = sealChallengeToken(token, SEQUENCE, SESSION_KEY);
    const before = toHex(sealed);
    const opened = openChallengeToken(sealed, SEQUENCE, SESSION_KEY);
    expect(toHex(sealed)).toBe(before);
    sealed.fill(0);
    expect(opened).toEqual(token);
  });

  test('when it is sealed into the middle of a buffer, then only its 300 bytes change', () => {
    const key = nobleAead.createKey(SESSION_KEY);
    const buffer = new Uint8Array(320).fill(0xa5);
    sealChallenge(nobleAead, key, 0x0102_0304, 0x0506_0708, token, buffer, 11);
    expect(toHex(buffer, 0, 11)).toBe('a5'.repeat(11));
    expect(toHex(buffer, 311)).toBe('a5'.repeat(9));
    expect(toHex(buffer, 11, 300)).toBe(toHex(sealChallengeToken(token, SEQUENCE, SESSION_KEY)));
    expect(openChallenge(nobleAead, key, 0x0102_0304, 0x0506_0708, buffer, 11)).toEqual(token);
    expect(openChallenge(nobleAead, key, 0x0506_0708, 0x0102_0304, buffer, 11)).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['clientId', 5, 'invalidId'],
    ['clientId', -1n, 'invalidId'],
    ['userData', new Uint8Array(255), 'invalidUserData'],
    ['userData', new Uint8Array(257), 'invalidUserData'],
    ['sequence', 5, 'invalidOption'],
    ['sequence', MAX_U64 + 1n, 'invalidOption'],
    ['key', new Uint8Array(31), 'invalidKey'],
  ])('when the %s is %s, then %s', (field, value, kind) => {
    const given = { ...token, sequence: SEQUENCE, key: SESSION_KEY, [field]: value };
    const error = failureOf(() => sealChallengeToken(given, given.sequence, given.key));
    expect([error.kind, error.field]).toEqual([kind, field]);
  });

  test('when it is opened with a wrong kind of key or sequence, then it throws', () => {
    const sealed = new Uint8Array(300);
    expect(failureOf(() => openChallengeToken(sealed, SEQUENCE, new Uint8Array(33))).kind).toBe('invalidKey');
    expect(failureOf(() => openChallengeToken(sealed, -1n, SESSION_KEY)).field).toBe('sequence');
  });
});
