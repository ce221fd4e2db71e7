// Distance from one reliable id to the next in a section (event layer section 3.1): a selector of zeros ended by a 1, then the distance
// above the tier's lowest in the value bits. First bit leftmost:
//
// | tier | distance     | selector      | value bits | bits | meaning and reject rule                                            |
// | ---- | ------------ | ------------- | ---------- | ---- | ------------------------------------------------------------------ |
// | 0    | 1            | `1`           | 0          | 1    |                                                                    |
// | 1    | 2 … 6        | `0 1`         | 3          | 5    | above 6: `valueOutOfRange`                                         |
// | 2    | 7 … 23       | `0 0 1`       | 5          | 8    | above 23: `valueOutOfRange`                                        |
// | 3    | 24 … 280     | `0 0 0 1`     | 9          | 13   | above 280: `valueOutOfRange`                                       |
// | 4    | 281 … 4377   | `0 0 0 0 1`   | 13         | 18   | above 4377: `valueOutOfRange`                                      |
// | 5    | 4378 … 69914 | `0 0 0 0 0 1` | 17         | 23   | above 69914: `valueOutOfRange`                                     |
// | 6    |              | `0 0 0 0 0 0` |            |      | absolute; never needed in a window of 32768: `nonCanonical` on read |

/** Zeros of the selector that name no tier of ours. */
export const DELTA_SELECTOR_BITS = 6;
/** Lowest distance of each tier. */
export const DELTA_LOW: Uint32Array = Uint32Array.of(1, 2, 7, 24, 281, 4378);
/** Highest value, distance above the lowest, of each tier. */
export const DELTA_TOP: Uint32Array = Uint32Array.of(0, 4, 16, 256, 4096, 65_536);
/** Bits of the value of each tier. */
export const DELTA_VALUE_BITS: Uint8Array = Uint8Array.of(0, 3, 5, 9, 13, 17);

/** Largest distance that can be written. */
export const MAX_ID_DELTA = 69_914;

/** Bits that a distance of 1 … 69914 takes. */
export function idDeltaBits(delta: number): number {
  if (delta === 1) return 1;
  if (delta < 7) return 5;
  if (delta < 24) return 8;
  if (delta < 281) return 13;
  return delta < 4378 ? 18 : 23;
}

/** Selector and value of a distance of 1 … 69914 as one number, first bit lowest; its width is {@link idDeltaBits}. */
export function idDeltaCode(delta: number): number {
  if (delta === 1) return 1;
  if (delta < 7) return 2 | ((delta - 2) << 2);
  if (delta < 24) return 4 | ((delta - 7) << 3);
  if (delta < 281) return 8 | ((delta - 24) << 4);
  return delta < 4378 ? 16 | ((delta - 281) << 5) : 32 | ((delta - 4378) << 6);
}
