import { b } from '../../src/codec/index.ts';
import type { BitCodec, NearCodec, StructCodec } from '../../src/codec/index.ts';

type AnyCodec = BitCodec<unknown>;

/** Builds a codec from its descriptor: what a descriptor leaves out, a peer in another language could not know either. */
export function fromDescriptor(text: string): AnyCodec {
  const parser = new Parser(text);
  const codec = parser.codec();
  parser.end();
  return codec;
}

class Parser {
  readonly #text: string;
  #at = 0;
  /** Recursive codecs that are open, innermost last. */
  readonly #open: { codec: AnyCodec | undefined }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    if (this.#at !== this.#text.length) throw new Error(`not a descriptor from ${this.#at} on: ${this.#text}`);
  }

  codec(): AnyCodec {
    let codec = this.#plainCodec();
    if (this.#takes('~')) codec = (codec as unknown as NearCodec).near(Number(this.#match(/\d+/y)));
    return this.#takes('#') ? codec.version(this.#match(/[A-Za-z0-9_.:+-]+/y)) : codec;
  }

  #plainCodec(): AnyCodec {
    const carets = this.#match(/\^*/y).length;
    if (carets > 0) {
      // The codec exists only when all of the text is read.
      const entry = this.#open.at(-carets)!;
      return entry.codec!;
    }
    const word = this.#match(/[a-z0-9]+/y);
    const make = (codec: unknown): AnyCodec => codec as AnyCodec;
    switch (word) {
      case 'bool':
        return make(b.bool());
      case 'vu':
        return make(b.varuint());
      case 'u64':
        return make(b.u64());
      case 'i64':
        return make(b.i64());
      case 'f32':
        return make(b.float32());
      case 'f32n':
        return make(b.float32({ nan: true }));
      case 'f64':
        return make(b.float64());
      case 'f64n':
        return make(b.float64({ nan: true }));
      case 'struct':
        return make(this.#struct());
      case 'union':
        return make(b.union(this.#members() as Record<string, StructCodec<object>>));
      default:
        return this.#withArguments(word, make);
    }
  }

  #withArguments(word: string, make: (codec: unknown) => AnyCodec): AnyCodec {
    this.#expect('(');
    const number = (): number => Number(this.#match(/-?[0-9.]+(e[+-]?\d+)?/y));
    const next = (): number => (this.#expect(','), number());
    const makers: Record<string, () => unknown> = {
      u: () => b.uint(number()),
      i: () => b.int(number(), next()),
      q: () => b.q(number(), next(), next()),
      ang: () => b.angle(number()),
      dir: () => b.direction(number()),
      quat: () => b.quat(number()),
      str: () => b.string(number()),
      bytes: () => b.bytes(number()),
      enum: () => b.enum(this.#names()),
      flags: () => b.flags(this.#names()),
      opt: () => b.optional(this.codec()),
      arr: () => b.array(this.codec(), next()),
      fix: () => b.fixed(this.codec(), next()),
      v2: () => this.#vector(2),
      v3: () => this.#vector(3),
      lazy: () => this.#lazy(number()),
    };
    const codec = makers[word]!();
    this.#expect(')');
    return make(codec);
  }

  #struct(): unknown {
    const hasNames = /\{([A-Za-z_]\w*:|\})/y;
    hasNames.lastIndex = this.#at;
    if (hasNames.test(this.#text)) return b.struct(this.#members());
    this.#expect('{');
    const fields: AnyCodec[] = [this.codec()];
    while (this.#takes(',')) fields.push(this.codec());
    this.#expect('}');
    return b.struct(Object.fromEntries(fields.map((codec, i) => [`f${i}`, codec])), { names: false });
  }

  #members(): Record<string, AnyCodec> {
    const members: [string, AnyCodec][] = [];
    this.#expect('{');
    while (!this.#takes('}')) {
      if (members.length > 0) this.#expect(',');
      const name = this.#match(/[A-Za-z_]\w*/y);
      this.#expect(':');
      members.push([name, this.codec()]);
    }
    return Object.fromEntries(members);
  }

  #vector(count: 2 | 3): unknown {
    const axes = Array.from({ length: count }, (_, i) => {
      if (i > 0) this.#expect(',');
      return this.#match(/q\([^)]*\)/y)
        .slice(2, -1)
        .split(',')
        .map(Number);
    });
    const [min, max, resolution] = [0, 1, 2].map((k) => axes.map((axis) => axis[k]!)) as [number[], number[], number[]];
    return count === 2
      ? b.vec2(min as [number, number], max as [number, number], resolution as [number, number])
      : b.vec3(min as [number, number, number], max as [number, number, number], resolution as [number, number, number]);
  }

  #lazy(depth: number): AnyCodec {
    this.#expect(',');
    const from = this.#at;
    const entry: { codec: AnyCodec | undefined } = { codec: undefined };
    entry.codec = b.lazy(() => {
      const after = this.#at;
      this.#at = from;
      this.#open.push(entry);
      const content = this.codec();
      this.#open.pop();
      this.#at = after;
      return content;
    }, depth);
    // The content is read when it is asked for; here only its end is looked for.
    for (let open = 0; open >= 0; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new Error('no end');
      if ('({'.includes(character)) open++;
      if (')}'.includes(character)) open--;
    }
    this.#at--;
    return entry.codec;
  }

  #names(): string[] {
    return this.#match(/[A-Za-z0-9_,]+/y).split(',');
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#takes(character)) throw new Error(`expected ${character} at ${this.#at} of ${this.#text}`);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new Error(`expected ${pattern.source} at ${this.#at} of ${this.#text}`);
    this.#at += found.length;
    return found;
  }
}
