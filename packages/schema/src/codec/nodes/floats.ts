import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { CodecError } from '../codec-error.ts';
import { BitNode, exactly, widthOf } from '../node.ts';
import type { Size, ValueKind } from '../node.ts';
import { cell, fill, NUMBER, outside, plain } from '../number-cell.ts';
import { readNear, writeNear } from './integers.ts';

// All arithmetic in float64, in the order that is written here.
//
// | builder          | bits       | wire                                                                       | read as                            |
// | ---------------- | ---------- | -------------------------------------------------------------------------- | ---------------------------------- |
// | float32          | 32         | IEEE 754 pattern of the value rounded to float32                           | the same                           |
// | float64          | 64         | IEEE 754 pattern, low 32 bits, high 32 bits                                | the same                           |
// | q(min, max, res) | width of N | n = floor((clamp(v) - min) / step + 0.5)                                   | n = N: max, else min + n * step    |
// | angle(b)         | b          | n = floor(frac(v / 2π) * 2^b + 0.5) mod 2^b                                | n * 2π / 2^b, in [0, 2π)           |
//
// N = max(1, ceil((max - min) / res - 1e-9)), step = (max - min) / N. A NaN is NON_FINITE, written or read, unless the float allows it: then it is the
// pattern 7fc00000 or 7ff8000000000000 and no other. A code above N is RANGE. near(k) as in integers.ts, on the codes n.

const FLOAT32_NAN = 0x7fc0_0000;
const FLOAT64_NAN_HIGH = 0x7ff8_0000;
const TURN = 2 * Math.PI;

/** `float32` and `float64`. */
export class FloatNode extends BitNode {
  readonly #bits: 32 | 64;
  readonly #allowsNan: boolean;
  readonly #view = new DataView(new ArrayBuffer(8));

  constructor(bits: 32 | 64, allowsNan: boolean) {
    super();
    this.#bits = bits;
    this.#allowsNan = allowsNan;
  }

  override get kind(): ValueKind {
    return 'number';
  }

  describe(): string {
    return `f${this.#bits}${this.#allowsNan ? 'n' : ''}`;
  }

