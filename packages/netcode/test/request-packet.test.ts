import { expect, test } from 'vitest';
import { nobleAead } from '../src/aead.ts';
import { readConnectToken } from '../src/connect-token.ts';
import { encodeRequest, REQUEST_BYTES, requestExpireTimestamp, RequestLimits, RequestReader } from '../src/request-packet.ts';
import { generateConnectToken } from '../src/token.ts';

const privateKey = new Uint8Array(32).fill(5);
const token = readConnectToken(
  generateConnectToken({ publicAddresses: ['127.0.0.1:1'], clientId: 1n, protocolId: 2n, privateKey, createTimestamp: 0x1_0000_0000n }),
);
const OFFSET = 7;
/** The request in the middle of a larger buffer, as a transport may hand it over. */
const padded = new Uint8Array(REQUEST_BYTES + 2 * OFFSET).fill(0xee);
padded.set(encodeRequest(token), OFFSET);

test('when a request lies within a larger buffer, then it is checked, opened and named by its own bytes', () => {
  const reader = new RequestReader(nobleAead, 2n);
  const limits = new RequestLimits();
  limits.setNow(0x1_0000_0000n);
  expect(reader.check(padded, OFFSET, limits)).toBeUndefined();
  expect(reader.open(padded, OFFSET, nobleAead.createKey(privateKey))).toBe(true);
  expect([...reader.mac]).toEqual([...token.privateData.subarray(1008)]);
  expect([...reader.nonce]).toEqual([...token.nonce]);
  expect(requestExpireTimestamp(padded, OFFSET)).toBe(token.expireTimestamp);
});

test('when a reader is wiped, then nothing of the private half is left', () => {
  const reader = new RequestReader(nobleAead, 2n);
  reader.open(padded, OFFSET, nobleAead.createKey(privateKey));
  expect(reader.plaintext.some((byte) => byte !== 0)).toBe(true);
  reader.wipe();
  expect(reader.plaintext.every((byte) => byte === 0)).toBe(true);
});
