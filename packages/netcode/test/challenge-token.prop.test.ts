import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openChallengeToken, sealChallengeToken } from '../src/protocol.ts';
import { bytesOf, key, u64 } from './support/codec-arbitraries.ts';
import { propertyOptions } from './support/codec-property.ts';
import { flip } from './support/codec-samples.ts';
import { openChallengeTwin, sealChallengeTwin } from './twins/token-twin.ts';
import { hexOf } from './twins/wire-hex.ts';

const REFUSED = { refused: 'challenge-decrypt' };

test('when any challenge token is sealed, then the bytes are those of the twin, and opening gives it back', () => {
  fc.assert(
    fc.property(u64, bytesOf(256), u64, key, (clientId, userData, sequence, secret) => {
      const sealed = sealChallengeToken({ clientId, userData }, sequence, secret);
      expect(hexOf(sealed)).toBe(hexOf(sealChallengeTwin(clientId, userData, sequence, secret)));
      const opened = openChallengeToken(sealed, sequence, secret);
      if ('refused' in opened) expect.fail(opened.refused);
      expect([opened.clientId, hexOf(opened.userData)]).toEqual([clientId, hexOf(userData)]);
      expect(openChallengeTwin(sealed, sequence, secret)).toEqual(opened);
    }),
    propertyOptions(80),
  );
});

test('when one byte, the sequence or the key is another, then nothing opens', () => {
  const change = fc.tuple(fc.nat(299), fc.integer({ min: 1, max: 255 }), fc.nat(63));
  fc.assert(
    fc.property(u64, bytesOf(256), u64, key, change, (clientId, userData, sequence, secret, [at, mask, bit]) => {
      const sealed = sealChallengeToken({ clientId, userData }, sequence, secret);
      expect(openChallengeToken(flip(sealed, at, mask), sequence, secret)).toEqual(REFUSED);
      expect(openChallengeToken(sealed, sequence ^ (1n << BigInt(bit)), secret)).toEqual(REFUSED);
      expect(openChallengeToken(sealed, sequence, flip(secret, at % 32, mask))).toEqual(REFUSED);
    }),
    propertyOptions(80),
  );
});

test('when any bytes are opened, then they are refused and nothing throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), bytesOf(300)), u64, key, (bytes, sequence, secret) => {
      expect(openChallengeToken(bytes, sequence, secret)).toEqual(REFUSED);
    }),
    propertyOptions(150),
  );
});
