import { ReliableError } from './errors.ts';
import { checkRange } from './internal/check.ts';
import { KnownAcks } from './known-acks.ts';
import type { PacketRing } from './packet-ring.ts';
import type { RttHistory } from './rtt-history.ts';
import { addSequence } from './sequence.ts';

/**
 * The packets that were acknowledged and not told about yet. Each is logged once; without room a packet stays unacknowledged, and a later
 * header can report it.
 * Source: reliable section 8.5.
 */
export class AckLog {
  readonly #sent: PacketRing;
  readonly #rtt: RttHistory;
  readonly #acks: Uint16Array;
  readonly #known: KnownAcks = new KnownAcks();
  #count: number = 0;
  #isDraining: boolean = false;

  /** @param size - acks that there is room for, 1 or more. */
  constructor(size: number, sent: PacketRing, rtt: RttHistory) {
    this.#sent = sent;
    this.#rtt = rtt;
    this.#acks = new Uint16Array(size);
  }

  get count(): number {
    return this.#count;
  }

  /** True inside the callback of {@link drain}. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  get memoryBytes(): number {
    return this.#acks.byteLength;
  }

  /** A logged sequence. @throws {@link ReliableError} `INVALID_RANGE` unless `index` is 0 … `count` − 1. */
  at(index: number): number {
    checkRange(index, 'index', 0, this.#count - 1);
    return this.#acks[index]!;
  }

  /** A new packet has this sequence. */
  forget(sequence: number): void {
    this.#known.forget(sequence);
  }

  /**
   * Takes what a header acknowledges, newest first.
   *
   * @param ackBits - as a signed number.
   * @returns how many packets were logged.
   */
  take(ack: number, ackBits: number): number {
    const sent = this.#sent;
    const acks = this.#acks;
    const known = this.#known;
    const before = this.#count;
    for (let left = known.unknown(ack, ackBits); left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left);
      const sequence = addSequence(ack, -bit);
      if (!sent.buffer.exists(sequence)) continue;
      const slot = sent.buffer.slotOf(sequence);
      if (!sent.isAcked(slot)) {
        if (this.#count === acks.length) continue;
        acks[this.#count++] = sequence;
        sent.acknowledge(slot);
        this.#rtt.add(sequence, sent);
      }
      known.add(bit);
    }
    return this.#count - before;
  }

  /** Tells every ack and clears it; when `each` throws, only those told. @throws {@link ReliableError} `REENTRANT` inside itself. */
  drain(each: (sequence: number) => void): void {
    if (this.#isDraining) throw nested('drainAcks');
    const count = this.#count;
    let told = 0;
    this.#isDraining = true;
    try {
      while (told < count) each(this.#acks[told++]!);
    } finally {
      this.#isDraining = false;
      this.#acks.copyWithin(0, told, count);
      this.#count = count - told;
    }
  }

  /** Forgets what is logged. @throws {@link ReliableError} `REENTRANT` inside {@link drain}. */
  clear(): void {
    if (this.#isDraining) throw nested('clearAcks');
    this.#count = 0;
  }

  /** Forgets everything. */
  reset(): void {
    this.#count = 0;
    this.#known.reset();
  }
}

function nested(method: string): ReliableError {
  return new ReliableError('reentrant', `${method} was called from inside drainAcks`);
}
