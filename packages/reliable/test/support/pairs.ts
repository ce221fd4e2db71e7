import { toHex } from '@x/testkit';
import { expect } from 'vitest';
import { Connection, ConnectionShared, Inbox, PeerId } from '../../src/index.ts';
import type { Catalogue, TransportOptions } from '../../src/index.ts';
import { Pair } from '../../src/simulator/index.ts';
import type { LinkConfig } from '../../src/simulator/index.ts';
import { CHAT, TEST, numberOf, payload } from './catalogues.ts';

export const DT: number = 1 / 60;
export const PEER: PeerId = PeerId.of(0, 1);
/** 50 ms, jitter 40 ms, loss 20 %, duplicates 10 %. */
export const LOSSY: LinkConfig = { latency: 0.05, jitter: 0.04, loss: 0.2, duplicate: 0.1, corrupt: 0 };

/** An established pair over a link. */
export function established(seed: number, link: Partial<LinkConfig> = {}, options: TransportOptions = {}, schema: Catalogue = TEST): Pair {
  const pair = Pair.symmetric(ConnectionShared.create(schema, options), link, seed);
  expect(pair.handshake(DT, 600)).toBe(true);
  return pair;
}

/** A received event with a payload of its own. */
export interface Received {
  event: number;
  channel: number;
  payload: Uint8Array;
}

/** Takes everything out of an inbox. */
export function poll(inbox: Inbox<never>): Received[] {
  const received: Received[] = [];
  for (let record = inbox.pop(); record !== undefined; record = inbox.pop()) {
    if (record.type === 'message') received.push({ event: record.event, channel: record.channel, payload: record.payload.slice() });
  }
  return received;
}

/** Takes everything out of an inbox and drops it. Returns how much it was. */
export function discard(inbox: Inbox<never>): number {
  let count = 0;
  while (inbox.pop() !== undefined) count++;
  return count;
}

/** Sends `count` numbered events as fast as they are accepted and polls until they have all arrived. */
export function stream(pair: Pair, count: number, length: number, event: number = CHAT): number[] {
  const numbers: number[] = [];
  let next = 0;
  for (let step = 0; numbers.length < count && step < 40_000; step++) {
    while (next < count && pair.b.trySend(event, payload(next, length)) === undefined) next++;
    pair.step(DT);
    for (const one of poll(pair.aInbox)) {
      if (toHex(one.payload) !== toHex(payload(numberOf(one.payload), length))) throw new Error(`event ${numbers.length} is damaged`);
      numbers.push(numberOf(one.payload));
    }
  }
  return numbers;
}

/** 0, 1, … count − 1. */
export const counting = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** A connection on its own, with an inbox and what it transmits. */
export class Lone {
  readonly connection: Connection;
  readonly inbox: Inbox<never> = new Inbox<never>(1);
  readonly out: Uint8Array[] = [];
  readonly transmit: (bytes: Uint8Array, offset: number, length: number) => void = (bytes, offset, length) => {
    this.out.push(bytes.slice(offset, offset + length));
  };

  constructor(options: TransportOptions = {}, schema: Catalogue = TEST, time: number = 0) {
    this.connection = new Connection(ConnectionShared.create(schema, options), PEER, time);
    this.inbox.openSlot(PEER);
  }

  receive(datagram: Uint8Array): void {
    this.connection.receive(datagram, this.inbox, this.transmit);
  }

  /** The datagrams of one flush. */
  flush(): Uint8Array[] {
    this.out.length = 0;
    this.connection.writePackets(this.transmit);
    return this.out.slice();
  }
}
