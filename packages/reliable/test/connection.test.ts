import { eachSeed, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { Connection, ConnectionShared, PeerId, ReliableError } from '../src/index.ts';
import { Pair } from '../src/simulator/index.ts';
import { BLOB, CHAT, MOVE, PING, TEST, catalogue, golden, numberOf, payload } from './support/catalogues.ts';
import { DT, LOSSY, Lone, PEER, counting, discard, established, poll, stream } from './support/pairs.ts';
import { thrown } from './support/thrown.ts';

describe('handshake', () => {
  test('when both ends meet, then each is established once, the hello stops, and an idle step sends one short datagram', () => {
    const pair = established(1, { latency: 0.02 });
    expect([pair.a.takeEvent(), pair.a.takeEvent()]).toEqual([{ type: 'established' }, undefined]);
    for (let i = 0; i < 10; i++) pair.step(DT);
    const before = { ...pair.bToA.counters };
    pair.step(0.2);
    expect(pair.bToA.counters.sent - before.sent).toBe(1);
    expect(pair.bToA.counters.bytes - before.bytes).toBeLessThanOrEqual(10);
  });

  test('when schemas differ, then both ends fail with both fingerprints and nothing is delivered', () => {
    const foreign = [golden('testV2'), golden('chat1'), golden('hostile')];
    for (const other of foreign) {
      const pair = new Pair({
        sharedA: ConnectionShared.create(TEST),
        sharedB: ConnectionShared.create(other),
        aToB: {},
        bToA: {},
        seed: 11,
      });
      pair.a.trySend(CHAT, payload(1, 8));
      pair.b.trySend(0, payload(1, 8));
      for (let i = 0; i < 6; i++) pair.step(DT);
      expect(pair.a.failure).toEqual({ type: 'schemaMismatch', local: TEST.fingerprint.bytes, remote: other.fingerprint.bytes });
      expect(pair.b.failure).toEqual({ type: 'schemaMismatch', local: other.fingerprint.bytes, remote: TEST.fingerprint.bytes });
      expect([pair.aInbox.length, pair.bInbox.length, pair.a.state, pair.b.state]).toEqual([0, 0, 'failed', 'failed']);
      expect([pair.a.takeEvent()?.type, pair.a.takeEvent()]).toEqual(['failed', undefined]);
    }
  });

  test('when the handshake takes 2.0 s, then it fails; at 1.9 s it has not', () => {
    const { connection } = new Lone({ handshakeTimeout: 2 });
    connection.update(1.9);
    expect(connection.state).toBe('handshaking');
    connection.update(2);
    expect(connection.failure).toEqual({ type: 'handshakeTimeout' });
    expect(connection.takeEvent()).toEqual({ type: 'failed', failure: { type: 'handshakeTimeout' } });
  });

  test('when packets before the limit are malformed, then the connection lives; at the limit it fails and is silent', () => {
    for (const malformedLimit of [1, 3]) {
      const lone = new Lone({ malformedLimit });
      for (let i = 0; i < malformedLimit; i++) {
        expect(lone.connection.state).toBe('handshaking');
        lone.receive(Uint8Array.of(0x3e, i, 0, 1, 0, 0, 0, 0, 0x02));
      }
      expect(lone.connection.failure).toEqual({ type: 'malformedData' });
      expect([lone.connection.lastMalformed, lone.connection.counters.malformedPackets]).toEqual(['reservedKind', malformedLimit]);
      expect(lone.flush()).toEqual([]);
      lone.receive(Uint8Array.of(0x3e, 9, 0, 1, 0, 0, 0, 0, 0x02));
      expect(lone.connection.counters.datagramsReceived).toBe(malformedLimit);
    }
  });

  test('when the owner’s transport refused a datagram, then the connection fails once', () => {
    const lone = new Lone();
    lone.connection.failTransport();
    lone.connection.failTransport();
    expect([lone.connection.takeEvent(), lone.connection.takeEvent()]).toEqual([
      { type: 'failed', failure: { type: 'transportError' } },
      undefined,
    ]);
    expect(lone.flush()).toEqual([]);
  });
});

describe('reliable events', () => {
  test('when 5000 are sent over a perfect link, then they arrive in order and none is sent again', () => {
    const pair = established(3);
    expect(stream(pair, 5000, 40)).toEqual(counting(5000));
    expect(pair.b.counters.eventsResent).toBe(0);
    expect(pair.a.counters.duplicateEvents).toBe(0);
  });

  test('when the link is bad, then they arrive exactly once in order', () => {
    for (let seed = 100; seed < 108; seed++) {
      const pair = established(seed, LOSSY);
      expect(stream(pair, 500, 24)).toEqual(counting(500));
      expect(pair.b.counters.eventsResent).toBeGreaterThan(0);
      expect(pair.a.counters.duplicateEvents).toBeGreaterThan(0);
    }
  });

  test('when they need fragments and some get lost, then they arrive all the same', () => {
    const pair = established(6, { loss: 0.05, jitter: 0.02, duplicate: 0.05, latency: 0.03 });
    expect(stream(pair, 60, 8000, BLOB)).toEqual(counting(60));
  });

  test('when the window is full, then one more is refused until acknowledgements free it', () => {
    const pair = established(7);
    for (let i = 0; i < 64; i++) expect(pair.b.trySend(CHAT, payload(i, 8))).toBeUndefined();
    expect(pair.b.trySend(CHAT, payload(64, 8))).toBe('queueFull');
    for (let i = 0; i < 6; i++) pair.step(DT);
    expect([pair.b.queued(0), pair.b.queuedBytes]).toEqual([0, 0]);
    expect(pair.b.trySend(CHAT, payload(64, 8))).toBeUndefined();
  });

  test('when an 8000 byte event stands beside a crowd of small ones, then it arrives within 4 steps', () => {
    const pair = established(15);
    pair.b.trySend(BLOB, payload(0, 8000));
    let arrived = -1;
    for (let step = 0; step < 6; step++) {
      for (let i = 0; i < 60; i++) {
        pair.b.trySend(CHAT, payload(i, 200));
        pair.b.trySend(MOVE, payload(i, 60));
      }
      pair.step(DT);
      if (arrived < 0 && poll(pair.aInbox).some(({ event }) => event === BLOB)) arrived = step;
    }
    expect(arrived).toBeGreaterThanOrEqual(0);
    expect(arrived).toBeLessThan(4);
  });

  test('when a burst of 1000 events is flushed, then acknowledgements keep up and nothing is sent again', () => {
    const pair = established(19, { latency: 0.03 }, { maxPacketsPerFlush: 1024 }, catalogue([{ capacity: 1024 }], [[0, 1000]]));
    for (let i = 0; i < 1000; i++) expect(pair.b.trySend(0, payload(i, 1000))).toBeUndefined();
    let most = 0;
    for (let step = 0; step < 120; step++) {
      const before = pair.b.counters.packetsSent;
      pair.step(DT);
      most = Math.max(most, pair.b.counters.packetsSent - before);
      discard(pair.aInbox);
    }
    expect([pair.b.queued(0), pair.b.counters.eventsResent]).toEqual([0, 0]);
    expect(most).toBeLessThanOrEqual(128);
    expect(most).toBeGreaterThan(100);
  });
});

describe('unreliable events', () => {
  test('when the link is bad, then each arrives at most once, is never sent again, some are lost and some late', () => {
    const pair = established(9, LOSSY);
    const seen: number[] = [];
    let next = 0;
    for (let step = 0; step < 300; step++) {
      for (let i = 0; i < 20; i++) pair.b.trySend(MOVE, payload(next++, 12));
      pair.step(DT);
      seen.push(...poll(pair.aInbox).map((one) => numberOf(one.payload)));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeLessThan(next - 100);
    expect(seen.some((n, i) => i > 0 && n < seen[i - 1]!)).toBe(true);
    expect(pair.b.counters.eventsResent).toBe(0);
  });

  test.each([
    ['fail', [0, 1, 2, 3], 4, 0],
    ['dropOldest', [2, 3, 4, 5], 6, 2],
    ['dropNewest', [0, 1, 2, 3], 6, 2],
  ] as const)('when a queue of 4 gets 6 under %s, then %o are sent', (overflow, left, queued, dropped) => {
    const schema = catalogue([{ reliable: false, capacity: 4, overflow }], [[0, 8]]);
    const pair = established(10, {}, {}, schema);
    const refusals = counting(6).map((i) => pair.b.trySend(0, payload(i, 8)));
    expect(refusals.filter((refusal) => refusal === 'queueFull').length).toBe(6 - queued);
    pair.step(DT);
    pair.step(DT);
    expect(poll(pair.aInbox).map((one) => numberOf(one.payload))).toEqual(left);
    expect([pair.b.counters.eventsQueued, pair.b.counters.eventsDroppedOnSend]).toEqual([queued, dropped]);
  });

  test('when 120 small events are queued, then they share two packets', () => {
    const pair = established(16);
    for (let i = 0; i < 60; i++) {
      pair.b.trySend(MOVE, payload(i, 8));
      pair.b.trySend(CHAT, payload(i, 8));
    }
    const before = pair.b.counters.packetsSent;
    pair.step(DT);
    expect(pair.b.counters.packetsSent - before).toBe(2);
  });
});

describe('trySend', () => {
  test('when an event is unknown or too large, then it is refused and nothing is queued', () => {
    const { connection } = new Lone();
    expect([5, -1, 1.5, Number.NaN].map((event) => connection.trySend(event, new Uint8Array(0)))).toEqual(
      new Array(4).fill('unknownEvent'),
    );
    expect(connection.trySend(CHAT, new Uint8Array(257))).toBe('payloadTooLarge');
    expect(connection.trySend(PING, new Uint8Array(1))).toBe('payloadTooLarge');
    expect([connection.counters.eventsQueued, connection.queuedBytes, connection.queued(0), connection.queued(9)]).toEqual([0, 0, 0, 0]);
  });

  test('when the caller changes the payload afterwards, then the event does not', () => {
    const pair = established(8);
    const bytes = payload(5, 100);
    pair.b.trySend(CHAT, bytes);
    pair.b.trySend(MOVE, bytes.subarray(0, 12));
    bytes.fill(0xee);
    pair.step(DT);
    pair.step(DT);
    expect(poll(pair.aInbox).map((one) => toHex(one.payload))).toEqual([toHex(payload(5, 100)), toHex(payload(5, 12))]);
  });
});

describe('flush', () => {
  test('when the idle interval is 0, then every flush ends with an empty packet', () => {
    const pair = established(23, {}, { idlePacketInterval: 0 });
    for (let i = 0; i < 5; i++) pair.step(DT);
    const before = pair.b.counters.packetsSent;
    pair.b.trySend(CHAT, payload(0, 8));
    pair.step(DT);
    expect(pair.b.counters.packetsSent - before).toBe(2);
  });

  test('when half the window is in flight and nothing is acknowledged, then no events are sent until packets are written off', () => {
    const lone = new Lone({ sentPacketsBufferSize: 4, maxPacketsPerFlush: 64 });
    for (let i = 0; i < 40; i++) lone.connection.trySend(CHAT, payload(i, 256));
    expect(lone.flush().length).toBe(3);
    expect(lone.flush().length).toBe(1);
    lone.connection.update(0.3);
    expect(lone.flush().length).toBe(3);
    expect(lone.connection.counters.eventsResent + lone.connection.counters.eventsSent).toBeLessThan(20);
  });

  test('when transmit throws, then the error passes through and the connection can go on', () => {
    const lone = new Lone();
    lone.connection.trySend(CHAT, payload(1, 8));
    expect(() => {
      lone.connection.writePackets(() => {
        throw new Error('wire is cut');
      });
    }).toThrow('wire is cut');
    lone.connection.update(0.2);
    expect(lone.flush().length).toBe(2);
    expect(lone.connection.counters.eventsResent).toBe(1);
  });

  test('when transmit calls back into its connection, then that is refused; another connection may be called', () => {
    const lone = new Lone();
    const other = new Lone();
    const { connection, inbox, transmit } = lone;
    const calls = [
      () => connection.update(1),
      () => connection.receive(Uint8Array.of(1), inbox, transmit),
      () => connection.trySend(CHAT, new Uint8Array(1)),
      () => connection.writePackets(transmit),
    ];
    let seen = 0;
    connection.writePackets((bytes, offset, length) => {
      for (const call of calls) {
        expect(thrown(call).kind).toBe('reentrant');
        seen++;
      }
      other.connection.receive(bytes, other.inbox, transmit, offset, length);
      other.connection.writePackets(transmit);
    });
    expect(seen).toBe(calls.length);
    expect(other.connection.state).toBe('established');
    connection.update(1);
  });

  test('when connections flush into each other, fragments included, then their packets do not mix', () => {
    const shared = ConnectionShared.create(TEST);
    const chain = counting(4).map(() => new Connection(shared, PEER, 0));
    const inboxes = chain.map(() => new Lone().inbox);
    const flush = (i: number): void => {
      chain[i]!.writePackets((bytes, offset, length) => {
        const copy = bytes.slice(offset, offset + length);
        if (i + 1 === chain.length) return;
        chain[i + 1]!.receive(copy, inboxes[i + 1]!, () => undefined);
        flush(i + 1);
      });
    };
    // The second round finds the writers that the first one has given back.
    for (const round of [0, 1]) {
      for (const [i, connection] of chain.entries()) connection.trySend(BLOB, payload(10 * round + i, 5000));
      flush(0);
      for (const [i, inbox] of inboxes.slice(1).entries()) {
        expect(poll(inbox).map((one) => toHex(one.payload))).toEqual([toHex(payload(10 * round + i, 5000))]);
      }
    }
  });
});

describe('caller errors', () => {
  test.each([
    [
      'a range outside the datagram',
      (lone: Lone) => lone.connection.receive(new Uint8Array(4), lone.inbox, lone.transmit, 2, 3),
      'invalidRange',
    ],
    ['a time that is no number', (lone: Lone) => lone.connection.update(Number.NaN), 'invalidOption'],
    ['a time without end', (lone: Lone) => lone.connection.update(Infinity), 'invalidOption'],
    [
      'a creation time that is no number',
      () => new Connection(ConnectionShared.create(TEST), PeerId.of(0, 1), Number.NaN),
      'invalidOption',
    ],
  ])('when there is %s, then it is refused before anything changes', (_, call, kind) => {
    const lone = new Lone();
    const error = thrown(() => call(lone));
    expect([error.kind, ReliableError.is(error)]).toEqual([kind, true]);
    expect(lone.connection.counters.datagramsReceived).toBe(0);
  });
});

test('when statistics are read over 50 ms each way with 10 % loss, then they lie where they must', () => {
  const pair = established(18, { latency: 0.05, loss: 0.1 });
  for (let i = 0; i < 1200; i++) {
    pair.b.trySend(MOVE, payload(i, 12));
    pair.a.trySend(MOVE, payload(i, 12));
    pair.step(DT);
    discard(pair.aInbox);
    discard(pair.bInbox);
  }
  const stats = { ...pair.b.stats };
  expect(Object.keys(stats).length).toBe(11);
  expect(stats.rttAvg).toBeGreaterThan(90);
  expect(stats.rttAvg).toBeLessThan(150);
  expect(stats.packetLoss).toBeGreaterThan(3);
  expect(stats.packetLoss).toBeLessThan(25);
  for (const value of Object.values(stats)) expect(Number.isFinite(value) && value >= 0).toBe(true);
  expect(pair.b.endpointCounters.packetsSent).toBe(pair.b.counters.packetsSent);
});

test('when schedules are random, then both directions arrive exactly once in order and unreliable events at most once', () => {
  eachSeed(25, (random, seed) => {
    const link = {
      latency: random.unit() * 0.1,
      jitter: random.unit() * 0.05,
      loss: random.pick([0, 0.05, 0.3]),
      duplicate: random.unit() * 0.1,
    };
    const pair = established(seed, link, { maxPendingEvents: random.pick([4, 64]), maxParkedBytes: random.pick([8192, 65_536]) });
    const ends = [
      { from: pair.b, inbox: pair.aInbox, sent: 0, got: [] as number[], moves: new Set<number>() },
      { from: pair.a, inbox: pair.bInbox, sent: 0, got: [] as number[], moves: new Set<number>() },
    ];
    for (let step = 0; step < 6000; step++) {
      for (const end of ends) {
        while (end.sent < 150 && random.chance(0.7) && end.from.trySend(CHAT, payload(end.sent, 4 + random.below(250))) === undefined)
          end.sent++;
        if (step < 300) end.from.trySend(MOVE, payload(step, 12));
        if (random.chance(0.4)) continue;
        for (const { event, payload: bytes } of poll(end.inbox)) {
          if (event === CHAT) end.got.push(numberOf(bytes));
          else if (end.moves.has(numberOf(bytes))) throw new Error('an unreliable event arrived twice');
          else end.moves.add(numberOf(bytes));
        }
      }
      pair.step(DT);
      if (step > 300 && ends.every((end) => end.got.length === 150)) break;
    }
    for (const end of ends) expect(end.got).toEqual(counting(150));
  });
});
