/** A small reproducible generator (mulberry32) for test schedules. Not for keys. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  uint32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  bytes(count: number): Uint8Array {
    const out = new Uint8Array(count);
    for (let i = 0; i < count; i++) out[i] = this.below(256);
    return out;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)]!;
  }
}

/**
 * Runs a body with `count` seeds, or only with the one in the environment variable SEED.
 * A failure names its seed, so that `SEED=… npm test -- -t "…"` replays it.
 */
export function eachSeed(count: number, body: (random: SeededRandom, seed: number) => void): void {
  const only = process.env['SEED'];
  const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [Number(only)];
  for (const seed of seeds) {
    try {
      body(new SeededRandom(seed), seed);
    } catch (error) {
      throw new Error(`failed with SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}
