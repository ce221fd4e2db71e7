import { SequenceBuffer } from '@x/reliable/wire';
import { expectSame, readNumber, shown } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Scripts for a sequence buffer: `[op, sequence, result, next, ack, ackBits]`, the last three after the operation. */
export const replaySequenceBuffer: CaseReplayer = objectCase((fields) => {
  const buffer = new SequenceBuffer(fields.number('size'));
  for (const [i, row] of fields.list('ops').entries()) {
    const path = `ops[${i}]`;
    if (!Array.isArray(row) || row.length !== 6) throw new Error(`${path}: expected a list of 6, got ${shown(row)}`);
    const [op, sequence, result, next, ack, ackBits] = row as unknown[];
    expectSame(`${path} result`, run(buffer, op, readNumber(sequence, path), path), result);
    expectSame(`${path} next`, buffer.next, next);
    expectSame(`${path} ack`, buffer.ack(), ack);
    expectSame(`${path} ackBits`, buffer.ackBits(), ackBits);
  }
});

function run(buffer: SequenceBuffer, op: unknown, sequence: number, path: string): boolean {
  switch (op) {
    case 'insert':
      return buffer.insert(sequence);
    case 'insertAdvanceFirst':
      return buffer.insertAdvanceFirst(sequence);
    case 'testInsert':
      return buffer.canInsert(sequence);
    case 'exists':
      return buffer.exists(sequence);
    case 'advance':
      buffer.advance(sequence);
      return true;
    case 'remove':
      buffer.remove(sequence);
      return true;
    default:
      throw new Error(`${path}: ${shown(op)} is unknown`);
  }
}
