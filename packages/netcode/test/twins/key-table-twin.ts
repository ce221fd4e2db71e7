// The slow twin of the table from address to session keys, from protocol section 14.2 alone.

interface Row {
  readonly address: string;
  keys: string;
  timeout: number;
  deadline: number | 'never';
  used: number;
  slot: number | undefined;
}

function hasExpired(row: Row, now: number): boolean {
  const idle = row.timeout > 0 && row.used + row.timeout < now;
  const late = row.deadline !== 'never' && row.deadline < now;
  return idle || late;
}

/** Address to keys, at most 1024 rows at fixed places. */
export class KeyTableTwin {
  readonly #rows: (Row | undefined)[] = [];

  readonly #places: readonly number[] = Array.from({ length: 1024 }, (_, place) => place);

  #alive(address: string, now: number): number | undefined {
    return this.#places.find((place) => {
      const row = this.#rows[place];
      return row?.address === address && !hasExpired(row, now);
    });
  }

  add(address: string, keys: string, timeout: number, deadline: number | 'never', now: number): number {
    const own = this.#alive(address, now);
    if (own !== undefined) {
      Object.assign(this.#rows[own]!, { keys, timeout, deadline, used: now });
      return own;
    }
    const free = this.#places.find((place) => {
      const row = this.#rows[place];
      return row === undefined || (row.slot === undefined && hasExpired(row, now));
    });
    if (free === undefined) return -1;
    this.#rows[free] = { address, keys, timeout, deadline, used: now, slot: undefined };
    return free;
  }

  find(address: string, now: number): number {
    const place = this.#alive(address, now);
    if (place === undefined) return -1;
    this.#rows[place]!.used = now;
    return place;
  }

  keys(place: number): string | undefined {
    return this.#rows[place]?.keys;
  }

  touch(place: number, address: string, now: number): boolean {
    const row = this.#rows[place];
    if (row?.address !== address) return false;
    row.used = now;
    return true;
  }

  remove(address: string, now: number): boolean {
    const place = this.#rows.findIndex((row) => row?.address === address);
    if (place < 0) return false;
    const wasLast = this.#rows.slice(place + 1).every((row) => row === undefined);
    this.#rows[place] = undefined;
    if (!wasLast) return true;
    for (let last = place; last >= 0; last--) {
      const row = this.#rows[last];
      if (row !== undefined && (row.slot !== undefined || !hasExpired(row, now))) break;
      this.#rows[last] = undefined;
    }
    return true;
  }

  setDeadline(place: number, deadline: number | 'never'): void {
    const row = this.#rows[place];
    if (row !== undefined) row.deadline = deadline;
  }

  setSlot(place: number, slot: number | undefined): void {
    const row = this.#rows[place];
    if (row !== undefined) row.slot = slot;
  }

  reset(): void {
    this.#rows.length = 0;
  }
}
