import { createHash } from 'node:crypto';
import { ConnectionShared } from '@x/reliable';
import { toHex } from '@x/testkit';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { expectCounters } from './case.ts';
import { catalogueNamed, readConfig } from './catalogue.ts';
import { expectLinkCounters, readLinkConfig } from './links.ts';
import { playRun, testPayload } from './run-scripts.ts';
import type { Run } from './run-scripts.ts';
import { watchedPair } from './watched-pair.ts';

const DT = 1 / 60;
/** Runs whose reliable events must arrive exactly once and in order. */
const IN_ORDER = /^(lossy_|id_wrap|fragmented_)/;

/** Whole simulated runs: every counter of both ends and links, and a digest of all datagrams. */
export const replayRun: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('note', 'source');
  fields.expectText('dt', '1/60');
  const catalogue = catalogueNamed(file, fields.text('schema'));
  const shared = ConnectionShared.create(catalogue, readConfig(fields, 'config'));
  const link = readLinkConfig(fields, 'link');
  const digest = createHash('sha256');
  const prefix = new Uint8Array(3);
  const pair = watchedPair({ sharedA: shared, sharedB: shared, aToB: link, bToA: link, seed: fields.u64('seed') }, (isFromB, datagram) => {
    prefix[0] = isFromB ? 1 : 0;
    prefix[1] = datagram.length & 0xff;
    prefix[2] = datagram.length >>> 8;
    digest.update(prefix).update(datagram);
  });
  const run: Run = { pair, catalogue, steps: 0, received: [], extras: new Map() };
  const maxSteps = fields.number('handshakeMaxSteps');
  while (run.steps < maxSteps && !pair.handshake(DT, 1)) run.steps++;
  if (pair.time > 0) run.steps++;
  expectSame('handshake', pair.handshake(DT, 0), true);
  fields.expectNumber('handshakeSteps', run.steps);
  playRun(run, fields.text('how'));

  fields.object('expect', (expected) => {
    expected.expectNumber('steps', run.steps);
    expected.expectNumber('time', pair.time);
    expectCounters(expected, 'a', pair.a.counters);
    expectCounters(expected, 'b', pair.b.counters);
    expectLinkCounters(expected, 'aToB', pair.aToB);
    expectLinkCounters(expected, 'bToA', pair.bToA);
    expected.expectText('datagramDigest', digest.digest('hex'));
    for (const [name, value] of run.extras) if (expected.has(name)) expected.expectJson(name, value);
  });
  if (IN_ORDER.test(fields.text('name'))) expectInOrder(run);
});

function expectInOrder({ received }: Run): void {
  for (const [i, { payload }] of received.entries()) {
    expectSame(`received[${i}]`, payload, toHex(testPayload(i, payload.length / 2)));
  }
}
