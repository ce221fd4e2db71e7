// Two reliable streams, one with a window of 4, through a network whose every drop, copy and delay comes from the input: what arrives is in order, and
// once the network is well everything has arrived, each event once.
import { Connection, Inbox } from '@x/reliable';
import { assert } from '../check.mjs';
import { A, Choices, E, FUZZ_CONFIG, PEER, sharedWith } from './support/hostile.mjs';

const DT = 1 / 60;
const MOST_STEPS = 200;
const HEALING_STEPS = 300;
/** Steps by which a datagram is late at most. */
const MOST_DELAY = 15;
const SHARED = sharedWith(FUZZ_CONFIG);

class End {
  connection = new Connection(SHARED, PEER, 0);
  inbox = new Inbox(1);
  /** Datagrams on their way to this end: [step, bytes], in the order of the offers. */
  arriving = [];
  transmit;

  constructor() {
    this.inbox.openSlot(PEER);
  }

  receiveUntil(step) {
    const due = this.arriving.filter(([at]) => at <= step).sort(([one], [other]) => one - other);
    this.arriving = this.arriving.filter(([at]) => at > step);
    for (const [, bytes] of due) this.connection.receive(bytes, this.inbox, this.transmit);
  }
}

/** One event type from b to a: what was accepted and what came. */
class Stream {
  sent = 0;
  received = 0;

  constructor(event, size) {
    this.event = event;
    this.size = size;
  }

  payload(index) {
    const bytes = new Uint8Array(4 + (index % (this.size - 3))).fill(index);
    new DataView(bytes.buffer).setUint32(0, index, true);
    return bytes;
  }

  send({ connection }) {
    if (connection.trySend(this.event, this.payload(this.sent)) === undefined) this.sent++;
  }

  take(payload) {
    const isNext = this.received < this.sent && Buffer.compare(payload, this.payload(this.received)) === 0;
    assert(isNext, `event ${this.event}: expected number ${this.received} of ${this.sent}, got ${Buffer.from(payload).toString('hex')}`);
    this.received++;
  }
}

class Schedule {
  #a = new End();
  #b = new End();
  #streams = [new Stream(A, 64), new Stream(E, 16)];
  #step = 0;
  #time = 0;
  #choices = new Choices(new Uint8Array(0));

  constructor() {
    this.#a.transmit = (bytes, offset, length) => this.offer(this.#b, bytes.slice(offset, offset + length));
    this.#b.transmit = (bytes, offset, length) => this.offer(this.#a, bytes.slice(offset, offset + length));
  }

  run(input) {
    while (this.#b.connection.state === 'handshaking' || this.#a.connection.state === 'handshaking') this.step(DT, true);
    this.#choices = new Choices(input);
    for (let i = 0; i < MOST_STEPS && !this.#choices.isOver; i++) {
      const plan = this.#choices.u8();
      for (const [k, stream] of this.#streams.entries()) for (let n = (plan >>> (2 * k)) & 3; n > 0; n--) stream.send(this.#b);
      this.step(plan >= 128 ? 0.11 : DT, (plan & 64) === 0);
    }
    this.#choices = new Choices(new Uint8Array(0));
    for (let i = 0; i < HEALING_STEPS; i++) this.step(DT, true);
    for (const { event, sent, received } of this.#streams) assert(received === sent, `${received} of ${sent} events ${event} arrived`);
    const { connection } = this.#b;
    assert(connection.queuedBytes === 0 && connection.queued(0) + connection.queued(2) === 0, 'events are still queued');
    assert(this.#a.connection.parkedBytes <= (32 + 4) * 32, `${this.#a.connection.parkedBytes} bytes are still parked`);
  }

  /** The fate of a datagram: 0 goes through, 1 is dropped, 2 is late, 3 comes twice. Without choices it goes through. */
  offer(end, bytes) {
    const fate = this.#choices.u8();
    const kind = fate & 3;
    if (kind === 1) return;
    const late = this.#step + 1 + ((fate >>> 2) & MOST_DELAY);
    end.arriving.push([kind === 2 ? late : this.#step + 1, bytes]);
    if (kind === 3) end.arriving.push([late, bytes]);
  }

  step(dt, isPolling) {
    this.#step++;
    this.#time += dt;
    for (const end of [this.#a, this.#b]) end.connection.update(this.#time);
    for (const end of [this.#a, this.#b]) end.receiveUntil(this.#step);
    if (isPolling) this.poll();
    for (const end of [this.#a, this.#b]) end.connection.writePackets(end.transmit);
    for (const end of [this.#a, this.#b])
      assert(end.connection.state !== 'failed', `the connection failed: ${end.connection.failure?.type}`);
  }

  poll() {
    const { inbox } = this.#a;
    for (let record = inbox.pop(); record !== undefined; record = inbox.pop()) {
      const stream = this.#streams.find(({ event }) => event === record.event);
      assert(stream !== undefined, `event ${record.event} was never sent`);
      stream.take(record.payload);
    }
    inbox.compact();
  }
}

const [THROUGH, DROP, TWICE] = [0, 1, 3];
const late = (steps) => 2 | (steps << 2);
/** Events of both streams in every step, and these fates for the datagrams. */
const always = (...fates) => Uint8Array.from({ length: 120 }, (_, i) => (i % 3 === 0 ? 0b0110 : fates[i % fates.length]));

export const target = {
  name: 'channel-schedule',
  maxBytes: 512,
  seeds: () => [
    new Uint8Array(0),
    always(THROUGH),
    always(THROUGH, DROP),
    always(DROP, DROP, THROUGH, TWICE),
    always(late(3), THROUGH, late(9), DROP),
    always(TWICE, late(1), TWICE | (4 << 2)),
    Uint8Array.of(0b1111, ...new Uint8Array(40).fill(DROP), 0xcf, late(15), 0xcf, THROUGH),
  ],
  run(input) {
    new Schedule().run(input);
  },
};
