import { eachSeed } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { Delivery } from '../src/channel/delivery.ts';
import { NOTHING_DUE } from '../src/channel/channel.ts';
import { ReliableReceiver } from '../src/channel/reliable-receiver.ts';
import { ReliableSender } from '../src/channel/reliable-sender.ts';
import { UnreliableQueue } from '../src/channel/unreliable-queue.ts';
import { Inbox, PeerId } from '../src/index.ts';
import { PayloadPool } from '../src/internal/payload-pool.ts';
import { SentPackets } from '../src/sent-packets.ts';
import { newCounters } from '../src/stats.ts';

const PEER = PeerId.of(0, 1);
const BIG_POOL = (): PayloadPool => new PayloadPool(1000, 1 << 20);

describe('PayloadPool', () => {
  test('when a buffer comes back, then the next payload of its length gets it, and no other', () => {
    const pool = new PayloadPool(10, 1000);
    const buffer = pool.take(20);
    pool.give(buffer);
    expect(pool.bytes).toBe(20);
    expect(pool.take(21)).not.toBe(buffer);
    expect(pool.take(20)).toBe(buffer);
    expect(pool.bytes).toBe(0);
    expect(pool.take(0).length).toBe(0);
  });

  test('when either bound would be passed, then the buffer is let go', () => {
    const few = new PayloadPool(2, 1000);
    for (let i = 0; i < 5; i++) few.give(new Uint8Array(10));
    expect(few.bytes).toBe(20);
    const small = new PayloadPool(100, 25);
    for (let i = 0; i < 5; i++) small.give(new Uint8Array(10));
    expect(small.bytes).toBe(20);
    const none = new PayloadPool(100, 0);
    none.give(new Uint8Array(1));
    expect(none.bytes).toBe(0);
  });

  test('when a burst of large buffers has filled it, then small ones in use make room for themselves', () => {
    const pool = new PayloadPool(1000, 65_536);
    for (let i = 0; i < 8; i++) pool.give(new Uint8Array(8000));
    for (let round = 0; round < 600; round++) {
      const held = Array.from({ length: 200 }, () => pool.take(20));
      for (const buffer of held) pool.give(buffer);
    }
    const buffers = new Set(Array.from({ length: 200 }, () => pool.take(20)));
    for (const buffer of buffers) pool.give(buffer);
    const again = Array.from({ length: 200 }, () => pool.take(20));
    expect(again.every((buffer) => buffers.has(buffer))).toBe(true);
    expect(pool.bytes).toBeLessThanOrEqual(65_536);
  });

  test('when every length is another one, then the table of lengths stays small and the accounts stay right', () => {
    const pool = new PayloadPool(1_000_000, 1 << 30);
    for (let length = 1; length < 5000; length++) pool.give(pool.take(length));
    expect(pool.bytes).toBeLessThan(1024 * 5000);
    for (let length = 1; length < 5000; length++) pool.take(length);
    expect(pool.bytes).toBe(0);
  });
});

