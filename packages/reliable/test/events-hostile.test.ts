import { eachSeed } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { ConnectionShared } from '../src/index.ts';
import { PacketLayout, encodePacket, writePacketHeader } from '../src/wire.ts';
import { CHAT, TEST, golden, numberOf, payload } from './support/catalogues.ts';
import { randomPacket } from './support/packets.ts';
import { DT, Lone, PEER, discard, established, poll } from './support/pairs.ts';

const HOSTILE = golden('hostile');
/** The configuration of the fuzz targets. */
const FUZZ = { maxPendingEvents: 64, maxPendingBytes: 16_384, maxParkedBytes: 8192, malformedLimit: 4_294_967_295 };
/** Payload that a peer can make a connection hold on receive. */
const CEILING = FUZZ.maxPendingBytes + 2 * FUZZ.maxParkedBytes;
const MAX_EVENTS = FUZZ.maxPendingEvents + FUZZ.maxParkedBytes / 32;

const layout = new PacketLayout(HOSTILE);
const scratch = new Uint8Array(70_000);

/** A datagram around a packet body. */
function datagram(sequence: number, ack: number, ackBits: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(9 + body.length);
  const header = writePacketHeader(bytes, 0, sequence & 0xffff, ack & 0xffff, ackBits);
  bytes.set(body, header);
  return bytes.subarray(0, header + body.length).slice();
}

function encoded(packet: Parameters<typeof encodePacket>[1]): Uint8Array {
  return scratch.slice(0, encodePacket(layout, packet, scratch));
}

function expectBounds(lone: Lone): void {
  const { connection, inbox } = lone;
  const { events, bytes } = inbox.pending(PEER);
  expect(connection.parkedBytes).toBeLessThanOrEqual(FUZZ.maxParkedBytes);
  expect(bytes + connection.parkedBytes).toBeLessThanOrEqual(CEILING);
  expect(events).toBeLessThanOrEqual(MAX_EVENTS);
}

test('connection_stream: when anything happens in any order, then nothing throws and every bound holds', () => {
  let accepted = 0;
  eachSeed(250, (random) => {
    const lone = new Lone(FUZZ, HOSTILE);
    const { connection } = lone;
    lone.receive(datagram(0, 65_535, 0, encoded({ hello: true, sections: [] })));
    expect(connection.state).toBe('established');
    let time = 0;
    let sequence = 1;
    for (let i = 0; i < 120; i++) {
      switch (random.below(9)) {
        case 0:
          lone.receive(random.bytes(random.below(80)));
          break;
        case 1:
        case 2:
        case 3:
          lone.receive(hostileDatagram(random, (sequence += random.pick([0, 1, 1, 1, 2, 40, 300]))));
          break;
        case 4:
          time += random.pick([-1, 0, DT, 0.2, 10]);
          connection.update(Math.max(time, 0));
          break;
        case 5:
          lone.flush();
          break;
        case 6:
          discard(lone.inbox);
          lone.inbox.compact();
          break;
        case 7:
          connection.trySend(random.below(6), random.bytes(random.below(70)));
          break;
        default:
          fragmented(random, sequence++).forEach((fragment) => lone.receive(fragment));
      }
      expectBounds(lone);
      expect(connection.state).not.toBe('handshaking');
      connection.takeEvent();
    }
    accepted += connection.counters.packetsReceived;
    for (const value of Object.values({ ...connection.stats })) expect(Number.isFinite(value) && value >= 0).toBe(true);
  });
  expect(accepted).toBeGreaterThan(2000);
});

