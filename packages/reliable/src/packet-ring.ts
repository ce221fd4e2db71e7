import { SequenceBuffer } from './sequence-buffer.ts';

// Totals over some packets, a row of doubles.
/** Packets found. */
export const FOUND = 0;
/** Packets found that are not acknowledged. */
export const DROPPED = 1;
/** Bytes of the packets. */
export const BYTES = 2;
/** Time of the earliest packet; infinity without one. */
export const START = 3;
/** Time of the latest packet; 0 without one. */
export const FINISH = 4;
/** Bytes of the acknowledged packets. */
export const ACKED_BYTES = 5;
/** Time of the earliest acknowledged packet. */
export const ACKED_START = 6;
/** Time of the latest acknowledged packet. */
export const ACKED_FINISH = 7;
const ROW = 8;
const NO_PACKETS = Float64Array.of(0, 0, 0, Infinity, 0, 0, Infinity, 0);

/** Packets whose totals are kept together, 2 to this power: 16, about the root of the usual window, half of 256. */
const BLOCK_SHIFT = 4;

/**
 * The packets of one direction: when they went, how large they are, and for sent ones whether they were acknowledged.
 *
 * The older half of the ring is what the statistics look at. Its totals are put together from those of whole blocks, which are computed anew
 * only when one of their packets changed, and the packets at both ends: a fraction of the work of going through all of them.
 */
export class PacketRing {
  readonly buffer: SequenceBuffer;
  /** Whether {@link olderHalf} would give something else than the last time. */
  hasChanged: boolean = true;
  readonly #size: number;
  /** When the packet of each slot went, in seconds. Read only. */
  readonly times: Float64Array;
  /** Bytes counted for the bandwidth figures. */
  readonly #bytes: Float64Array;
  /** 1 = acknowledged; stays 0 for received packets. */
  readonly #acked: Uint8Array;
  /** Its only element is the time now. Read only. */
  readonly clock: Float64Array;
  /** The packets of a block are 2 to this power. */
  readonly #shift: number;
  /** A row for each block, then one for packets outside whole blocks. */
  readonly #totals: Float64Array;
  readonly #half: Float64Array = new Float64Array(ROW);
  /** 1 = the row of this block is not up to date. */
  readonly #stale: Uint8Array;

  /**
   * @param size - a power of two, 1 … 32768.
   * @param clock - its only element is the time that packets are stamped with, seconds, 0 or more, never going back.
   */
  constructor(size: number, clock: Float64Array) {
    this.#shift = Math.min(BLOCK_SHIFT, Math.log2(size));
    const blocks = size >>> this.#shift;
    this.buffer = new SequenceBuffer(size);
    this.#size = size;
    this.clock = clock;
    this.times = new Float64Array(size);
    this.#bytes = new Float64Array(size);
    this.#acked = new Uint8Array(size);
    this.#totals = new Float64Array((blocks + 1) * ROW);
    this.#stale = new Uint8Array(blocks).fill(1);
  }

  /** Bytes of all arrays. */
  get memoryBytes(): number {
    return this.#size * 4 + this.times.byteLength + this.#bytes.byteLength + this.#acked.byteLength + this.#totals.byteLength;
  }

  /** Enters a packet that is not too old. */
  insert(sequence: number, bytes: number): void {
    this.advance(sequence);
    this.buffer.insert(sequence);
    const slot = this.buffer.slotOf(sequence);
    this.times[slot] = this.clock[0]!;
    this.#bytes[slot] = bytes;
    this.#acked[slot] = 0;
    this.#touch(slot);
  }

