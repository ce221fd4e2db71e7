import { toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { ConnectionShared } from '../src/index.ts';
import { Pair } from '../src/simulator/index.ts';
import { BLOB, CHAT, MOVE, PING, TEST, catalogue, numberOf, payload } from './support/catalogues.ts';
import { DT, Lone, PEER, discard, established, poll } from './support/pairs.ts';

const counting = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Replaces what a link does with each datagram that is offered; `pass` offers it for real. */
function intercept(link: Pair['aToB'], each: (bytes: Uint8Array, pass: () => void) => void): void {
  const send = link.send.bind(link);
  link.send = (time: number, bytes: Uint8Array, from?: number, count?: number): void => {
    const offset = from ?? 0;
    const length = count ?? bytes.length - offset;
    each(bytes.subarray(offset, offset + length), () => send(time, bytes, offset, length));
  };
}

test('FF-35 More than 32768 packets between two reliable events', () => {
  const pair = established(35);
  const reliable: number[] = [];
  const step = (): void => {
    pair.step(DT);
    for (const one of poll(pair.aInbox)) if (one.event === CHAT) reliable.push(numberOf(one.payload));
    discard(pair.bInbox);
  };
  pair.b.trySend(CHAT, payload(1, 8));
  for (let i = 0; i < 40_000; i++) {
    pair.a.trySend(MOVE, payload(i, 4));
    pair.b.trySend(MOVE, payload(i, 4));
    step();
  }
  expect(pair.b.counters.packetsSent).toBeGreaterThan(40_000);
  pair.b.trySend(CHAT, payload(2, 8));
  step();
  step();
  step();
  expect(reliable).toEqual([1, 2]);
  expect([pair.b.queued(0), pair.b.counters.eventsResent]).toEqual([0, 0]);
});

test('FF-36 Message ids wrap on a reliable channel', () => {
  const schema = catalogue([{ capacity: 1024 }], [[0, 8]]);
  const pair = established(36, { loss: 0.1, duplicate: 0.05, jitter: 0.03 }, {}, schema);
  let next = 0;
  let expected = 0;
  for (let step = 0; expected < 200_000 && step < 100_000; step++) {
    while (next < 200_000 && pair.b.trySend(0, payload(next, 8)) === undefined) next++;
    pair.step(DT);
    for (let record = pair.aInbox.pop(); record !== undefined; record = pair.aInbox.pop()) {
      if (record.type === 'message' && numberOf(record.payload) !== expected++) throw new Error(`event ${expected - 1} came as another`);
    }
  }
  expect(expected).toBe(200_000);
  pair.setPerfect();
  for (let i = 0; i < 20; i++) pair.step(DT);
  expect([pair.b.queued(0), pair.b.queuedBytes, pair.aInbox.length]).toEqual([0, 0, 0]);
  expect(pair.a.parkedBytes).toBeLessThanOrEqual(128 * 32);
});

test('FF-37 A burst larger than the acknowledgement window', () => {
  const schema = catalogue([{ capacity: 1024 }], [[0, 1000]]);
  const pair = established(37, { latency: 0.05 }, {}, schema);
  for (let i = 0; i < 20; i++) pair.step(DT);
  for (let i = 0; i < 64; i++) pair.a.trySend(0, payload(i, 1000));
  const start = pair.time;
  pair.step(DT);
  const before = pair.b.counters.packetsSent;
  let acks = 0;
  let doneAt = Infinity;
  for (let i = 0; i < 12; i++) {
    pair.step(DT);
    if (discard(pair.bInbox) > 0) acks = pair.b.counters.packetsSent - before;
    if (pair.a.queued(0) === 0) doneAt = Math.min(doneAt, pair.time - start);
  }
  expect(acks).toBe(4);
  expect([pair.a.counters.eventsResent, pair.b.counters.eventsReceived]).toEqual([0, 64]);
  expect(doneAt).toBeLessThanOrEqual(0.15);
});

test('FF-40 Resend interval shorter than the round trip', () => {
  const pair = established(40, { latency: 0.15 }, {}, catalogue([{ capacity: 128 }], [[0, 50]]));
  for (let i = 0; i < 60; i++) pair.step(DT);
  const writes = new Map<number, number>();
  for (let i = 0; i < 100; i++) pair.b.trySend(0, payload(i, 50));
  const numbers: number[] = [];
  const start = pair.time;
  let late = 0;
  intercept(pair.bToA, (bytes, pass) => {
    if (pair.time - start > 0.45) late = Math.max(late, bytes.length);
    writes.set(pair.b.counters.packetsSent, bytes.length);
    pass();
  });
  for (let i = 0; i < 60; i++) {
    pair.step(DT);
    numbers.push(...poll(pair.aInbox).map((one) => numberOf(one.payload)));
  }
  expect(numbers).toEqual(counting(100));
  expect(pair.b.counters.eventsResent).toBeLessThanOrEqual(300);
  expect(pair.b.counters.eventsResent).toBeGreaterThan(0);
  expect(pair.a.counters.duplicateEvents).toBe(pair.b.counters.eventsResent);
  expect(late).toBeLessThanOrEqual(10);
});

test('FF-41 Sender must not outrun its own memory of sent packets', () => {
  const schema = catalogue([{ capacity: 24_576 }], [[0, 1000]]);
  const pair = established(41, {}, { maxPendingBytes: 64 << 20, maxPendingEvents: 65_536 }, schema);
  for (let i = 0; i < 24_000; i++) expect(pair.b.trySend(0, payload(i, 1000))).toBeUndefined();
  let inWindow: number[] = [];
  let most = 0;
  let payloadBytes = 0;
  intercept(pair.bToA, (bytes, pass) => {
    payloadBytes += bytes.length;
    if (bytes.length > 500) inWindow.push(pair.time);
    pass();
  });
  pair.bToA.setConfig({ loss: 1 });
  pair.aToB.setConfig({ loss: 1 });
  const memory = pair.b.memoryUsage.total;
  for (let i = 0; i < 600; i++) {
    pair.step(DT);
    // Written off after a quarter of a second at least; nothing is acknowledged.
    inWindow = inWindow.filter((time) => pair.time - time <= 0.05);
    most = Math.max(most, inWindow.length);
  }
  expect(most).toBeLessThanOrEqual(128);
  expect(pair.b.memoryUsage.total).toBeLessThan(memory + 65_536);
  payloadBytes = 0;
  pair.bToA.setConfig({ latency: 0.03 });
  pair.aToB.setConfig({ latency: 0.03 });
  let next = 0;
  for (let i = 0; i < 6000 && next < 24_000; i++) {
    pair.step(DT);
    for (const one of poll(pair.aInbox)) if (numberOf(one.payload) !== next++) throw new Error(`event ${next - 1} came as another`);
  }
  expect(next).toBe(24_000);
  expect(payloadBytes).toBeLessThan(2 * 24_000 * 1000);
});

test('FF-42 A fragmented packet counts as received only when complete', () => {
  const pair = established(42);
  for (let i = 0; i < 10; i++) pair.step(DT);
  let fragments = 0;
  intercept(pair.bToA, (bytes, pass) => {
    if (bytes[0] === 1 && fragments++ === 3) return;
    pass();
  });
  pair.b.trySend(BLOB, payload(9, 6000));
  pair.step(DT);
  expect(fragments).toBe(6);
  for (let i = 0; i < 4; i++) pair.step(DT);
  // Its acknowledgement would have taken the event out of the queue.
  expect([discard(pair.aInbox), pair.b.queued(2)]).toEqual([0, 1]);
  const received = [];
  for (let i = 0; i < 30; i++) {
    pair.step(DT);
    received.push(...poll(pair.aInbox));
  }
  expect(received.map((one) => toHex(one.payload))).toEqual([toHex(payload(9, 6000))]);
  expect([pair.b.queued(2), pair.b.counters.eventsResent, fragments]).toEqual([0, 1, 12]);
});

test('FF-46 Every packet delivered twice', () => {
  const pair = established(46, { duplicate: 1 });
  const chats: number[] = [];
  const moves: number[] = [];
  const before = pair.a.endpointCounters.packetsDuplicate;
  const offered = pair.bToA.counters.sent;
  let next = 0;
  for (let i = 0; chats.length < 5000 && i < 5000; i++) {
    for (; next < 5000 && pair.b.trySend(CHAT, payload(next, 8)) === undefined; next++) pair.b.trySend(MOVE, payload(next, 8));
    pair.step(DT);
    for (const one of poll(pair.aInbox)) (one.event === CHAT ? chats : moves).push(numberOf(one.payload));
  }
  expect(chats).toEqual(counting(5000));
  expect(new Set(moves).size).toBe(moves.length);
  pair.step(DT);
  // The datagrams of the last step are on their way yet.
  const extra = pair.a.endpointCounters.packetsDuplicate - before;
  expect(extra).toBeGreaterThanOrEqual(pair.bToA.counters.sent - offered - 64);
  expect(pair.a.counters.duplicateEvents).toBe(0);
  const duplicates = pair.a.endpointCounters.packetsDuplicate;
  pair.b.trySend(BLOB, payload(1, 8000));
  pair.step(DT);
  for (let i = 0; i < 3; i++) pair.step(DT);
  expect(discard(pair.aInbox)).toBe(1);
  expect(pair.a.endpointCounters.packetsDuplicate - duplicates).toBeLessThan(8);
});

test('FF-47 No NaN or Infinity in statistics', () => {
  const check = (pair: Pair, needsRtt: boolean): void => {
    for (const connection of [pair.a, pair.b]) {
      const stats = { ...connection.stats };
      for (const value of Object.values(stats)) expect(Number.isFinite(value) && value >= 0).toBe(true);
      expect(JSON.stringify(connection.stats)).not.toContain('null');
      // The average is a float32 running sum, as the reference's: of equal samples it may miss them in the last digits.
      expect(stats.rttMin).toBeLessThanOrEqual(stats.rttAvg * (1 + 1e-5));
      expect(stats.rttAvg).toBeLessThanOrEqual(stats.rttMax * (1 + 1e-5));
      expect(stats.packetLoss).toBeLessThanOrEqual(100);
      if (needsRtt) expect(stats.rtt).toBeGreaterThan(0);
    }
  };
  const pair = Pair.symmetric(ConnectionShared.create(TEST), { latency: 0.02 }, 47);
  check(pair, false);
  pair.step(DT);
  check(pair, false);
  pair.b.trySend(CHAT, payload(0, 4));
  pair.a.trySend(CHAT, payload(0, 4));
  for (let i = 0; i < 5; i++) pair.step(DT);
  check(pair, true);
  for (let i = 0; i < 1000; i++) {
    pair.b.trySend(MOVE, payload(i, 4));
    pair.step(DT);
    discard(pair.aInbox);
  }
  check(pair, true);
  pair.step(10);
  check(pair, true);
});

test('FF-48 Consumer stops polling: reliable traffic', () => {
  const schema = catalogue([{ capacity: 1024 }], [[0, 1000]]);
  const pair = established(48, {}, {}, schema);
  const baseline = pair.bInbox.memoryBytes;
  let next = 0;
  let refused = 0;
  const send = (): void => {
    while (next < 12_000) {
      if (pair.a.trySend(0, payload(next, 1000)) === undefined) next++;
      else {
        refused++;
        return;
      }
    }
  };
  let memory = 0;
  for (let i = 0; i < 3600; i++) {
    send();
    pair.step(DT);
    if (i === 600) memory = pair.a.memoryUsage.total;
    const { events, bytes } = pair.bInbox.pending(PEER);
    if (events > 4096 + 1024 || bytes > 4_194_304 + 1_048_576 || pair.b.parkedBytes > 1_048_576)
      throw new Error(`${events} events, ${bytes} bytes`);
  }
  expect(refused).toBeGreaterThan(1000);
  expect(pair.a.queued(0)).toBe(1024);
  expect(pair.a.memoryUsage.total).toBeLessThan(memory * 1.1);
  let expected = 0;
  for (let i = 0; i < 3000 && expected < 12_000; i++) {
    for (const one of poll(pair.bInbox)) if (numberOf(one.payload) !== expected++) throw new Error(`event ${expected - 1} came as another`);
    send();
    pair.step(DT);
  }
  expect(expected).toBe(12_000);
  for (let i = 0; i < 600; i++) pair.step(DT);
  expect(pair.bInbox.memoryBytes).toBeLessThanOrEqual(2 * baseline);
});

test('FF-49 One channel’s gap must not delay another channel', () => {
  const schema = catalogue(
    [{ capacity: 64 }, { capacity: 64 }],
    [
      [0, 100],
      [1, 30_000],
    ],
  );
  const pair = established(49, { latency: 0.05 }, {}, schema);
  for (let i = 0; i < 20; i++) pair.step(DT);
  const start = pair.time;
  intercept(pair.bToA, (bytes, pass) => {
    if (bytes[0] === 1 && pair.time - start < 3) return;
    pass();
  });
  pair.b.trySend(1, payload(0, 30_000));
  const sentAt: number[] = [];
  let bulkAt = Infinity;
  let worst = 0;
  let got = 0;
  for (let i = 0; i < 300; i++) {
    if (i % 6 === 0) {
      pair.b.trySend(0, payload(sentAt.length, 20));
      sentAt.push(pair.time);
    }
    pair.step(DT);
    for (const one of poll(pair.aInbox)) {
      if (one.event === 1) bulkAt = pair.time - start;
      else {
        expect(numberOf(one.payload)).toBe(got);
        worst = Math.max(worst, pair.time - sentAt[got++]!);
      }
    }
  }
  expect(worst).toBeLessThan(0.1 + DT);
  expect(bulkAt).toBeGreaterThan(3);
  expect(bulkAt).toBeLessThan(3.5);
});

test('FF-50 Zero-length events are ordinary events', () => {
  const schema = catalogue(
    [{ capacity: 400 }, { reliable: false }],
    [
      [0, 1],
      [1, 1],
    ],
  );
  const pair = established(50, { loss: 0.1 }, {}, schema);
  const reliable: number[] = [];
  let unreliable = 0;
  for (let i = 0; i < 300; i++) {
    pair.b.trySend(0, new Uint8Array(i % 2));
    pair.b.trySend(1, new Uint8Array(i % 2));
    pair.step(DT);
    for (const one of poll(pair.aInbox)) {
      if (one.event === 0) reliable.push(one.payload.length);
      else unreliable++;
    }
  }
  for (let i = 0; i < 60; i++) {
    pair.step(DT);
    for (const one of poll(pair.aInbox)) if (one.event === 0) reliable.push(one.payload.length);
  }
  expect(reliable).toEqual(counting(300).map((i) => i % 2));
  expect(unreliable).toBeGreaterThan(200);
  const alone = established(51);
  alone.b.trySend(PING, new Uint8Array(0));
  alone.step(DT);
  alone.step(DT);
  expect(alone.aInbox.peekLength()).toBe(0);
  expect(poll(alone.aInbox)).toEqual([{ event: PING, channel: 1, payload: new Uint8Array(0) }]);
  expect(alone.a.counters.eventsReceived).toBe(1);
});

describe('FF-54 Clock steps: backwards and NaN-free', () => {
  test('when time goes back, then the earlier values count as the latest one', () => {
    const lone = new Lone({ idlePacketInterval: 0.1, handshakeTimeout: 5 }, TEST, 9.9);
    const { connection } = lone;
    connection.update(10);
    connection.trySend(CHAT, payload(1, 4));
    expect(lone.flush().length).toBe(2);
    for (const time of [9, 9.9]) {
      connection.update(time);
      lone.flush();
      expect([connection.counters.eventsResent, connection.state]).toEqual([0, 'handshaking']);
    }
    connection.update(10.11);
    lone.flush();
    expect(connection.counters.eventsResent).toBe(1);
  });

  test('when both ends have traffic across the step, then nothing is sent again or times out and statistics stay good', () => {
    const pair = established(54, { latency: 0.01 });
    const times = [10, 9, 9.9, 10.1, 10.12, 10.14];
    for (const time of times) {
      pair.b.trySend(CHAT, payload(0, 8));
      pair.step(time - pair.time);
      discard(pair.aInbox);
      for (const value of Object.values({ ...pair.b.stats })) expect(Number.isFinite(value) && value >= 0).toBe(true);
    }
    expect([pair.a.state, pair.b.state]).toEqual(['established', 'established']);
  });
});
