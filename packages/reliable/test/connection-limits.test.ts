import { describe, expect, test } from 'vitest';
import { ConnectionShared } from '../src/index.ts';
import { encodePacket, writePacketHeader } from '../src/wire.ts';
import { BLOB, CHAT, MOVE, SPAWN, TEST, catalogue, numberOf, payload } from './support/catalogues.ts';
import { DT, LOSSY, Lone, PEER, counting, discard, established, poll, stream } from './support/pairs.ts';

describe('limits', () => {
  test('when the inbox allows 8 events, then reliable ones are held back, unreliable ones dropped, and all reliable ones arrive', () => {
    const pair = established(14, {}, { maxPendingEvents: 8 });
    for (let i = 0; i < 40; i++) {
      pair.b.trySend(CHAT, payload(i, 8));
      pair.b.trySend(MOVE, payload(i, 8));
    }
    for (let i = 0; i < 10; i++) {
      pair.step(DT);
      expect(pair.aInbox.length).toBeLessThanOrEqual(8);
    }
    const chats: number[] = [];
    for (let i = 0; i < 60; i++) {
      for (const one of poll(pair.aInbox)) if (one.event === CHAT) chats.push(numberOf(one.payload));
      pair.step(DT);
    }
    expect(chats).toEqual(counting(40));
    expect(pair.a.counters.packetsRefused).toBeGreaterThan(0);
    expect(pair.a.counters.eventsDroppedOnReceive).toBeGreaterThan(0);
  });

  test('when the owner stops polling, then parked bytes and inbox stay within their limits and everything arrives later', () => {
    const pair = established(
      20,
      { latency: 0.01, jitter: 0.02, loss: 0.05 },
      { maxPendingEvents: 8, maxPendingBytes: 8000, maxParkedBytes: 8192 },
    );
    let next = 0;
    const send = (): void => {
      while (next < 500 && pair.b.trySend(CHAT, payload(next, 200)) === undefined) next++;
    };
    for (let i = 0; i < 200; i++) {
      send();
      pair.step(DT);
      expect(pair.a.parkedBytes).toBeLessThanOrEqual(8192);
      expect(pair.aInbox.pending(PEER).events).toBeLessThanOrEqual(8 + 64);
      expect(pair.a.memoryUsage.receive).toBe(pair.a.parkedBytes);
    }
    const numbers: number[] = [];
    for (let i = 0; i < 3000 && numbers.length < 500; i++) {
      numbers.push(...poll(pair.aInbox).map((one) => numberOf(one.payload)));
      send();
      pair.step(DT);
    }
    expect(numbers).toEqual(counting(500));
  });

  test('when the budget is small and the loss heavy, then everything still arrives exactly once', () => {
    for (let seed = 30; seed < 34; seed++) {
      const pair = established(seed, LOSSY, { maxParkedBytes: 8192 });
      expect(stream(pair, 200, 900, SPAWN)).toEqual(counting(200));
      expect(pair.a.memoryUsage.receive).toBe(pair.a.parkedBytes);
    }
  });

  test('when a hostile peer never sends id 0, then it cannot pass the budget', () => {
    const lone = new Lone({ maxParkedBytes: 8192, receivedPacketsBufferSize: 256 });
    const shared = ConnectionShared.create(TEST);
    const out = new Uint8Array(2000);
    for (let i = 0; i < 200; i++) {
      const header = writePacketHeader(out, 0, i, 65_535, 0);
      const sections = [{ channel: 0, messages: [{ id: 1 + (i % 63), event: SPAWN, payload: payload(i, 1000) }] }];
      const body = new Uint8Array(1500);
      const length = encodePacket(shared.layout, { hello: true, sections }, body);
      out.set(body.subarray(0, length), header);
      lone.connection.receive(out, lone.inbox, lone.transmit, 0, header + length);
      expect(lone.connection.parkedBytes).toBeLessThanOrEqual(8192);
    }
    expect([lone.inbox.length, lone.connection.state]).toEqual([0, 'established']);
    expect(lone.connection.counters.packetsRefused).toBeGreaterThan(100);
  });

  test('when 32 reliable channels of window 8192 have gaps, then they share one budget and free drained buffers', () => {
    const schema = catalogue(
      new Array(32).fill({ capacity: 8192 }),
      counting(32).map((channel) => [channel, 16] as const),
    );
    const lone = new Lone({ maxParkedBytes: 65_536, maxPendingEvents: 100_000, malformedLimit: 1 }, schema);
    const { layout } = ConnectionShared.create(schema);
    let sequence = 0;
    const receive = (channel: number, id: number): void => {
      const out = new Uint8Array(200);
      const header = writePacketHeader(out, 0, sequence++, 65_535, 0);
      const body = new Uint8Array(100);
      const length = encodePacket(
        layout,
        { hello: true, sections: [{ channel, messages: [{ id, event: channel, payload: payload(id, 8) }] }] },
        body,
      );
      out.set(body.subarray(0, length), header);
      lone.connection.receive(out, lone.inbox, lone.transmit, 0, header + length);
    };
    for (let channel = 0; channel < 32; channel++) {
      for (const id of [8191, 1500, 300, 40]) receive(channel, id);
      expect(lone.connection.parkedBytes).toBeLessThanOrEqual(65_536);
    }
    expect(lone.connection.parkedBytes).toBeGreaterThan(32_768);
    for (let channel = 0; channel < 32; channel++) for (let id = 0; id <= 1500; id++) receive(channel, id);
    expect(lone.connection.parkedBytes).toBeLessThanOrEqual(32 * 128 * 32);
  });

  test('when a refused packet comes again two windows later, then it is recognised as old', () => {
    const pair = established(21, {}, { maxPendingEvents: 1 });
    const datagrams: Uint8Array[] = [];
    const send = pair.bToA.send.bind(pair.bToA);
    pair.bToA.send = (time: number, bytes: Uint8Array, offset?: number, length?: number): void => {
      datagrams.push(bytes.slice(offset ?? 0, (offset ?? 0) + (length ?? bytes.length)));
      send(time, bytes, offset, length);
    };
    pair.b.trySend(CHAT, payload(0, 8));
    pair.b.trySend(CHAT, payload(1, 8));
    pair.step(DT);
    pair.step(DT);
    expect(pair.a.counters.packetsRefused).toBe(1);
    const [refused] = datagrams;
    const numbers: number[] = poll(pair.aInbox).map((one) => numberOf(one.payload));
    let next = 2;
    for (let i = 0; i < 3000 && numbers.length < 130; i++) {
      while (next < 130 && pair.b.trySend(CHAT, payload(next, 8)) === undefined) next++;
      pair.step(DT);
      numbers.push(...poll(pair.aInbox).map((one) => numberOf(one.payload)));
    }
    expect(numbers).toEqual(counting(130));
    pair.a.receive(refused!, pair.aInbox, () => undefined);
    expect(pair.aInbox.length).toBe(0);
  });

  test('when a burst of large buffers is over, then pools have let them go', () => {
    const pair = established(22, {}, { maxPooledBytes: 16_384 });
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 16; i++) pair.b.trySend(BLOB, payload(i, 8000));
      for (let i = 0; i < 30; i++) {
        pair.step(DT);
        discard(pair.aInbox);
      }
    }
    expect(pair.b.queuedBytes).toBe(0);
    expect(pair.b.memoryUsage.send).toBeLessThan(16_384 + 8000);
    const { connection, reliable, send, receive, total } = pair.b.memoryUsage;
    expect(total).toBe(connection + reliable + send + receive);
  });
});
