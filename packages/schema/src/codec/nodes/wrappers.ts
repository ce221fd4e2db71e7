import { CodecError } from '../codec-error.ts';
import type { BitReader } from '../bit-reader.ts';
import type { BitWriter } from '../bit-writer.ts';
import { DepthCounter } from '../depth-counter.ts';
import { BitNode } from '../node.ts';
import type { Levels, Size, ValueKind } from '../node.ts';
import { plain } from '../number-cell.ts';

// | builder          | wire                                                                                                      |
// | ---------------- | --------------------------------------------------------------------------------------------------------- |
// | lazy(() => X, d) | X; more than d levels of it in each other are DEPTH, written and read                                     |
// | mapped(X, …)     | X                                                                                                         |
// | X.version(text)  | X                                                                                                         |

/** A part that goes through another unchanged; the base of those that add something. */
abstract class WrapperNode extends BitNode {
  abstract readonly content: BitNode;

  override get allowsUndefined(): boolean {
    return this.content.allowsUndefined;
  }

  describe(enclosing: readonly object[]): string {
    return this.content.describe(enclosing);
  }

  size(levels: Levels): Size {
    return this.content.size(levels);
  }

  write(writer: BitWriter, value: unknown): void {
    this.content.write(writer, value);
  }

  read(reader: BitReader, into: unknown): unknown {
    return this.content.read(reader, into);
  }

  equals(a: unknown, b: unknown): boolean {
    return this.content.equals(a, b);
  }
}

/** A codec with a version of its own in the descriptor. */
export class VersionNode extends WrapperNode {
  readonly content: BitNode;
  readonly #text: string;

  constructor(content: BitNode, text: string) {
    super();
    this.content = content;
    this.#text = text;
  }

  override get kind(): ValueKind {
    return this.content.kind;
  }

  override describe(enclosing: readonly object[]): string {
    return `${this.content.describe(enclosing)}#${this.#text}`;
  }

  override writeDelta(writer: BitWriter, base: unknown, value: unknown): void {
    this.content.writeDelta(writer, base, value);
  }

  override readDelta(reader: BitReader, base: unknown): unknown {
    return this.content.readDelta(reader, base);
  }

  override writeChange(writer: BitWriter, base: unknown, value: unknown): void {
    this.content.writeChange(writer, base, value);
  }

  override readChange(reader: BitReader, base: unknown): unknown {
    return this.content.readChange(reader, base);
  }
}

/** Recursive codecs whose content is being asked for: what is defined meanwhile cannot be measured yet. */
let opening = 0;

/** Whether a codec is being defined inside a recursive one. */
export function isInsideLazy(): boolean {
  return opening > 0;
}

/** `lazy`. */
export class LazyNode extends WrapperNode {
  readonly #open: () => BitNode;
  readonly #depth: number;
  readonly #comparing = new DepthCounter();
  #content: BitNode | undefined;

  constructor(open: () => BitNode, depth: number) {
    super();
    this.#open = open;
    this.#depth = depth;
  }

  get content(): BitNode {
    if (this.#content === undefined) {
      opening++;
      try {
        this.#content = this.#open();
      } finally {
        opening--;
      }
    }
    return this.#content;
  }

  /** Not asked of the content, which may not be known yet; numbers are taken as they are too. */
  override get kind(): ValueKind {
    return 'reusable';
  }

  /** Inside itself it is `^`, and `^^` where another recursive codec stands between. */
  override describe(enclosing: readonly object[]): string {
    const at = enclosing.lastIndexOf(this);
    if (at >= 0) return '^'.repeat(enclosing.length - at);
    return `lazy(${this.#depth},${this.content.describe([...enclosing, this])})`;
  }

  override size(levels: Levels): Size {
    return levels.sizeOf(this, this.#depth, () => this.content.size(levels));
  }

  override write(writer: BitWriter, value: unknown): void {
    writer.depths.enter(this, this.#depth);
    try {
      this.content.write(writer, value);
    } finally {
      writer.depths.leave(this);
    }
  }

  override read(reader: BitReader, into: unknown): unknown {
    reader.depths.enter(this, this.#depth);
    try {
      return this.content.read(reader, into);
    } finally {
      reader.depths.leave(this);
    }
  }

  override equals(a: unknown, b: unknown): boolean {
    this.#comparing.enter(this, this.#depth);
    try {
      return this.content.equals(a, b);
    } finally {
      this.#comparing.leave(this);
    }
  }
}

/** How values of a user become those of a codec and back. */
export interface Mapping {
  to(value: unknown): unknown;
  from(value: unknown): unknown;
}

/** `mapped`, of a bit codec. */
export class MappedNode extends WrapperNode {
  readonly content: BitNode;
  readonly #mapping: Mapping;

  constructor(content: BitNode, mapping: Mapping) {
    super();
    this.content = content;
    this.#mapping = mapping;
  }

  override write(writer: BitWriter, value: unknown): void {
    this.content.write(writer, mapTo(this.#mapping, plain(value)));
  }

  override read(reader: BitReader): unknown {
    return mapFrom(this.#mapping, plain(this.content.read(reader, undefined)));
  }

  override equals(a: unknown, b: unknown): boolean {
    return this.content.equals(mapTo(this.#mapping, a), mapTo(this.#mapping, b));
  }

  override writeDelta(writer: BitWriter, base: unknown, value: unknown): void {
    this.content.writeDelta(writer, mapTo(this.#mapping, base), mapTo(this.#mapping, value));
  }

  override readDelta(reader: BitReader, base: unknown): unknown {
    return mapFrom(this.#mapping, plain(this.content.readDelta(reader, mapTo(this.#mapping, base))));
  }

  override writeChange(writer: BitWriter, base: unknown, value: unknown): void {
    this.content.writeChange(writer, mapTo(this.#mapping, base), mapTo(this.#mapping, value));
  }

  override readChange(reader: BitReader, base: unknown): unknown {
    return mapFrom(this.#mapping, plain(this.content.readChange(reader, mapTo(this.#mapping, base))));
  }
}

/** Calls `to`; what it throws is a fault of the value. */
export function mapTo(mapping: Mapping, value: unknown): unknown {
  return asValidation('to', () => mapping.to(value));
}

/** Calls `from`; what it throws is a fault of the payload. */
export function mapFrom(mapping: Mapping, value: unknown): unknown {
  return asValidation('from', () => mapping.from(value));
}

/** Runs a function of a user; what it throws becomes a `CodecError`, with the cause. */
export function asValidation<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (CodecError.is(cause)) throw cause;
    throw new CodecError('VALIDATION', `${name} threw ${cause instanceof Error ? cause.name : typeof cause}`, '', { cause });
  }
}
