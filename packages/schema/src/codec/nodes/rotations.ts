import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { CodecError, located } from '../codec-error.ts';
import { BitNode, exactly } from '../node.ts';
import type { Size, ValueKind } from '../node.ts';
import { cell, fill, NUMBER } from '../number-cell.ts';
import { isObject, takeObject } from './vectors.ts';

// All arithmetic in float64. Several codes can mean one rotation, so what was read may be written to other bits, within the error of the rounding.
//
// | builder      | bits      | wire                                                                                                        |
// | ------------ | --------- | ----------------------------------------------------------------------------------------------------------- |
// | direction(b) | 2 b       | p = v / (|x| + |y| + |z|); where p.z < 0: (x, y) = ((1 - |y|) s(x), (1 - |x|) s(y)), s(0) = 1; then x and y,  |
// |              |           | each c as floor((c / 2 + 0.5) * (2^b - 1) + 0.5). Read: the reverse, then normalised                         |
// | quat(b)      | 2 + 3 b   | normalised; k, the index of the largest magnitude, the lowest on ties (x = 0 … w = 3), in 2 bits; all negated |
// |              |           | when that component is < 0; the other three in order, each c as floor((c + s) / √2 * (2^b - 1) + 0.5) with    |
// |              |           | s = 1 / √2. Read: the reverse, the missing one as √max(0, 1 - Σ), then normalised                             |
//
// A vector of length 0 is RANGE, a component that is not finite NON_FINITE. Every pattern of bits can be read.

const NAMES = ['x', 'y', 'z', 'w'] as const;
const LENGTH_AT = 4;
const SQRT1_2 = 1 / Math.SQRT2;
/** Lengths above it and below its inverse have squares that float64 holds in full. */
const SAFE_LENGTH = 1e-140;

interface Coordinates {
  x: number;
  y: number;
  z: number;
}

interface Quaternion extends Coordinates {
  w: number;
}

type AnyVector = Readonly<Partial<Record<'x' | 'y' | 'z' | 'w', unknown>>>;

// A function for each member, so that its number goes into the cell without being handed over.
function loadX({ x }: AnyVector): unknown {
  if (typeof x !== 'number') return x;
  cell[0] = x;
  return NUMBER;
}

function loadY({ y }: AnyVector): unknown {
  if (typeof y !== 'number') return y;
  cell[0] = y;
  return NUMBER;
}

function loadZ({ z }: AnyVector): unknown {
  if (typeof z !== 'number') return z;
  cell[0] = z;
  return NUMBER;
}

function loadW({ w }: AnyVector): unknown {
  if (typeof w !== 'number') return w;
  cell[0] = w;
  return NUMBER;
}

/** Puts a component that was loaded into its place; throws `TYPE` or `NON_FINITE`, with its name. */
function takeComponent(parts: Float64Array, index: number, loaded: unknown): void {
  try {
    fill(loaded);
    const number = cell[0]!;
    if (!Number.isFinite(number)) throw new CodecError('NON_FINITE', `expected a finite number, got ${number}`);
    parts[index] = number;
  } catch (error) {
    throw located(error, NAMES[index]!);
  }
}

function lengthZero(what: string): CodecError {
  return new CodecError('RANGE', `expected ${what} of another length than 0`);
}

/** `direction`. */
export class DirectionNode extends BitNode {
  readonly #bits: number;
  readonly #limit: number;
  /** The two codes of the value that was quantised last. */
  readonly #codes = new Float64Array(2);
  readonly #parts = new Float64Array(3);

