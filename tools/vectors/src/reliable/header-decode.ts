import { readPacketHeader, writePacketHeader } from '@x/reliable/wire';
import type { PacketHeader } from '@x/reliable/wire';
import { toHex } from '@x/testkit';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Packet headers that are read, or refused. */
export const replayHeaderDecode: CaseReplayer = objectCase((fields) => {
  const bytes = fields.bytes('hex');
  const header: PacketHeader = { sequence: 0, ack: 0, ackBits: 0 };
  const result = readPacketHeader(bytes, 0, bytes.length, header);
  fields.expectBoolean('ok', typeof result === 'number');
  if (typeof result === 'string') {
    fields.expectText('reason', result);
    return;
  }
  fields.expectNumber('bytes', result);
  fields.expectNumber('sequence', header.sequence);
  fields.expectNumber('ack', header.ack);
  fields.expectNumber('ackBits', header.ackBits);
  const again = new Uint8Array(9);
  const length = writePacketHeader(again, 0, header.sequence, header.ack, header.ackBits);
  fields.expectBoolean('canonical', toHex(again, 0, length) === toHex(bytes, 0, result));
});
