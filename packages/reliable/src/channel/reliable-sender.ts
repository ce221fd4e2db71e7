import { copyBytes, powerOfTwoFrom } from '../internal/copy.ts';
import type { PayloadPool } from '../internal/payload-pool.ts';
import { addSequence, sequencesSince } from '../sequence.ts';
import type { MutableCounters } from '../stats.ts';
import { NOW } from '../connection-clock.ts';
import { NOTHING_DUE } from './channel.ts';
import type { QueueRefusal, SendChannel } from './channel.ts';

const FIRST_SLOTS = 16;
/** Serial, event, time, flag and reference of a slot. */
const SLOT_BYTES = 4 + 4 + 8 + 1 + 8;
const NO_BYTES = new Uint8Array(0);

/**
 * The sending side of a reliable channel: a window of events in the order of their ids, each kept until it is acknowledged and written again when
 * no acknowledgement came within the resend interval.
 *
 * A position is a distance from the oldest event. Slots lie in a ring that grows up to the window. Source: event layer section 5.1.
 */
export class ReliableSender implements SendChannel {
  readonly isReliable = true;
  readonly #window: number;
  readonly #resendInterval: number;
  readonly #pool: PayloadPool;
  readonly #clock: Float64Array;
  readonly #counters: MutableCounters;
  #mask: number = FIRST_SLOTS - 1;
  #serials: Uint32Array = new Uint32Array(FIRST_SLOTS);
  #events: Uint32Array = new Uint32Array(FIRST_SLOTS);
  /** Seconds of the last write, minus infinity before the first. */
  #lastSent: Float64Array = new Float64Array(FIRST_SLOTS);
  #acked: Uint8Array = new Uint8Array(FIRST_SLOTS);
  #payloads: Uint8Array[] = new Array<Uint8Array>(FIRST_SLOTS).fill(NO_BYTES);
  /** Ring index of the oldest event, and its id. */
  #head: number = 0;
  #oldest: number = 0;
  #length: number = 0;
  #bytes: number = 0;
  #nextSerial: number = 0;
  #cursor: number = 0;

  /**
   * @param window - most unacknowledged events, 1 … 32768.
   * @param resendInterval - seconds.
   * @param pool - of this channel.
   * @param clock - of the connection; handed over as an array because a time that is an argument is garbage.
   * @param counters - of the connection.
   */
  constructor(window: number, resendInterval: number, pool: PayloadPool, clock: Float64Array, counters: MutableCounters) {
    this.#window = window;
    this.#resendInterval = resendInterval;
    this.#pool = pool;
    this.#clock = clock;
    this.#counters = counters;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#bytes + this.#serials.length * SLOT_BYTES;
  }

  queue(event: number, payload: Uint8Array): QueueRefusal {
    if (this.#length >= this.#window) return 'queueFull';
    if (this.#length > this.#mask) this.#grow();
    const copy = this.#pool.take(payload.length);
    copyBytes(payload, 0, payload.length, copy, 0);
    const slot = (this.#head + this.#length) & this.#mask;
    this.#serials[slot] = this.#nextSerial;
    this.#nextSerial = (this.#nextSerial + 1) | 0;
    this.#events[slot] = event;
    this.#lastSent[slot] = -Infinity;
    this.#acked[slot] = 0;
    this.#payloads[slot] = copy;
    this.#length++;
    this.#bytes += payload.length;
    return undefined;
  }

  beginFlush(): void {
    this.#cursor = 0;
  }

  nextDue(): number {
    const now = this.#clock[NOW]!;
    const length = this.#length;
    const interval = this.#resendInterval;
    while (this.#cursor < length) {
      const slot = (this.#head + this.#cursor) & this.#mask;
      if (this.#acked[slot] === 0 && now - this.#lastSent[slot]! >= interval) return this.#cursor;
      this.#cursor++;
    }
    return NOTHING_DUE;
  }

  idAt(position: number): number {
    return addSequence(this.#oldest, position);
  }

  serialAt(position: number): number {
    return this.#serials[(this.#head + position) & this.#mask]!;
  }

  eventAt(position: number): number {
    return this.#events[(this.#head + position) & this.#mask]!;
  }

  payloadAt(position: number): Uint8Array {
    return this.#payloads[(this.#head + position) & this.#mask]!;
  }

  take(position: number): void {
    const slot = (this.#head + position) & this.#mask;
    if (this.#lastSent[slot] === -Infinity) this.#counters.eventsSent++;
    else this.#counters.eventsResent++;
    this.#lastSent[slot] = this.#clock[NOW]!;
    this.#cursor = position + 1;
  }

  /**
   * Takes note that a packet with this event was acknowledged.
   *
   * @param id - u16; may be long gone, and by now name another event.
   * @param serial - u32 of the event that the packet carried; guards against that.
   */
  acknowledge(id: number, serial: number): void {
    const position = sequencesSince(id, this.#oldest);
    if (position >= this.#length) return;
    const slot = (this.#head + position) & this.#mask;
    if (this.#serials[slot] !== serial || this.#acked[slot] !== 0) return;
    this.#acked[slot] = 1;
    if (position > 0) return;
    while (this.#length > 0 && this.#acked[this.#head] !== 0) this.#popFront();
  }

  #popFront(): void {
    const payload = this.#payloads[this.#head]!;
    this.#payloads[this.#head] = NO_BYTES;
    this.#pool.give(payload);
    this.#bytes -= payload.length;
    this.#head = (this.#head + 1) & this.#mask;
    this.#oldest = addSequence(this.#oldest, 1);
    this.#length--;
    if (this.#cursor > 0) this.#cursor--;
  }

  #grow(): void {
    const size = powerOfTwoFrom(2 * this.#serials.length);
    const serials = new Uint32Array(size);
    const events = new Uint32Array(size);
    const lastSent = new Float64Array(size);
    const acked = new Uint8Array(size);
    const payloads = new Array<Uint8Array>(size).fill(NO_BYTES);
    for (let i = 0; i < this.#length; i++) {
      const slot = (this.#head + i) & this.#mask;
      serials[i] = this.#serials[slot]!;
      events[i] = this.#events[slot]!;
      lastSent[i] = this.#lastSent[slot]!;
      acked[i] = this.#acked[slot]!;
      payloads[i] = this.#payloads[slot]!;
    }
    this.#serials = serials;
    this.#events = events;
    this.#lastSent = lastSent;
    this.#acked = acked;
    this.#payloads = payloads;
    this.#head = 0;
    this.#mask = size - 1;
  }
}
