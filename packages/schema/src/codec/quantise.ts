import type { Codec } from './codec.ts';

/** Largest memory that is kept for the next call. */
const KEPT_BYTES = 65_536;

let kept: Uint8Array | undefined;

/**
 * What the receiver of a value will see: the value written and read again. The base of a delta must be such a value on both ends.
 *
 * @returns a fresh value.
 * @throws {@link CodecError} when the value cannot be written.
 * Source: codecs section 5.
 */
export function quantise<T>(codec: Codec<T>, value: T): T {
  // Taken away while in use: writing may call a function of the application that comes back here.
  const scratch = kept !== undefined && kept.length >= codec.maxBytes ? kept : new Uint8Array(codec.maxBytes);
  kept = undefined;
  try {
    return codec.decode(scratch.subarray(0, codec.encodeInto(value, scratch, 0)));
  } finally {
    if (scratch.length <= KEPT_BYTES) kept = scratch;
  }
}
