import { ReplayWindow } from '@x/netcode/protocol';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Scripts for the replay window, starting from a reset window that was used before. */
export const replayReplayScript: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  const window = new ReplayWindow();
  for (const sequence of [0n, 5n, 0xffff_ffff_ffff_ffffn]) window.advance(sequence);
  window.reset();
  fields.each('steps', (step) => {
    const op = step.text('op');
    const sequence = step.u64('sequence');
    if (op === 'check') {
      step.expectBoolean('alreadyReceived', window.alreadyReceived(sequence));
    } else if (op === 'advance') {
      window.advance(sequence);
      step.expectU64('mostRecent', window.mostRecent);
    } else {
      throw new Error(`${step.at('op')}: ${op} is unknown`);
    }
  });
});
