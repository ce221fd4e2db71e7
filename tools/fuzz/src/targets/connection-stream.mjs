// An established connection and a peer that may do anything: datagrams, packets, fragments, time, flushes, sends and polling in any order never throw,
// and everything that the connection holds stays within its bounds.
import { DATAGRAM_BYTES } from '@x/reliable/wire';
import { assert } from '../check.mjs';
import {
  A,
  B,
  C,
  Choices,
  D,
  E,
  FUZZ_CONFIG,
  HELLO,
  HOSTILE,
  MAX_PACKET,
  PEER,
  datagram,
  encoded,
  lone,
  sharedWith,
} from './support/hostile.mjs';

const { maxPendingEvents, maxPendingBytes, maxParkedBytes } = FUZZ_CONFIG;
const SHARED = sharedWith(FUZZ_CONFIG);
const HELD_BYTES = maxPendingBytes + 2 * maxParkedBytes;
const WAITING_EVENTS = maxPendingEvents + maxParkedBytes / 32;
const PACKETS_PER_FLUSH = 64;
const FRAGMENT_BYTES = 1186;
const FRAGMENTS = Math.ceil(MAX_PACKET / FRAGMENT_BYTES);
/** Reassemblies at once and bytes of one. */
const REASSEMBLIES = 16;
const MOST_OPERATIONS = 400;
const TIMES = [0, 1 / 60, 0.05, 0.2, 3, -1];

class Bench {
  #choices;
  #lone = lone(SHARED);
  #time = 0;
  #sequence = 0;

