import type { Address } from '../address.ts';

const FIRST_CAPACITY = 64;

/** Received datagrams in order of arrival, at most `limit`; the oldest makes room. A ring that grows by doubling, so that idle sockets stay small. */
export class DatagramQueue {
  readonly #limit: number;
  #bytes: (Uint8Array | undefined)[];
  #senders: (Address | undefined)[];
  #head: number = 0;
  #count: number = 0;

  constructor(limit: number) {
    this.#limit = limit;
    const capacity = Math.min(limit, FIRST_CAPACITY);
    this.#bytes = emptySlots(capacity);
    this.#senders = emptySlots(capacity);
  }

  get length(): number {
    return this.#count;
  }

  /** The oldest datagram; ask only while `length` is not 0. */
  get first(): Uint8Array {
    return this.#bytes[this.#head]!;
  }

  /** Who sent the oldest datagram; ask only while `length` is not 0. */
  get firstSender(): Address {
    return this.#senders[this.#head]!;
  }

  /** Appends a datagram, which is kept as it is. False when the oldest one had to go for it. */
  push(bytes: Uint8Array, from: Address): boolean {
    const isFull = this.#count === this.#limit;
    if (isFull) this.shift();
    else if (this.#count === this.#bytes.length) this.#grow();
    const capacity = this.#bytes.length;
    const end = this.#head + this.#count;
    const index = end < capacity ? end : end - capacity;
    this.#bytes[index] = bytes;
    this.#senders[index] = from;
    this.#count++;
    return !isFull;
  }

  /** Forgets the oldest datagram; call only while `length` is not 0. */
  shift(): void {
    const head = this.#head;
    this.#bytes[head] = undefined;
    this.#senders[head] = undefined;
    this.#head = head + 1 === this.#bytes.length ? 0 : head + 1;
    this.#count--;
  }

  clear(): void {
    while (this.#count > 0) this.shift();
  }

  #grow(): void {
    const capacity = Math.min(this.#limit, 2 * this.#bytes.length);
    this.#bytes = rotated(this.#bytes, this.#head, capacity);
    this.#senders = rotated(this.#senders, this.#head, capacity);
    this.#head = 0;
  }
}

function emptySlots<T>(capacity: number): (T | undefined)[] {
  return new Array<T | undefined>(capacity).fill(undefined);
}

function rotated<T>(slots: readonly (T | undefined)[], head: number, capacity: number): (T | undefined)[] {
  const grown = emptySlots<T>(capacity);
  for (let i = 0; i < slots.length; i++) grown[i] = slots[(head + i) % slots.length];
  return grown;
}
