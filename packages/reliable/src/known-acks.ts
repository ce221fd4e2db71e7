import { ACK_WINDOW } from './constants.ts';
import { sequencesSince } from './sequence.ts';

/**
 * Remembers which of the acks in the last header named packets that are acknowledged already, so that the next header, which repeats nearly
 * all of them, costs one look-up and not 32. It only ever spares work: what is not known is looked up.
 */
export class KnownAcks {
  #ack: number = 0;
  /** Bit i: packet `#ack − i` is acknowledged. */
  #bits: number = 0;

  /** Forgets everything. */
  reset(): void {
    this.#bits = 0;
  }

  /** A new packet has this sequence. */
  forget(sequence: number): void {
    const age = sequencesSince(this.#ack, sequence);
    if (age < ACK_WINDOW) this.#bits &= ~(1 << age);
  }

  /** Moves on to a header. Returns those of its ack bits that are not known to be settled, as a signed number. */
  unknown(ack: number, ackBits: number): number {
    const newer = sequencesSince(ack, this.#ack);
    const older = sequencesSince(this.#ack, ack);
    if (newer < ACK_WINDOW) this.#bits <<= newer;
    else if (older < ACK_WINDOW) this.#bits >>>= older;
    else this.#bits = 0;
    this.#ack = ack;
    return ackBits & ~this.#bits;
  }

  /** The packet of a bit of the header given last is acknowledged. */
  add(bit: number): void {
    this.#bits |= 1 << bit;
  }
}
