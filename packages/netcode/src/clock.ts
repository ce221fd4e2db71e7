import { monotonicMilliseconds } from './internal/globals.ts';

/**
 * Reads a clock that never goes back, for the `time` arguments of client and server.
 *
 * @returns seconds since an arbitrary start, with a fraction.
 */
export function monotonicSeconds(): number {
  return monotonicMilliseconds() / 1000;
}
