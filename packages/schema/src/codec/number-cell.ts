import { describe } from '../internal/debug-text.ts';
import { CodecError } from './codec-error.ts';

// Numbers on their way through codecs. A number with a fraction, or one beyond 32 bits, that is passed to a function or returned from one is put into an
// object on the heap, unless the engine happens to inline the call. So it stays in the cell below, and NUMBER goes the way of the value and says so.
// For the same reason codes of up to 32 bits travel as signed integers, whose bits are meant.

/** Holds the number that {@link NUMBER} stands for, from where it is given until the very next use. */
export const cell: Float64Array = new Float64Array(1);

/** Stands for "the number in {@link cell}" wherever a value is handed over inside. */
export const NUMBER: object = Object.freeze({});

/** Puts the number that a value is or stands for into the cell; throws `TYPE` for other values. */
export function fill(value: unknown): void {
  if (value === NUMBER) return;
  if (typeof value !== 'number') throw mismatch('a number', value);
  cell[0] = value;
}

/** The value itself, never a stand-in. */
export function plain(value: unknown): unknown {
  return value === NUMBER ? cell[0] : value;
}

/** Makes the error for a value of another type. */
export function mismatch(expected: string, value: unknown): CodecError {
  return new CodecError('TYPE', `expected ${expected}, got ${described(value)}`);
}

/** Makes the error for a number outside the range. */
export function outside(expected: string, value: unknown): CodecError {
  return new CodecError('RANGE', `expected ${expected}, got ${described(value)}`);
}

/** Texts are named by their length only: they may be what a player wrote. */
function described(value: unknown): string {
  return typeof value === 'string' ? `a text of ${value.length} characters` : describe(plain(value));
}
