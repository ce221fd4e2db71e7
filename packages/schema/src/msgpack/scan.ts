import { CodecError } from '../codec/codec-error.ts';
import { readUtf8 } from '../codec/utf8.ts';

// Looks at MessagePack bytes before the library does, without recursion and without building anything. Numbers are big-endian.
//
// | first byte  | what                                    | refused                                                             |
// | ----------- | --------------------------------------- | ------------------------------------------------------------------- |
// | 00 … 7f     | integer 0 … 127                         |                                                                     |
// | 80 … 8f, de, df | map, count in 4, 16 or 32 bits      | keys that are no strings or have a forbidden name: TYPE             |
// | 90 … 9f, dc, dd | array, count in 4, 16 or 32 bits    |                                                                     |
// | a0 … bf, d9 … db | string, bytes in 5, 8, 16 or 32 bits | ill-formed UTF-8: UTF8                                            |
// | c0, c2, c3  | nil, false, true                        |                                                                     |
// | c1          | never used                              | TYPE                                                                |
// | c4 … c6     | binary, bytes in 8, 16 or 32 bits       |                                                                     |
// | c7 … c9, d4 … d8 | extension                          | TYPE                                                                |
// | ca, cb      | float32, float64                        |                                                                     |
// | cc … d3     | integers of 8 … 64 bits                 |                                                                     |
// | e0 … ff     | integer -32 … -1                        |                                                                     |
//
// Everywhere: TRUNCATED for a value, a count or a length beyond the bytes that remain, TOO_LARGE for more than 4096 elements in all, DEPTH for a value
// inside more than 15 others, TRAILING for bytes behind the value.

/** Deepest value: the one outermost is 1, what it contains 2. The encoder of the library counts the same way. */
export const MAX_DEPTH = 16;
/** Most elements of arrays and entries of maps, all together. */
export const MAX_ELEMENTS = 4096;
/** Strings above this are given to a decoder by the library that takes a byte order mark at their beginning away. */
const LIBRARY_SHORT_STRING_BYTES = 200;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name is one that a map must not have as a key. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key);
}

/** Bytes behind the first one, by first byte from c0 on: of a number, or of a count or a length. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
};

/** What came of a look at the bytes. */
export interface Findings {
  /** Whether a binary value is among them. */
  readonly hasBinary: boolean;
}

class Scanner {
  readonly #data: Uint8Array;
  /** Elements that are still to come on each open level, and whether that level is a map, which has two for each entry. */
  readonly #left: number[] = [1];
  readonly #isMap: boolean[] = [false];
  #at = 0;
  #elements = 0;
  #hasBinary = false;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  run(): Findings {
    while (this.#left.length > 0) {
      const level = this.#left.length - 1;
      if (this.#left[level] === 0) {
        this.#left.pop();
        this.#isMap.pop();
        continue;
      }
      const isKey = this.#isMap[level]! && this.#left[level]! % 2 === 0;
      this.#left[level]!--;
      if (isKey) this.#key();
      else this.#value();
    }
    const rest = this.#data.length - this.#at;
    if (rest > 0) throw new CodecError('TRAILING', `${rest} bytes behind the end`);
    return { hasBinary: this.#hasBinary };
  }

  #key(): void {
    const length = this.#stringLength(this.#number(1));
    if (length === undefined) throw new CodecError('TYPE', 'a key that is no string');
    const key = this.#string(length);
    if (isForbiddenKey(key)) throw new CodecError('TYPE', `the key ${key}`);
  }

  #value(): void {
    const depth = this.#left.length;
    if (depth > MAX_DEPTH) throw new CodecError('DEPTH', `expected at most ${MAX_DEPTH} levels`);
    const first = this.#number(1);
    const fixedBytes = FIXED_BYTES[first];
    const length = this.#stringLength(first);
    if (first < 0x80 || first >= 0xe0 || first === 0xc0 || first === 0xc2 || first === 0xc3) return;
    if (fixedBytes !== undefined) this.#skip(fixedBytes);
    else if (length !== undefined) this.#string(length);
    else if (first >= 0xc4 && first <= 0xc6) this.#binary(this.#number(1 << (first - 0xc4)));
    else if (first < 0x90) this.#open(first & 0x0f, true);
    else if (first < 0xa0) this.#open(first & 0x0f, false);
    else if (first === 0xdc || first === 0xdd) this.#open(this.#number(first === 0xdc ? 2 : 4), false);
    else if (first === 0xde || first === 0xdf) this.#open(this.#number(first === 0xde ? 2 : 4), true);
    else throw new CodecError('TYPE', first === 0xc1 ? 'the byte c1, which no value begins with' : 'an extension');
  }

  /** Opens an array or a map; each element takes a byte at least. */
  #open(count: number, isMap: boolean): void {
    const values = isMap ? 2 * count : count;
    if (values > this.#data.length - this.#at) throw this.#truncated();
    this.#elements += count;
    if (this.#elements > MAX_ELEMENTS) throw new CodecError('TOO_LARGE', `expected at most ${MAX_ELEMENTS} elements`);
    this.#left.push(values);
    this.#isMap.push(isMap);
  }

  /** Bytes of the string that begins like this; `undefined` when no string does. */
  #stringLength(first: number): number | undefined {
    if (first >= 0xa0 && first <= 0xbf) return first & 0x1f;
    if (first >= 0xd9 && first <= 0xdb) return this.#number(1 << (first - 0xd9));
    return undefined;
  }

  #string(length: number): string {
    const at = this.#skip(length);
    const text = readUtf8(this.#data, at, length);
    if (length > LIBRARY_SHORT_STRING_BYTES && text.startsWith('\ufeff')) {
      throw new CodecError('UTF8', 'a long text that begins with a byte order mark');
    }
    return text;
  }

  #binary(length: number): void {
    this.#skip(length);
    this.#hasBinary = true;
  }

  /** Reads a big-endian number of 1, 2 or 4 bytes. */
  #number(bytes: number): number {
    const at = this.#skip(bytes);
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + this.#data[at + i]!;
    return value;
  }

  /** Goes on by some bytes; gives the index of the first. */
  #skip(bytes: number): number {
    const at = this.#at;
    if (bytes > this.#data.length - at) throw this.#truncated();
    this.#at = at + bytes;
    return at;
  }

  #truncated(): CodecError {
    return new CodecError('TRUNCATED', 'the data ends before the value');
  }
}

/** Refuses what the library would not, or only too late. Source: codecs section 6. */
export function scan(data: Uint8Array): Findings {
  return new Scanner(data).run();
}
