import { ACK_WINDOW } from './constants.ts';
import { checkRingSize } from './internal/check.ts';
import { isNewerSequence, nextSequence, sequencesSince } from './sequence.ts';

const EMPTY = -1;

/**
 * Remembers which of the last `size` packet sequences are entered: a ring of slots, slot = sequence mod size, and the newest sequence + 1.
 *
 * A fresh buffer is not without history: it takes the `size` sequences before 0 as old ones inside its window and refuses the older ones.
 * Data that belongs to an entry is kept by the owner in arrays indexed by {@link slotOf}. All sequences are u16.
 * Source: reliable section 4.
 */
export class SequenceBuffer {
  /** Number of slots. */
  readonly size: number;
  readonly #mask: number;
  readonly #slots: Int32Array;
  /** Called with the slot of every entry that leaves the buffer. */
  readonly #release: ((slot: number) => void) | undefined;
  #next: number = 0;
  /** Bit i tells whether `next − 1 − i` is entered; kept along the way so that a header need not look up 32 slots. */
  #bits: number = 0;
  readonly #bitsMask: number;

  /**
   * @param size - number of slots, a power of two, 1 … 32768.
   * @param release - told of every entry that is cleared, overwritten or removed, with its slot.
   * @throws `ReliableError` `INVALID_OPTION` for another size.
   */
  constructor(size: number, release?: (slot: number) => void) {
    checkRingSize(size, 'size', 1);
    this.size = size;
    this.#mask = size - 1;
    this.#slots = new Int32Array(size).fill(EMPTY);
    this.#release = release;
    this.#bitsMask = size >= ACK_WINDOW ? -1 : (1 << size) - 1;
  }

  /** The newest sequence the buffer has advanced to, + 1; 0 when fresh. */
  get next(): number {
    return this.#next;
  }

  /** The slot of a sequence, 0 … size − 1. */
  slotOf(sequence: number): number {
    return sequence & this.#mask;
  }

  /** True when a slot, 0 … size − 1, holds any sequence; then that is one of the last `size` before `next`. */
  isFilled(slot: number): boolean {
    return this.#slots[slot] !== EMPTY;
  }

  /** True when exactly this sequence is entered. */
  exists(sequence: number): boolean {
    return this.#slots[sequence & this.#mask] === sequence;
  }

  /** True when the sequence is not too old. */
  canInsert(sequence: number): boolean {
    return !isNewerSequence(sequencesSince(this.#next, this.size), sequence);
  }

  /** Enters a sequence and advances to it when it is new. Returns false, and changes nothing, when it is too old. */
  insert(sequence: number): boolean {
    if (!this.canInsert(sequence)) return false;
    this.advance(sequence);
    this.#store(sequence);
    return true;
  }

  /** As {@link insert}, but what counts as new is never too old: in the zone that is both, this one advances. */
  insertAdvanceFirst(sequence: number): boolean {
    if (!this.advance(sequence) && !this.canInsert(sequence)) return false;
    this.#store(sequence);
    return true;
  }

  /** Moves the window up to a sequence, clearing every slot on the way, without entering it. Returns false when it is not new. */
  advance(sequence: number): boolean {
    const next = this.#next;
    const after = nextSequence(sequence);
    if (!isNewerSequence(after, next)) return false;
    const steps = sequencesSince(after, next);
    this.#clear(next, steps);
    this.#bits = steps < ACK_WINDOW ? (this.#bits << steps) & this.#bitsMask : 0;
    this.#next = after;
    return true;
  }

  /** Empties the slot of a sequence, whatever it holds. */
  remove(sequence: number): void {
    const slot = sequence & this.#mask;
    const held = this.#slots[slot]!;
    if (held === EMPTY) return;
    this.#slots[slot] = EMPTY;
    const age = sequencesSince(this.#next - 1, held);
    if (age < ACK_WINDOW) this.#bits &= ~(1 << age);
    this.#release?.(slot);
  }

  /** Empties the buffer and starts at 0 again. */
  reset(): void {
    this.#clear(0, this.size);
    this.#next = 0;
    this.#bits = 0;
  }

  /** What a header acknowledges: the newest sequence the buffer has advanced to, 65535 when fresh. It need not be entered. */
  ack(): number {
    return sequencesSince(this.#next, 1);
  }

  /** A u32 whose bit i tells whether `ack − i` is entered; bit 0 is `ack` itself. */
  ackBits(): number {
    return this.#bits >>> 0;
  }

  /** {@link ackBits} as a signed number, which is no garbage when all bits are set. */
  signedAckBits(): number {
    return this.#bits;
  }

  #store(sequence: number): void {
    const slot = sequence & this.#mask;
    const held = this.#slots[slot]!;
    if (held !== EMPTY) this.remove(held);
    this.#slots[slot] = sequence;
    const age = sequencesSince(this.#next - 1, sequence);
    if (age < ACK_WINDOW) this.#bits |= (1 << age) & this.#bitsMask;
  }

  /** Empties the slots of `count` sequences from `first`. */
  #clear(first: number, count: number): void {
    const slots = this.#slots;
    const steps = Math.min(count, this.size);
    for (let i = 0; i < steps; i++) {
      const slot = (first + i) & this.#mask;
      if (slots[slot] === EMPTY) continue;
      slots[slot] = EMPTY;
      this.#release?.(slot);
    }
  }
}
