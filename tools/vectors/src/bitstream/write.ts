import { BitMeasure, BitReader, BitWriter } from '@x/reliable/bits';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { readOp, readValue, valueOf, withoutValue, writeOp } from './ops.ts';

/** Streams: written, measured, and read back with the same operations. */
export const replayWrite: CaseReplayer = objectCase((fields) => {
  fields.text('name');
  const ops = fields.list('ops').map((op, i) => readOp(op, `ops[${i}]`, true));
  const expected = fields.bytes('hex');
  const buffer = new Uint8Array(expected.length).fill(0xff);
  const writer = new BitWriter(buffer);
  const measure = new BitMeasure();
  for (const op of ops) {
    writeOp(writer, op);
    writeOp(measure, op);
  }
  fields.expectNumber('bits', writer.bitPosition);
  fields.expectNumber('bits', measure.bitPosition);
  expectSame('length of hex', writer.finish(), expected.length);
  fields.expectBytes('hex', buffer);

  const reader = new BitReader();
  reader.reset(expected, 0, expected.length);
  for (const op of ops) {
    const value = readValue(reader, expected, withoutValue(op));
    expectSame(`error of reading ${op.path}`, reader.error, 0);
    expectSame(`reading ${op.path}`, value, valueOf(op));
  }
  fields.expectNumber('bits', expected.length * 8 - reader.bitsRemaining);
});
