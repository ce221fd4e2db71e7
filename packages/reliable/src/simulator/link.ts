import { ReliableError } from '../errors.ts';
import { checkByteRange, describe } from '../internal/check.ts';
import { copyBytes } from '../internal/copy.ts';
import { PayloadPool } from '../internal/payload-pool.ts';
import type { Transmit } from '../transmit.ts';
import { ArrivalQueue } from './arrival-queue.ts';
import { SplitMix64 } from './split-mix64.ts';

/** How bad a one-way link is. Probabilities are 0 … 1, times seconds of 0 or more. */
export interface LinkConfig {
  /** One-way delay, seconds. */
  readonly latency: number;
  /** Extra delay, uniform in [0, jitter) seconds; reorders. */
  readonly jitter: number;
  /** Probability that a datagram is dropped. */
  readonly loss: number;
  /** Probability that a second copy is delivered. */
  readonly duplicate: number;
  /** Probability that one random bit of a copy is flipped. */
  readonly corrupt: number;
}

/** What happened on a link so far. */
export type LinkCounters = Readonly<Record<'sent' | 'bytes' | 'lost' | 'duplicated' | 'corrupted' | 'delivered', number>>;

/** No delay and no fault; what {@link Link} uses for every field that is not given. */
export const PERFECT: LinkConfig = Object.freeze({ latency: 0, jitter: 0, loss: 0, duplicate: 0, corrupt: 0 });

/** A configuration with nothing but a one-way delay of this many seconds. */
export function latency(seconds: number): LinkConfig {
  return checkedConfig({ latency: seconds });
}

/** Datagrams that wait for their arrival keep at most this many spare bytes. */
const SPARE_BYTES = 1 << 20;
const SPARE_DATAGRAMS = 1024;
const NANOSECONDS = 1e9;

/**
 * A one-way datagram pipe with its own generator. The same seed and the same calls give the same deliveries, bit for bit.
 *
 * Source: simulator section 2.
 */
export class Link {
  /** A live view. */
  readonly counters: LinkCounters;
  readonly #counts: { -readonly [K in keyof LinkCounters]: number };
  readonly #random: SplitMix64;
  readonly #queue: ArrivalQueue = new ArrivalQueue();
  readonly #pool: PayloadPool = new PayloadPool(SPARE_DATAGRAMS, SPARE_BYTES);
  #config: LinkConfig;
  /** Every delivery goes out through one array, so that receivers see the same one each time. */
  #scratch: Uint8Array = new Uint8Array(2048);

  /**
   * @param config - fields that are left out are those of {@link PERFECT}.
   * @param seed - u64 of the generator.
   * @throws {@link ReliableError} `INVALID_OPTION` for a field that is not a finite number of 0 or more, or a bad seed.
   */
  constructor(config: Partial<LinkConfig>, seed: bigint | number) {
    this.#config = checkedConfig(config);
    this.#random = new SplitMix64(seed);
    this.#counts = { sent: 0, bytes: 0, lost: 0, duplicated: 0, corrupted: 0, delivered: 0 };
    this.counters = this.#counts;
  }

  /** Number of datagrams on their way. */
  get inFlight(): number {
    return this.#queue.length;
  }

  /** Changes the link for datagrams offered from now on; those in flight keep their arrival time. Fields left out become those of {@link PERFECT}. */
  setConfig(config: Partial<LinkConfig>): void {
    this.#config = checkedConfig(config);
  }

  /**
   * Offers one datagram.
   *
   * @param time - seconds, 0 or more.
   * @param bytes - copied.
   */
  send(time: number, bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): void {
    checkByteRange(bytes, offset, length);
    const config = this.#config;
    const random = this.#random;
    const counts = this.#counts;
    counts.sent++;
    counts.bytes += length;
    if (random.chance(config.loss)) {
      counts.lost++;
      return;
    }
    this.#enqueue(time, bytes, offset, length);
    if (random.chance(config.duplicate)) {
      counts.duplicated++;
      this.#enqueue(time, bytes, offset, length);
    }
  }

  /**
   * Hands over what has arrived by `time`, in order of arrival; equal times in the order of the offers.
   *
   * @param receive - gets a range that is valid during the call only. It may send on any link, this one included, but not deliver from this one.
   */
  deliver(time: number, receive: Transmit): void {
    const now = nanoseconds(time);
    const queue = this.#queue;
    while (queue.length > 0 && queue.firstArrival <= now) {
      const datagram = queue.pop();
      const length = datagram.length;
      if (length > this.#scratch.length) this.#scratch = new Uint8Array(2 * length);
      const scratch = this.#scratch;
      copyBytes(datagram, 0, length, scratch, 0);
      this.#pool.give(datagram);
      this.#counts.delivered++;
      receive(scratch, 0, length);
    }
  }

  /** The order of the draws is part of the definition: corruption, its bit, jitter. */
  #enqueue(time: number, bytes: Uint8Array, offset: number, length: number): void {
    const config = this.#config;
    const random = this.#random;
    const copy = this.#pool.take(length);
    copyBytes(bytes, offset, length, copy, 0);
    if (random.chance(config.corrupt) && length > 0) {
      const bit = random.below(length * 8);
      copy[bit >>> 3]! ^= 1 << (bit & 7);
      this.#counts.corrupted++;
    }
    const extra = config.jitter > 0 ? random.unit() * config.jitter : 0;
    this.#queue.push(nanoseconds(time + config.latency + extra), copy);
  }
}

/** Whole nanoseconds, truncated. */
function nanoseconds(seconds: number): number {
  return Math.floor(Math.max(seconds, 0) * NANOSECONDS);
}

function checkedConfig(config: Partial<LinkConfig>): LinkConfig {
  const full: LinkConfig = Object.freeze({
    latency: config.latency ?? 0,
    jitter: config.jitter ?? 0,
    loss: config.loss ?? 0,
    duplicate: config.duplicate ?? 0,
    corrupt: config.corrupt ?? 0,
  });
  for (const [field, value] of Object.entries(full)) {
    if (typeof value === 'number' && value >= 0 && value < Infinity) continue;
    throw new ReliableError('invalidOption', `${field}: expected a finite number of 0 or more, got ${describe(value)}`, { field });
  }
  return full;
}
