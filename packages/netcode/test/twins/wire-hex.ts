// What the codec twins are made of: layouts as hex texts, written and read piece by piece. Slow and obvious.

/** Hex of bytes. */
export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Bytes of a hex text. */
export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number(`0x${pair}`));
}

/** An unsigned number as little-endian hex of `size` bytes; a negative one as two's complement. */
export function le(value: bigint | number, size: number): string {
  const span = 256n ** BigInt(size);
  const positive = ((BigInt(value) % span) + span) % span;
  const big = positive.toString(16).padStart(2 * size, '0');
  return (big.match(/../g) ?? []).reverse().join('');
}

/** The unsigned number that a little-endian hex text means. */
export function fromLe(hex: string): bigint {
  return BigInt(`0x${(hex.match(/../g) ?? []).reverse().join('')}`);
}

/** As {@link fromLe}, 32 bits with a sign. */
export function signedFromLe(hex: string): number {
  const value = Number(fromLe(hex));
  return value >= 2 ** 31 ? value - 2 ** 32 : value;
}

/** Takes texts off the front of a hex text. */
export class HexReader {
  #rest: string;

  constructor(hex: string) {
    this.#rest = hex;
  }

  /** The next `size` bytes as hex. */
  take(size: number): string {
    const taken = this.#rest.slice(0, 2 * size);
    this.#rest = this.#rest.slice(2 * size);
    return taken;
  }

  bytes(size: number): Uint8Array {
    return bytesOfHex(this.take(size));
  }

  number(size: number): bigint {
    return fromLe(this.take(size));
  }
}
