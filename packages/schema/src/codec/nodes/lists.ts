import type { BitReader } from '../bit-reader.ts';
import { truncated } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { CodecError, located } from '../codec-error.ts';
import { invalidCodec } from '../definition.ts';
import { BitNode, exactly, IMPOSSIBLE, widthOf } from '../node.ts';
import type { Levels, Size, ValueKind } from '../node.ts';
import { cell, mismatch, NUMBER, plain } from '../number-cell.ts';

// | builder       | bits                                | wire                                     | refused when read                                     |
// | ------------- | ----------------------------------- | ---------------------------------------- | ----------------------------------------------------- |
// | array(X, max) | width of max, those of the elements | number of elements as int[0, max], they  | RANGE above max; TRUNCATED when they cannot all be there |
// | fixed(X, n)   | those of the n elements             | the elements                             |                                                       |

/** What arrays of either kind have in common. */
abstract class ListNode extends BitNode {
  protected readonly element: BitNode;
  /** Fewest bits of an element that any measurement found. */
  #elementMin = Infinity;
  readonly #kind: ValueKind;

  constructor(element: BitNode) {
    super();
    this.element = element;
    this.#kind = element.kind;
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  /** The size of an element, once it is known to have a bit at least. */
  protected sizeOfElement(builder: string, levels: Levels): Size {
    const size = this.element.size(levels);
    if (size.min === 0) throw invalidCodec(builder, 'elements without a single bit: their number would cost nothing');
    this.#elementMin = Math.min(this.#elementMin, size.min);
    return size;
  }

  /** Throws `TRUNCATED`, before anything is made, when so many elements cannot be in the rest of the data. */
  protected checkRoom(reader: BitReader, count: number): void {
    const each = this.#elementMin === Infinity ? 1 : this.#elementMin;
    if (count * each > reader.remaining) throw truncated();
  }

  protected writeElements(writer: BitWriter, list: readonly unknown[], count: number): void {
    const { element } = this;
    let i = 0;
    try {
      if (this.#kind === 'number') {
        for (; i < count; i++) writeNumber(writer, element, list, i);
      } else {
        for (; i < count; i++) element.write(writer, list[i]);
      }
    } catch (error) {
      throw located(error, i);
    }
  }

  /** Reads elements, into a list of before when there is one. */
  protected readElements(reader: BitReader, into: unknown, count: number): unknown[] {
    const { element } = this;
    const list: unknown[] = Array.isArray(into) ? into : [];
    if (list.length > count) list.length = count;
    let i = 0;
    try {
      if (this.#kind === 'number') {
        for (; i < count; i++) readNumber(reader, element, list, i);
      } else {
        const known = this.#kind === 'reusable' ? list.length : 0;
        for (; i < count; i++) list[i] = plain(element.read(reader, i < known ? list[i] : undefined));
      }
    } catch (error) {
      throw located(error, i);
    }
    return list;
  }

  protected sameElements(a: readonly unknown[], b: readonly unknown[]): boolean {
    if (a.length !== b.length) return false;
    let i = 0;
    try {
      for (; i < a.length; i++) if (!this.element.equals(a[i], b[i])) return false;
    } catch (error) {
      throw located(error, i);
    }
    return true;
  }
}

// Arrays of numbers have loops of their own, in which the engine sees nothing but numbers.

function writeNumber(writer: BitWriter, element: BitNode, list: readonly unknown[], i: number): void {
  const value = list[i];
  if (typeof value === 'number') {
    cell[0] = value;
    element.write(writer, NUMBER);
  } else {
    element.write(writer, value);
  }
}

function readNumber(reader: BitReader, element: BitNode, list: unknown[], i: number): void {
  const value = element.read(reader, undefined);
  if (value === NUMBER) list[i] = cell[0];
  else list[i] = value;
}

/** `array`. */
export class ArrayNode extends ListNode {
  readonly #max: number;
  readonly #width: number;

  constructor(element: BitNode, max: number) {
    super(element);
    this.#max = max;
    this.#width = widthOf(max);
  }

  describe(enclosing: readonly object[]): string {
    return `arr(${this.element.describe(enclosing)},${this.#max})`;
  }

  size(levels: Levels): Size {
    const { max } = this.sizeOfElement('array', levels);
    const most = max > 0 && this.#max > 0 ? this.#max * max : 0;
    return { min: this.#width, max: this.#width + most };
  }

  write(writer: BitWriter, value: unknown): void {
    const list = this.#take(value);
    writer.bits(list.length | 0, this.#width);
    this.writeElements(writer, list, list.length);
  }

  read(reader: BitReader, into: unknown): unknown {
    const count = reader.upTo(this.#max, this.#width);
    this.checkRoom(reader, count);
    return this.readElements(reader, into, count);
  }

  equals(a: unknown, b: unknown): boolean {
    return this.sameElements(this.#take(a), this.#take(b));
  }

  #take(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) throw mismatch('an array', value);
    if (value.length > this.#max) throw new CodecError('TOO_LARGE', `expected at most ${this.#max} elements, got ${value.length}`);
    return value;
  }
}

/** `fixed`. */
export class FixedNode extends ListNode {
  readonly #count: number;

  constructor(element: BitNode, count: number) {
    super(element);
    this.#count = count;
  }

  describe(enclosing: readonly object[]): string {
    return `fix(${this.element.describe(enclosing)},${this.#count})`;
  }

  size(levels: Levels): Size {
    const { min, max } = this.sizeOfElement('fixed', levels);
    if (this.#count === 0) return exactly(0);
    return max < 0 ? IMPOSSIBLE : { min: this.#count * min, max: this.#count * max };
  }

  write(writer: BitWriter, value: unknown): void {
    this.writeElements(writer, this.#take(value), this.#count);
  }

  read(reader: BitReader, into: unknown): unknown {
    this.checkRoom(reader, this.#count);
    return this.readElements(reader, into, this.#count);
  }

  equals(a: unknown, b: unknown): boolean {
    return this.sameElements(this.#take(a), this.#take(b));
  }

  #take(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) throw mismatch('an array', value);
    if (value.length !== this.#count) throw new CodecError('TYPE', `expected ${this.#count} elements, got ${value.length}`);
    return value;
  }
}
