/** FNV-1a, 32 bits, as one running value over everything added. */
export class Fnv1a32 {
  value: number = 2166136261;

  add(bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): void {
    for (let i = offset; i < offset + length; i++) this.value = Math.imul(this.value ^ bytes[i]!, 16777619) >>> 0;
  }
}
