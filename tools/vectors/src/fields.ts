import { fromHex, toHex } from '@x/testkit';

const U64_LIMIT = 1n << 64n;

/** Names a value in a message: JSON, cut when long. */
export function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? value.toString() : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text;
}

/** Whether a value read from JSON is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The numbers that JSON cannot say, as the vector files spell them. */
const SPELLED_NUMBERS: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity: Infinity, '-Infinity': -Infinity, '-0': -0 };

/** Reads a number. */
export function readNumber(value: unknown, path: string): number {
  if (typeof value !== 'number') throw new Error(`${path}: expected a number, got ${shown(value)}`);
  return value;
}

/** Reads a number, one that JSON cannot say included. */
export function readAnyNumber(value: unknown, path: string): number {
  return readNumber(typeof value === 'string' && Object.hasOwn(SPELLED_NUMBERS, value) ? SPELLED_NUMBERS[value] : value, path);
}

/** Reads a 64-bit quantity: a decimal string without sign or leading zeros, below 2^64. */
export function readU64(value: unknown, path: string): bigint {
  if (typeof value !== 'string' || !/^(0|[1-9][0-9]*)$/.test(value))
    throw new Error(`${path}: expected a decimal string, got ${shown(value)}`);
  const number = BigInt(value);
  if (number >= U64_LIMIT) throw new Error(`${path}: ${value} does not fit 64 bits`);
  return number;
}

/** Reads bytes written as hex in lower case. */
export function readBytes(value: unknown, path: string): Uint8Array {
  if (typeof value !== 'string' || !/^([0-9a-f]{2})*$/.test(value))
    throw new Error(`${path}: expected lower-case hex, got ${shown(value)}`);
  return fromHex(value);
}

/** Throws unless two plain values are the same; numbers must be the same double. */
export function expectSame(path: string, actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) throw new Error(`${path}: expected ${shown(expected)}, got ${shown(actual)}`);
}

/**
 * Throws unless two JSON values are the same, whatever the order of their members; the message names the first place that differs.
 */
export function expectSameJson(path: string, actual: unknown, expected: unknown): void {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (const [i, value] of expected.slice(0, actual.length).entries()) expectSameJson(`${path}[${i}]`, actual[i], value);
    expectSame(`length of ${path}`, actual.length, expected.length);
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const [key, value] of Object.entries(expected)) {
      if (!Object.hasOwn(actual, key)) throw new Error(`${path}.${key}: no replayer reads this field`);
      expectSameJson(`${path}.${key}`, actual[key], value);
    }
    for (const key of Object.keys(actual)) if (!Object.hasOwn(expected, key)) throw new Error(`${path}.${key}: missing`);
  } else {
    expectSame(path, actual, expected);
  }
}

/** Throws unless two byte strings are the same; the message shows the surroundings of the first difference. */
export function expectSameBytes(path: string, actual: Uint8Array, expected: Uint8Array): void {
  const length = Math.min(actual.length, expected.length);
  let at = 0;
  while (at < length && actual[at] === expected[at]) at++;
  if (at === actual.length && at === expected.length) return;
  const part = (bytes: Uint8Array): string => toHex(bytes.subarray(at, at + 8)) || 'nothing';
  const lengths =
    actual.length === expected.length ? `${expected.length} bytes` : `expected ${expected.length} bytes, got ${actual.length}`;
  throw new Error(`${path}: differs at byte ${at} (${lengths}): expected ${part(expected)}…, got ${part(actual)}…`);
}

/**
 * One object of a vector file. Every key must be read or compared at least once: {@link end} fails on a key that nobody looked at,
 * so that a file with more fields than the replayer knows cannot pass. A value of another type than asked for throws.
 */
export class Fields {
  readonly path: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #unread: Set<string>;

  constructor(value: unknown, path: string) {
    if (!isRecord(value)) throw new Error(`${path || 'case'}: expected an object, got ${shown(value)}`);
    this.path = path;
    this.#values = value;
    this.#unread = new Set(Object.keys(value));
  }

  /** Reads an object with `body` and fails when `body` left a key unread. */
  static read<T>(value: unknown, path: string, body: (fields: Fields) => T): T {
    const fields = new Fields(value, path);
    const result = body(fields);
    fields.end();
    return result;
  }

  /** Where a key stands, for messages. */
  at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  raw(key: string): unknown {
    if (!this.has(key)) throw new Error(`${this.at(key)}: missing`);
    this.#unread.delete(key);
    return this.#values[key];
  }

  /** Marks keys as read that hold words for people. */
  describe(...keys: string[]): void {
    for (const key of keys) this.text(key);
  }

  /** Marks keys as read that hold words for people and may be absent. */
  describeAny(...keys: string[]): void {
    for (const key of keys) if (this.has(key)) this.text(key);
  }

