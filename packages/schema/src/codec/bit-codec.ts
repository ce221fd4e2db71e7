import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import type { Codec, DeltaCodec } from './codec.ts';
import { checkInteger, checkVersion, invalidCodec, MAX_CODEC_BYTES } from './definition.ts';
import { Levels } from './node.ts';
import type { BitNode } from './node.ts';
import { mismatch, plain } from './number-cell.ts';
import { isInsideLazy, LazyNode, VersionNode } from './nodes/wrappers.ts';

/** A codec made by the builders of `b`; it can be part of others. */
export interface BitCodec<T> extends Codec<T> {
  decodeInto(data: Uint8Array, into: T): T;
  equals(a: T, b: T): boolean;
  readonly delta: DeltaCodec<T>;
  /**
   * The same encoding under another descriptor, for a change of meaning that no builder shows.
   *
   * @param text - one or more characters of `A-Z a-z 0-9 _ . : + -`; appended to the descriptor behind `#`.
   * @throws {@link CatalogueError} `INVALID_CODEC` for another text.
   */
  version(text: string): BitCodec<T>;
}

/** A codec of numbers that can shorten small differences in deltas. */
export interface NearCodec extends BitCodec<number> {
  /**
   * The same, but in deltas a small difference to the base takes `bits` bits. Everything else stays.
   *
   * @param bits - 1 … 32: differences of -2^(bits - 1) … 2^(bits - 1) - 1, counted in steps of the resolution.
   * @throws {@link CatalogueError} `INVALID_CODEC` for another number.
   */
  near(bits: number): BitCodec<number>;
}

/** A codec of objects with fields, of which unions are made. */
export interface StructCodec<T> extends BitCodec<T> {
  /** Tells structs from other codecs. */
  readonly isStruct: true;
  version(text: string): StructCodec<T>;
}

/** The node behind a codec; `undefined` for what no builder of this copy of the package made. */
let readNode: (codec: object) => BitNode | undefined;

/** What users see of a node: the public methods, and none of its own. */
class NodeCodec implements BitCodec<unknown> {
  readonly delta: DeltaCodec<unknown>;
  readonly #node: BitNode;
  #descriptor: string | undefined;
  #maxBytes: number | undefined;

