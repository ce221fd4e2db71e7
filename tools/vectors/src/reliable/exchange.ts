import { Fnv1a32 } from '@x/testkit';
import { Fields, expectSame } from '../fields.ts';
import { expectStats } from './endpoint.ts';
import type { ScenarioEndpoint } from './endpoint.ts';
import { pattern } from './payload.ts';

/** One direction of an exchange: a sender, the link behind it and the other end. */
interface Direction {
  readonly from: ScenarioEndpoint;
  readonly to: ScenarioEndpoint;
  readonly length: number;
  /** Added to the number of the iteration. */
  readonly seed: number;
  readonly delays: readonly number[];
  readonly drops: readonly number[];
  readonly fnv: Fnv1a32;
  queue: { readonly due: number; readonly datagram: Uint8Array }[];
  acked: number;
}

/** Replays an `exchange`: both endpoints send once per iteration over a link with delays and losses. */
export function replayExchange(fields: Fields, a: ScenarioEndpoint, b: ScenarioEndpoint): void {
  const direction = (from: ScenarioEndpoint, to: ScenarioEndpoint, length: string, suffix: string, seed: number): Direction => ({
    from,
    to,
    length: fields.number(length),
    seed,
    delays: fields.numbers(`delay${suffix}`),
    drops: fields.numbers(`drop${suffix}`),
    fnv: new Fnv1a32(),
    queue: [],
    acked: 0,
  });
  const ab = direction(a, b, 'lenA', 'AB', 0);
  const ba = direction(b, a, 'lenB', 'BA', 128);
  const count = fields.number('count');
  const every = fields.number('every');
  const dt = fields.number('dt');
  const clearsAcks = fields.boolean('clearAcks');
  const samples = fields.list('samples');
  let time = fields.number('time');
  let taken = 0;
  for (let i = 0; i < count; i++) {
    time += dt;
    a.endpoint.update(time);
    b.endpoint.update(time);
    deliver(ab, i);
    deliver(ba, i);
    send(ab, i);
    send(ba, i);
    countAcks(ab, clearsAcks);
    countAcks(ba, clearsAcks);
    if ((i + 1) % every !== 0) continue;
    Fields.read(samples[taken], `${fields.at('samples')}[${taken}]`, (sample) => {
      sample.expectNumber('i', i);
      expectStats(sample, 'a', a);
      expectStats(sample, 'b', b);
      sample.expectNumbers('countersA', a.counters());
      sample.expectNumbers('countersB', b.counters());
      sample.expectNumber('ackedA', ab.acked);
      sample.expectNumber('ackedB', ba.acked);
      sample.expectNumber('fnvA', ab.fnv.value);
      sample.expectNumber('fnvB', ba.fnv.value);
    });
    taken++;
  }
  expectSame(`length of ${fields.at('samples')}`, taken, samples.length);
}

function deliver(direction: Direction, i: number): void {
  const { to, queue } = direction;
  if (!queue.some(({ due }) => due <= i)) return;
  direction.queue = queue.filter(({ due }) => due > i);
  for (const { due, datagram } of queue) if (due <= i) to.endpoint.receive(datagram);
  to.takeDelivered();
}

function send({ from, length, seed, delays, drops, fnv, queue }: Direction, i: number): void {
  from.endpoint.send(pattern(length, (i + seed) % 256));
  for (const datagram of from.takeTransmitted()) {
    fnv.add(datagram);
    if (drops[i % drops.length] === 0) queue.push({ due: i + delays[i % delays.length]!, datagram });
  }
}

function countAcks(direction: Direction, clearsAcks: boolean): void {
  const { endpoint } = direction.from;
  direction.acked = endpoint.ackCount + (clearsAcks ? direction.acked : 0);
  if (clearsAcks) endpoint.clearAcks();
}
