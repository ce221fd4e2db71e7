import { BitMeasure, BitReader, BitWriter, intRelativeBits } from '@x/reliable/bits';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Relative integers, alone at position 0, in both directions. */
export const replayRelative: CaseReplayer = objectCase((fields) => {
  const previous = fields.number('previous');
  const current = fields.number('current');
  const expected = fields.bytes('hex');
  const buffer = new Uint8Array(expected.length);
  const writer = new BitWriter(buffer);
  writer.intRelative(previous, current);
  const measure = new BitMeasure();
  measure.intRelative(previous, current);
  for (const bits of [writer.bitPosition, measure.bitPosition, intRelativeBits(current - previous)]) fields.expectNumber('bits', bits);
  expectSame('length of hex', writer.finish(), expected.length);
  fields.expectBytes('hex', buffer);

  const reader = new BitReader();
  reader.reset(expected, 0, expected.length);
  fields.expectNumber('current', reader.intRelative(previous));
  expectSame('error', reader.error, 0);
  fields.expectNumber('bits', expected.length * 8 - reader.bitsRemaining);
});
