import { sha256 } from '@noble/hashes/sha2.js';
import { FINGERPRINT_BYTES } from './constants.ts';
import { checkText, invalidOption } from './internal/check.ts';

// A fingerprint is the first 16 bytes of a SHA-256 digest (schema section 6.2). It has three forms:
//
// | form   | where                 | value                                                                   |
// | ------ | --------------------- | ----------------------------------------------------------------------- |
// | bytes  | wire, capture files   | the 16 bytes in the order of the digest                                 |
// | number | `value`, `halves`     | the same bytes read as a little-endian u128                             |
// | text   | messages, JSON        | that number in 32 lower-case hex digits: the bytes in **reverse** order |

const TEXT = /^[0-9a-f]{32}$/;
const HALF_DIGITS = FINGERPRINT_BYTES;
const inspect = Symbol.for('nodejs.util.inspect.custom');

/**
 * The 128 bits that tell one catalogue from another. Frozen, and equal for equal declarations; compare with {@link Fingerprint.equals} or by text,
 * not with `===`. It detects catalogues that do not match and authenticates nothing. Source: schema section 6.
 */
export class Fingerprint {
  readonly #bytes: Uint8Array;
  readonly #text: string;

  static {
    const debugText = function (this: Fingerprint): string {
      return `Fingerprint(${this.#text})`;
    };
    Object.defineProperty(this.prototype, inspect, { value: debugText });
  }

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = toReversedHex(bytes);
    Object.freeze(this);
  }

  /**
   * The fingerprint that was read from a packet or a capture file.
   *
   * @param wire - exactly 16 bytes in the order of the wire; copied.
   * @throws {@link ConfigError} `INVALID_OPTION` for anything else.
   */
  static fromBytes(wire: Uint8Array): Fingerprint {
    if (!(wire instanceof Uint8Array) || wire.length !== FINGERPRINT_BYTES) {
      throw invalidOption('wire', `${FINGERPRINT_BYTES} bytes`, wire);
    }
    return new Fingerprint(Uint8Array.from(wire));
  }

  /**
   * The fingerprint with this text.
   *
   * @param text - exactly 32 lower-case hex digits, as {@link Fingerprint.toString} gives.
   * @throws {@link ConfigError} `INVALID_OPTION` for anything else.
   */
  static parse(text: string): Fingerprint {
    const digits = checkText(text, 'text');
    if (!TEXT.test(digits)) throw invalidOption('text', '32 lower-case hex digits', digits);
    const bytes = new Uint8Array(FINGERPRINT_BYTES);
    for (let i = 0; i < FINGERPRINT_BYTES; i++) {
      const at = 2 * (FINGERPRINT_BYTES - 1 - i);
      bytes[i] = Number.parseInt(digits.slice(at, at + 2), 16);
    }
    return new Fingerprint(bytes);
  }

  /** The 16 bytes in the order of the wire; a fresh copy each time. */
  get bytes(): Uint8Array {
    return this.#bytes.slice();
  }

  /** The fingerprint as a number, u128. */
  get value(): bigint {
    return BigInt(`0x${this.#text}`);
  }

  /** The upper and the lower 64 bits of {@link Fingerprint.value}; the upper half is the first 16 digits of the text. */
  halves(): readonly [high: bigint, low: bigint] {
    return [BigInt(`0x${this.#text.slice(0, HALF_DIGITS)}`), BigInt(`0x${this.#text.slice(HALF_DIGITS)}`)];
  }

  /** Whether both are the same 128 bits, in a time that does not depend on where they differ. Also for one of another installed copy. */
  equals(other: Fingerprint): boolean {
    const theirs = other.bytes;
    let difference = theirs.length ^ FINGERPRINT_BYTES;
    for (let i = 0; i < FINGERPRINT_BYTES; i++) difference |= this.#bytes[i]! ^ theirs[i]!;
    return difference === 0;
  }

  /** 32 lower-case hex digits of {@link Fingerprint.value}: the bytes of the wire in reverse order. */
  toString(): string {
    return this.#text;
  }

  /** The same as {@link Fingerprint.toString}. */
  toJSON(): string {
    return this.#text;
  }
}

/** The fingerprint of a catalogue with this canonical encoding. */
export function fingerprintOf(canonical: Uint8Array): Fingerprint {
  return Fingerprint.fromBytes(sha256(canonical).subarray(0, FINGERPRINT_BYTES));
}

function toReversedHex(bytes: Uint8Array): string {
  return bytes.reduce((text, byte) => byte.toString(16).padStart(2, '0') + text, '');
}
