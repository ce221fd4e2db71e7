import { readFragment } from '@x/reliable/wire';
import type { FragmentHeader } from '@x/reliable/wire';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Fragments that are read, or refused. */
export const replayFragmentDecode: CaseReplayer = objectCase((fields) => {
  const bytes = fields.bytes('hex');
  const limits = { maxFragments: fields.number('maxFragments'), fragmentSize: fields.number('fragmentSize') };
  const fragment: FragmentHeader = { sequence: 0, ack: 0, ackBits: 0, fragmentId: 0, fragmentCount: 0, dataOffset: 0, dataLength: 0 };
  const refusal = readFragment(bytes, limits, fragment);
  fields.expectBoolean('ok', refusal === undefined);
  if (refusal !== undefined) {
    fields.expectText('reason', refusal);
    return;
  }
  fields.expectNumber('fragmentId', fragment.fragmentId);
  fields.expectNumber('numFragments', fragment.fragmentCount);
  fields.expectNumber('fragmentBytes', fragment.dataLength);
  fields.expectNumber('sequence', fragment.sequence);
  fields.expectNumber('ack', fragment.ack);
  fields.expectNumber('ackBits', fragment.ackBits);
  expectSame('end of the data', fragment.dataOffset + fragment.dataLength, bytes.length);
});
