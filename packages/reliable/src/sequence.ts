// Arithmetic of 16-bit sequence numbers (packets and message ids). Comparing and subtracting them happens here and nowhere else.
// All arguments are u16 unless a docstring says otherwise; all results are u16.

const U16 = 0xffff;
const HALF = 0x8000;

/** The sequence after `a`; 0 follows 65535. */
export function nextSequence(a: number): number {
  return (a + 1) & U16;
}

/** `a + n` modulo 65536. `n` may be any 32-bit integer, negative ones step back. */
export function addSequence(a: number, n: number): number {
  return (a + n) & U16;
}

/** How far `a` lies ahead of `base`: `(a − base) mod 65536`, 0 … 65535. */
export function sequencesSince(a: number, base: number): number {
  return (a - base) & U16;
}

/**
 * True when `a` is newer than `b`. At a distance of exactly 32768 the numerically larger one is newer, so that never both are; equal
 * sequences are neither newer nor older.
 * Source: reliable section 3.
 */
export function isNewerSequence(a: number, b: number): boolean {
  return a > b ? a - b <= HALF : b - a > HALF;
}

/** True when `a` is older than `b`; see {@link isNewerSequence}. */
export function isOlderSequence(a: number, b: number): boolean {
  return isNewerSequence(b, a);
}

/**
 * Order and distance of u16 sequence numbers.
 *
 * `next(a)` = a + 1; `add(a, n)` = a + n; `since(a, base)` = (a − base), all modulo 65536; `isNewer(a, b)` and `isOlder(a, b)` compare across
 * the wrap, at a distance of exactly 32768 by number.
 * Source: event layer section 13, reliable section 3.
 */
export const Seq16: {
  readonly next: (a: number) => number;
  readonly add: (a: number, n: number) => number;
  readonly since: (a: number, base: number) => number;
  readonly isNewer: (a: number, b: number) => boolean;
  readonly isOlder: (a: number, b: number) => boolean;
} = Object.freeze({
  next: nextSequence,
  add: addSequence,
  since: sequencesSince,
  isNewer: isNewerSequence,
  isOlder: isOlderSequence,
});
