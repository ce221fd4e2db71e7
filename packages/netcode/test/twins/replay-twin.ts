// The slow twin of the replay window, from the meaning of protocol section 9: it keeps every accepted sequence for ever.

/** Which sequences a receiver has accepted. */
export class ReplayTwin {
  readonly #accepted: Set<bigint> = new Set();

  get highest(): bigint {
    return [...this.#accepted].reduce((a, b) => (a > b ? a : b), 0n);
  }

  /** True when a packet of this sequence has to be refused. */
  refuses(sequence: bigint): boolean {
    const behind = this.highest - sequence;
    const isLeftOfWindow = this.highest >= 256n && behind >= 256n;
    return isLeftOfWindow || this.#accepted.has(sequence);
  }

  accept(sequence: bigint): void {
    this.#accepted.add(sequence);
  }

  reset(): void {
    this.#accepted.clear();
  }
}
