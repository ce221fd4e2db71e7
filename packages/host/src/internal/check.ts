import { HostError } from '../errors.ts';

/** Largest u8. */
export const MAX_U8 = 0xff;
/** Largest u16. */
export const MAX_U16 = 0xffff;
/** Largest u32. */
export const MAX_U32 = 0xffff_ffff;
const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/** Describes a value in a message: its number or length where it has one, else its type. Texts and bytes may be secret. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (typeof value === 'bigint') return `the bigint ${String(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value;
}

/** Makes the error for an argument of a type or value that cannot be. */
export function invalidOption(field: string, expected: string, value: unknown): HostError {
  return new HostError('invalidOption', `${field}: expected ${expected}, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the value is an object whose members can be read. */
export function checkObject(value: unknown, field: string): void {
  if (typeof value !== 'object' || value === null) throw invalidOption(field, 'an object', value);
}

/** Throws `invalidOption` unless the value is a `Uint8Array`. */
export function checkBytes(value: unknown, field: string): void {
  if (!(value instanceof Uint8Array)) throw invalidOption(field, 'a Uint8Array', value);
}

/** Throws `invalidOption` unless the value is a number. */
export function checkNumber(value: unknown, field: string): void {
  if (typeof value !== 'number') throw invalidOption(field, 'a number', value);
}

/** Throws `invalidOption` unless the value is a whole number in 0 … `max`. */
export function checkUnsigned(value: unknown, field: string, max: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return;
  throw invalidOption(field, `a whole number in 0 … ${max}`, value);
}

/** Throws `invalidOption` unless the value is a bigint in 0 … 2^64 - 1. A number is refused: above 2^53 it names another id. */
export function checkU64(value: unknown, field: string): void {
  if (typeof value === 'bigint' && value >= 0n && value <= MAX_U64) return;
  throw invalidOption(field, 'a bigint in 0 … 2^64 - 1', value);
}

/** Throws `invalidOption` unless the value is `undefined` or a boolean. */
export function checkFlag(value: unknown, field: string): void {
  if (value !== undefined && typeof value !== 'boolean') throw invalidOption(field, 'a boolean', value);
}

/** Throws `invalidOption` unless the object has a function of this name. */
export function checkMethod(owner: object, name: string, field: string): void {
  const value: unknown = (owner as Readonly<Record<string, unknown>>)[name];
  if (typeof value !== 'function') throw invalidOption(`${field}.${name}`, 'a function', value);
}