/** A packet of ours, whole or damaged. */
function hostileDatagram(random: SeededRandom, sequence: number): Uint8Array {
  const body = encoded(randomPacket(random, HOSTILE));
  if (random.chance(0.3)) body[random.below(body.length)]! ^= 1 << random.below(8);
  const bytes = datagram(sequence, random.below(65_536), random.uint32(), body);
  return random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

/** A packet with one large event in fragments, of which some are missing, doubled or damaged. */
function fragmented(random: SeededRandom, sequence: number): Uint8Array[] {
  const event = { id: random.below(80), event: 1, payload: random.bytes(3000) };
  const body = encoded({ hello: false, sections: [{ channel: 0, messages: [event] }] });
  const count = Math.ceil(body.length / 1186);
  const header = datagram(sequence, 65_535, 0, new Uint8Array(0));
  return Array.from({ length: count }, (_, id) => {
    const part = body.subarray(1186 * id, 1186 * (id + 1));
    const bytes = Uint8Array.of(1, sequence & 255, (sequence >>> 8) & 255, id, count - 1, ...(id === 0 ? header : []), ...part);
    if (random.chance(0.1)) bytes[random.below(12)]! ^= 1 << random.below(8);
    return bytes;
  }).filter(() => random.chance(0.9));
}

test('when 20 000 random datagrams and empty ones are fed, then nothing throws and nothing is delivered', () => {
  let lone = new Lone(FUZZ);
  let received = 0;
  let mismatches = 0;
  eachSeed(20_000, (random) => {
    lone.receive(random.bytes(random.below(random.pick([0, 12, 60, 1300]) + 1)));
    if (lone.connection.state !== 'failed') return;
    // Only a foreign hello can fail it.
    mismatches++;
    expect(lone.connection.failure?.type).toMatch(/Mismatch$/);
    received += lone.connection.counters.datagramsReceived;
    lone = new Lone(FUZZ);
  });
  lone.receive(new Uint8Array(0));
  received += lone.connection.counters.datagramsReceived;
  expect([lone.connection.parkedBytes, lone.inbox.length]).toEqual([0, 0]);
  expect(received).toBeGreaterThan(10_000);
  expect(mismatches).toBeGreaterThan(100);
});

test('handshake: when a hello is fuzzed, then it is classified exactly, and a failed connection stays failed and delivers nothing', () => {
  const failures = new Set<string>();
  eachSeed(3000, (random) => {
    const lone = new Lone({ malformedLimit: 1 }, HOSTILE);
    const body = encoded({ hello: random.chance(0.9), sections: random.chance(0.5) ? randomPacket(random, HOSTILE).sections : [] });
    for (let flips = random.below(3); flips > 0; flips--) body[random.below(Math.min(body.length, 20))]! ^= 1 << random.below(8);
    lone.receive(datagram(0, 65_535, 0, body));
    const { connection, inbox } = lone;
    const version = body.length > 2 ? (body[0]! >>> 3) | (body[1]! << 5) | ((body[2]! & 7) << 13) : 0;
    failures.add(connection.failure?.type ?? connection.state);
    if (connection.failure?.type === 'protocolMismatch')
      expect(connection.failure).toEqual({ type: 'protocolMismatch', local: 2, remote: version });
    if (connection.failure?.type === 'schemaMismatch') expect(version).toBe(2);
    if (connection.state !== 'failed') return;
    const { failure, counters } = connection;
    const received = counters.datagramsReceived;
    lone.receive(datagram(1, 65_535, 0, encoded({ hello: true, sections: [] })));
    expect([connection.failure, counters.datagramsReceived, inbox.length]).toEqual([failure, received, 0]);
    expect(lone.flush().length).toBe(failure!.type.endsWith('Mismatch') ? 1 : 0);
  });
  expect([...failures].sort()).toEqual(['established', 'malformedData', 'protocolMismatch', 'schemaMismatch']);
});

test('when the wire version differs by one, then it is a protocol mismatch on either side', () => {
  for (const version of [1, 3]) {
    const lone = new Lone({}, HOSTILE);
    const body = encoded({ hello: true, sections: [] });
    body[0] = (body[0]! & 7) | (version << 3);
    lone.receive(datagram(0, 65_535, 0, body));
    expect(lone.connection.failure).toEqual({ type: 'protocolMismatch', local: 2, remote: version });
    expect(lone.connection.counters.malformedPackets).toBe(0);
  }
});

test('channel_schedule: when every drop, copy and delay is arbitrary, then after healing everything arrives once and in order', () => {
  eachSeed(150, (random, seed) => {
    const pair = established(seed, {}, { ...FUZZ, maxPendingEvents: 4096 }, HOSTILE);
    const sent = { A: 0, E: 0 };
    const got: Record<'A' | 'E', number[]> = { A: [], E: [] };
    const step = (): void => {
      pair.step(DT);
      for (const { event, payload: bytes } of poll(pair.aInbox)) got[event === 0 ? 'A' : 'E'].push(numberOf(bytes));
    };
    for (let i = 0; i < 60; i++) {
      const bad = {
        loss: random.pick([0, 0.5, 1]),
        duplicate: random.pick([0, 0.5]),
        jitter: random.pick([0, 0.2]),
        latency: random.pick([0, 0.1]),
      };
      pair.bToA.setConfig(bad);
      pair.aToB.setConfig({ ...bad, loss: random.pick([0, 0.5, 1]) });
      if (random.chance(0.7) && pair.b.trySend(0, payload(sent.A, 4 + random.below(60))) === undefined) sent.A++;
      if (random.chance(0.7) && pair.b.trySend(4, payload(sent.E, 16)) === undefined) sent.E++;
      step();
    }
    pair.setPerfect();
    for (let i = 0; i < 200; i++) step();
    for (const name of ['A', 'E'] as const) expect(got[name]).toEqual(Array.from({ length: sent[name] }, (_, i) => i));
    expect([pair.b.queued(0), pair.b.queued(2), pair.b.queuedBytes]).toEqual([0, 0, 0]);
  });
});

test('when the link corrupts every fifth datagram, then nothing throws', () => {
  const pair = established(17, {}, { malformedLimit: 1_000_000 });
  pair.aToB.setConfig({ corrupt: 0.2 });
  pair.bToA.setConfig({ corrupt: 0.2 });
  for (let i = 0; i < 1500; i++) {
    pair.a.trySend(CHAT, payload(i, 40));
    pair.b.trySend(0, payload(i, 2000));
    pair.step(DT);
    discard(pair.aInbox);
    discard(pair.bInbox);
  }
  expect(pair.a.counters.malformedPackets + pair.b.counters.malformedPackets).toBeGreaterThan(0);
});

describe('FF-51 A hostile peer with valid keys', () => {
  // Three channels and 60 messages per packet, so that the fields can hold values above their limits.
  const schema = { ...HOSTILE, maxMessagesPerPacket: 60 };
  const wide = new PacketLayout(schema);
  const chat = (id: number, event = 0, length = 2) => ({ id, event, payload: payload(id, 4).subarray(0, length) });
  const body = (packet: Parameters<typeof encodePacket>[1]): Uint8Array => scratch.slice(0, encodePacket(wide, packet, scratch));
  const whole = body({
    hello: true,
    sections: [
      { channel: 1, messages: [chat(0, 2)] },
      { channel: 0, messages: [chat(0), chat(1), chat(30)] },
    ],
  });

  /** Bits as [value, width] after a hello, as the writer of the tables lays them out. */
  const bits = (...fields: [number, number][]): Uint8Array => {
    const hello = body({ hello: true, sections: [] });
    const out = new Uint8Array(64);
    out.set(hello);
    // 147 bits of hello; what follows replaces the section count.
    out[18]! &= 7;
    let at = 147;
    for (const [value, width] of fields) for (let i = 0; i < width; i++, at++) out[at >>> 3]! |= ((value >>> i) & 1) << (at & 7);
    return out.slice(0, Math.ceil(at / 8));
  };

  const refused: [string, string, Uint8Array][] = [
    ['kind 1', 'reservedKind', Uint8Array.of(1, ...whole.subarray(1))],
    ['channel index = number of channels', 'valueOutOfRange', bits([1, 2], [3, 2], [0, 6], [0, 16], [0, 16])],
    ['message count above the limit', 'valueOutOfRange', bits([1, 2], [0, 2], [60, 6], [0, 16], [0, 16])],
    ['length above the event maximum', 'payloadTooLarge', bits([1, 2], [0, 2], [0, 6], [0, 16], [0, 3], [65, 12], [0, 700])],
    ['event of another channel', 'eventOnWrongChannel', bits([1, 2], [0, 2], [0, 6], [0, 16], [2, 3], [0, 12], [0, 16])],
    ['two sections for one channel', 'duplicateChannel', bits([2, 2], [1, 2], [0, 6], [3, 3], [0, 6], [0, 2], [1, 2])],
    [
      'ids spanning more than the window',
      'idSpanExceedsWindow',
      bits([1, 2], [0, 2], [1, 6], [0, 16], [0, 3], [0, 12], [0, 4], [8, 4], [8, 9], [0, 16]),
    ],
    [
      'an id in the absolute tier',
      'nonCanonical',
      bits([1, 2], [0, 2], [1, 6], [0, 16], [0, 3], [0, 12], [0, 4], [0, 6], [5, 32], [0, 16]),
    ],
    ['padding that is not zero', 'nonzeroPadding', bits([0, 2], [1, 3])],
    ['a trailing byte', 'trailingBytes', Uint8Array.of(...whole, 0)],
  ];

  test.each(refused)(
    'when a packet has %s, then it is refused as %s and ends that connection, and nothing of it is delivered',
    (_, kind, bytes) => {
      const lone = new Lone({}, schema);
      const neighbour = new Lone({}, schema);
      neighbour.receive(datagram(0, 65_535, 0, whole));
      lone.receive(datagram(0, 65_535, 0, bytes));
      const { connection, inbox } = lone;
      expect(connection.lastMalformed).toBe(kind);
      expect([connection.failure, connection.counters.malformedPackets]).toEqual([{ type: 'malformedData' }, 1]);
      expect([inbox.length, connection.counters.packetsReceived, connection.counters.eventsReceived]).toEqual([0, 0, 0]);
      expect(neighbour.connection.state).toBe('established');
    },
  );

  test('when it is truncated at any byte, then it is refused', () => {
    for (let length = 0; length < whole.length; length++) {
      const lone = new Lone({}, schema);
      lone.receive(datagram(0, 65_535, 0, whole.subarray(0, length)));
      expect([lone.connection.lastMalformed, lone.inbox.length]).toEqual(['truncated', 0]);
    }
  });

  test('when it holds more than the receiver’s own packet budget, then it is accepted', () => {
    const lone = new Lone({ packetBudget: 20 }, schema);
    lone.receive(datagram(0, 65_535, 0, whole));
    expect([lone.connection.state, lone.inbox.length]).toEqual(['established', 3]);
    expect(lone.connection.parkedBytes).toBeGreaterThan(0);
    expect(ConnectionShared.create(TEST).config.packetBudget).toBe(1191);
  });
});