describe('ReliableSender', () => {
  const make = (window = 4, interval = 0.1): { sender: ReliableSender; clock: Float64Array; pool: PayloadPool } => {
    const clock = new Float64Array(3);
    const pool = BIG_POOL();
    return { sender: new ReliableSender(window, interval, pool, clock, newCounters()), clock, pool };
  };
  const drain = (sender: ReliableSender): number[] => {
    sender.beginFlush();
    const taken: number[] = [];
    for (let at = sender.nextDue(); at !== NOTHING_DUE; at = sender.nextDue()) {
      taken.push(sender.idAt(at));
      sender.take(at);
    }
    return taken;
  };

  test('when the window is full, then one more is refused, and an acknowledged middle frees nothing', () => {
    const { sender } = make();
    for (let i = 0; i < 4; i++) expect(sender.queue(i, Uint8Array.of(i))).toBeUndefined();
    expect(sender.queue(9, Uint8Array.of(9))).toBe('queueFull');
    expect(drain(sender)).toEqual([0, 1, 2, 3]);
    sender.acknowledge(1, sender.serialAt(1));
    expect(sender.length).toBe(4);
    expect(sender.queue(9, Uint8Array.of(9))).toBe('queueFull');
    sender.acknowledge(0, sender.serialAt(0));
    expect([sender.length, sender.bytes, sender.idAt(0)]).toEqual([2, 2, 2]);
  });

  test('when the interval has passed, then what is not acknowledged is due again, oldest first, new ones after it', () => {
    const { sender, clock } = make();
    sender.queue(0, Uint8Array.of(0));
    sender.queue(1, Uint8Array.of(1));
    clock[0] = 1;
    expect(drain(sender)).toEqual([0, 1]);
    sender.queue(2, Uint8Array.of(2));
    clock[0] = 1.05;
    expect(drain(sender)).toEqual([2]);
    sender.acknowledge(0, sender.serialAt(0));
    // 1.1 - 1 is a little more than 0.1, 1.15 - 1.05 a little less.
    clock[0] = 1.1;
    expect(drain(sender)).toEqual([1]);
    expect(drain(sender)).toEqual([]);
  });

  test('when the interval is 0, then an event is written once per flush', () => {
    const { sender } = make(4, 0);
    sender.queue(0, Uint8Array.of(0));
    expect([drain(sender), drain(sender)]).toEqual([[0], [0]]);
  });

  test('when an id has come round, then an acknowledgement of the old event does not touch the new one', () => {
    const { sender } = make();
    sender.queue(0, Uint8Array.of(0));
    const old = sender.serialAt(0);
    for (let i = 0; i < 65_536; i++) {
      sender.acknowledge(i & 0xffff, sender.serialAt(0));
      sender.queue(0, Uint8Array.of(1));
    }
    expect([sender.idAt(0), sender.length]).toEqual([0, 1]);
    sender.acknowledge(0, old);
    expect(sender.length).toBe(1);
    sender.acknowledge(0, sender.serialAt(0));
    sender.acknowledge(0, 65_536);
    expect([sender.length, sender.bytes]).toEqual([0, 0]);
  });

  test('when the front is acknowledged in the middle of a flush, then the scan goes on with the event after the last one taken', () => {
    const { sender } = make();
    for (let i = 0; i < 3; i++) sender.queue(i, Uint8Array.of(i));
    sender.beginFlush();
    sender.take(sender.nextDue());
    sender.acknowledge(0, sender.serialAt(0));
    expect(sender.idAt(sender.nextDue())).toBe(1);
  });

  test('when an event is queued, then its payload is a copy', () => {
    const { sender } = make();
    const bytes = Uint8Array.from({ length: 40 }, (_, i) => i);
    sender.queue(7, bytes);
    bytes.fill(0);
    expect([sender.payloadAt(0)[39], sender.eventAt(0)]).toEqual([39, 7]);
  });
});

describe('UnreliableQueue', () => {
  test.each([
    ['fail', 'queueFull', [0, 1], 0],
    ['dropOldest', undefined, [1, 2], 1],
    ['dropNewest', undefined, [0, 1], 1],
  ] as const)('when it is full under %s, then the next event gives %s and leaves %o', (overflow, refusal, left, dropped) => {
    const counters = newCounters();
    const queue = new UnreliableQueue(2, overflow, BIG_POOL(), counters);
    for (let i = 0; i < 2; i++) queue.queue(i, Uint8Array.of(i));
    expect(queue.queue(2, Uint8Array.of(2))).toBe(refusal);
    expect([queue.length, queue.bytes]).toEqual([2, 2]);
    const events = [];
    while (queue.nextDue() !== NOTHING_DUE) {
      events.push(queue.eventAt());
      queue.take();
    }
    expect(events).toEqual(left);
    expect(counters.eventsDroppedOnSend).toBe(dropped);
  });
});

