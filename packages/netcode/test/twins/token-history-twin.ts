// The slow twin of the token history, from protocol section 14.3 alone: entries are objects, names are texts, times are bigints.

interface Entry {
  readonly name: string;
  readonly address: string;
  readonly expire: bigint;
  readonly serial: number;
  readonly created: number;
  isSpent: boolean;
}

/** Which tokens were presented and which are spent. */
export class TokenHistoryTwin {
  readonly #entries: Map<number, Entry> = new Map();
  #made: number = 0;

  /** The entry's place, or why there is none. */
  findOrAdd(address: string, name: string, expire: bigint, now: bigint, time: number): number | 'refused' | 'full' {
    for (const [place, entry] of this.#entries) {
      if (entry.name !== name) continue;
      return entry.isSpent || entry.address !== address ? 'refused' : place;
    }
    for (let place = 0; place < 2048; place++) {
      const holder = this.#entries.get(place);
      if (holder !== undefined && holder.expire > now) continue;
      this.#made += 1;
      this.#entries.set(place, { name, address, expire, serial: this.#made, created: time, isSpent: false });
      return place;
    }
    return 'full';
  }

  entry(place: number): Entry | undefined {
    return this.#entries.get(place);
  }

  consume(place: number, serial: number): void {
    const entry = this.#entries.get(place);
    if (entry !== undefined && entry.serial === serial) entry.isSpent = true;
  }

  reset(): void {
    this.#entries.clear();
  }
}
