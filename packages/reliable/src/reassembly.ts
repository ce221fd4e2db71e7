import type { FragmentHeader } from './fragment.ts';
import { CachedViews, copyRange } from './internal/cached-view.ts';
import { SequenceBuffer } from './sequence-buffer.ts';

/** No reassembly. */
export const NO_SLOT = -1;

/** What became of a fragment. */
export type FragmentOutcome = 'duplicate' | 'stored' | 'complete';

/** Finished buffers kept for the next packet. */
const SPARE_BUFFERS = 2;
const NO_BYTES = new Uint8Array(0);

/**
 * Puts fragments together. A ring over the sequences of packets of any kind: what falls out of the window is given up, and nothing else is;
 * there is no timer.
 *
 * Bytes are copied in. A buffer is taken with the first fragment of a packet and given back with the last one, or when the packet is given up.
 * Unfinished packets hold at most `size × maxFragments × fragmentSize` bytes and two spare buffers at most `2 × maxFragments × fragmentSize`;
 * besides, 40 bytes and `maxFragments` bits per slot are allocated at once.
 * Source: reliable sections 8.3 and 8.4.
 */
export class Reassembly {
  readonly #ring: SequenceBuffer;
  readonly #maxFragments: number;
  readonly #fragmentSize: number;
  /** One bit per fragment that is there, `#words` words for each slot. */
  readonly #present: Uint32Array;
  readonly #words: number;
  readonly #expected: Uint16Array;
  readonly #missing: Uint16Array;
  readonly #lengths: Uint32Array;
  readonly #headerLengths: Uint8Array;
  readonly #acks: Uint16Array;
  readonly #ackBits: Int32Array;
  readonly #buffers: Uint8Array[];
  readonly #spare: Uint8Array[] = [];
  #unfinished: number = 0;
  #unfinishedBytes: number = 0;
  /** Views of the data of fragments. */
  readonly #views: CachedViews = new CachedViews();

  /**
   * @param size - window in packets, a power of two, 1 … 32768.
   * @param maxFragments - 1 … 256.
   * @param fragmentSize - payload bytes of every fragment but the last.
   */
  constructor(size: number, maxFragments: number, fragmentSize: number) {
    this.#ring = new SequenceBuffer(size, (slot) => this.#giveBack(slot));
    this.#maxFragments = maxFragments;
    this.#fragmentSize = fragmentSize;
    this.#words = Math.ceil(maxFragments / 32);
    this.#present = new Uint32Array(size * this.#words);
    this.#expected = new Uint16Array(size);
    this.#missing = new Uint16Array(size);
    this.#lengths = new Uint32Array(size);
    this.#headerLengths = new Uint8Array(size);
    this.#acks = new Uint16Array(size);
    this.#ackBits = new Int32Array(size);
    this.#buffers = new Array<Uint8Array>(size).fill(NO_BYTES);
  }

  /** Number of unfinished packets. */
  get unfinished(): number {
    return this.#unfinished;
  }

  /** Bytes of the buffers of unfinished packets. */
  get unfinishedBytes(): number {
    return this.#unfinishedBytes;
  }

  /** Bytes held in all: unfinished packets, spare buffers and the tables. */
  get memoryBytes(): number {
    return this.#spare.reduce((sum, { length }) => sum + length, this.#unfinishedBytes + this.#present.byteLength + this.#ring.size * 40);
  }

  /** The slot of an unfinished packet, or {@link NO_SLOT}. */
  find(sequence: number): number {
    return this.#ring.exists(sequence) ? this.#ring.slotOf(sequence) : NO_SLOT;
  }