  text(key: string): string {
    return this.#typed(key, 'string');
  }

  number(key: string): number {
    return this.#typed(key, 'number');
  }

  /** A number, one that JSON cannot say included. */
  anyNumber(key: string): number {
    return readAnyNumber(this.raw(key), this.at(key));
  }

  boolean(key: string): boolean {
    return this.#typed(key, 'boolean');
  }

  u64(key: string): bigint {
    return readU64(this.raw(key), this.at(key));
  }

  bytes(key: string): Uint8Array {
    return readBytes(this.raw(key), this.at(key));
  }

  /** Bytes, or `undefined` for null ("not available"). */
  optionalBytes(key: string): Uint8Array | undefined {
    return this.raw(key) === null ? undefined : this.bytes(key);
  }

  list(key: string): readonly unknown[] {
    const value = this.raw(key);
    if (!Array.isArray(value)) throw new Error(`${this.at(key)}: expected a list, got ${shown(value)}`);
    return value;
  }

  numbers(key: string): readonly number[] {
    return this.list(key).map((value, i) => readNumber(value, `${this.at(key)}[${i}]`));
  }

  texts(key: string): readonly string[] {
    return this.list(key).map((value, i) => {
      if (typeof value !== 'string') throw new Error(`${this.at(key)}[${i}]: expected a text, got ${shown(value)}`);
      return value;
    });
  }

  u64s(key: string): readonly bigint[] {
    return this.list(key).map((value, i) => readU64(value, `${this.at(key)}[${i}]`));
  }

  /** Reads an object. */
  object<T>(key: string, body: (fields: Fields) => T): T {
    return Fields.read(this.raw(key), this.at(key), body);
  }

  /** Reads every object of a list. */
  each<T>(key: string, body: (fields: Fields, index: number) => T): T[] {
    return this.list(key).map((value, i) => Fields.read(value, `${this.at(key)}[${i}]`, (fields) => body(fields, i)));
  }

  expectText(key: string, actual: string | undefined): void {
    expectSame(this.at(key), actual, this.text(key));
  }

  expectNumber(key: string, actual: number): void {
    expectSame(this.at(key), actual, this.number(key));
  }

  expectBoolean(key: string, actual: boolean): void {
    expectSame(this.at(key), actual, this.boolean(key));
  }

  expectU64(key: string, actual: bigint): void {
    expectSame(this.at(key), actual, this.u64(key));
  }

  expectBytes(key: string, actual: Uint8Array): void {
    expectSameBytes(this.at(key), actual, this.bytes(key));
  }

  expectTexts(key: string, actual: readonly string[]): void {
    this.#expectList(key, actual, this.texts(key));
  }

  expectNumbers(key: string, actual: readonly number[]): void {
    this.#expectList(key, actual, this.numbers(key));
  }

  /** Compares a list of byte strings with what happened, entry by entry and in order, then the number of entries. */
  expectByteStrings(key: string, actual: readonly Uint8Array[]): void {
    const expected = this.list(key).map((value, i) => readBytes(value, `${this.at(key)}[${i}]`));
    for (const [i, bytes] of expected.slice(0, actual.length).entries()) expectSameBytes(`${this.at(key)}[${i}]`, actual[i]!, bytes);
    expectSame(`length of ${this.at(key)}`, actual.length, expected.length);
  }

  /** Compares a JSON value of any shape. */
  expectJson(key: string, actual: unknown): void {
    expectSameJson(this.at(key), actual, this.raw(key));
  }

  /** Compares a list with what happened, entry by entry and in order, then the number of entries. */
  expectEach<T>(key: string, actual: readonly T[], body: (fields: Fields, actual: T) => void): void {
    const expected = this.list(key);
    for (const [i, value] of expected.slice(0, actual.length).entries()) {
      Fields.read(value, `${this.at(key)}[${i}]`, (fields) => {
        body(fields, actual[i] as T);
      });
    }
    expectSame(`length of ${this.at(key)}`, actual.length, expected.length);
  }

  /** Throws when a key was never read. */
  end(): void {
    const [first] = this.#unread;
    if (first !== undefined) throw new Error(`${this.at(first)}: no replayer reads this field`);
  }

  #expectList(key: string, actual: readonly (string | number)[], expected: readonly (string | number)[]): void {
    for (const [i, value] of expected.entries()) expectSame(`${this.at(key)}[${i}]`, actual[i], value);
    expectSame(`length of ${this.at(key)}`, actual.length, expected.length);
  }

  #typed(key: string, type: 'string'): string;
  #typed(key: string, type: 'number'): number;
  #typed(key: string, type: 'boolean'): boolean;
  #typed(key: string, type: string): unknown {
    const value = this.raw(key);
    if (typeof value !== type) throw new Error(`${this.at(key)}: expected a ${type}, got ${shown(value)}`);
    return value;
  }
}
