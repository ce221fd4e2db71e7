import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { CodecError, located } from '../codec-error.ts';
import { invalidCodec } from '../definition.ts';
import { slotFor } from '../field-slots.ts';
import type { Members, Slot } from '../field-slots.ts';
import { BitNode, exactly, widthOf } from '../node.ts';
import type { Levels, Size, ValueKind } from '../node.ts';
import { mismatch, outside } from '../number-cell.ts';
import { isObject, takeObject } from './vectors.ts';

// | builder          | bits           | wire                                                                     | refused when read   |
// | ---------------- | -------------- | ------------------------------------------------------------------------ | ------------------- |
// | enum([n names])  | width of n - 1 | index of the name as int[0, n - 1]; no bits for a single name            | RANGE from n on     |
// | flags([n names]) | n              | one bit for each name, in order                                          |                     |
// | optional(X)      | 1, and those of X | 1 and X, or 0 for undefined                                           |                     |

/** `enum`. */
export class EnumNode extends BitNode {
  readonly #names: readonly string[];
  readonly #indexes: ReadonlyMap<unknown, number>;
  readonly #width: number;

  constructor(names: readonly string[]) {
    super();
    this.#names = names;
    this.#indexes = new Map(names.map((name, i) => [name, i]));
    this.#width = widthOf(names.length - 1);
  }

  describe(): string {
    return `enum(${this.#names.join()})`;
  }

  size(): Size {
    return exactly(this.#width);
  }

  write(writer: BitWriter, value: unknown): void {
    writer.bits(this.#indexOf(value), this.#width);
  }

  read(reader: BitReader): unknown {
    return this.#names[reader.upTo(this.#names.length - 1, this.#width)];
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#indexOf(a) === this.#indexOf(b);
  }

  #indexOf(value: unknown): number {
    const index = this.#indexes.get(value);
    if (index !== undefined) return index;
    if (typeof value !== 'string') throw mismatch('a text', value);
    throw outside('one of the names', value);
  }
}

interface Flag {
  readonly name: string;
  readonly slot: Slot;
}

/** `flags`. */
export class FlagsNode extends BitNode {
  readonly #flags: readonly Flag[];

  constructor(names: readonly string[]) {
    super();
    this.#flags = names.map((name) => ({ name, slot: slotFor(name) }));
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(): string {
    return `flags(${this.#flags.map(({ name }) => name).join()})`;
  }

  size(): Size {
    return exactly(this.#flags.length);
  }

  write(writer: BitWriter, value: unknown): void {
    const object = takeObject(value) as Members;
    for (let i = 0; i < this.#flags.length; i++) {
      const { name, slot } = this.#flags[i]!;
      const flag = slot.load(object, name);
      if (typeof flag !== 'boolean') throw located(mismatch('a boolean', flag), name);
      writer.bits(flag ? 1 : 0, 1);
    }
  }

  read(reader: BitReader, into: unknown): unknown {
    const object = (isObject(into) ? into : {}) as Members;
    for (let i = 0; i < this.#flags.length; i++) {
      const { name, slot } = this.#flags[i]!;
      slot.store(object, name, reader.bits(1) === 1);
    }
    return object;
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#flags.every(({ name }) => this.#flag(a, name) === this.#flag(b, name));
  }

  #flag(value: unknown, name: string): boolean {
    const flag = (takeObject(value) as Members)[name];
    if (typeof flag !== 'boolean') throw located(mismatch('a boolean', flag), name);
    return flag;
  }
}

/** `optional`. */
export class OptionalNode extends BitNode {
  readonly #content: BitNode;

  constructor(content: BitNode) {
    super();
    this.#content = content;
  }

  override get allowsUndefined(): boolean {
    return true;
  }

  override get kind(): ValueKind {
    return this.#content.kind;
  }

  describe(enclosing: readonly object[]): string {
    return `opt(${this.#content.describe(enclosing)})`;
  }

  size(levels: Levels): Size {
    if (this.#content.allowsUndefined) throw invalidCodec('optional', 'undefined is already a value of the codec inside');
    return { min: 1, max: 1 + Math.max(0, this.#content.size(levels).max) };
  }

  write(writer: BitWriter, value: unknown): void {
    if (value === null) throw new CodecError('TYPE', 'expected a value or undefined, got null');
    writer.bits(value === undefined ? 0 : 1, 1);
    if (value !== undefined) this.#content.write(writer, value);
  }

  read(reader: BitReader, into: unknown): unknown {
    return reader.bits(1) === 1 ? this.#content.read(reader, into) : undefined;
  }

  equals(a: unknown, b: unknown): boolean {
    if (a === null || b === null) throw new CodecError('TYPE', 'expected a value or undefined, got null');
    if (a === undefined || b === undefined) return a === b;
    return this.#content.equals(a, b);
  }
}