  constructor(input) {
    this.#choices = new Choices(input);
    this.#lone.receive(datagram(0, HELLO));
    assert(this.#lone.connection.state === 'established', 'the hello was not taken');
  }

  run() {
    const operations = [this.raw, this.framed, this.built, this.fragment, this.pass, this.flush, this.poll, this.queue];
    for (let i = 0; i < MOST_OPERATIONS && !this.#choices.isOver; i++) {
      operations[this.#choices.u8() % operations.length].call(this);
      this.check();
    }
    for (const value of Object.values({ ...this.#lone.connection.stats }))
      assert(value >= 0 && value < Infinity, `an estimate of ${value}`);
  }

  raw() {
    this.#lone.receive(this.#choices.bytes(this.#choices.u8()));
  }

  /** A packet with a good header and any body. */
  framed() {
    const [ack, ackBits] = this.acks();
    this.#lone.receive(datagram(this.next(), this.#choices.bytes(this.#choices.u8()), ack, ackBits));
  }

  /** A packet that the catalogue allows: up to 16 messages of one channel. */
  built() {
    const choice = this.#choices.u8();
    const [event, channel] = [
      [A, 0],
      [B, 0],
      [C, 1],
      [D, 1],
      [E, 2],
    ][choice % 5];
    const { maxPayload } = HOSTILE.events[event];
    const { delivery, capacity } = HOSTILE.channels[channel];
    const isReliable = delivery === 'reliableOrdered';
    const first = this.#choices.u8() - 64;
    const size = this.#choices.u16() % (maxPayload + 1);
    const count = 1 + (choice >>> 5);
    const messages = [];
    for (let i = 0; i < count && i < capacity; i++) {
      messages.push({ event, id: isReliable ? (first + i) & 0xffff : 0, payload: new Uint8Array(size).fill(i) });
    }
    const [ack, ackBits] = this.acks();
    this.#lone.receive(datagram(this.next(), encoded({ hello: choice >= 128, sections: [{ channel, messages }] }), ack, ackBits));
  }

  fragment() {
    const id = this.#choices.u8() % (FRAGMENTS + 1);
    const last = this.#choices.u8() % (FRAGMENTS + 1);
    const isWhole = id < last;
    const size = isWhole ? FRAGMENT_BYTES : this.#choices.u8();
    const sequence = this.#sequence + (this.#choices.u8() % 4);
    const header = id === 0 ? datagram(sequence, new Uint8Array(0)) : new Uint8Array(0);
    const data = new Uint8Array(size);
    data.set(this.#choices.bytes(Math.min(size, 8)));
    this.#lone.receive(Uint8Array.of(1, sequence & 0xff, (sequence >>> 8) & 0xff, id, last, ...header, ...data));
  }

  pass() {
    this.#time = Math.max(0, this.#time + TIMES[this.#choices.u8() % TIMES.length]);
    this.#lone.connection.update(this.#time);
  }

  flush() {
    const { connection, out, transmit } = this.#lone;
    const before = connection.counters.packetsSent;
    out.length = 0;
    connection.writePackets(transmit);
    assert(connection.counters.packetsSent - before <= PACKETS_PER_FLUSH, 'too many packets in a flush');
    assert(out.length <= PACKETS_PER_FLUSH * FRAGMENTS, 'too many datagrams in a flush');
    assert(
      out.every(({ length }) => length > 0 && length <= DATAGRAM_BYTES),
      'a datagram is too long',
    );
  }

  poll() {
    const { inbox } = this.#lone;
    for (let i = this.#choices.u8(); i > 0 && inbox.pop() !== undefined; i--);
    inbox.compact();
  }

  queue() {
    const { connection } = this.#lone;
    const event = this.#choices.u8() % 6;
    const size = this.#choices.u16() % 3100;
    const refusal = connection.trySend(event, new Uint8Array(size));
    const declared = HOSTILE.events[event];
    const expected = declared === undefined ? 'unknownEvent' : size > declared.maxPayload ? 'payloadTooLarge' : undefined;
    assert(refusal === expected || (expected === undefined && refusal === 'queueFull'), `trySend gave ${refusal} instead of ${expected}`);
  }

  next() {
    this.#sequence += [1, 1, 1, 0, 2, 33, 300, -1][this.#choices.u8() % 8];
    return this.#sequence;
  }

  acks() {
    const choice = this.#choices.u8();
    return choice < 128 ? [0xffff, 0] : [choice - 128, choice % 2 === 1 ? 0xffff_ffff : 0x5555_5555];
  }

  check() {
    const { connection, inbox } = this.#lone;
    const { events, bytes } = inbox.pending(PEER);
    assert(connection.state !== 'handshaking', 'back to handshaking');
    assert(connection.parkedBytes >= 0 && connection.parkedBytes <= maxParkedBytes, `${connection.parkedBytes} bytes are parked`);
    assert(connection.memoryUsage.receive === connection.parkedBytes, 'parked bytes are told in two ways');
    assert(bytes + connection.parkedBytes <= HELD_BYTES, `${bytes} bytes wait and ${connection.parkedBytes} are parked`);
    assert(events <= WAITING_EVENTS && events === inbox.length, `${events} events wait, the inbox has ${inbox.length}`);
    let queued = 0;
    for (const { id, capacity } of HOSTILE.channels) {
      assert(connection.queued(id) <= capacity, `${connection.queued(id)} events are queued on channel ${id}`);
      queued += connection.queued(id);
    }
    assert(connection.queuedBytes <= queued * 3000, `${connection.queuedBytes} bytes are queued`);
    assert(connection.memoryUsage.reliable <= REASSEMBLIES * 300 + MAX_PACKET + 32_768, 'the endpoint has grown');
  }
}

const word = (value) => [value & 0xff, value >>> 8];
// Numbers of operations, as in `run`.
const [RAW, FRAMED, BUILT, FRAGMENT, PASS, FLUSH, POLL, QUEUE] = [0, 1, 2, 3, 4, 5, 6, 7];
const built = (event, id, size, ack = 0) => [BUILT, event, id + 64, ...word(size), ack, 0];

export const target = {
  name: 'connection-stream',
  maxBytes: 2048,
  seeds: () =>
    [
      [],
      [RAW, 4, 1, 2, 3, 4, FRAMED, 0, 2, 0, 0, PASS, 1, FLUSH],
      [...built(A, 0, 10), POLL, 4, ...built(C, 0, 30), ...built(E, 1, 16), ...built(E, 0, 16), POLL, 255],
      // More large events ahead of a missing one than may be parked, then the missing one.
      [1, 2, 3, 4].flatMap((id) => built(B, id, 3000)).concat(built(A, 0, 5), POLL, 255),
      // More events than may wait.
      Array.from({ length: 10 }, (_, i) => built(A + 0xe0, 8 * i, 60)).flat(),
      [FRAGMENT, 0, 1, 0, 0x40, 0, FRAGMENT, 1, 1, 20, 0, 7, PASS, 2, FLUSH],
      [QUEUE, A, ...word(60), QUEUE, B, ...word(3000), PASS, 1, FLUSH, PASS, 3, FLUSH, ...built(D, 0, 0, 0x81), FLUSH, PASS, 3, FLUSH],
    ].map((bytes) => Uint8Array.from(bytes)),
  run(input) {
    new Bench(input).run();
  },
};
