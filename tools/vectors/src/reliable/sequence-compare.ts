import { Seq16 } from '@x/reliable';
import { expectSame, readNumber } from '../fields.ts';
import { rowCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Order of sequences: `[a, b, greaterThan, lessThan]`. */
export const replaySequenceCompare: CaseReplayer = rowCase(4, ([left, right, greaterThan, lessThan]) => {
  const a = readNumber(left, 'a');
  const b = readNumber(right, 'b');
  expectSame('greaterThan', Seq16.isNewer(a, b), greaterThan);
  expectSame('lessThan', Seq16.isOlder(a, b), lessThan);
});
