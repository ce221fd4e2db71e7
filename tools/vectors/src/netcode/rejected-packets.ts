import { ReplayWindow, readPacket } from '@x/netcode/protocol';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { checkOf } from './refusal.ts';

/** Datagrams that are refused, or surprisingly accepted: which check refuses and where the replay window stands afterwards. */
export const replayRejectedPacket: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  const side = fields.text('side');
  if (side !== 'server' && side !== 'client') throw new Error(`side: ${side} is unknown`);
  const window = new ReplayWindow();
  for (const sequence of fields.u64s('alreadyReceived')) window.advance(sequence);
  const result = readPacket(fields.bytes('packet'), {
    side,
    protocolId: fields.u64('protocolId'),
    unixSeconds: fields.u64('currentTimestamp'),
    minExpireTimestamp: fields.u64('minExpireTimestamp'),
    readKey: fields.optionalBytes('readKey'),
    privateKey: fields.optionalBytes('privateKey'),
    window,
  });
  fields.expectText('check', checkOf(result));
  fields.expectU64('mostRecentSequenceAfter', window.mostRecent);
});
