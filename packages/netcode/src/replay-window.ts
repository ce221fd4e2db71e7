import { REPLAY_PROTECTION_BUFFER_SIZE } from './constants.ts';

const INDEX_MASK = REPLAY_PROTECTION_BUFFER_SIZE - 1;

/**
 * Remembers which of the last 256 packet sequences have been received (protocol section 9). Sequences are u64, kept as two unsigned 32-bit halves
 * because a BigInt per packet is garbage per packet.
 *
 * No value is special: an entry is present by its flag, not by a marker number.
 */
export class ReplayWindow {
  #mostHi: number = 0;
  #mostLo: number = 0;
  readonly #present: Uint8Array = new Uint8Array(REPLAY_PROTECTION_BUFFER_SIZE);
  readonly #hi: Uint32Array = new Uint32Array(REPLAY_PROTECTION_BUFFER_SIZE);
  readonly #lo: Uint32Array = new Uint32Array(REPLAY_PROTECTION_BUFFER_SIZE);

  /** The highest sequence received; 0 after a reset. */
  get mostRecent(): bigint {
    return (BigInt(this.#mostHi) << 32n) | BigInt(this.#mostLo);
  }

  /** Forgets everything. */
  reset(): void {
    this.#mostHi = 0;
    this.#mostLo = 0;
    this.#present.fill(0);
  }

  /** True when a packet of this u64 sequence must be refused: it was received before, or is 256 or more behind the most recent. */
  alreadyReceived(sequence: bigint): boolean {
    return this.hasReceived(Number(BigInt.asUintN(32, sequence >> 32n)), Number(BigInt.asUintN(32, sequence)));
  }

  /** Records this u64 sequence as received. Called only after the packet has been authenticated. */
  advance(sequence: bigint): void {
    this.record(Number(BigInt.asUintN(32, sequence >> 32n)), Number(BigInt.asUintN(32, sequence)));
  }

  /** {@link alreadyReceived} on the two unsigned halves. */
  hasReceived(hi: number, lo: number): boolean {
    const mostHi = this.#mostHi;
    const mostLo = this.#mostLo;
    if (mostHi > 0 || mostLo >= REPLAY_PROTECTION_BUFFER_SIZE) {
      const edgeLo = (mostLo - REPLAY_PROTECTION_BUFFER_SIZE) >>> 0;
      const edgeHi = mostLo < REPLAY_PROTECTION_BUFFER_SIZE ? mostHi - 1 : mostHi;
      if (hi < edgeHi || (hi === edgeHi && lo <= edgeLo)) return true;
    }
    const i = lo & INDEX_MASK;
    if (this.#present[i] === 0) return false;
    const entryHi = this.#hi[i]!;
    return entryHi > hi || (entryHi === hi && this.#lo[i]! >= lo);
  }

  /** {@link advance} on the two unsigned halves. */
  record(hi: number, lo: number): void {
    if (hi > this.#mostHi || (hi === this.#mostHi && lo > this.#mostLo)) {
      this.#mostHi = hi;
      this.#mostLo = lo;
    }
    const i = lo & INDEX_MASK;
    this.#present[i] = 1;
    this.#hi[i] = hi;
    this.#lo[i] = lo;
  }
}
