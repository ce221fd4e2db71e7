import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';

/** Bits that encodings of a value have: at least and at most. A value that cannot be at all has an empty range. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** The size of what cannot be encoded, such as one level more of a recursive codec than it may have. */
export const IMPOSSIBLE: Size = Object.freeze({ min: Infinity, max: -Infinity });

/** A size that does not vary. */
export function exactly(bits: number): Size {
  return { min: bits, max: bits };
}

/** Bits of a whole number of 0 … limit, limit below 2^32. */
export function widthOf(limit: number): number {
  return 32 - Math.clz32(limit);
}

/** How many more levels the recursive codecs around a place may have, and the sizes found so far. */
export class Levels {
  readonly #left = new Map<object, number>();
  readonly #ids = new Map<object, number>();
  readonly #known = new Map<string, Size>();

  /** The size of one level of a recursive codec that may have `depth` levels; its content is measured with one less. */
  sizeOf(recursive: object, depth: number, content: () => Size): Size {
    const left = this.#left.get(recursive) ?? depth;
    if (left === 0) return IMPOSSIBLE;
    if (!this.#ids.has(recursive)) this.#ids.set(recursive, this.#ids.size);
    const key = `${this.#ids.get(recursive)!}/${Array.from(this.#left, ([codec, n]) => `${this.#ids.get(codec)!}:${n}`).join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const before = this.#left.get(recursive);
    this.#left.set(recursive, left - 1);
    try {
      const size = content();
      this.#known.set(key, size);
      return size;
    } finally {
      if (before === undefined) this.#left.delete(recursive);
      else this.#left.set(recursive, before);
    }
  }
}

/**
 * Kinds of values: numbers, which travel in the cell of number-cell.ts; those that a value of before can be used again for; others. Must not change
 * while a node lives.
 */
export type ValueKind = 'number' | 'reusable' | 'other';

/**
 * One builder's part of a codec. Values go in and out as they are, or as `NUMBER` with the number in the cell. What a user sees is the `BitCodec`
 * around it, which knows the type.
 */
export abstract class BitNode {
  /** What its values are to those who hand them over. */
  get kind(): ValueKind {
    return 'other';
  }

  /** Whether `undefined` is one of its values. */
  get allowsUndefined(): boolean {
    return false;
  }

  /** Its text in a descriptor (codecs section 3). `enclosing` are the recursive codecs around it, innermost last. */
  abstract describe(enclosing: readonly object[]): string;

  /** Its size, alignment at its worst. Throws what only sizes can tell about a definition. */
  abstract size(levels: Levels): Size;

  /** Writes a value; throws `CodecError` when it is not one of its values. */
  abstract write(writer: BitWriter, value: unknown): void;

  /** Reads a value; `into` is one of before that may be used again, or `undefined`. */
  abstract read(reader: BitReader, into: unknown): unknown;

  /** Whether two values have the same encoding. */
  abstract equals(a: unknown, b: unknown): boolean;

  /** Writes a value that is known to differ from `base`. */
  writeDelta(writer: BitWriter, _base: unknown, value: unknown): void {
    this.write(writer, value);
  }

  /** Reads what {@link BitNode.writeDelta} wrote. */
  readDelta(reader: BitReader, _base: unknown): unknown {
    return this.read(reader, undefined);
  }

  /** Writes whether a value differs from `base`, then how. A struct says so for each of its fields instead. */
  writeChange(writer: BitWriter, base: unknown, value: unknown): void {
    const isChanged = !this.equals(base, value);
    writer.bits(isChanged ? 1 : 0, 1);
    if (isChanged) this.writeDelta(writer, base, value);
  }

  /** Reads what {@link BitNode.writeChange} wrote. */
  readChange(reader: BitReader, base: unknown): unknown {
    return reader.bits(1) === 1 ? this.readDelta(reader, base) : base;
  }
}
