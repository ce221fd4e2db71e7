import { addressEquals, NO_ADDRESS } from './address.ts';
import type { Address } from './address.ts';
import { MAX_ENCRYPTION_MAPPINGS } from './constants.ts';
import { NetcodeError } from './errors.ts';

/** The keys of one address, from its first accepted request until its session ends or the handshake's deadline passes. */
export interface KeyMapping<K = Uint8Array> {
  address: Address;
  /** Seals what the server sends. */
  sendKey: K;
  /** Opens what the client sends. */
  receiveKey: K;
  /** Seconds without use after which the mapping expires; 0 or less: never for that reason. */
  timeoutSeconds: number;
  /** The deadline of the handshake in monotonic seconds; -1: none. */
  expireTime: number;
  /** The token's entry in the history, and the serial that the entry had. */
  historyIndex: number;
  historySerial: number;
}

const NO_SLOT = -1;
/** An expire time that never comes. */
export const NEVER = -1;

class Entry<K> {
  address: Address = NO_ADDRESS;
  mapping: KeyMapping<K> | undefined = undefined;
  timeoutSeconds: number = 0;
  expireTime: number = NEVER;
  lastAccess: number = 0;
  slot: number = NO_SLOT;

  isExpired(time: number): boolean {
    return (this.timeoutSeconds > 0 && this.lastAccess + this.timeoutSeconds < time) || (this.expireTime >= 0 && this.expireTime < time);
  }
}

/**
 * Maps addresses to session keys (protocol section 14.2): 1024 entries, scanned in order. An entry that is bound to a slot is never given away.
 */
export class KeyTable<K = Uint8Array> {
  readonly #entries: Entry<K>[] = Array.from({ length: MAX_ENCRYPTION_MAPPINGS }, () => new Entry<K>());
  readonly #release: (mapping: KeyMapping<K>) => void;
  #count: number = 0;

  /** @param release - called with a mapping that is removed or replaced, so that its keys can be wiped. */
  constructor(release: (mapping: KeyMapping<K>) => void = () => {}) {
    this.#release = release;
  }

  /**
   * Adds the keys of an address, or replaces those it has.
   *
   * @param time - monotonic seconds.
   * @returns the mapping's index 0 … 1023; -1: no room.
   */
  add(mapping: KeyMapping<K>, time: number): number {
    let index = this.#indexOf(mapping.address, time);
    if (index < 0)
      index = this.#entries.findIndex((entry) => entry.address === NO_ADDRESS || (entry.slot === NO_SLOT && entry.isExpired(time)));
    if (index < 0) return -1;
    const entry = this.#entries[index]!;
    const replaced = entry.mapping;
    entry.address = mapping.address;
    entry.mapping = mapping;
    entry.timeoutSeconds = mapping.timeoutSeconds;
    entry.expireTime = mapping.expireTime;
    entry.lastAccess = time;
    this.#count = Math.max(this.#count, index + 1);
    if (replaced !== undefined) this.#release(replaced);
    return index;
  }

  /** The index of the mapping of an address that has not expired, or -1. Finding it counts as use. */
  find(address: Address, time: number): number {
    const index = this.#indexOf(address, time);
    if (index >= 0) this.#entries[index]!.lastAccess = time;
    return index;
  }

  /** The mapping at an index, expired or not. */
  mapping(index: number): KeyMapping<K> | undefined {
    return this.#entries[index]?.mapping;
  }

  /** Counts as use of the mapping at `index`; false, and nothing happens, when it is not that of the address. */
  touch(index: number, address: Address, time: number): boolean {
    const entry = this.#entries[index];
    if (entry === undefined || !addressEquals(entry.address, address)) return false;
    entry.lastAccess = time;
    return true;
  }

  /** Removes the first mapping of an address, expired or not; false when there is none. */
  remove(address: Address, time: number): boolean {
    for (let i = 0; i < this.#count; i++) {
      const entry = this.#entries[i]!;
      if (!addressEquals(entry.address, address)) continue;
      this.#clear(entry);
      if (i === this.#count - 1) this.#trim(time);
      return true;
    }
    return false;
  }

  /** Sets the deadline of a mapping in monotonic seconds; -1: none. */
  setExpireTime(index: number, time: number): void {
    this.#at(index).expireTime = time;
  }

  /** Binds a mapping to a slot; -1: to none. */
  setSlot(index: number, slot: number): void {
    this.#at(index).slot = slot;
  }

  /** Removes every mapping. */
  reset(): void {
    for (let i = 0; i < this.#count; i++) this.#clear(this.#entries[i]!);
    this.#count = 0;
  }

  #indexOf(address: Address, time: number): number {
    for (let i = 0; i < this.#count; i++) {
      const entry = this.#entries[i]!;
      if (addressEquals(entry.address, address) && !entry.isExpired(time)) return i;
    }
    return -1;
  }

  #trim(time: number): void {
    this.#count--;
    while (this.#count > 0) {
      const last = this.#entries[this.#count - 1]!;
      if (last.address !== NO_ADDRESS && (last.slot !== NO_SLOT || !last.isExpired(time))) return;
      this.#clear(last);
      this.#count--;
    }
  }

  #clear(entry: Entry<K>): void {
    const released = entry.mapping;
    entry.address = NO_ADDRESS;
    entry.mapping = undefined;
    entry.timeoutSeconds = 0;
    entry.expireTime = NEVER;
    entry.lastAccess = 0;
    entry.slot = NO_SLOT;
    if (released !== undefined) this.#release(released);
  }

  #at(index: number): Entry<K> {
    const entry = this.#entries[index];
    if (entry !== undefined) return entry;
    throw new NetcodeError('invalidOption', `index: expected 0 … ${MAX_ENCRYPTION_MAPPINGS - 1}, got ${index}`, { field: 'index' });
  }
}
