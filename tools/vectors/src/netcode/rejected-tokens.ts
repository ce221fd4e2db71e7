import { decodeConnectToken, decodePrivateToken, openChallengeToken } from '@x/netcode/protocol';
import { NetcodeError, readConnectToken } from '@x/netcode/token';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { ACCEPTED, checkOf } from './refusal.ts';

/** Public tokens: the check that refuses, from the reader for tools and from the one for applications. */
export const replayRejectedConnectToken: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  fields.expectText('check', checkOf(decodeConnectToken(fields.bytes('token'))));
  fields.expectText('check', checkOfReadConnectToken(fields.bytes('token')));
});

/** Private tokens, already decrypted. */
export const replayRejectedPrivateToken: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  fields.expectText('check', checkOf(decodePrivateToken(fields.bytes('plaintext'))));
});

/** Challenge tokens. */
export const replayRejectedChallengeToken: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  fields.expectText('check', checkOf(openChallengeToken(fields.bytes('encrypted'), fields.u64('sequence'), fields.bytes('key'))));
});

function checkOfReadConnectToken(token: Uint8Array): string | undefined {
  try {
    readConnectToken(token);
    return ACCEPTED;
  } catch (error) {
    if (!NetcodeError.is(error) || error.kind !== 'invalidConnectToken') throw error;
    return error.reason;
  }
}
