import { expect, test } from 'vitest';
import { DISCONNECT_REASON_CODES, disconnectReasonOf, isDisconnectReason } from '../src/disconnect-reason.ts';

test('when reasons are coded, then the codes are those of the table and lead back', () => {
  expect(Object.entries(DISCONNECT_REASON_CODES)).toEqual([
    ['requested', 0],
    ['remote', 1],
    ['timeout', 2],
    ['denied', 3],
    ['authentication', 4],
    ['protocolMismatch', 5],
    ['schemaMismatch', 6],
    ['malformedData', 7],
    ['handshakeTimeout', 8],
    ['transportError', 9],
  ]);
  for (const [reason, code] of Object.entries(DISCONNECT_REASON_CODES)) expect(disconnectReasonOf(code)).toBe(reason);
  expect(disconnectReasonOf(10)).toBeUndefined();
  expect(Object.isFrozen(DISCONNECT_REASON_CODES)).toBe(true);
});

test.each(['timedOut', 'toString', '__proto__', '', 2, undefined])('when %s is asked for, then it is no reason', (value) => {
  expect(isDisconnectReason(value)).toBe(false);
});
