import { expect, test } from 'vitest';
import { ConnectionShared } from '../src/index.ts';
import { Pair, SplitMix64 } from '../src/simulator/index.ts';
import { BLOB, CHAT, MOVE, PING, SPAWN, TEST, payload } from './support/catalogues.ts';
import { DT } from './support/pairs.ts';

/** Set SOAK_FRAMES=200000 for the long form, which prints its figures. */
const ASKED_FRAMES = process.env['SOAK_FRAMES'];
const FRAMES = Number(ASKED_FRAMES ?? 1500);
const SESSIONS = 16;
const MAX_PARKED = 65_536;
const MAX_CATCH_UP_STEPS = 5000;
const MAX_CONNECTION_BYTES = 2 * 1024 * 1024;

/** A reliable stream: what was sent, and which number comes next. */
class Stream {
  readonly lengths: number[] = [];
  received: number = 0;

  get isComplete(): boolean {
    return this.received === this.lengths.length;
  }

  accept(bytes: Uint8Array): void {
    const n = this.received++;
    const expected = payload(n, this.lengths[n]!);
    if (bytes.length !== expected.length || bytes.some((byte, i) => byte !== expected[i]))
      throw new Error(`event ${n} is damaged or out of order`);
  }
}

class Session {
  readonly pair: Pair;
  readonly streams: Map<number, Stream> = new Map([CHAT, BLOB, SPAWN].map((event) => [event, new Stream()]));
  stall: number = 0;
  peakBytes: number = 0;

  constructor(shared: ConnectionShared, random: SplitMix64) {
    const latency = 0.005 + random.unit() * 0.1;
    const jitter = random.unit() * 0.05;
    const loss = [0, 0.01, 0.05, 0.2][random.below(4)]!;
    const duplicate = random.unit() * 0.05;
    this.pair = Pair.symmetric(shared, { latency, jitter, loss, duplicate }, random.next());
  }

  frame(random: SplitMix64): void {
    const { a, b } = this.pair;
    for (let i = random.below(12); i > 0; i--) if (!this.#send(b, CHAT, 4 + random.below(250))) break;
    if (random.chance(0.05)) this.#send(b, BLOB, 1000 + random.below(7000));
    for (let i = random.below(8); i > 0; i--) b.trySend(MOVE, payload(i, 12));
    for (let i = random.below(4); i > 0; i--) this.#send(a, SPAWN, 4 + random.below(1000));
    a.trySend(PING, new Uint8Array(0));
    this.step();
    if (this.stall > 0) this.stall--;
    else if (random.chance(0.01)) this.stall = 5 + random.below(60);
  }

  step(): void {
    const { pair } = this;
    pair.step(DT);
    if (this.stall === 0) this.#poll(pair.aInbox);
    this.#poll(pair.bInbox);
    for (const connection of [pair.a, pair.b]) {
      if (connection.parkedBytes > MAX_PARKED) throw new Error(`${connection.parkedBytes} bytes are parked`);
      this.peakBytes = Math.max(this.peakBytes, connection.memoryUsage.total);
    }
    const held = pair.a.memoryUsage.receive + pair.aInbox.pending(pair.a.peer).bytes;
    if (held > 2 * MAX_PARKED + 65_536) throw new Error(`${held} bytes are held on receive`);
  }

  /** Heals the links and steps until everything sent has arrived. */
  catchUp(): void {
    this.pair.setPerfect();
    this.pair.handshake(DT, 600);
    this.stall = 0;
    const isComplete = (): boolean => [...this.streams.values()].every((stream) => stream.isComplete);
    for (let i = 0; i < MAX_CATCH_UP_STEPS && !isComplete(); i++) this.step();
    expect(isComplete()).toBe(true);
    expect([this.pair.a.state, this.pair.b.state]).toEqual(['established', 'established']);
    expect(this.peakBytes).toBeLessThan(MAX_CONNECTION_BYTES);
  }

  #send(from: Pair['a'], event: number, length: number): boolean {
    const stream = this.streams.get(event)!;
    if (from.trySend(event, payload(stream.lengths.length, length)) !== undefined) return false;
    stream.lengths.push(Math.max(length, 4));
    return true;
  }

  #poll(inbox: Pair['aInbox']): void {
    for (let record = inbox.pop(); record !== undefined; record = inbox.pop()) {
      if (record.type === 'message') this.streams.get(record.event)?.accept(record.payload);
    }
  }
}

/** What all sessions did together. */
class Totals {
  events: number = 0;
  resent: number = 0;
  lost: number = 0;
  datagrams: number = 0;
  peakBytes: number = 0;
  sessions: number = 0;

  add({ pair, streams, peakBytes }: Session): void {
    this.sessions++;
    for (const stream of streams.values()) this.events += stream.received;
    for (const { counters } of [pair.a, pair.b]) this.resent += counters.eventsResent;
    for (const { counters } of [pair.aToB, pair.bToA]) {
      this.lost += counters.lost;
      this.datagrams += counters.sent;
    }
    this.peakBytes = Math.max(this.peakBytes, peakBytes);
  }
}

test(`soak: 16 pairs over ${FRAMES} frames`, { timeout: 60_000 + FRAMES * 60 }, () => {
  const shared = ConnectionShared.create(TEST, { maxPendingEvents: 64, maxParkedBytes: MAX_PARKED });
  const random = new SplitMix64(0x50a4);
  const sessions = Array.from({ length: SESSIONS }, () => new Session(shared, random));
  const totals = new Totals();
  for (let frame = 1; frame <= FRAMES; frame++) {
    for (const session of sessions) session.frame(random);
    if (frame % 500 !== 0) continue;
    const replaced = random.below(SESSIONS);
    sessions[replaced]!.catchUp();
    totals.add(sessions[replaced]!);
    sessions[replaced] = new Session(shared, random);
  }
  for (const session of sessions) {
    session.catchUp();
    totals.add(session);
  }
  if (ASKED_FRAMES !== undefined) console.log(JSON.stringify(totals));
  expect(totals.events).toBeGreaterThan(FRAMES * 10);
});
