import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { located } from '../codec-error.ts';
import { BitNode, exactly } from '../node.ts';
import type { Size, ValueKind } from '../node.ts';
import { cell, fill, mismatch, NUMBER } from '../number-cell.ts';
import { fillQuantised, quantisedCode } from './floats.ts';
import type { Quantiser } from './floats.ts';

// | builder | bits                     | wire                          |
// | ------- | ------------------------ | ----------------------------- |
// | vec2    | width of each axis added | x, y, each as its q(…)        |
// | vec3    | width of each axis added | x, y, z, each as its q(…)     |

const AXES = ['x', 'y', 'z'] as const;

/** A vector of a user, whatever it holds. */
interface Vector {
  x: unknown;
  y: unknown;
  z?: unknown;
}

/** Two or three numbers. */
interface Numbers {
  x: number;
  y: number;
  z: number;
}

// A function for each member, so that its number goes into the cell without being handed over.
function loadX({ x }: Vector): unknown {
  if (typeof x !== 'number') return x;
  cell[0] = x;
  return NUMBER;
}

function loadY({ y }: Vector): unknown {
  if (typeof y !== 'number') return y;
  cell[0] = y;
  return NUMBER;
}

function loadZ({ z }: Vector): unknown {
  if (typeof z !== 'number') return z;
  cell[0] = z;
  return NUMBER;
}

/** Whether a value of before can be used again as an object. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value when members can be read of it; throws `TYPE` otherwise. */
export function takeObject(value: unknown): object {
  if (isObject(value)) return value;
  throw mismatch('an object', value);
}

/** `vec2` and `vec3`. */
export class VectorNode extends BitNode {
  readonly #x: Quantiser;
  readonly #y: Quantiser;
  readonly #z: Quantiser | undefined;

  constructor(x: Quantiser, y: Quantiser, z: Quantiser | undefined) {
    super();
    this.#x = x;
    this.#y = y;
    this.#z = z;
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(): string {
    return this.#z === undefined ? `v2(${this.#x.text},${this.#y.text})` : `v3(${this.#x.text},${this.#y.text},${this.#z.text})`;
  }

  size(): Size {
    return exactly(this.#x.width + this.#y.width + (this.#z?.width ?? 0));
  }

  write(writer: BitWriter, value: unknown): void {
    const vector = takeObject(value) as Vector;
    let axis = 0;
    try {
      fill(loadX(vector));
      writer.bits(quantisedCode(this.#x), this.#x.width);
      axis = 1;
      fill(loadY(vector));
      writer.bits(quantisedCode(this.#y), this.#y.width);
      axis = 2;
      if (this.#z === undefined) return;
      fill(loadZ(vector));
      writer.bits(quantisedCode(this.#z), this.#z.width);
    } catch (error) {
      throw located(error, AXES[axis]!);
    }
  }

  read(reader: BitReader, into: unknown): unknown {
    const vector = (isObject(into) ? into : this.#z === undefined ? { x: 0.5, y: 0.5 } : { x: 0.5, y: 0.5, z: 0.5 }) as Numbers;
    let axis = 0;
    try {
      fillQuantised(this.#x, reader.upTo(this.#x.limit, this.#x.width));
      vector.x = cell[0]!;
      axis = 1;
      fillQuantised(this.#y, reader.upTo(this.#y.limit, this.#y.width));
      vector.y = cell[0]!;
      axis = 2;
      if (this.#z === undefined) return vector;
      fillQuantised(this.#z, reader.upTo(this.#z.limit, this.#z.width));
      vector.z = cell[0]!;
    } catch (error) {
      throw located(error, AXES[axis]!);
    }
    return vector;
  }

  equals(a: unknown, b: unknown): boolean {
    const one = takeObject(a) as Vector;
    const other = takeObject(b) as Vector;
    return this.#sameCode('x', this.#x, one, other) && this.#sameCode('y', this.#y, one, other) && this.#sameCode('z', this.#z, one, other);
  }

  #sameCode(axis: 'x' | 'y' | 'z', q: Quantiser | undefined, a: Vector, b: Vector): boolean {
    if (q === undefined) return true;
    try {
      fill(a[axis]);
      const code = quantisedCode(q);
      fill(b[axis]);
      return code === quantisedCode(q);
    } catch (error) {
      throw located(error, axis);
    }
  }
}
