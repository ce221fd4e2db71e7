/** Up to this many bytes a loop is faster than making a view to copy from. */
const LOOP_COPY_BYTES = 64;

/** A copy of a part of an array, always a plain `Uint8Array`: `slice` of a Node Buffer would share its memory. */
export function copyBytes(from: Uint8Array, at: number = 0, length: number = from.length - at): Uint8Array {
  const copy = new Uint8Array(length);
  copyInto(copy, 0, from, at, length);
  return copy;
}

/** Copies bytes from one array to another; both ranges are known to exist. Short copies allocate nothing. */
export function copyInto(to: Uint8Array, toAt: number, from: Uint8Array, fromAt: number, length: number): void {
  if (length <= LOOP_COPY_BYTES) {
    for (let i = 0; i < length; i++) to[toAt + i] = from[fromAt + i]!;
    return;
  }
  to.set(fromAt === 0 && length === from.length ? from : from.subarray(fromAt, fromAt + length), toAt);
}

/** Whether two arrays hold the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