  size(): Size {
    return exactly(this.#bits);
  }

  write(writer: BitWriter, value: unknown): void {
    this.#take(value);
    const view = this.#view;
    const number = cell[0]!;
    if (number !== number) {
      // Whatever NaN it is, the bits are these.
      if (this.#bits === 64) writer.bits(0, 32);
      writer.bits(this.#bits === 64 ? FLOAT64_NAN_HIGH : FLOAT32_NAN, 32);
    } else if (this.#bits === 64) {
      view.setFloat64(0, number, true);
      writer.bits(view.getInt32(0, true), 32);
      writer.bits(view.getInt32(4, true), 32);
    } else {
      view.setFloat32(0, number, true);
      writer.bits(view.getInt32(0, true), 32);
    }
  }

  read(reader: BitReader): unknown {
    const view = this.#view;
    const low = reader.bits(32);
    const high = this.#bits === 64 ? reader.bits(32) : low;
    view.setInt32(0, low, true);
    view.setInt32(4, high, true);
    const number = this.#bits === 64 ? view.getFloat64(0, true) : view.getFloat32(0, true);
    if (number !== number) {
      const isCanonical = this.#bits === 64 ? high === FLOAT64_NAN_HIGH && low === 0 : low === FLOAT32_NAN;
      if (!this.#allowsNan || !isCanonical) throw nan();
    }
    cell[0] = number;
    return NUMBER;
  }

  equals(a: unknown, b: unknown): boolean {
    this.#take(a);
    const first = this.#bits === 64 ? cell[0]! : Math.fround(cell[0]!);
    this.#take(b);
    return Object.is(first, this.#bits === 64 ? cell[0]! : Math.fround(cell[0]!));
  }

  /** Puts a value into the cell when it can be written. */
  #take(value: unknown): void {
    fill(value);
    const number = cell[0]!;
    if (number !== number) {
      if (!this.#allowsNan) throw nan();
    } else if (this.#bits === 32 && Math.abs(Math.fround(number)) === Infinity && Math.abs(number) !== Infinity) {
      throw outside('a number that float32 can hold', number);
    }
  }
}

function nan(): CodecError {
  return new CodecError('NON_FINITE', 'expected a number, got NaN');
}

/** What `q` makes of its arguments, each axis of a vector alike. */
export interface Quantiser {
  readonly min: number;
  readonly max: number;
  /** N: codes are 0 … N. */
  readonly limit: number;
  readonly step: number;
  /** Whether values outside are moved to the edge; otherwise they are refused. */
  readonly clamps: boolean;
  readonly width: number;
  readonly text: string;
}

/** Works out steps and width. The arguments are checked. */
export function quantiser(min: number, max: number, resolution: number, clamps: boolean): Quantiser {
  const limit = Math.max(1, Math.ceil((max - min) / resolution - 1e-9));
  return { min, max, limit, step: (max - min) / limit, clamps, width: widthOf(limit), text: `q(${min},${max},${resolution})` };
}

/** The code of the number in the cell, as its bit pattern; throws `NON_FINITE` for NaN, and `RANGE` where it does not clamp. */
export function quantisedCode(q: Quantiser): number {
  let number = cell[0]!;
  if (!(number >= q.min && number <= q.max)) {
    if (number !== number) throw nan();
    if (!q.clamps) throw outside(`a number in ${q.min} … ${q.max}`, number);
    number = number < q.min ? q.min : q.max;
  }
  const code = Math.floor((number - q.min) / q.step + 0.5);
  return (code > q.limit ? q.limit : code) | 0;
}

/** Puts the number that a code stands for into the cell. */
export function fillQuantised(q: Quantiser, pattern: number): void {
  const code = pattern >>> 0;
  cell[0] = code === q.limit ? q.max : q.min + code * q.step;
}

/** `q`. */
export class QuantisedNode extends BitNode {
  readonly #q: Quantiser;
  readonly #near: number;

  /** @param near - bits of a small difference, 0 for none. */
  constructor(q: Quantiser, near: number = 0) {
    super();
    this.#q = q;
    this.#near = near;
  }

  /** The same with small differences in deltas. */
  near(bits: number): QuantisedNode {
    return new QuantisedNode(this.#q, bits);
  }

  override get kind(): ValueKind {
    return 'number';
  }

  describe(): string {
    return this.#near === 0 ? this.#q.text : `${this.#q.text}~${this.#near}`;
  }

  size(): Size {
    return exactly(this.#q.width);
  }

  write(writer: BitWriter, value: unknown): void {
    fill(value);
    writer.bits(quantisedCode(this.#q), this.#q.width);
  }

  read(reader: BitReader): unknown {
    fillQuantised(this.#q, reader.upTo(this.#q.limit, this.#q.width));
    return NUMBER;
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#code(a) === this.#code(b);
  }

  override writeDelta(writer: BitWriter, base: unknown, value: unknown): void {
    if (this.#near === 0) this.write(writer, value);
    else writeNear(writer, this.#near, this.#q.width, this.#code(base), this.#code(value));
  }

  override readDelta(reader: BitReader, base: unknown): unknown {
    if (this.#near === 0) return plain(this.read(reader));
    fillQuantised(this.#q, readNear(reader, this.#near, this.#q.width, this.#q.limit, this.#code(base)));
    return cell[0];
  }

  #code(value: unknown): number {
    fill(value);
    return quantisedCode(this.#q) >>> 0;
  }
}

/** `angle`. */
export class AngleNode extends BitNode {
  readonly #bits: number;
  readonly #codes: number;

  constructor(bits: number) {
    super();
    this.#bits = bits;
    this.#codes = 2 ** bits;
  }

  override get kind(): ValueKind {
    return 'number';
  }

  describe(): string {
    return `ang(${this.#bits})`;
  }

  size(): Size {
    return exactly(this.#bits);
  }

  write(writer: BitWriter, value: unknown): void {
    writer.bits(this.#code(value), this.#bits);
  }

  read(reader: BitReader): unknown {
    cell[0] = ((reader.bits(this.#bits) >>> 0) * TURN) / this.#codes;
    return NUMBER;
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#code(a) === this.#code(b);
  }

  /** The code as its bit pattern. */
  #code(value: unknown): number {
    fill(value);
    const turns = cell[0]! / TURN;
    const code = Math.floor((turns - Math.floor(turns)) * this.#codes + 0.5);
    if (code !== code) throw new CodecError('NON_FINITE', `expected an angle in radians, got ${cell[0]}`);
    // The part of a turn just below 0 or 1 rounds to a whole one, which is none.
    return code >= this.#codes ? 0 : code | 0;
  }
}
