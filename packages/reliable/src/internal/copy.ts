/** Up to this many bytes a loop beats `set` on an exact-length source. */
const LOOP_BYTES = 12;
/** Up to this many bytes a loop is taken where `set` would need a view, which is garbage. */
const UNROLLED_BYTES = 2048;

/**
 * Copies a range. Makes no garbage unless more than 2 KiB are taken out of a longer array: `TypedArray.set` is the fast way, but copies whole
 * arrays only.
 *
 * The ranges must be inside their arrays and must not overlap.
 */
export function copyBytes(source: Uint8Array, offset: number, length: number, target: Uint8Array, at: number): void {
  if (length > LOOP_BYTES && offset === 0 && length === source.length) {
    target.set(source, at);
  } else if (length <= UNROLLED_BYTES) {
    const whole = length & ~3;
    let i = 0;
    for (; i < whole; i += 4) {
      target[at + i] = source[offset + i]!;
      target[at + i + 1] = source[offset + i + 1]!;
      target[at + i + 2] = source[offset + i + 2]!;
      target[at + i + 3] = source[offset + i + 3]!;
    }
    for (; i < length; i++) target[at + i] = source[offset + i]!;
  } else {
    target.set(source.subarray(offset, offset + length), at);
  }
}

/** Smallest power of two that is `n` or more, at least 1. */
export function powerOfTwoFrom(n: number): number {
  return n <= 1 ? 1 : 2 ** (32 - Math.clz32(n - 1));
}
