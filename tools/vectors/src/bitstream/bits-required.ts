import { bitsRequired } from '@x/reliable/bits';
import { expectSame, readNumber } from '../fields.ts';
import { rowCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Widths of ranges: `[min, max, bits]`. */
export const replayBitsRequired: CaseReplayer = rowCase(3, ([min, max, bits]) => {
  expectSame('bits', bitsRequired(readNumber(min, 'min'), readNumber(max, 'max')), readNumber(bits, 'bits'));
});
