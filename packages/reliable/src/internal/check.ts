import { MAX_RING_SIZE } from '../constants.ts';
import { ReliableError } from '../errors.ts';

/** Upper bound of every size and count option, so that products of two of them stay exact and offsets stay 31-bit. */
export const MAX_COUNT: number = 2 ** 30;

/** Describes a value in a message: its number or length where it has one, else its type. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value;
}

/** Throws `invalidOption` unless the value is a whole number in `min` … `max`. */
export function checkCount(value: unknown, field: string, min: number, max: number = MAX_COUNT): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return;
  throw new ReliableError('invalidOption', `${field}: expected a whole number in ${min} … ${max}, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the value is a power of two in `min` … 32768. */
export function checkRingSize(value: unknown, field: string, min: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= MAX_RING_SIZE && (value & (value - 1)) === 0) return;
  throw new ReliableError('invalidOption', `${field}: expected a power of two in ${min} … ${MAX_RING_SIZE}, got ${describe(value)}`, {
    field,
  });
}

/** Throws `invalidOption` unless the value is a number in 0 … 1. */
export function checkFactor(value: unknown, field: string): void {
  if (typeof value === 'number' && value >= 0 && value <= 1) return;
  throw new ReliableError('invalidOption', `${field}: expected a factor in 0 … 1, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the value is a finite number of 0 or more. */
export function checkTime(value: unknown, field: string): void {
  if (typeof value === 'number' && value >= 0 && value < Infinity) return;
  throw new ReliableError('invalidOption', `${field}: expected a finite number of seconds, 0 or more, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the object has a function of this name. */
export function checkMethod(owner: object, name: string): void {
  const value: unknown = (owner as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'function') return;
  throw new ReliableError('invalidOption', `${name}: expected a function, got ${describe(value)}`, { field: name });
}

/** Throws `invalidRange` unless the value is a whole number in `min` … `max`. */
export function checkRange(value: number, field: string, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ReliableError('invalidRange', `${field}: expected a whole number in ${min} … ${max}, got ${describe(value)}`, { field });
}

/** Throws `invalidRange` unless `offset` and `length` name bytes of the array. */
export function checkByteRange(bytes: Uint8Array, offset: number, length: number): void {
  // `>>> 0` keeps whole numbers of 0 … 2^32 − 1 as they are and changes everything else.
  if (offset >>> 0 === offset && length >>> 0 === length && offset + length <= bytes.length) return;
  checkRange(offset, 'offset', 0, bytes.length);
  checkRange(length, 'length', 0, bytes.length - offset);
}
