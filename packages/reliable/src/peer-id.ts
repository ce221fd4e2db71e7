import { ReliableError } from './errors.ts';
import { describe } from './internal/check.ts';

const MAX_SLOT = 0xffff;
const GENERATIONS = 2 ** 48;
const U64_LIMIT = 1n << 64n;

/** Names one peer for as long as it is connected: a slot and how often the slot has been filled. Frozen. */
export interface PeerId {
  /** u16. */
  readonly slot: number;
  /** 48 bits. */
  readonly generation: number;
  /** u64: generation * 65536 + slot. Peers are ordered by it. */
  readonly value: bigint;
  /** `peer <slot>:<generation>`. */
  toString(): string;
}

/** Ids that somebody may still hold. Entries of those that nobody does are removed while it grows, which needs no callback of the collector. */
const peers = new Map<bigint, WeakRef<PeerId>>();
let sizeAtNextSweep = 256;

class Peer implements PeerId {
  readonly slot: number;
  readonly generation: number;
  readonly value: bigint;

  constructor(slot: number, generation: number, value: bigint) {
    this.slot = slot;
    this.generation = generation;
    this.value = value;
    Object.freeze(this);
  }

  toString(): string {
    return `peer ${this.slot}:${this.generation}`;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `PeerId(slot ${this.slot}, generation ${this.generation})`;
  }
}

function peerOf(slot: number, generation: number): PeerId {
  const value = BigInt(generation) * 0x1_0000n + BigInt(slot);
  const known = peers.get(value)?.deref();
  if (known !== undefined) return known;
  const peer = new Peer(slot, generation, value);
  peers.set(value, new WeakRef(peer));
  if (peers.size >= sizeAtNextSweep) {
    for (const [key, reference] of peers) if (reference.deref() === undefined) peers.delete(key);
    sizeAtNextSweep = 2 * peers.size + 256;
  }
  return peer;
}

/**
 * Makes peer ids. The same slot and generation give the same object for as long as anybody holds it, so `===` compares ids.
 *
 * Source: event layer section 13.
 */
export const PeerId: {
  /**
   * @param slot - u16.
   * @param generation - a whole number; its low 48 bits are kept.
   * @throws {@link ReliableError} `INVALID_OPTION` for a number that is not whole or out of range.
   */
  readonly of: (slot: number, generation: number) => PeerId;
  /**
   * @param value - u64, as in {@link PeerId.value}.
   * @throws {@link ReliableError} `INVALID_OPTION` for anything else.
   */
  readonly fromValue: (value: bigint) => PeerId;
} = Object.freeze({
  of(slot: number, generation: number): PeerId {
    if (!Number.isInteger(slot) || slot < 0 || slot > MAX_SLOT) {
      throw new ReliableError('invalidOption', `slot: expected a whole number in 0 … ${MAX_SLOT}, got ${describe(slot)}`, {
        field: 'slot',
      });
    }
    if (!Number.isSafeInteger(generation) || generation < 0) {
      throw new ReliableError('invalidOption', `generation: expected a whole number of 0 or more, got ${describe(generation)}`, {
        field: 'generation',
      });
    }
    return peerOf(slot, generation % GENERATIONS);
  },
  fromValue(value: bigint): PeerId {
    if (typeof value !== 'bigint' || value < 0n || value >= U64_LIMIT) {
      throw new ReliableError('invalidOption', `value: expected a bigint in 0 … 2^64 - 1, got ${describe(value)}`, { field: 'value' });
    }
    return peerOf(Number(value & 0xffffn), Number(value >> 16n));
  },
});
