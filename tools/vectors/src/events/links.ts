import { Link } from '@x/reliable/simulator';
import type { LinkConfig } from '@x/reliable/simulator';
import { toHex } from '@x/testkit';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

const OFFERED = /^(\d+) datagrams \[i,aa,55,i\] at time i\/60 s for i=0\.\.(\d+); then deliver\(i\/60\) for i=0\.\.(\d+)$/;

/** Links: what comes out in which call, and the counters. */
export const replayLink: CaseReplayer = objectCase((fields) => {
  fields.describeAny('name', 'note');
  const link = new Link(readLinkConfig(fields, 'config'), fields.u64('seed'));
  const offered = OFFERED.exec(fields.text('offered'));
  if (offered === null) throw new Error(`offered: ${fields.text('offered')} is not understood`);
  const [count, last, calls] = offered.slice(1).map(Number) as [number, number, number];
  expectSame('last datagram', last, count - 1);
  for (let i = 0; i < count; i++) link.send(i / 60, Uint8Array.of(i, 0xaa, 0x55, i));
  const delivered: unknown[] = [];
  for (let i = 0; i <= calls; i++) {
    link.deliver(i / 60, (bytes, offset, length) => delivered.push([i, toHex(bytes, offset, length)]));
  }
  fields.expectJson('delivered', delivered);
  expectLinkCounters(fields, 'counters', link);
});

/** Reads the five fields of a link. */
export function readLinkConfig(fields: Fields, key: string): LinkConfig {
  return fields.object(key, (config) => ({
    latency: config.number('latency'),
    jitter: config.number('jitter'),
    loss: config.number('loss'),
    duplicate: config.number('duplicate'),
    corrupt: config.number('corrupt'),
  }));
}

/** Compares the counters of a link. */
export function expectLinkCounters(fields: Fields, key: string, link: Link): void {
  fields.object(key, (expected) => {
    for (const [name, value] of Object.entries(link.counters)) expected.expectNumber(name, value);
  });
}
