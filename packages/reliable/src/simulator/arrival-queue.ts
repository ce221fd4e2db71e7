const EMPTY = new Uint8Array(0);

/** Datagrams in order of arrival, equal times in order of entry: a binary heap in parallel arrays. */
export class ArrivalQueue {
  #arrivals: Float64Array = new Float64Array(64);
  #orders: Float64Array = new Float64Array(64);
  #datagrams: Uint8Array[] = [];
  #length: number = 0;
  #entered: number = 0;

  get length(): number {
    return this.#length;
  }

  /** Arrival of the next datagram; `Infinity` when there is none. */
  get firstArrival(): number {
    return this.#length === 0 ? Infinity : this.#arrivals[0]!;
  }

  /** Adds a datagram, which is kept, not copied. */
  push(arrival: number, datagram: Uint8Array): void {
    if (this.#length === this.#arrivals.length) this.#grow();
    const order = ++this.#entered;
    let at = this.#length++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.#arrivals[parent]! <= arrival) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, arrival, order, datagram);
  }

  /** Removes the next datagram. The queue must not be empty. */
  pop(): Uint8Array {
    const first = this.#datagrams[0]!;
    const last = --this.#length;
    const arrival = this.#arrivals[last]!;
    const order = this.#orders[last]!;
    const datagram = this.#datagrams[last]!;
    this.#datagrams[last] = EMPTY;
    if (last === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#isBefore(child + 1, this.#arrivals[child]!, this.#orders[child]!)) child++;
      if (!this.#isBefore(child, arrival, order)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, arrival, order, datagram);
    return first;
  }

  #isBefore(index: number, arrival: number, order: number): boolean {
    const other = this.#arrivals[index]!;
    return other < arrival || (other === arrival && this.#orders[index]! < order);
  }

  #set(at: number, arrival: number, order: number, datagram: Uint8Array): void {
    this.#arrivals[at] = arrival;
    this.#orders[at] = order;
    this.#datagrams[at] = datagram;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#arrivals[from]!, this.#orders[from]!, this.#datagrams[from]!);
  }

  #grow(): void {
    const arrivals = new Float64Array(this.#arrivals.length * 2);
    const orders = new Float64Array(arrivals.length);
    arrivals.set(this.#arrivals);
    orders.set(this.#orders);
    this.#arrivals = arrivals;
    this.#orders = orders;
  }
}
