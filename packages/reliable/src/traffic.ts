import { ACKED_BYTES, ACKED_FINISH, ACKED_START, BYTES, DROPPED, FINISH, FOUND, START } from './packet-ring.ts';
import type { PacketRing } from './packet-ring.ts';
import { SMOOTHING_THRESHOLD } from './rtt-history.ts';

// Indices of the figures.
const KBPS = 0;
const LOSS = 1;
const ACKED_KBPS = 2;

/** Stands for a figure that there is none of: nothing was found, or no time passed. Figures are never negative. */
const NONE = -1;

/**
 * Loss and bandwidth of one ring of packets, smoothed once per update, in float32 as the reference computes them. Looks at the older half of
 * the ring, so that acks had time to come back: everything is 0 until more than half of it has been used.
 *
 * The ring is looked at only when it has changed since the last update; the smoothing goes on without that. Numbers live in typed arrays,
 * which round them to float32 and cost no garbage.
 * Source: reliable section 10.
 */
export class Traffic {
  readonly #ring: PacketRing;
  readonly #factors: Float32Array;
  /** How many of the figures there are. */
  readonly #figures: number;
  /** Unsmoothed, as of the last look. */
  readonly #targets: Float32Array = new Float32Array(3).fill(NONE);
  readonly #smoothed: Float32Array = new Float32Array(3);

  /**
   * @param bandwidthFactor - float32, 0 … 1.
   * @param lossFactor - the same; without it, for received packets, nothing is told about acknowledgements.
   */
  constructor(ring: PacketRing, bandwidthFactor: number, lossFactor?: number) {
    this.#ring = ring;
    this.#figures = lossFactor === undefined ? 1 : 3;
    this.#factors = new Float32Array([bandwidthFactor, lossFactor ?? 0, bandwidthFactor]);
  }

  /** Packets not acknowledged, in percent. */
  get loss(): number {
    return this.#smoothed[LOSS]!;
  }

  /** Kilobits per second of all packets. */
  get kbps(): number {
    return this.#smoothed[KBPS]!;
  }

  /** Kilobits per second of the acknowledged packets. */
  get ackedKbps(): number {
    return this.#smoothed[ACKED_KBPS]!;
  }

  /** One step of smoothing. Loss falls to 0 when there is no figure; bandwidth keeps its value. */
  update(): void {
    if (this.#ring.hasChanged) this.#look();
    const targets = this.#targets;
    const smoothed = this.#smoothed;
    if (targets[LOSS] === NONE) smoothed[LOSS] = 0;
    for (let i = 0; i < this.#figures; i++) {
      const target = targets[i]!;
      const value = smoothed[i]!;
      if (target === NONE || target === value) continue;
      const step = Math.fround(target - value);
      smoothed[i] = Math.abs(step) > SMOOTHING_THRESHOLD ? value + Math.fround(step * this.#factors[i]!) : target;
    }
  }

  #look(): void {
    const half = this.#ring.olderHalf();
    const time = half[FINISH]! - half[START]!;
    const ackedTime = half[ACKED_FINISH]! - half[ACKED_START]!;
    const targets = this.#targets;
    targets[LOSS] = half[FOUND]! > 0 ? Math.fround(half[DROPPED]! / half[FOUND]!) * 100 : NONE;
    targets[KBPS] = time > 0 ? ((half[BYTES]! / time) * 8) / 1000 : NONE;
    targets[ACKED_KBPS] = ackedTime > 0 ? ((half[ACKED_BYTES]! / ackedTime) * 8) / 1000 : NONE;
  }
}