describe('ReliableReceiver', () => {
  const make = (window: number, limits: { maxPendingEvents?: number; maxParkedBytes?: number } = {}) => {
    const inbox = new Inbox<unknown>(1);
    inbox.openSlot(PEER);
    const delivery = new Delivery(PEER, newCounters(), {
      maxPendingEvents: 1000,
      maxPendingBytes: 1 << 20,
      maxParkedBytes: 4096,
      ...limits,
    });
    delivery.inbox = inbox;
    const receiver = new ReliableReceiver(2, window, BIG_POOL(), delivery);
    const receive = (id: number, length = 10): boolean => {
      const bytes = new Uint8Array(length + 2);
      bytes[1] = id;
      return receiver.receive(id, 5, bytes, 1, length);
    };
    const popped = (): number[] => {
      const ids = [];
      for (let record = inbox.pop(); record !== undefined; record = inbox.pop())
        if (record.type === 'message') ids.push(record.payload[0]!);
      return ids;
    };
    return { delivery, receiver, receive, popped };
  };

  test('when events arrive out of order, then they are delivered in order and their charge is refunded', () => {
    const { delivery, receiver, receive, popped } = make(64);
    expect([receive(2), receive(1), receive(4)]).toEqual([true, true, true]);
    expect(delivery.parkedBytes).toBe(receiver.slotCapacity * 32 + 30);
    expect(popped()).toEqual([]);
    receive(0);
    expect(popped()).toEqual([0, 1, 2]);
    receive(3);
    expect(popped()).toEqual([3, 4]);
    expect([receiver.parked, delivery.parkedBytes]).toEqual([0, receiver.slotCapacity * 32]);
    expect(delivery.counters.eventsReceived).toBe(5);
  });

  test('when an event was delivered, is parked, or lies outside the window, then it is a duplicate', () => {
    const { delivery, receive } = make(4);
    receive(0);
    receive(2);
    for (const id of [0, 2, 5, 65_535, 30_000]) expect(receive(id)).toBe(true);
    expect(delivery.counters.duplicateEvents).toBe(5);
    expect(receive(4)).toBe(true);
    expect(delivery.counters.duplicateEvents).toBe(5);
  });

  test('when the budget does not hold an event, then it is refused and nothing has changed', () => {
    const { delivery, receiver, receive } = make(64, { maxParkedBytes: 3 * 32 + 20 });
    expect(receive(2, 20)).toBe(true);
    expect([receiver.slotCapacity, delivery.parkedBytes]).toEqual([3, 116]);
    for (const [id, length] of [
      [1, 1],
      [3, 0],
      [60, 4000],
    ] as const)
      expect(receive(id, length)).toBe(false);
    expect([receiver.slotCapacity, receiver.parked, delivery.parkedBytes]).toEqual([3, 1, 116]);
    expect(receive(1, 0)).toBe(true);
    expect(receive(0)).toBe(true);
    expect(delivery.parkedBytes).toBe(96);
  });

  test('when the inbox is full, then the next event in order is refused, but a filled gap releases what waits', () => {
    const { delivery, receive, popped } = make(64, { maxPendingEvents: 1 });
    receive(2);
    receive(1);
    expect(receive(0)).toBe(true);
    expect(receive(3)).toBe(false);
    expect(popped()).toEqual([0, 1, 2]);
    expect(receive(3)).toBe(true);
    expect(delivery.counters.eventsReceived).toBe(4);
  });

  test('when a large buffer has drained, then at most 128 slots stay charged', () => {
    const wide = make(8192, { maxParkedBytes: 1 << 20 });
    for (let id = 1; id <= 128; id++) wide.receive(id, 4);
    expect(wide.receiver.slotCapacity).toBeGreaterThan(128);
    wide.receive(0, 4);
    expect([wide.receiver.slotCapacity, wide.delivery.parkedBytes]).toEqual([0, 0]);
    const narrow = make(128, { maxParkedBytes: 1 << 20 });
    narrow.receive(100, 4);
    for (let id = 0; id < 100; id++) narrow.receive(id, 4);
    expect([narrow.receiver.parked, narrow.delivery.parkedBytes]).toEqual([0, narrow.receiver.slotCapacity * 32]);
  });

  test('when anything arrives, then the charge is the slots and the parked payloads, within the budget', () => {
    eachSeed(60, (random) => {
      const window = random.pick([2, 5, 100, 5000]);
      const budget = random.pick([100, 1000, 20_000]);
      const { delivery, receiver, receive, popped } = make(window, { maxParkedBytes: budget });
      const parked = new Map<number, number>();
      let next = 0;
      for (let i = 0; i < 400; i++) {
        const id = (next + (random.chance(0.3) ? 0 : random.below(Math.min(window, 60)))) & 0xffff;
        const length = 4 + random.below(50);
        const before = delivery.parkedBytes;
        const isNew = !parked.has(id);
        const accepted = receive(id, length);
        if (!accepted) expect(delivery.parkedBytes).toBe(before);
        else if (id === next) for (next = (next + 1) & 0xffff; parked.delete(next); next = (next + 1) & 0xffff);
        else if (isNew) parked.set(id, length);
        const payloads = [...parked.values()].reduce((sum, one) => sum + one, 0);
        expect(delivery.parkedBytes).toBe(payloads + receiver.slotCapacity * 32);
        expect(delivery.parkedBytes).toBeLessThanOrEqual(budget);
        popped();
      }
    });
  });
});

