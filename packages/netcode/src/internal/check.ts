import { NetcodeError } from '../errors.ts';
import type { NetcodeErrorKind } from '../errors.ts';

/** Largest value of an unsigned 64-bit integer. */
export const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const MAX_I32 = 0x7fff_ffff;

/** Describes a value without showing what could be a secret: its type, and its length or number where it has one. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value;
}

/** Characters of a text that an error quotes. */
const QUOTED_CHARACTERS = 255;

/** Quotes an address text, of which at most 255 characters count; describes anything else. */
export function describeAddress(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, QUOTED_CHARACTERS)) : describe(value);
}

/** Checks that there are options at all, before one of them is read. */
export function checkOptionsObject(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new NetcodeError('invalidOption', `options: expected an object, got ${describe(options)}`, { field: 'options' });
}

/** Throws `kind` unless the value is an array of exactly `length` bytes. */
export function checkBytes(value: unknown, length: number, field: string, kind: NetcodeErrorKind): void {
  if (value instanceof Uint8Array && value.length === length) return;
  // The value may be a key in another form: only its type is told.
  const got = value instanceof Uint8Array ? `${value.length} bytes` : typeof value;
  throw new NetcodeError(kind, `${field}: expected ${length} bytes, got ${got}`, { field });
}

/** Throws `invalidUserData` unless the value is an array of at most `most` bytes. */
export function checkUserData(value: unknown, most: number): void {
  if (value instanceof Uint8Array && value.length <= most) return;
  throw new NetcodeError('invalidUserData', `userData: expected at most ${most} bytes, got ${describe(value)}`, { field: 'userData' });
}

/** Throws `kind` unless the value is a `bigint` in 0 … 2^64 − 1. */
export function checkU64(value: unknown, field: string, kind: NetcodeErrorKind): void {
  if (typeof value === 'bigint' && value >= 0n && value <= MAX_U64) return;
  const got = typeof value === 'number' ? `the number ${value}; write ${Number.isSafeInteger(value) ? value : 1}n` : describe(value);
  throw new NetcodeError(kind, `${field}: expected a bigint in 0 … 2^64 - 1, got ${got}`, { field });
}

/** Throws `kind` unless the value is an integer that fits 32 bits with a sign. */
export function checkI32(value: unknown, field: string, kind: NetcodeErrorKind): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= -MAX_I32 - 1 && value <= MAX_I32) return;
  throw new NetcodeError(kind, `${field}: expected an integer of 32 bits, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the value is a finite number. */
export function checkTime(value: unknown, field: string): void {
  if (typeof value === 'number' && Number.isFinite(value)) return;
  throw new NetcodeError('invalidOption', `${field}: expected a finite number of seconds, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the value is a whole number of 0 or more. */
export function checkCount(value: unknown, field: string): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return;
  throw new NetcodeError('invalidOption', `${field}: expected a whole number of 0 or more, got ${describe(value)}`, { field });
}

/** Throws `invalidOption` unless the value is a function or absent. */
export function checkFunction(value: unknown, field: string): void {
  if (value === undefined || typeof value === 'function') return;
  throw new NetcodeError('invalidOption', `${field}: expected a function, got ${describe(value)}`, { field });
}
