import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { located } from '../codec-error.ts';
import { loadOwn, slotFor } from '../field-slots.ts';
import type { Load, Members, Store } from '../field-slots.ts';
import { BitNode, exactly, widthOf } from '../node.ts';
import type { Levels, Size, ValueKind } from '../node.ts';
import { mismatch, NUMBER, outside } from '../number-cell.ts';
import { isObject, takeObject } from './vectors.ts';

// | builder           | bits                        | wire                                                             | refused when read |
// | ----------------- | --------------------------- | ---------------------------------------------------------------- | ----------------- |
// | struct({ … })     | those of the fields         | the fields in the order of declaration                           |                   |
// | union({ n of … }) | width of n - 1 and a struct | index of the member as int[0, n - 1], then its struct            | RANGE from n on   |
//
// In a delta: a struct is one bit for each field, 1 where it has changed, all the bits first; then the fields that have changed. A field that is a
// struct is such a delta again, any other field is in full, integers and `q` with near(k) as in integers.ts.

interface Field {
  readonly name: string;
  readonly node: BitNode;
  readonly load: Load;
  readonly store: Store;
  readonly isReusable: boolean;
}

/** `struct`. */
export class StructNode extends BitNode {
  readonly #fields: readonly Field[];
  readonly #showsNames: boolean;

  constructor(fields: readonly (readonly [name: string, node: BitNode])[], showsNames: boolean) {
    super();
    this.#showsNames = showsNames;
    this.#fields = fields.map(([name, node]) => {
      const { load, store } = slotFor(name);
      // Only an optional field can be missing, and then the member that every object inherits must not stand in for it.
      return { name, node, load: name in Object.prototype ? loadOwn : load, store, isReusable: node.kind === 'reusable' };
    });
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(enclosing: readonly object[]): string {
    const texts = this.#fields.map(({ name, node }) => `${this.#showsNames ? `${name}:` : ''}${node.describe(enclosing)}`);
    return `struct{${texts.join()}}`;
  }

  size(levels: Levels): Size {
    let { min, max } = exactly(0);
    for (const { node } of this.#fields) {
      const size = node.size(levels);
      min += size.min;
      max += size.max;
    }
    return { min, max };
  }

  hasField(name: string): boolean {
    return this.#fields.some((field) => field.name === name);
  }

  write(writer: BitWriter, value: unknown): void {
    const object = takeObject(value) as Members;
    const fields = this.#fields;
    let i = 0;
    try {
      for (; i < fields.length; i++) {
        const { node, load, name } = fields[i]!;
        node.write(writer, load(object, name));
      }
    } catch (error) {
      throw located(error, fields[i]!.name);
    }
  }

  read(reader: BitReader, into: unknown): unknown {
    return isObject(into) ? this.readMembers(reader, into as Members, true) : this.readMembers(reader, {}, false);
  }

  /** Reads the fields into an object; what it holds may be used again when it is one of before. */
  readMembers(reader: BitReader, object: Members, isReused: boolean): Members {
    const fields = this.#fields;
    let i = 0;
    try {
      for (; i < fields.length; i++) {
        const { node, load, store, name, isReusable } = fields[i]!;
        const before = isReused && isReusable ? load(object, name) : undefined;
        store(object, name, node.read(reader, before === NUMBER ? undefined : before));
      }
    } catch (error) {
      throw located(error, fields[i]!.name);
    }
    return object;
  }

  equals(a: unknown, b: unknown): boolean {
    return this.#changes(a, b).every((isChanged) => !isChanged);
  }

  override writeDelta(writer: BitWriter, base: unknown, value: unknown): void {
    const changes = this.#changes(base, value);
    for (const isChanged of changes) writer.bits(isChanged ? 1 : 0, 1);
    for (const [i, { name, node }] of this.#fields.entries()) {
      if (!changes[i]!) continue;
      try {
        node.writeDelta(writer, memberOf(base, name), memberOf(value, name));
      } catch (error) {
        throw located(error, name);
      }
    }
  }

  override readDelta(reader: BitReader, base: unknown): unknown {
    takeObject(base);
    const changes = this.#fields.map(() => reader.bits(1) === 1);
    const object: Members = {};
    for (const [i, { name, node, store }] of this.#fields.entries()) {
      const before = memberOf(base, name);
      try {
        store(object, name, changes[i]! ? node.readDelta(reader, before) : before);
      } catch (error) {
        throw located(error, name);
      }
    }
    return object;
  }

  override writeChange(writer: BitWriter, base: unknown, value: unknown): void {
    this.writeDelta(writer, base, value);
  }

  override readChange(reader: BitReader, base: unknown): unknown {
    return this.readDelta(reader, base);
  }

  /** For each field whether it differs on the wire. */
  #changes(a: unknown, b: unknown): boolean[] {
    takeObject(a);
    takeObject(b);
    return this.#fields.map(({ name, node }) => {
      try {
        return !node.equals(memberOf(a, name), memberOf(b, name));
      } catch (error) {
        throw located(error, name);
      }
    });
  }
}

function memberOf(object: unknown, name: string): unknown {
  return name in Object.prototype ? loadOwn(object as Members, name) : (object as Members)[name];
}

/** A struct of a union. What describes and measures it may be the same struct with a version. */
interface Variant {
  readonly type: string;
  readonly struct: StructNode;
  readonly described: BitNode;
}

/** `union`. */
export class UnionNode extends BitNode {
  readonly #variants: readonly Variant[];
  readonly #indexes: ReadonlyMap<unknown, number>;
  readonly #width: number;

  constructor(variants: readonly Variant[]) {
    super();
    this.#variants = variants;
    this.#indexes = new Map(variants.map(({ type }, i) => [type, i]));
    this.#width = widthOf(variants.length - 1);
  }

  override get kind(): ValueKind {
    return 'reusable';
  }

  describe(enclosing: readonly object[]): string {
    return `union{${this.#variants.map(({ type, described }) => `${type}:${described.describe(enclosing)}`).join()}}`;
  }

  size(levels: Levels): Size {
    const sizes = this.#variants.map(({ struct }) => struct.size(levels));
    return { min: this.#width + Math.min(...sizes.map(({ min }) => min)), max: this.#width + Math.max(...sizes.map(({ max }) => max)) };
  }

  write(writer: BitWriter, value: unknown): void {
    const index = this.#indexOf(value);
    writer.bits(index, this.#width);
    this.#variants[index]!.struct.write(writer, value);
  }

  read(reader: BitReader, into: unknown): unknown {
    const { type, struct } = this.#variants[reader.upTo(this.#variants.length - 1, this.#width)]!;
    const isReused = isObject(into) && (into as { type?: unknown }).type === type;
    return struct.readMembers(reader, isReused ? (into as Members) : { type }, isReused);
  }

  equals(a: unknown, b: unknown): boolean {
    const index = this.#indexOf(a);
    return index === this.#indexOf(b) && this.#variants[index]!.struct.equals(a, b);
  }

  #indexOf(value: unknown): number {
    const { type } = takeObject(value) as { readonly type?: unknown };
    const index = this.#indexes.get(type);
    if (index !== undefined) return index;
    throw located(typeof type === 'string' ? outside('one of the types', type) : mismatch('a text', type), 'type');
  }
}
