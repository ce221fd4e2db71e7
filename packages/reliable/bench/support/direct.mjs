// Two connections wired into each other.
import { Connection, Inbox, PeerId } from '@x/reliable';
import { BLOB_BYTES, DT } from './catalogue.mjs';

const PEER = PeerId.of(0, 1);
/** Frames until both ends are established and nothing is owed. */
const SETTLE_FRAMES = 8;

export function discard() {}

/** Datagrams that wait to be handed over. Makes no garbage when the same array comes with the same length again and again. */
export class Datagrams {
  #bytes = new Uint8Array(1 << 20);
  #lengths = new Uint32Array(4096);
  #end = 0;
  #source = this.#bytes;
  #view = this.#bytes;
  /** How many wait. */
  length = 0;
  push = (bytes, offset, length) => {
    if (offset !== 0) throw new Error('a datagram does not begin its array');
    if (this.#source !== bytes || this.#view.length !== length) {
      this.#source = bytes;
      this.#view = bytes.subarray(0, length);
    }
    this.#bytes.set(this.#view, this.#end);
    this.#lengths[this.length++] = length;
    this.#end += length;
  };

  /** Hands all over and forgets them. */
  drain(connection, inbox, transmit) {
    let offset = 0;
    for (let i = 0; i < this.length; i++) {
      connection.receive(this.#bytes, inbox, transmit, offset, this.#lengths[i]);
      offset += this.#lengths[i];
    }
    this.length = 0;
    this.#end = 0;
  }
}

export class Direct {
  a;
  b;
  aInbox = new Inbox(1);
  bInbox = new Inbox(1);
  time = 0;
  #acks = new Datagrams();
  #buffer = new Uint8Array(BLOB_BYTES);
  #toA = (bytes, offset, length) => this.a.receive(bytes, this.aInbox, this.#acks.push, offset, length);
  #toB = (bytes, offset, length) => this.b.receive(bytes, this.bInbox, discard, offset, length);

  constructor(shared) {
    this.a = new Connection(shared, PEER, 0);
    this.b = new Connection(shared, PEER, 0);
    this.aInbox.openSlot(PEER);
    this.bInbox.openSlot(PEER);
    for (let i = 0; i < SETTLE_FRAMES; i++) this.step();
    if (this.a.state !== 'established' || this.b.state !== 'established') throw new Error('the pair is not established');
  }

  /** A frame of both ends: `b` sends first, what `a` acknowledges at once comes back before `a` sends. */
  step() {
    this.time += DT;
    this.aInbox.compact();
    this.bInbox.compact();
    this.a.update(this.time);
    this.b.update(this.time);
    this.b.writePackets(this.#toA);
    this.#acks.drain(this.b, this.bInbox, discard);
    this.a.writePackets(this.#toB);
  }

  /** Hands datagrams of `b` to `a`, then what `a` acknowledges at once to `b`. */
  deliver(datagrams) {
    datagrams.drain(this.a, this.aInbox, this.#acks.push);
    this.#acks.drain(this.b, this.bInbox, discard);
  }

  /** Sends events of one payload, each with another first byte. */
  send(event, payload, count) {
    for (let i = 0; i < count; i++) {
      payload[0] = i;
      const refusal = this.b.trySend(event, payload);
      if (refusal !== undefined) throw new Error(`an event was refused: ${refusal}`);
    }
  }

  /** Takes everything out of the inbox of `a`, which must be this much. */
  drain(count) {
    let taken = 0;
    while (this.aInbox.popInto(this.#buffer) !== undefined) taken++;
    if (taken !== count) throw new Error(`${taken} of ${count} events arrived`);
  }

  /** As {@link drain}, looking at the events as {@link send} sent them. */
  check(event, payload, count) {
    for (let i = 0; i < count; i++) {
      payload[0] = i;
      const record = this.aInbox.pop();
      const isRight = record?.event === event && record.length === payload.length && Buffer.compare(record.payload, payload) === 0;
      if (!isRight) throw new Error(`event ${i} of ${count} did not arrive as it was sent`);
    }
    this.drain(0);
  }
}
