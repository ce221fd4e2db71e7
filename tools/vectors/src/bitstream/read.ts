import { BIT_ERRORS, BitReader } from '@x/reliable/bits';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { readOp, readValue } from './ops.ts';

/** Streams that are read, up to the end or to the first failure. */
export const replayRead: CaseReplayer = objectCase((fields) => {
  fields.text('name');
  const bytes = fields.bytes('hex');
  const ops = fields.list('ops').map((op, i) => readOp(op, `ops[${i}]`, false));
  const values = fields.list('values');
  const reader = new BitReader();
  reader.reset(bytes, 0, bytes.length);
  for (const [i, op] of ops.entries()) {
    const value = readValue(reader, bytes, op);
    if (reader.error !== 0) {
      fields.expectNumber('failsAt', i);
      fields.expectText('error', BIT_ERRORS[reader.error]);
      expectSame('length of values', i, values.length);
      return;
    }
    expectSame(`values[${i}]`, value, values[i]);
  }
  expectSame('length of values', ops.length, values.length);
  fields.expectNumber('bits', bytes.length * 8 - reader.bitsRemaining);
});
