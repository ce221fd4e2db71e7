import { createHash } from 'node:crypto';
import type { Link, Pair } from '@x/reliable/simulator';

const A_TO_B = 0;
const B_TO_A = 1;

/**
 * SHA-256 over all datagrams offered to both links of a pair in the order of the offers, those that get lost included: for each a byte for the
 * direction (0: a to b, 1: b to a), its length as u16 little-endian, its bytes.
 */
export class DatagramDigest {
  readonly #hash = createHash('sha256');

  /** Looks at a pair that has not sent anything yet. */
  constructor(pair: Pair) {
    this.#watch(pair.aToB, A_TO_B);
    this.#watch(pair.bToA, B_TO_A);
  }

  /** The digest in hex. Nothing may be sent afterwards. */
  finish(): string {
    return this.#hash.digest('hex');
  }

  #watch(link: Link, direction: number): void {
    const send = link.send.bind(link);
    link.send = (time: number, bytes: Uint8Array, from?: number, count?: number): void => {
      const offset = from ?? 0;
      const length = count ?? bytes.length - offset;
      this.#hash.update(Uint8Array.of(direction, length & 0xff, length >>> 8));
      this.#hash.update(bytes.subarray(offset, offset + length));
      send(time, bytes, offset, length);
    };
  }
}
