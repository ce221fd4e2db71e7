/** A copy of a range as a plain `Uint8Array`. `slice` is not that: on a Node `Buffer` it gives a view of the same memory. */
export function copyBytes(bytes: Uint8Array, start: number = 0, end: number = bytes.length): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}