  /**
   * Begins a packet that is not known yet, moving the window up to it when it is new.
   *
   * @param fragmentCount - 1 … `maxFragments`, as its first fragment to arrive says.
   * @returns its slot; {@link NO_SLOT} when it is older than the window.
   */
  start(sequence: number, fragmentCount: number): number {
    const ring = this.#ring;
    if (!ring.insertAdvanceFirst(sequence)) return NO_SLOT;
    const slot = ring.slotOf(sequence);
    const buffer = this.#take(fragmentCount);
    this.#buffers[slot] = buffer;
    this.#unfinished++;
    this.#unfinishedBytes += buffer.length;
    this.#expected[slot] = fragmentCount;
    this.#missing[slot] = fragmentCount;
    for (let i = slot * this.#words, end = i + this.#words; i < end; i++) this.#present[i] = 0;
    return slot;
  }

  /** Moves the window up to a sequence; gives up what falls out. */
  advance(sequence: number): void {
    this.#ring.advance(sequence);
  }

  /** Forgets the packet of a slot's sequence, finished or not. */
  remove(sequence: number): void {
    this.#ring.remove(sequence);
  }

  /** Forgets all packets, the spare buffers and the arrays that fragments came from. */
  reset(): void {
    this.#ring.reset();
    this.#spare.length = 0;
    this.#views.forget();
  }

  /** How many fragments the packet of a slot has. */
  fragmentCount(slot: number): number {
    return this.#expected[slot]!;
  }

  /**
   * Copies a fragment in.
   *
   * @param slot - of {@link find} or {@link start} for its sequence; the fragment counts agree.
   * @param bytes - holds the data; borrowed for the call.
   * @param fragment - as `readFragment` filled it in.
   * @param headerLength - length of the packet header in front of the data, for fragment 0.
   */
  store(slot: number, bytes: Uint8Array, fragment: FragmentHeader, headerLength: number): FragmentOutcome {
    const { fragmentId: id, dataOffset, dataLength } = fragment;
    const word = slot * this.#words + (id >>> 5);
    const bit = 1 << (id & 31);
    if ((this.#present[word]! & bit) !== 0) return 'duplicate';
    this.#present[word]! |= bit;
    const isLast = id === this.#expected[slot]! - 1;
    copyRange(bytes, dataOffset, dataLength, this.#buffers[slot]!, id * this.#fragmentSize, this.#views.of(id));
    if (isLast) this.#lengths[slot] = id * this.#fragmentSize + dataLength;
    if (id === 0) {
      this.#headerLengths[slot] = headerLength;
      this.#acks[slot] = fragment.ack;
      this.#ackBits[slot] = fragment.ackBits;
    }
    return --this.#missing[slot]! === 0 ? 'complete' : 'stored';
  }

  /** The payload of a complete packet, from index 0; borrowed until the packet is removed. */
  payload(slot: number): Uint8Array {
    return this.#buffers[slot]!;
  }

  /** Length of the payload of a complete packet. */
  payloadLength(slot: number): number {
    return this.#lengths[slot]!;
  }

  /** Length of the packet header that came in fragment 0. */
  headerLength(slot: number): number {
    return this.#headerLengths[slot]!;
  }

  /** The ack that came in fragment 0. */
  ack(slot: number): number {
    return this.#acks[slot]!;
  }

  /** The ack bits that came in fragment 0, as a signed number. */
  ackBits(slot: number): number {
    return this.#ackBits[slot]!;
  }

  /** A buffer for a packet: the smallest spare one that is large enough, or a new one. */
  #take(fragmentCount: number): Uint8Array {
    const needed = fragmentCount * this.#fragmentSize;
    const spare = this.#spare;
    let best = NO_SLOT;
    for (let i = 0; i < spare.length; i++) {
      const { length } = spare[i]!;
      if (length >= needed && (best === NO_SLOT || length < spare[best]!.length)) best = i;
    }
    if (best !== NO_SLOT) {
      const buffer = spare[best]!;
      const last = spare.pop()!;
      if (last !== buffer) spare[best] = last;
      return buffer;
    }
    // In powers of two, so that a spare buffer fits the next packets too.
    const fragments = Math.min(2 ** Math.ceil(Math.log2(fragmentCount)), this.#maxFragments);
    return new Uint8Array(fragments * this.#fragmentSize);
  }

  #giveBack(slot: number): void {
    const buffer = this.#buffers[slot]!;
    this.#buffers[slot] = NO_BYTES;
    this.#unfinished--;
    this.#unfinishedBytes -= buffer.length;
    const spare = this.#spare;
    if (spare.length < SPARE_BUFFERS) {
      spare.push(buffer);
      return;
    }
    const smallest = spare[0]!.length <= spare[1]!.length ? 0 : 1;
    if (spare[smallest]!.length < buffer.length) spare[smallest] = buffer;
  }
}