describe('SentPackets', () => {
  const STATS = { rttMax: 0 };

  test('when packets leave the window or are written off, then they are no longer in flight and acknowledge nothing', () => {
    const clock = new Float64Array(3);
    const sent = new SentPackets(4, clock, STATS);
    sent.record(65_534, true);
    sent.record(65_535, false);
    expect([sent.inFlight, sent.hasRoom()]).toEqual([2, false]);
    clock[0] = 0.25;
    expect(sent.hasRoom()).toBe(false);
    clock[0] = 0.2500001;
    expect(sent.hasRoom()).toBe(true);
    expect(sent.acknowledge(65_534, [])).toBe(false);
    for (let i = 0; i < 6; i++) sent.record(i, true);
    expect(sent.inFlight).toBe(4);
    expect([sent.acknowledge(1, []), sent.acknowledge(2, []), sent.acknowledge(2, [])]).toEqual([false, true, false]);
    expect(sent.inFlight).toBe(3);
  });

  test('when there were round trips, then packets are written off after two of the largest, within bounds', () => {
    for (const [rttMax, expiry] of [
      [100, 0.2],
      [1, 0.05],
      [5000, 1],
    ] as const) {
      const clock = new Float64Array(3);
      const sent = new SentPackets(2, clock, { rttMax });
      sent.record(0, false);
      clock[0] = expiry;
      expect(sent.hasRoom()).toBe(false);
      clock[0] = expiry + 1e-9;
      expect(sent.hasRoom()).toBe(true);
    }
  });

  test('when messages come and go for a long time, then each acknowledgement tells exactly those of its packet', () => {
    eachSeed(20, (random) => {
      const size = random.pick([2, 16, 256]);
      const sent = new SentPackets(size, new Float64Array(3), STATS);
      const told: string[] = [];
      const sender = (channel: number) =>
        ({ acknowledge: (id: number, serial: number) => told.push(`${channel}/${id}/${serial}`) }) as never;
      const senders = [sender(0), sender(1)];
      const model = new Map<number, string[]>();
      const start = random.below(65_536);
      for (let i = 0; i < 1500; i++) {
        const sequence = (start + i) & 0xffff;
        const messages = Array.from(
          { length: random.below(random.pick([3, 60])) },
          (_, m) => [random.below(2), random.below(65_536), i * 100 + m] as const,
        );
        for (const [channel, id, serial] of messages) sent.addMessage(channel, id, serial);
        sent.record(sequence, false);
        model.set(
          sequence,
          messages.map(([channel, id, serial]) => `${channel}/${id}/${serial}`),
        );
        model.delete((sequence - size) & 0xffff);
        if (random.chance(0.4)) continue;
        const which = random.pick([...model.keys()]);
        told.length = 0;
        sent.acknowledge(which, senders);
        expect(told).toEqual(model.get(which));
        model.delete(which);
        expect(sent.inFlight).toBe(model.size);
      }
      expect(sent.memoryBytes).toBeLessThan(size * 20 + 8 * 2 * Math.max(512, size * 64));
    });
  });
});
