import { addressEquals, NO_ADDRESS } from './address.ts';
import type { Address } from './address.ts';
import { MAC_BYTES, MAX_CONNECT_TOKEN_ENTRIES } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { checkBytes } from './internal/check.ts';

const FREE = 0;
const PENDING = 1;
const CONSUMED = 2;
const MAC_WORDS = MAC_BYTES / 4;

/** What {@link TokenHistory.findOrAdd} returns when the token may not be used from this address, or not at all. */
export const TOKEN_REFUSED = -1;
/** What {@link TokenHistory.findOrAdd} returns when every entry holds an unexpired token. */
export const HISTORY_FULL = -2;

/**
 * Remembers every connect token presented to one run of a server until it expires, so that a token opens at most one session (protocol sections
 * 14.3 and 21). 2048 entries; nothing evicts a live one.
 *
 * A token is pending from its first accepted request and then admits only its own source address; consumed when it fills a slot, and then admits
 * nobody.
 */
export class TokenHistory {
  readonly #state: Uint8Array = new Uint8Array(MAX_CONNECT_TOKEN_ENTRIES);
  readonly #macs: Uint32Array = new Uint32Array(MAX_CONNECT_TOKEN_ENTRIES * MAC_WORDS);
  readonly #expireHi: Uint32Array = new Uint32Array(MAX_CONNECT_TOKEN_ENTRIES);
  readonly #expireLo: Uint32Array = new Uint32Array(MAX_CONNECT_TOKEN_ENTRIES);
  readonly #created: Float64Array = new Float64Array(MAX_CONNECT_TOKEN_ENTRIES);
  readonly #serial: Float64Array = new Float64Array(MAX_CONNECT_TOKEN_ENTRIES);
  readonly #addresses: Address[] = new Array<Address>(MAX_CONNECT_TOKEN_ENTRIES).fill(NO_ADDRESS);
  readonly #wanted: Uint32Array = new Uint32Array(MAC_WORDS);
  #nextSerial: number = 1;

  /**
   * Finds the entry of a token, or makes one that is pending. Looks at the whole table each time: constant work, on purpose.
   *
   * @param mac - 16 bytes: the tag of the sealed private half, which names the token.
   * @param expireTimestamp - u64 Unix seconds.
   * @param unixSeconds - u64, the present second.
   * @param time - the server's monotonic seconds, kept for diagnosis.
   * @returns the entry's index; -1: refused (consumed, or pending from another address); -2: full.
   * @throws {@link NetcodeError} `INVALID_OPTION` if `mac` is not 16 bytes.
   */
  findOrAdd(address: Address, mac: Uint8Array, expireTimestamp: bigint, unixSeconds: bigint, time: number): number {
    checkBytes(mac, MAC_BYTES, 'mac', 'invalidOption');
    const nowHi = Number(BigInt.asUintN(32, unixSeconds >> 32n));
    const nowLo = Number(BigInt.asUintN(32, unixSeconds));
    const [w0, w1, w2, w3] = this.#loadMac(mac);
    let match = -1;
    let room = -1;
    for (let i = 0; i < MAX_CONNECT_TOKEN_ENTRIES; i++) {
      const word = i * MAC_WORDS;
      const isSame = this.#macs[word] === w0 && this.#macs[word + 1] === w1 && this.#macs[word + 2] === w2 && this.#macs[word + 3] === w3;
      if (this.#state[i] !== FREE && isSame) match = i;
      if (room < 0 && (this.#state[i] === FREE || this.#isExpired(i, nowHi, nowLo))) room = i;
    }
    if (match < 0) return room < 0 ? HISTORY_FULL : this.#fill(room, address, expireTimestamp, time);
    return this.#state[match] === PENDING && addressEquals(this.#addresses[match]!, address) ? match : TOKEN_REFUSED;
  }

  /** The serial of an entry: grows by one with every entry made, so that a reused entry can be told from its predecessor. */
  serial(index: number): number {
    this.#check(index);
    return this.#serial[index]!;
  }

  /** When the entry was made, in the server's monotonic seconds; never refreshed. */
  createdAt(index: number): number {
    this.#check(index);
    return this.#created[index]!;
  }

  /** Marks a token as spent for good. Does nothing when the entry has another serial by now, or is out of range. */
  consume(index: number, serial: number): void {
    if (this.#state[index] === undefined || this.#state[index] === FREE) return;
    if (this.#serial[index] === serial) this.#state[index] = CONSUMED;
  }

  /** Frees every entry; serials go on. */
  reset(): void {
    this.#state.fill(FREE);
    this.#macs.fill(0);
    this.#addresses.fill(NO_ADDRESS);
  }

  #loadMac(mac: Uint8Array): Uint32Array {
    const wanted = this.#wanted;
    for (let i = 0; i < MAC_WORDS; i++) {
      const at = 4 * i;
      wanted[i] = mac[at]! | (mac[at + 1]! << 8) | (mac[at + 2]! << 16) | (mac[at + 3]! << 24);
    }
    return wanted;
  }

  #isExpired(i: number, nowHi: number, nowLo: number): boolean {
    const hi = this.#expireHi[i]!;
    return hi < nowHi || (hi === nowHi && this.#expireLo[i]! <= nowLo);
  }

  #fill(index: number, address: Address, expireTimestamp: bigint, time: number): number {
    this.#state[index] = PENDING;
    this.#macs.set(this.#wanted, index * MAC_WORDS);
    this.#expireHi[index] = Number(BigInt.asUintN(32, expireTimestamp >> 32n));
    this.#expireLo[index] = Number(BigInt.asUintN(32, expireTimestamp));
    this.#created[index] = time;
    this.#serial[index] = this.#nextSerial++;
    this.#addresses[index] = address;
    return index;
  }

  #check(index: number): void {
    if (Number.isInteger(index) && index >= 0 && index < MAX_CONNECT_TOKEN_ENTRIES) return;
    throw new NetcodeError('invalidOption', `index: expected 0 … ${MAX_CONNECT_TOKEN_ENTRIES - 1}, got ${index}`, { field: 'index' });
  }
}
