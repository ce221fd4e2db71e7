import { ReliableError } from '../errors.ts';
import { describe } from '../internal/check.ts';

const U64_LIMIT = 1n << 64n;
const TWO_32 = 0x1_0000_0000;
const UNIT = 2 ** -53;
/** Weight of the upper half in `unit`: 2^32 / 2^11. */
const HIGH_WEIGHT = 2 ** 21;
/** Largest divisor for which `(hi mod n) * 2^32 + lo` stays exact in a double. */
const MAX_FAST_DIVISOR = 2 ** 21;

/**
 * The generator of the link simulator: the same seed gives the same draws on every platform. For simulations, never for keys.
 *
 * The state and the products are kept in 32-bit halves, since a BigInt per draw is several times slower.
 * Source: simulator section 1.
 */
export class SplitMix64 {
  #stateHi: number;
  #stateLo: number;
  #hi: number = 0;
  #lo: number = 0;

  /**
   * @param seed - u64; a safe integer of 0 or more is taken as well.
   * @throws {@link ReliableError} `INVALID_OPTION` for anything else.
   */
  constructor(seed: bigint | number) {
    if (!(typeof seed === 'bigint' ? seed >= 0n && seed < U64_LIMIT : Number.isSafeInteger(seed) && seed >= 0)) {
      throw new ReliableError('invalidOption', `seed: expected a whole number in 0 … 2^64 - 1, got ${describe(seed)}`, { field: 'seed' });
    }
    const state = BigInt(seed);
    this.#stateHi = Number(state >> 32n);
    this.#stateLo = Number(state & 0xffff_ffffn);
  }

  /** The next u64. */
  next(): bigint {
    this.#draw();
    return (BigInt(this.#hi) << 32n) | BigInt(this.#lo);
  }

  /** A number in [0, 1) with 53 random bits. One draw. */
  unit(): number {
    this.#draw();
    return (this.#hi * HIGH_WEIGHT + (this.#lo >>> 11)) * UNIT;
  }

  /** True with the given probability. One draw, or none when the probability is 0 or less. */
  chance(probability: number): boolean {
    return probability > 0 && this.unit() < probability;
  }

  /** The remainder of a draw by `n`, a whole number of 0 or more: 0 … n − 1. One draw; none and 0 when `n` is 0. */
  below(n: number): number {
    if (n === 0) return 0;
    this.#draw();
    if (n <= MAX_FAST_DIVISOR) return ((this.#hi % n) * TWO_32 + this.#lo) % n;
    return Number(((BigInt(this.#hi) << 32n) | BigInt(this.#lo)) % BigInt(n));
  }

  /** Leaves the next u64 in two unsigned halves. */
  #draw(): void {
    // state += 0x9E3779B97F4A7C15
    const sum = this.#stateLo + 0x7f4a_7c15;
    this.#stateLo = sum >>> 0;
    this.#stateHi = (this.#stateHi + 0x9e37_79b9 + (sum >= TWO_32 ? 1 : 0)) >>> 0;
    this.#hi = this.#stateHi;
    this.#lo = this.#stateLo;
    this.#xorShift(30);
    this.#multiply(0xbf58_476d, 0x1ce4_e5b9);
    this.#xorShift(27);
    this.#multiply(0x94d0_49bb, 0x1331_11eb);
    this.#xorShift(31);
  }

  /** z = z xor (z >> count), count in 1 … 31. */
  #xorShift(count: number): void {
    const hi = this.#hi;
    this.#lo = (this.#lo ^ ((this.#lo >>> count) | (hi << (32 - count)))) >>> 0;
    this.#hi = (hi ^ (hi >>> count)) >>> 0;
  }

  /** z = z * factor modulo 2^64, through 16-bit parts of the lower halves. */
  #multiply(factorHi: number, factorLo: number): void {
    const lo = this.#lo;
    const a0 = lo & 0xffff;
    const a1 = lo >>> 16;
    const b0 = factorLo & 0xffff;
    const b1 = factorLo >>> 16;
    const low = a0 * b0;
    const middle = a1 * b0 + (low >>> 16);
    const cross = a0 * b1 + (middle & 0xffff);
    const carry = a1 * b1 + Math.floor(middle / 0x1_0000) + Math.floor(cross / 0x1_0000);
    this.#hi = (carry + Math.imul(this.#hi, factorLo) + Math.imul(lo, factorHi)) >>> 0;
    this.#lo = Math.imul(lo, factorLo) >>> 0;
  }
}
