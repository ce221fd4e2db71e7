import type { ReliableSender } from './channel/reliable-sender.ts';
import { NOW } from './connection-clock.ts';

/** After how long a packet is written off, seconds: two of the largest round trips within these bounds, or the third without one. */
const MIN_EXPIRY = 0.05;
const MAX_EXPIRY = 1;
const DEFAULT_EXPIRY = 0.25;
const FIRST_MESSAGES = 256;
const ENTRY_BYTES = 2 + 1 + 1 + 8 + 4 + 4;
const MESSAGE_BYTES = 8;

/**
 * What the sent packets carried, so that an acknowledged packet acknowledges its reliable events: a ring over the packet sequences, and one log of
 * messages for all of them, which is used up in the order of the packets.
 *
 * Packets that count as in flight bound how far a sender runs ahead: the endpoint can match an acknowledgement only to a packet in its window.
 * Source: event layer section 6.4.
 */
export class SentPackets {
  readonly #size: number;
  readonly #clock: Float64Array;
  readonly #stats: { readonly rttMax: number };
  readonly #mask: number;
  readonly #sequences: Uint16Array;
  readonly #isLive: Uint8Array;
  readonly #hasHello: Uint8Array;
  /** Seconds. */
  readonly #times: Float64Array;
  /** Place in the log and number of messages. */
  readonly #firsts: Uint32Array;
  readonly #counts: Uint32Array;
  #inFlight: number = 0;
  /** The oldest packet whose messages are still in the log, and how many packets there are from it on. */
  #oldest: number = 0;
  #packets: number = 0;
  /** A ring. Channel and id share a number: channel * 65536 + id. Its ends are u32 counts that wrap. */
  #keys: Uint32Array = new Uint32Array(FIRST_MESSAGES);
  #serials: Uint32Array = new Uint32Array(FIRST_MESSAGES);
  #logMask: number = FIRST_MESSAGES - 1;
  #logStart: number = 0;
  #logEnd: number = 0;
  /** Messages of the packet that is being built. */
  #open: number = 0;

  /**
   * @param size - packets remembered, a power of two.
   * @param clock - of the connection.
   * @param stats - of its endpoint, for the largest round trip.
   */
  constructor(size: number, clock: Float64Array, stats: { readonly rttMax: number }) {
    this.#clock = clock;
    this.#stats = stats;
    this.#size = size;
    this.#mask = size - 1;
    this.#sequences = new Uint16Array(size);
    this.#isLive = new Uint8Array(size);
    this.#hasHello = new Uint8Array(size);
    this.#times = new Float64Array(size);
    this.#firsts = new Uint32Array(size);
    this.#counts = new Uint32Array(size);
  }

  /** Packets that were neither acknowledged nor written off nor left the window. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Bytes of the tables. */
  get memoryBytes(): number {
    return this.#size * ENTRY_BYTES + this.#keys.length * MESSAGE_BYTES;
  }

  /** Notes a reliable message of the packet that is being built. */
  addMessage(channel: number, id: number, serial: number): void {
    if ((this.#logEnd - this.#logStart) >>> 0 > this.#logMask) this.#growLog();
    const at = this.#logEnd & this.#logMask;
    this.#keys[at] = channel * 0x1_0000 + id;
    this.#serials[at] = serial;
    this.#logEnd = (this.#logEnd + 1) >>> 0;
    this.#open++;
  }

  /** Enters the packet with the messages added since the last one. Sequences follow one another. */
  record(sequence: number, hasHello: boolean): void {
    const slot = sequence & this.#mask;
    if (this.#packets === this.#size) this.#dropOldest();
    this.#sequences[slot] = sequence;
    this.#isLive[slot] = 1;
    this.#hasHello[slot] = hasHello ? 1 : 0;
    this.#times[slot] = this.#clock[NOW]!;
    this.#firsts[slot] = this.#logEnd - this.#open;
    this.#counts[slot] = this.#open;
    if (this.#packets === 0) this.#oldest = sequence;
    this.#packets++;
    this.#inFlight++;
    this.#open = 0;
  }

  /**
   * Takes note that a packet was acknowledged, and so its events.
   *
   * @param senders - by channel.
   * @returns true when it carried a hello; false also for a packet that is no longer known.
   */
  acknowledge(sequence: number, senders: readonly (ReliableSender | undefined)[]): boolean {
    const slot = sequence & this.#mask;
    if (this.#isLive[slot] === 0 || this.#sequences[slot] !== sequence) return false;
    this.#isLive[slot] = 0;
    this.#inFlight--;
    const first = this.#firsts[slot]!;
    const count = this.#counts[slot]!;
    for (let i = 0; i < count; i++) {
      const at = (first + i) & this.#logMask;
      const key = this.#keys[at]!;
      senders[key >>> 16]!.acknowledge(key & 0xffff, this.#serials[at]!);
    }
    this.#trim();
    return this.#hasHello[slot] === 1;
  }

  /** Whether another packet may carry events. When half the window is in flight, packets older than two round trips are written off first. */
  hasRoom(): boolean {
    const cap = this.#size / 2;
    if (this.#inFlight < cap) return true;
    const now = this.#clock[NOW]!;
    const expiry = this.#expiry();
    for (let slot = 0; slot < this.#size; slot++) {
      if (this.#isLive[slot] === 1 && now - this.#times[slot]! > expiry) {
        this.#isLive[slot] = 0;
        this.#inFlight--;
      }
    }
    this.#trim();
    return this.#inFlight < cap;
  }

  #expiry(): number {
    const rttMax = this.#stats.rttMax / 1000;
    return rttMax > 0 ? Math.min(Math.max(2 * rttMax, MIN_EXPIRY), MAX_EXPIRY) : DEFAULT_EXPIRY;
  }

  /** Frees the log up to the oldest packet that is live. */
  #trim(): void {
    while (this.#packets > 0 && this.#isLive[this.#oldest & this.#mask] === 0) this.#dropOldest();
  }

  #dropOldest(): void {
    const slot = this.#oldest & this.#mask;
    if (this.#isLive[slot] === 1) {
      this.#isLive[slot] = 0;
      this.#inFlight--;
    }
    this.#logStart = (this.#logStart + this.#counts[slot]!) >>> 0;
    this.#oldest = (this.#oldest + 1) & 0xffff;
    this.#packets--;
  }

  #growLog(): void {
    const size = 2 * this.#keys.length;
    const keys = new Uint32Array(size);
    const serials = new Uint32Array(size);
    for (let at = this.#logStart; at !== this.#logEnd; at = (at + 1) >>> 0) {
      keys[at & (size - 1)] = this.#keys[at & this.#logMask]!;
      serials[at & (size - 1)] = this.#serials[at & this.#logMask]!;
    }
    this.#keys = keys;
    this.#serials = serials;
    this.#logMask = size - 1;
  }
}
