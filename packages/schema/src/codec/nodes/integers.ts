import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { CodecError } from '../codec-error.ts';
import { BitNode, exactly, widthOf } from '../node.ts';
import type { Size, ValueKind } from '../node.ts';
import { cell, fill, mismatch, NUMBER, outside, plain } from '../number-cell.ts';

// | builder       | bits                  | wire                                                                | refused when read                    |
// | ------------- | --------------------- | ------------------------------------------------------------------- | ------------------------------------ |
// | bool          | 1                     | 1 is true                                                           |                                      |
// | uint(n)       | n                     | the number                                                          |                                      |
// | int(min, max) | width of max - min    | the number less min                                                 | RANGE above max - min                |
// | u64, i64      | 64                    | low 32 bits, high 32 bits; i64 in two's complement                  |                                      |
// | varuint       | 2, and 4, 8, 16 or 32 | size class 0 … 3, then the number in the smallest class that fits it | RANGE when a smaller class would fit |
//
// With near(k), in a delta only: 1 bit; 1: the difference to the base in k bits, two's complement; 0: in full. RANGE when the sum is outside.

/** Largest number of bits whose values are small integers for the engine. */
const SMALL_BITS = 30;
const MAX_U32 = 0xffff_ffff;

/** Puts a value into the cell when it is an integer of a range; throws `TYPE`, `NON_FINITE` or `RANGE`. */
export function fillInteger(value: unknown, min: number, max: number): void {
  fill(value);
  const number = cell[0]!;
  if (number >= min && number <= max && Math.floor(number) === number) return;
  if (!Number.isFinite(number)) throw new CodecError('NON_FINITE', `expected an integer in ${min} … ${max}, got ${number}`);
  throw outside(`an integer in ${min} … ${max}`, number);
}

/** Writes the difference of two codes of a range in `near` bits when it fits, else the code. */
export function writeNear(writer: BitWriter, near: number, width: number, base: number, code: number): void {
  const difference = code - base;
  const half = 2 ** (near - 1);
  const isNear = difference >= -half && difference < half;
  writer.bits(isNear ? 1 : 0, 1);
  if (!isNear) writer.bits(code | 0, width);
  else writer.bits(near === 32 ? difference | 0 : difference & ((1 << near) - 1), near);
}

/** Reads what {@link writeNear} wrote: a code of 0 … limit. */
export function readNear(reader: BitReader, near: number, width: number, limit: number, base: number): number {
  if (reader.bits(1) === 0) return reader.upTo(limit, width) >>> 0;
  const code = base + ((reader.bits(near) << (32 - near)) >> (32 - near));
  if (code < 0 || code > limit) throw new CodecError('RANGE', `a code outside 0 … ${limit}`);
  return code;
}

/** `bool`. */
export class BoolNode extends BitNode {
  describe(): string {
    return 'bool';
  }

  size(): Size {
    return exactly(1);
  }

  write(writer: BitWriter, value: unknown): void {
    if (typeof value !== 'boolean') throw mismatch('a boolean', value);
    writer.bits(value ? 1 : 0, 1);
  }

  read(reader: BitReader): unknown {
    return reader.bits(1) === 1;
  }

  equals(a: unknown, b: unknown): boolean {
    if (typeof a !== 'boolean' || typeof b !== 'boolean') throw mismatch('a boolean', typeof a === 'boolean' ? b : a);
    return a === b;
  }
}

/** `uint` and `int`: an integer of a range of at most 2^32 values. */
export class IntegerNode extends BitNode {
  readonly min: number;
  readonly max: number;
  readonly #name: string;
  readonly #near: number;
  readonly #limit: number;
  readonly #width: number;
  readonly #isSmall: boolean;

  /** @param near - bits of a small difference, 0 for none. */
  constructor(name: string, min: number, max: number, near: number = 0) {
    super();
    this.min = min;
    this.max = max;
    this.#name = name;
    this.#near = near;
    this.#limit = max - min;
    this.#width = widthOf(this.#limit);
    this.#isSmall = min >= -(2 ** SMALL_BITS) && max < 2 ** SMALL_BITS;
  }

