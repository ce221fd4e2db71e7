import { writePacketHeader } from '@x/reliable/wire';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Packet headers that are written. */
export const replayHeaderEncode: CaseReplayer = objectCase((fields) => {
  const out = new Uint8Array(9);
  const length = writePacketHeader(out, 0, fields.number('sequence'), fields.number('ack'), fields.number('ackBits'));
  fields.expectBytes('hex', out.subarray(0, length));
});
