// The payloads that are exchanged: index, length and every byte follow from the seed. The twin is ../rust/src/payload.rs.
//
//   offset  bytes     meaning
//   0       1         index of the payload
//   1       length-1  pattern of seed, index and offset
//
// The lengths rise from 1 to 1200 over the 200 payloads.

/** How many different payloads there are. */
export const PAYLOADS = 200;
const SHORTEST = 1;
const LONGEST = 1200;

/** Length of the payload of an index. */
export function payloadLength(index: number): number {
  return SHORTEST + Math.floor((index * (LONGEST - SHORTEST)) / (PAYLOADS - 1));
}

/** The whole payload of an index below {@link PAYLOADS}; `seed` is a u32. */
export function makePayload(seed: number, index: number): Uint8Array {
  const base = Math.imul(seed ^ Math.imul(index + 1, 0x9e37_79b1), 0x85eb_ca77);
  const bytes = new Uint8Array(payloadLength(index));
  for (let offset = 0; offset < bytes.length; offset++) {
    const mixed = (base + Math.imul(offset, 0xc2b2_ae3d)) >>> 0;
    bytes[offset] = (mixed >>> 16) ^ (mixed >>> 24);
  }
  bytes[0] = index;
  return bytes;
}

/** What an end has received. */
export interface TallyResult {
  /** All payloads that arrived, those sent again included. */
  readonly received: number;
  /** How many different payloads arrived intact. */
  readonly verified: number;
  /** What was wrong with the payloads that did not. */
  readonly faults: readonly string[];
}

/** What a client has sent and got back. */
export interface ExchangeResult extends TallyResult {
  /** Payloads sent, again or for the first time. */
  readonly sent: number;
}

/** Notes which payloads arrived, each compared byte by byte. */
export class Tally implements TallyResult {
  received = 0;
  readonly faults: string[] = [];
  readonly #seed: number;
  readonly #seen = new Set<number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  get verified(): number {
    return this.#seen.size;
  }

  /** Whether the payload of an index has arrived. */
  has(index: number): boolean {
    return this.#seen.has(index);
  }

  /** Compares a payload with what its index says. */
  take(bytes: Uint8Array): void {
    this.received++;
    const index = bytes[0] ?? PAYLOADS;
    const intact = index < PAYLOADS && Buffer.compare(bytes, makePayload(this.#seed, index)) === 0;
    if (intact) this.#seen.add(index);
    else this.faults.push(`payload ${index} of ${bytes.length} bytes differs from its pattern`);
  }
}

/** Sends every payload until its echo is there. UDP may lose any of them, so whatever is missing for a while is sent again. */
export class Exchange {
  /** Payloads on their way at the same time. */
  static readonly WINDOW = 16;
  static readonly RESEND_SECONDS = 0.25;

  readonly tally: Tally;
  readonly #seed: number;
  #sent = 0;
  readonly #sentAt: number[] = new Array<number>(PAYLOADS).fill(-Infinity);

  constructor(seed: number) {
    this.#seed = seed;
    this.tally = new Tally(seed);
  }

  get result(): ExchangeResult {
    const { received, verified, faults } = this.tally;
    return { sent: this.#sent, received, verified, faults };
  }

  /** Everything has come back, or something wrong has. */
  get isOver(): boolean {
    return this.tally.verified === PAYLOADS || this.tally.faults.length > 0;
  }

  /** Sends what is due at `time`, in monotonic seconds. */
  step(time: number, send: (bytes: Uint8Array) => void): void {
    let missing = 0;
    for (let index = 0; index < PAYLOADS && missing < Exchange.WINDOW && !this.isOver; index++) {
      if (this.tally.has(index)) continue;
      missing++;
      if (time - (this.#sentAt[index] ?? time) <= Exchange.RESEND_SECONDS) continue;
      this.#sentAt[index] = time;
      this.#sent++;
      send(makePayload(this.#seed, index));
    }
  }
}
