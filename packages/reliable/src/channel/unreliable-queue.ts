import type { CatalogueChannel } from '../catalogue.ts';
import { copyBytes } from '../internal/copy.ts';
import type { PayloadPool } from '../internal/payload-pool.ts';
import type { MutableCounters } from '../stats.ts';
import { NOTHING_DUE } from './channel.ts';
import type { QueueRefusal, SendChannel } from './channel.ts';

const FIRST_SLOTS = 16;
const SLOT_BYTES = 4 + 8;
const NO_BYTES = new Uint8Array(0);

/**
 * The sending side of an unreliable channel: a queue whose events are gone once they have been written. Source: event layer section 5.3.
 */
export class UnreliableQueue implements SendChannel {
  readonly isReliable = false;
  readonly #capacity: number;
  readonly #overflow: CatalogueChannel['overflow'];
  readonly #pool: PayloadPool;
  readonly #counters: MutableCounters;
  #mask: number = FIRST_SLOTS - 1;
  #events: Uint32Array = new Uint32Array(FIRST_SLOTS);
  #payloads: Uint8Array[] = new Array<Uint8Array>(FIRST_SLOTS).fill(NO_BYTES);
  #head: number = 0;
  #length: number = 0;
  #bytes: number = 0;

  /**
   * @param capacity - longest queue, 1 … 65535 events.
   * @param overflow - what a full queue does with one more.
   * @param pool - of this channel.
   * @param counters - of the connection.
   */
  constructor(capacity: number, overflow: CatalogueChannel['overflow'], pool: PayloadPool, counters: MutableCounters) {
    this.#capacity = capacity;
    this.#overflow = overflow;
    this.#pool = pool;
    this.#counters = counters;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#bytes + this.#events.length * SLOT_BYTES;
  }

  queue(event: number, payload: Uint8Array): QueueRefusal {
    if (this.#length >= this.#capacity) {
      if (this.#overflow === 'fail') return 'queueFull';
      this.#counters.eventsDroppedOnSend++;
      if (this.#overflow === 'dropNewest') return undefined;
      this.#removeFront();
    }
    if (this.#length > this.#mask) this.#grow();
    const copy = this.#pool.take(payload.length);
    copyBytes(payload, 0, payload.length, copy, 0);
    const slot = (this.#head + this.#length) & this.#mask;
    this.#events[slot] = event;
    this.#payloads[slot] = copy;
    this.#length++;
    this.#bytes += payload.length;
    return undefined;
  }

  beginFlush(): void {
    // Nothing is kept from one flush to the next.
  }

  nextDue(): number {
    return this.#length > 0 ? 0 : NOTHING_DUE;
  }

  idAt(): number {
    return 0;
  }

  serialAt(): number {
    return 0;
  }

  eventAt(): number {
    return this.#events[this.#head]!;
  }

  payloadAt(): Uint8Array {
    return this.#payloads[this.#head]!;
  }

  take(): void {
    this.#counters.eventsSent++;
    this.#removeFront();
  }

  #removeFront(): void {
    const payload = this.#payloads[this.#head]!;
    this.#payloads[this.#head] = NO_BYTES;
    this.#pool.give(payload);
    this.#bytes -= payload.length;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length--;
  }

  #grow(): void {
    const size = 2 * this.#events.length;
    const events = new Uint32Array(size);
    const payloads = new Array<Uint8Array>(size).fill(NO_BYTES);
    for (let i = 0; i < this.#length; i++) {
      events[i] = this.#events[(this.#head + i) & this.#mask]!;
      payloads[i] = this.#payloads[(this.#head + i) & this.#mask]!;
    }
    this.#events = events;
    this.#payloads = payloads;
    this.#head = 0;
    this.#mask = size - 1;
  }
}