  /** Moves the window up to a sequence; what falls out of it is forgotten. */
  advance(sequence: number): void {
    const { buffer } = this;
    const first = buffer.next;
    if (!buffer.advance(sequence)) return;
    this.hasChanged = true;
    // Every slot that was passed is empty now.
    const passed = Math.min((buffer.next - first) & 0xffff, this.#size);
    const mask = this.#size - 1;
    for (let i = 0; i < passed; i += 1 << this.#shift) this.#touch((first + i) & mask);
    this.#touch((first + passed - 1) & mask);
  }

  /** Forgets all packets. */
  reset(): void {
    this.buffer.reset();
    this.#stale.fill(1);
    this.hasChanged = true;
  }

  isAcked(slot: number): boolean {
    return this.#acked[slot] !== 0;
  }

  acknowledge(slot: number): void {
    this.#acked[slot] = 1;
    this.#touch(slot);
  }

  /** Totals over the older half of the ring, the `size / 2` sequences from `next − size`; a row that the next call overwrites. */
  olderHalf(): Float64Array {
    const half = this.#half;
    if (!this.hasChanged) return half;
    this.hasChanged = false;
    const size = this.#size;
    const shift = this.#shift;
    const blocks = size >>> shift;
    // Every entry is one of the last `size` sequences, so whatever stands in one of these slots belongs to the older half.
    const from = this.buffer.next & (size - 1);
    const to = from + (size >>> 1);
    const firstBlock = (from + (1 << shift) - 1) >>> shift;
    const endBlock = to >>> shift;
    for (let i = 0; i < ROW; i++) half[i] = NO_PACKETS[i]!;
    if (firstBlock > endBlock) {
      this.#addEntries(from, to);
      return half;
    }
    this.#addEntries(from, firstBlock << shift);
    for (let i = firstBlock; i < endBlock; i++) {
      const block = i & (blocks - 1);
      if (this.#stale[block] !== 0) {
        this.#stale[block] = 0;
        this.#fill(block, block << shift, (block + 1) << shift);
      }
      this.#addRow(block);
    }
    this.#addEntries(endBlock << shift, to);
    return half;
  }

  #touch(slot: number): void {
    this.#stale[slot >>> this.#shift] = 1;
    this.hasChanged = true;
  }

  /** Adds the packets of the slots `from` … `to` − 1, modulo the size, to the row of the older half; they are part of a block. */
  #addEntries(from: number, to: number): void {
    if (from === to) return;
    const spare = this.#size >>> this.#shift;
    this.#fill(spare, from, to);
    this.#addRow(spare);
  }

  /** Adds a row to that of the older half. */
  #addRow(row: number): void {
    const totals = this.#totals;
    const half = this.#half;
    const at = row * ROW;
    if (totals[at + FOUND] === 0) return;
    half[FOUND]! += totals[at + FOUND]!;
    half[DROPPED]! += totals[at + DROPPED]!;
    half[BYTES]! += totals[at + BYTES]!;
    half[ACKED_BYTES]! += totals[at + ACKED_BYTES]!;
    if (totals[at + START]! < half[START]!) half[START] = totals[at + START]!;
    if (totals[at + FINISH]! > half[FINISH]!) half[FINISH] = totals[at + FINISH]!;
    if (totals[at + ACKED_START]! < half[ACKED_START]!) half[ACKED_START] = totals[at + ACKED_START]!;
    if (totals[at + ACKED_FINISH]! > half[ACKED_FINISH]!) half[ACKED_FINISH] = totals[at + ACKED_FINISH]!;
  }

  /** Computes a row from the slots `from` … `to` − 1, modulo the size. */
  #fill(row: number, from: number, to: number): void {
    const { buffer, times } = this;
    const mask = this.#size - 1;
    const sizes = this.#bytes;
    const flags = this.#acked;
    let found = 0;
    let bytes = 0;
    let start = Infinity;
    let finish = 0;
    let acked = 0;
    let ackedBytes = 0;
    let ackedStart = Infinity;
    let ackedFinish = 0;
    for (let i = from; i < to; i++) {
      const slot = i & mask;
      if (!buffer.isFilled(slot)) continue;
      const time = times[slot]!;
      found++;
      bytes += sizes[slot]!;
      if (time < start) start = time;
      if (time > finish) finish = time;
      if (flags[slot] === 0) continue;
      acked++;
      ackedBytes += sizes[slot]!;
      if (time < ackedStart) ackedStart = time;
      if (time > ackedFinish) ackedFinish = time;
    }
    const totals = this.#totals;
    const at = row * ROW;
    totals[at + FOUND] = found;
    totals[at + DROPPED] = found - acked;
    totals[at + BYTES] = bytes;
    totals[at + START] = start;
    totals[at + FINISH] = finish;
    totals[at + ACKED_BYTES] = ackedBytes;
    totals[at + ACKED_START] = ackedStart;
    totals[at + ACKED_FINISH] = ackedFinish;
  }
}