  static {
    readNode = (codec) => (#node in codec ? codec.#node : undefined);
  }

  constructor(node: BitNode) {
    this.#node = node;
    this.delta = Object.freeze(new NodeDelta(node, () => this.#measure()));
    // A recursive codec cannot be measured before the variable that it refers to has its value.
    if (!(node instanceof LazyNode || isInsideLazy())) this.#measure();
  }

  get descriptor(): string {
    this.#descriptor ??= this.#node.describe([]);
    return this.#descriptor;
  }

  get maxBytes(): number {
    return this.#measure();
  }

  encodeInto(value: unknown, out: Uint8Array, offset: number): number {
    this.#measure();
    return encodeNode(this.#node, value, false, undefined, out, offset);
  }

  decode(data: Uint8Array): unknown {
    this.#measure();
    return decodeNode(this.#node, undefined, false, undefined, data);
  }

  decodeInto(data: Uint8Array, into: unknown): unknown {
    this.#measure();
    return decodeNode(this.#node, into, false, undefined, data);
  }

  equals(a: unknown, b: unknown): boolean {
    this.#measure();
    return this.#node.equals(a, b);
  }

  version(text: string): BitCodec<unknown> {
    return new NodeCodec(new VersionNode(this.#node, checkVersion('version', text)));
  }

  /** Finds out the size, at the first call, and refuses what only the size can tell. */
  #measure(): number {
    if (this.#maxBytes !== undefined) return this.#maxBytes;
    const { max } = this.#node.size(new Levels());
    if (max < 0) throw invalidCodec('lazy', 'no value of it comes to an end');
    const bytes = Math.ceil(max / 8);
    if (!(bytes <= MAX_CODEC_BYTES)) throw invalidCodec('maxBytes', `${bytes} bytes, but a payload has at most ${MAX_CODEC_BYTES}`);
    this.#maxBytes = bytes;
    return bytes;
  }
}

class NodeDelta implements DeltaCodec<unknown> {
  readonly #node: BitNode;
  readonly #measure: () => void;

  constructor(node: BitNode, measure: () => void) {
    this.#node = node;
    this.#measure = measure;
  }

  encodeInto(base: unknown, value: unknown, out: Uint8Array, offset: number): number {
    this.#measure();
    return encodeNode(this.#node, value, true, base, out, offset);
  }

  decode(base: unknown, data: Uint8Array): unknown {
    this.#measure();
    return decodeNode(this.#node, undefined, true, base, data);
  }
}

/** A node that can make one of its kind with small differences. */
interface NearNode extends BitNode {
  near(bits: number): BitNode;
}

class NearNodeCodec extends NodeCodec {
  readonly #node: NearNode;

  constructor(node: NearNode) {
    super(node);
    this.#node = node;
  }

  near(bits: number): BitCodec<number> {
    return bitCodec<number>(this.#node.near(checkInteger('near', 'bits', bits, 1, 32)));
  }
}

class StructNodeCodec extends NodeCodec {
  readonly isStruct = true;

  override version(text: string): StructCodec<unknown> {
    return new StructNodeCodec(new VersionNode(nodeOf('version', 'codec', this), checkVersion('version', text)));
  }
}

// Writers and readers are used again. One call may come inside another, from a function that maps values: the inner one takes the next.
const writers: BitWriter[] = [];
const readers: BitReader[] = [];
let writing = 0;
let reading = 0;

function encodeNode(node: BitNode, value: unknown, isChange: boolean, base: unknown, out: Uint8Array, offset: number): number {
  if (!(out instanceof Uint8Array)) throw mismatch('out to be a Uint8Array', out);
  const writer = (writers[writing] ??= new BitWriter());
  writing++;
  try {
    writer.begin(out, offset);
    if (isChange) node.writeChange(writer, base, value);
    else node.write(writer, value);
    return writer.finish();
  } finally {
    writing--;
    writer.release();
  }
}

function decodeNode(node: BitNode, into: unknown, isChange: boolean, base: unknown, data: Uint8Array): unknown {
  if (!(data instanceof Uint8Array)) throw mismatch('data to be a Uint8Array', data);
  const reader = (readers[reading] ??= new BitReader());
  reading++;
  try {
    reader.begin(data);
    const value = isChange ? node.readChange(reader, base) : node.read(reader, into);
    reader.end();
    return plain(value);
  } finally {
    reading--;
    reader.release();
  }
}

/** The codec around a node. The type is the builder's promise. */
export function bitCodec<T>(node: BitNode): BitCodec<T> {
  return Object.freeze(new NodeCodec(node)) as BitCodec<T>;
}

/** The codec around a node of numbers. */
export function nearCodec(node: NearNode): NearCodec {
  return Object.freeze(new NearNodeCodec(node)) as BitCodec<unknown> as NearCodec;
}

/** The codec around a struct. The type is the builder's promise. */
export function structCodec<T>(node: BitNode): StructCodec<T> {
  return Object.freeze(new StructNodeCodec(node)) as StructCodec<T>;
}

/** The node of a codec that becomes part of another; throws unless a builder of this copy of the package made it. */
export function nodeOf(builder: string, argument: string, codec: unknown): BitNode {
  const node = typeof codec === 'object' && codec !== null ? readNode(codec) : undefined;
  if (node === undefined) throw invalidCodec(builder, `${argument}: expected a codec made by b`);
  return node;
}

/** Whether a codec was made by the builders of this copy of the package. */
export function isBitCodec(codec: object): boolean {
  return readNode(codec) !== undefined;
}
