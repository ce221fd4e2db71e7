import { ConnectionShared } from '@x/reliable';
import { PERFECT } from '@x/reliable/simulator';
import type { Pair } from '@x/reliable/simulator';
import { toHex } from '@x/testkit';
import { readBytes } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { expectCounters, expectMessages } from './case.ts';
import { catalogueNamed } from './catalogue.ts';
import { pollAll, send, stateChanges } from './endpoints.ts';
import { watchedPair } from './watched-pair.ts';

/** An event that a transcript queues before a step. */
interface Queued {
  readonly step: number;
  readonly end: 'a' | 'b';
  readonly event: string;
  readonly payload: Uint8Array;
}

const STEPS = /^(\d+) steps/;
const BEFORE_FIRST = /before step (\d+) ([ab]) queues ([^;:]+)/g;
const BEFORE_LAST = /([ab]) queues ([^;:]+?) before step (\d+)/g;
const EVENT = /^(\w+) (?:"([^"]*)"|((?:[0-9a-f]{2})*))$/;

/** Two ends on a perfect link: every datagram, with its step and direction. */
export const replayTranscript: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'note');
  fields.expectText('link', 'perfect');
  fields.expectText('dt', '1/60');
  const a = catalogueNamed(file, fields.text('schemaA'));
  const b = catalogueNamed(file, fields.text('schemaB'));
  const datagrams: { step: number; dir: string; hex: string }[] = [];
  let step = 1;
  const pair = watchedPair(
    { sharedA: ConnectionShared.create(a), sharedB: ConnectionShared.create(b), aToB: PERFECT, bToA: PERFECT, seed: 1 },
    (isFromB, datagram) => datagrams.push({ step, dir: isFromB ? 'b->a' : 'a->b', hex: toHex(datagram) }),
  );
  const queued = readQueued(fields.text('how'));
  const changes: { a: unknown[]; b: unknown[] } = { a: [], b: [] };
  const hasMore = stepsOf(fields);
  for (; hasMore(step, pair); step++) {
    for (const { end, event, payload } of queued.filter((one) => one.step === step)) {
      send(pair[end], end === 'a' ? a : b, event, payload);
    }
    pair.step(1 / 60);
    changes.a.push(...stateChanges(pair.a).map(shortChange));
    changes.b.push(...stateChanges(pair.b).map(shortChange));
  }
  fields.expectJson('datagrams', datagrams);
  fields.expectJson('events', changes);
  expectMessages(fields, 'aInbox', pollAll(pair.aInbox));
  expectMessages(fields, 'bInbox', pollAll(pair.bInbox));
  fields.object('counters', (counters) => {
    expectCounters(counters, 'a', pair.a.counters);
    expectCounters(counters, 'b', pair.b.counters);
  });
});

/**
 * Whether a step belongs to the case. The words give the number of steps; where they do not, there are those up to the last datagram and then as
 * many as it takes until both ends have received what the counters say.
 */
function stepsOf(fields: Fields): (step: number, pair: Pair) => boolean {
  const said = STEPS.exec(fields.text('how'));
  if (said !== null) return (step) => step <= Number(said[1]);
  const last = Math.max(...fields.list('datagrams').map((datagram) => (datagram as { step: number }).step));
  const { a, b } = fields.raw('counters') as Record<'a' | 'b', { datagrams_received: number }>;
  const isMissing = (pair: Pair): boolean =>
    pair.a.counters.datagramsReceived < a.datagrams_received || pair.b.counters.datagramsReceived < b.datagrams_received;
  return (step, pair) => step <= last || (step <= last + 2 && isMissing(pair));
}

function readQueued(how: string): Queued[] {
  const queued: Queued[] = [];
  const add = (step: string, end: string, events: string): void => {
    for (const words of events.trim().split(' and ')) {
      const found = EVENT.exec(words);
      if (found === null || (end !== 'a' && end !== 'b')) throw new Error(`how: ${words} is not understood`);
      const text = found[2];
      const payload = text === undefined ? readBytes(found[3], 'how') : Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      queued.push({ step: Number(step), end, event: found[1]!, payload });
    }
  };
  for (const [, step, end, events] of how.matchAll(BEFORE_FIRST)) add(step!, end!, events!);
  for (const [, end, events, step] of how.matchAll(BEFORE_LAST)) add(step!, end!, events!);
  return queued;
}

function shortChange(change: unknown): unknown {
  return typeof change === 'object' && change !== null && 'failed' in change
    ? `failed:${(change.failed as { type: string }).type}`
    : change;
}
