import { CodecError, located } from '../codec/codec-error.ts';
import { mismatch } from '../codec/number-cell.ts';
import { utf8Length } from '../codec/utf8.ts';
import { isForbiddenKey, MAX_DEPTH, MAX_ELEMENTS } from './scan.ts';

const MIN_I64 = -(2n ** 63n);
const MAX_U64 = 2n ** 64n - 1n;

/** Refuses values that the library would change on the way, or that the other end refuses. */
class ValueChecker {
  readonly #isFloat32: boolean;
  #elements = 0;

  constructor(isFloat32: boolean) {
    this.#isFloat32 = isFloat32;
  }

  /** @param depth - 1 for the outermost value. */
  check(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) throw new CodecError('DEPTH', `expected at most ${MAX_DEPTH} levels`);
    if (value === null || typeof value === 'boolean') return;
    if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'string') checkText(value);
    else if (typeof value === 'bigint') checkBigint(value);
    else if (Array.isArray(value)) this.#array(value, depth);
    else if (!(value instanceof Uint8Array)) this.#object(value, depth);
  }

  /** The library narrows integers beyond 32 bits too when it writes float32. */
  #number(value: number): void {
    if (!this.#isFloat32 || !Number.isInteger(value) || (value >= -0x8000_0000 && value <= 0xffff_ffff)) return;
    throw new CodecError('RANGE', `expected an integer of 32 bits or a fraction, got ${value}`);
  }

  #array(values: readonly unknown[], depth: number): void {
    this.#count(values.length);
    // By index: a hole is undefined too.
    for (let i = 0; i < values.length; i++) {
      try {
        this.check(values[i], depth + 1);
      } catch (error) {
        throw located(error, i);
      }
    }
  }

  #object(value: unknown, depth: number): void {
    if (!isPlainObject(value)) throw mismatch('null, a boolean, a number, a bigint, a text, bytes, an array or a plain object', value);
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      try {
        if (isForbiddenKey(key)) throw new CodecError('TYPE', 'a key with this name');
        checkText(key);
        this.#count(1);
        this.check(member, depth + 1);
      } catch (error) {
        throw located(error, key);
      }
    }
  }

  #count(elements: number): void {
    this.#elements += elements;
    if (this.#elements > MAX_ELEMENTS) throw new CodecError('TOO_LARGE', `expected at most ${MAX_ELEMENTS} elements`);
  }
}

function checkText(text: string): void {
  const length = utf8Length(text);
  // The library takes a byte order mark away from the beginning of texts of more than 200 bytes when it reads them.
  if (length > 200 && text.startsWith('\ufeff')) throw new CodecError('UTF8', 'a long text that begins with a byte order mark');
}

function checkBigint(value: bigint): void {
  if (value < MIN_I64 || value > MAX_U64) throw new CodecError('RANGE', 'expected a bigint of 64 bits');
}

/** Whether an object was written with braces, or has no prototype: others would silently lose what makes them. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Throws `CodecError` for a value that MessagePack, as it is used here, does not carry unchanged. */
export function checkValue(value: unknown, isFloat32: boolean): void {
  new ValueChecker(isFloat32).check(value, 1);
}
