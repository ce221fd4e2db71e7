import { MAX_NAME_BYTES, MAX_U32 } from '../constants.ts';
import { ConfigError } from '../errors.ts';
import { describe } from './debug-text.ts';

const NAME = /^[A-Za-z0-9_.:/-]+$/;

/** Makes the error for an argument of a type or value that no schema can have. */
export function invalidOption(field: string, expected: string, value: unknown): ConfigError<'invalidOption'> {
  return new ConfigError('invalidOption', { field, expected, got: describe(value) });
}

/** Throws `invalidOption` unless the value is an object whose members can be read. */
export function checkObject(value: unknown, field: string): void {
  if (typeof value === 'object' && value !== null) return;
  throw invalidOption(field, 'an object', value);
}

/** The value when it is a text; throws `invalidOption` otherwise. */
export function checkText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw invalidOption(field, 'a text', value);
}

/** The value when it is a number, NaN included; throws `invalidOption` otherwise. */
export function checkNumber(value: unknown, field: string, what: string): number {
  if (typeof value === 'number') return value;
  throw invalidOption(field, what, value);
}

/** The value when it is an integer in 0 … 2^32 - 1, never negative zero; throws `invalidOption` otherwise. */
export function checkU32(value: unknown, field: string): number {
  if (isIntegerIn(value, 0, MAX_U32)) return Math.abs(value);
  throw invalidOption(field, `an integer in 0 … ${MAX_U32}`, value);
}

/** The value when it is one of the choices; throws `invalidOption` otherwise. */
export function checkChoice<T extends string>(value: unknown, choices: readonly T[], field: string): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw invalidOption(field, choices.join(' or '), value);
  return found;
}

/** Throws `invalidName` unless the text can name a channel or an event. */
export function checkName(name: string): void {
  if (name.length <= MAX_NAME_BYTES && NAME.test(name)) return;
  throw new ConfigError('invalidName', { name });
}

/** Whether a value is an integer from `min` to `max`, both included. */
export function isIntegerIn(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