  /** The same with small differences in deltas. */
  near(bits: number): IntegerNode {
    return new IntegerNode(this.#name, this.min, this.max, bits);
  }

  override get kind(): ValueKind {
    return 'number';
  }

  describe(): string {
    return this.#near === 0 ? this.#name : `${this.#name}~${this.#near}`;
  }

  size(): Size {
    return exactly(this.#width);
  }

  write(writer: BitWriter, value: unknown): void {
    fillInteger(value, this.min, this.max);
    writer.bits((cell[0]! - this.min) | 0, this.#width);
  }

  read(reader: BitReader): unknown {
    const value = (reader.upTo(this.#limit, this.#width) >>> 0) + this.min;
    if (this.#isSmall) return value | 0;
    cell[0] = value;
    return NUMBER;
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#code(a) === this.#code(b);
  }

  override writeDelta(writer: BitWriter, base: unknown, value: unknown): void {
    if (this.#near === 0) this.write(writer, value);
    else writeNear(writer, this.#near, this.#width, this.#code(base), this.#code(value));
  }

  override readDelta(reader: BitReader, base: unknown): unknown {
    if (this.#near === 0) return plain(this.read(reader));
    return readNear(reader, this.#near, this.#width, this.#limit, this.#code(base)) + this.min;
  }

  #code(value: unknown): number {
    fillInteger(value, this.min, this.max);
    return cell[0]! - this.min;
  }
}

/** `u64` and `i64`. */
export class WideIntegerNode extends BitNode {
  readonly #isSigned: boolean;
  readonly #min: bigint;
  readonly #max: bigint;
  readonly #view = new DataView(new ArrayBuffer(8));

  constructor(isSigned: boolean) {
    super();
    this.#isSigned = isSigned;
    this.#min = isSigned ? -(2n ** 63n) : 0n;
    this.#max = isSigned ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  }

  describe(): string {
    return this.#isSigned ? 'i64' : 'u64';
  }

  size(): Size {
    return exactly(64);
  }

  write(writer: BitWriter, value: unknown): void {
    this.#view.setBigUint64(0, this.#take(value), true);
    writer.bits(this.#view.getInt32(0, true), 32);
    writer.bits(this.#view.getInt32(4, true), 32);
  }

  read(reader: BitReader): unknown {
    this.#view.setInt32(0, reader.bits(32), true);
    this.#view.setInt32(4, reader.bits(32), true);
    return this.#isSigned ? this.#view.getBigInt64(0, true) : this.#view.getBigUint64(0, true);
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#take(a) === this.#take(b);
  }

  #take(value: unknown): bigint {
    if (typeof value !== 'bigint') throw mismatch('a bigint', value);
    if (value < this.#min || value > this.#max) throw new CodecError('RANGE', `expected a bigint in ${this.#min} … ${this.#max}`);
    return value;
  }
}

const CLASS_WIDTHS = [4, 8, 16, 32] as const;

/** `varuint`. */
export class VarUintNode extends BitNode {
  override get kind(): ValueKind {
    return 'number';
  }

  describe(): string {
    return 'vu';
  }

  size(): Size {
    return { min: 6, max: 34 };
  }

  write(writer: BitWriter, value: unknown): void {
    fillInteger(value, 0, MAX_U32);
    const number = cell[0]!;
    const size = number < 16 ? 0 : number < 256 ? 1 : number < 65_536 ? 2 : 3;
    writer.bits(size, 2);
    writer.bits(number | 0, CLASS_WIDTHS[size]);
  }

  read(reader: BitReader): unknown {
    const size = reader.bits(2);
    const number = reader.bits(CLASS_WIDTHS[size]!) >>> 0;
    if (size > 0 && number < 2 ** CLASS_WIDTHS[size - 1]!) throw new CodecError('RANGE', 'a number in a larger size class than it needs');
    cell[0] = number;
    return NUMBER;
  }

  equals(a: unknown, b: unknown): boolean {
    fillInteger(a, 0, MAX_U32);
    const first = cell[0]!;
    fillInteger(b, 0, MAX_U32);
    return first === cell[0];
  }
}
