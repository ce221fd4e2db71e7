// The times of a connection, seconds, in one `Float64Array`: a number that is not a small integer is an object when it is a field or an argument.

/** Index of the latest time seen. */
export const NOW = 0;
/** Index of the time of creation. */
export const CREATED = 1;
/** Index of the time of the last packet sent, minus infinity before the first. */
export const LAST_SEND = 2;

/** A clock that shows the time of creation. */
export function newClock(time: number): Float64Array {
  return Float64Array.of(time, time, -Infinity);
}