  constructor(bits: number) {
    super();
    this.#bits = bits;
    this.#limit = 2 ** bits - 1;
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(): string {
    return `dir(${this.#bits})`;
  }

  size(): Size {
    return exactly(2 * this.#bits);
  }

  write(writer: BitWriter, value: unknown): void {
    this.#quantise(value);
    writer.bits(this.#codes[0]! | 0, this.#bits);
    writer.bits(this.#codes[1]! | 0, this.#bits);
  }

  read(reader: BitReader, into: unknown): unknown {
    const vector = (isObject(into) ? into : { x: 0.5, y: 0.5, z: 0.5 }) as Coordinates;
    let x = ((reader.bits(this.#bits) >>> 0) / this.#limit) * 2 - 1;
    let y = ((reader.bits(this.#bits) >>> 0) / this.#limit) * 2 - 1;
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z < 0) {
      const folded = (1 - Math.abs(y)) * (x < 0 ? -1 : 1);
      y = (1 - Math.abs(x)) * (y < 0 ? -1 : 1);
      x = folded;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    vector.x = x / length;
    vector.y = y / length;
    vector.z = z / length;
    return vector;
  }

  equals(a: unknown, b: unknown): boolean {
    this.#quantise(a);
    const [first, second] = this.#codes;
    this.#quantise(b);
    return this.#codes[0] === first && this.#codes[1] === second;
  }

  #quantise(value: unknown): void {
    const vector: AnyVector = takeObject(value);
    const parts = this.#parts;
    takeComponent(parts, 0, loadX(vector));
    takeComponent(parts, 1, loadY(vector));
    takeComponent(parts, 2, loadZ(vector));
    let x = parts[0]!;
    let y = parts[1]!;
    let z = parts[2]!;
    let sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
    if (sum === 0) throw lengthZero('a direction');
    if (sum === Infinity) {
      // The sum is beyond float64; a power of two changes no other digit.
      x /= 4;
      y /= 4;
      z /= 4;
      sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
    }
    x /= sum;
    y /= sum;
    if (z < 0) {
      const folded = (1 - Math.abs(y)) * (x < 0 ? -1 : 1);
      y = (1 - Math.abs(x)) * (y < 0 ? -1 : 1);
      x = folded;
    }
    // Within the limits whatever the rounding: |x| and |y| are at most 1.
    this.#codes[0] = Math.floor((x / 2 + 0.5) * this.#limit + 0.5);
    this.#codes[1] = Math.floor((y / 2 + 0.5) * this.#limit + 0.5);
  }
}

/** `quat`. */
export class QuaternionNode extends BitNode {
  readonly #bits: number;
  readonly #limit: number;
  /** Index and the three codes of the value that was quantised last. */
  readonly #codes = new Float64Array(4);
  /** Its components, or those of the value that was read last, and its length. */
  readonly #parts = new Float64Array(5);

  constructor(bits: number) {
    super();
    this.#bits = bits;
    this.#limit = 2 ** bits - 1;
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(): string {
    return `quat(${this.#bits})`;
  }

  size(): Size {
    return exactly(2 + 3 * this.#bits);
  }

  write(writer: BitWriter, value: unknown): void {
    this.#quantise(value);
    writer.bits(this.#codes[0]! | 0, 2);
    for (let i = 1; i < 4; i++) writer.bits(this.#codes[i]! | 0, this.#bits);
  }

  read(reader: BitReader, into: unknown): unknown {
    const rotation = (isObject(into) ? into : { x: 0.5, y: 0.5, z: 0.5, w: 0.5 }) as Quaternion;
    const parts = this.#parts;
    const largest = reader.bits(2);
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      if (i === largest) continue;
      const part = ((reader.bits(this.#bits) >>> 0) / this.#limit) * Math.SQRT2 - SQRT1_2;
      parts[i] = part;
      sum += part * part;
    }
    const last = Math.sqrt(Math.max(0, 1 - sum));
    parts[largest] = last;
    const length = Math.sqrt(sum + last * last);
    rotation.x = parts[0]! / length;
    rotation.y = parts[1]! / length;
    rotation.z = parts[2]! / length;
    rotation.w = parts[3]! / length;
    return rotation;
  }

  equals(a: unknown, b: unknown): boolean {
    this.#quantise(a);
    const first = this.#codes.slice();
    this.#quantise(b);
    return this.#codes.every((code, i) => code === first[i]);
  }

  #quantise(value: unknown): void {
    const rotation: AnyVector = takeObject(value);
    const parts = this.#parts;
    takeComponent(parts, 0, loadX(rotation));
    takeComponent(parts, 1, loadY(rotation));
    takeComponent(parts, 2, loadZ(rotation));
    takeComponent(parts, 3, loadW(rotation));
    normalise(parts);
    const largest = largestOf(parts);
    const sign = parts[largest]! < 0 ? -1 : 1;
    this.#codes[0] = largest;
    let next = 1;
    for (let i = 0; i < 4; i++) {
      if (i === largest) continue;
      const part = parts[i]! * sign;
      const code = Math.floor(((part + SQRT1_2) / Math.SQRT2) * this.#limit + 0.5);
      this.#codes[next++] = Math.min(Math.max(code, 0), this.#limit);
    }
  }
}

/** Index of the largest magnitude, the lowest on ties. */
function largestOf(parts: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(parts[i]!) > Math.abs(parts[largest]!)) largest = i;
  return largest;
}

/** Puts the length behind the components. */
function measureLength(parts: Float64Array): void {
  parts[LENGTH_AT] = Math.sqrt(parts[0]! * parts[0]! + parts[1]! * parts[1]! + parts[2]! * parts[2]! + parts[3]! * parts[3]!);
}

/** Divides by the length; throws `RANGE` when that is 0. */
function normalise(parts: Float64Array): void {
  measureLength(parts);
  if (!(parts[LENGTH_AT]! > SAFE_LENGTH && parts[LENGTH_AT]! < 1 / SAFE_LENGTH)) {
    // The squares are at the edge of float64 or beyond: the same rotation with parts near 1.
    const scale = Math.abs(parts[largestOf(parts)]!);
    if (scale === 0) throw lengthZero('a rotation');
    for (let i = 0; i < 4; i++) parts[i]! /= scale;
    measureLength(parts);
  }
  for (let i = 0; i < 4; i++) parts[i]! /= parts[LENGTH_AT]!;
}
