import { copyBytes, powerOfTwoFrom } from '../internal/copy.ts';
import type { PayloadPool } from '../internal/payload-pool.ts';
import { addSequence, sequencesSince } from '../sequence.ts';
import { KEEP_SLOTS, PARK_OVERHEAD } from '../wire-constants.ts';
import type { Delivery } from './delivery.ts';

const FIRST_SLOTS = 4;
const NO_BYTES = new Uint8Array(0);

/**
 * The receiving side of a reliable channel: delivers events in the order of their ids and parks those that arrive ahead of a missing one, within
 * the budget of the connection.
 *
 * `slotCapacity` is the accounted number of reorder slots; the ring behind it has the next power of two, created when first needed.
 * Source: event layer sections 5.2 and 10.
 */
export class ReliableReceiver {
  readonly #channel: number;
  readonly #window: number;
  readonly #pool: PayloadPool;
  readonly #delivery: Delivery;
  /** Id of the next event to deliver, and its place in the ring. */
  #next: number = 0;
  #head: number = 0;
  #slotCapacity: number = 0;
  #parked: number = 0;
  #mask: number = 0;
  #isParked: Uint8Array = NO_BYTES;
  #events: Uint32Array = new Uint32Array(0);
  #payloads: Uint8Array[] = [];

  /**
   * @param channel - its id.
   * @param window - most events ahead of the next one, 1 … 32768.
   * @param pool - of this channel.
   * @param delivery - of the connection: inbox, parked budget, counters.
   */
  constructor(channel: number, window: number, pool: PayloadPool, delivery: Delivery) {
    this.#channel = channel;
    this.#window = window;
    this.#pool = pool;
    this.#delivery = delivery;
  }

  /** Reorder slots that are charged. */
  get slotCapacity(): number {
    return this.#slotCapacity;
  }

  /** Events that wait for a missing one. */
  get parked(): number {
    return this.#parked;
  }

  /**
   * Takes one event out of a packet.
   *
   * @param id - u16.
   * @param bytes - borrowed; the payload is copied.
   * @returns false when the packet must be refused: no room in the inbox, or none in the parked budget. Nothing has changed then.
   */
  receive(id: number, event: number, bytes: Uint8Array, offset: number, length: number): boolean {
    const ahead = sequencesSince(id, this.#next);
    const slot = (this.#head + ahead) & this.#mask;
    if (ahead >= this.#window || (ahead < this.#slotCapacity && this.#isParked[slot] === 1)) {
      this.#delivery.counters.duplicateEvents++;
      return true;
    }
    if (ahead > 0) return this.#park(ahead, event, bytes, offset, length);
    const delivery = this.#delivery;
    if (!delivery.hasRoom(length)) return false;
    delivery.deliver(event, this.#channel, bytes, offset, length);
    this.#step();
    if (this.#parked > 0) this.#release();
    return true;
  }

  #step(): void {
    this.#next = addSequence(this.#next, 1);
    this.#head = (this.#head + 1) & this.#mask;
  }

  /** Delivers the parked events that are next in order, whatever room the inbox has. */
  #release(): void {
    const delivery = this.#delivery;
    while (this.#isParked[this.#head] === 1) {
      const payload = this.#payloads[this.#head]!;
      delivery.deliver(this.#events[this.#head]!, this.#channel, payload, 0, payload.length);
      this.#isParked[this.#head] = 0;
      this.#payloads[this.#head] = NO_BYTES;
      this.#parked--;
      delivery.parkedBytes -= payload.length;
      this.#pool.give(payload);
      this.#step();
    }
    if (this.#parked > 0 || this.#slotCapacity <= KEEP_SLOTS) return;
    delivery.parkedBytes -= this.#slotCapacity * PARK_OVERHEAD;
    this.#slotCapacity = 0;
    this.#mask = 0;
    this.#isParked = NO_BYTES;
    this.#events = new Uint32Array(0);
    this.#payloads = [];
  }

  #park(ahead: number, event: number, bytes: Uint8Array, offset: number, length: number): boolean {
    const delivery = this.#delivery;
    const available = delivery.maxParkedBytes - delivery.parkedBytes;
    const needed = ahead + 1;
    // A buffer has exactly the length of its payload, so the charge is known before anything is touched.
    if (Math.max(needed - this.#slotCapacity, 0) * PARK_OVERHEAD + length > available) return false;
    let charge = length;
    if (needed > this.#slotCapacity) {
      const old = this.#slotCapacity;
      let capacity = Math.max(Math.min(2 * old, this.#window), needed, FIRST_SLOTS);
      if ((capacity - old) * PARK_OVERHEAD + length > available) capacity = needed;
      this.#grow(capacity);
      charge += (capacity - old) * PARK_OVERHEAD;
    }
    const payload = this.#pool.take(length);
    copyBytes(bytes, offset, length, payload, 0);
    const slot = (this.#head + ahead) & this.#mask;
    this.#isParked[slot] = 1;
    this.#events[slot] = event;
    this.#payloads[slot] = payload;
    this.#parked++;
    delivery.parkedBytes += charge;
    return true;
  }

  #grow(capacity: number): void {
    const old = this.#slotCapacity;
    this.#slotCapacity = capacity;
    const size = powerOfTwoFrom(capacity);
    if (size === this.#payloads.length) return;
    const isParked = new Uint8Array(size);
    const events = new Uint32Array(size);
    const payloads = new Array<Uint8Array>(size).fill(NO_BYTES);
    for (let i = 0; i < old; i++) {
      const slot = (this.#head + i) & this.#mask;
      isParked[i] = this.#isParked[slot]!;
      events[i] = this.#events[slot]!;
      payloads[i] = this.#payloads[slot]!;
    }
    this.#isParked = isParked;
    this.#events = events;
    this.#payloads = payloads;
    this.#head = 0;
    this.#mask = size - 1;
  }
}
