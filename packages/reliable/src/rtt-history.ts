import type { PacketRing } from './packet-ring.ts';

const EMPTY = -1;
/** The minimum starts here; the reference reports it as 0 when no sample is below. */
const MIN_START_MILLISECONDS = 10_000;
/** Differences below this count as none. A double, compared with a float32. */
export const SMOOTHING_THRESHOLD = 0.00001;
/** Samples that can wait for the next update before figures must be computed that nobody may ever ask for. */
const WAITING = 64;

// Indices of the figures.
const MIN = 0;
const MAX = 1;
const AVERAGE = 2;
const JITTER_AVERAGE = 3;
const JITTER_MAX = 4;
const JITTER_DEVIATION = 5;

/**
 * Round-trip samples by packet sequence, and what is told about them: float32 throughout, operation by operation as the reference computes,
 * with sums in the order of the slots.
 *
 * The figures are those of the last {@link settle}. They are computed when they are read: samples that arrive later wait beside the
 * history, so that an update costs nothing but taking them over, and whoever never reads never pays.
 * All times are milliseconds.
 * Source: reliable section 9.
 */
export class RttHistory {
  // Numbers that are not small integers live in typed arrays, which round them to float32 and cost no garbage.
  readonly #rtt: Float32Array = new Float32Array(1);
  readonly #factor: Float32Array;
  readonly #size: number;
  readonly #samples: Float32Array;
  /** Slots from here on were never filled. */
  #used: number = 0;
  readonly #waitingSlots: Uint16Array = new Uint16Array(WAITING);
  readonly #waitingSamples: Float32Array = new Float32Array(WAITING);
  #waiting: number = 0;
  readonly #figures: Float32Array = new Float32Array(6);
  /** Whether the figures are those of the samples as of the last settle. */
  #isComputed: boolean = true;

  /**
   * @param size - number of samples kept, 1 or more.
   * @param factor - float32, weight of a new sample in `rtt`.
   */
  constructor(size: number, factor: number) {
    this.#size = size;
    this.#factor = Float32Array.of(factor);
    // A slot is sequence mod size, so more than 65536 are never used.
    this.#samples = new Float32Array(Math.min(size, 0x1_0000)).fill(EMPTY);
  }

  /** Bytes of all arrays. */
  get memoryBytes(): number {
    return this.#samples.byteLength + WAITING * 6 + this.#figures.byteLength;
  }

  /** The smoothed round-trip time; changes with every sample, 0 before the first. */
  get rtt(): number {
    return this.#rtt[0]!;
  }

  get min(): number {
    return this.#figure(MIN);
  }

  get max(): number {
    return this.#figure(MAX);
  }

  get average(): number {
    return this.#figure(AVERAGE);
  }

  get jitterAverage(): number {
    return this.#figure(JITTER_AVERAGE);
  }

  get jitterMax(): number {
    return this.#figure(JITTER_MAX);
  }

  get jitterDeviation(): number {
    return this.#figure(JITTER_DEVIATION);
  }

  /**
   * Adds the sample of a packet and smooths `rtt` with it.
   *
   * @param sent - the ring that knows when the packet was sent and what time it is; the time itself would be garbage as an argument.
   */
  add(sequence: number, { clock, times, buffer }: PacketRing): void {
    const sample = Math.fround(Math.fround(clock[0]! - times[buffer.slotOf(sequence)]!) * 1000);
    const rtt = this.#rtt[0]!;
    if ((rtt === 0 && sample > 0) || Math.abs(Math.fround(rtt - sample)) < SMOOTHING_THRESHOLD) {
      this.#rtt[0] = sample;
    } else {
      this.#rtt[0] = rtt + Math.fround(Math.fround(sample - rtt) * this.#factor[0]!);
    }
    const slot = sequence % this.#size;
    if (this.#waiting === WAITING) {
      // No more room: the figures of the last settle are computed while that is still possible. One sample waits at the end in any case.
      if (!this.#isComputed) this.#compute();
      this.#takeOver();
    }
    this.#waitingSlots[this.#waiting] = slot;
    this.#waitingSamples[this.#waiting] = sample;
    this.#waiting++;
  }

  /** Makes the samples of now those that the figures tell about. */
  settle(): void {
    if (this.#waiting === 0) return;
    this.#takeOver();
    this.#isComputed = false;
  }

  #takeOver(): void {
    for (let i = 0; i < this.#waiting; i++) {
      const slot = this.#waitingSlots[i]!;
      this.#samples[slot] = this.#waitingSamples[i]!;
      if (slot >= this.#used) this.#used = slot + 1;
    }
    this.#waiting = 0;
  }

  #figure(index: number): number {
    if (!this.#isComputed) this.#compute();
    return this.#figures[index]!;
  }

  #compute(): void {
    const samples = this.#samples;
    const used = this.#used;
    let min = MIN_START_MILLISECONDS;
    let max = 0;
    let sum = Math.fround(0);
    let count = 0;
    for (let i = 0; i < used; i++) {
      const sample = samples[i]!;
      if (sample < 0) continue;
      if (sample < min) min = sample;
      if (sample > max) max = sample;
      sum = Math.fround(sum + sample);
      count++;
    }
    if (min === MIN_START_MILLISECONDS) min = 0;
    const average = count > 0 ? Math.fround(sum / count) : 0;
    let jitterSum = Math.fround(0);
    let squares = Math.fround(0);
    for (let i = 0; i < used; i++) {
      const sample = samples[i]!;
      if (sample < 0) continue;
      jitterSum = Math.fround(jitterSum + Math.fround(sample - min));
      const d = Math.fround(sample - average);
      squares = Math.fround(squares + Math.fround(d * d));
    }
    const figures = this.#figures;
    figures[MIN] = min;
    figures[MAX] = max;
    figures[AVERAGE] = average;
    figures[JITTER_AVERAGE] = count > 0 ? jitterSum / count : 0;
    // Rounding keeps order, so the largest difference is that of the largest sample.
    figures[JITTER_MAX] = Math.max(0, max - min);
    figures[JITTER_DEVIATION] = count > 0 ? Math.sqrt(Math.fround(squares / count)) : 0;
    this.#isComputed = true;
  }
}
