/** The sequence buffer as the specification's table says it, nothing kept along the way. */
export class SequenceBufferTwin {
  next = 0;
  readonly size: number;
  readonly slots: (number | undefined)[];

  constructor(size: number) {
    this.size = size;
    this.slots = new Array<number | undefined>(size).fill(undefined);
  }

  greater(a: number, b: number): boolean {
    return (a > b && a - b <= 32768) || (a < b && b - a > 32768);
  }

  exists(s: number): boolean {
    return this.slots[s % this.size] === s;
  }

  canInsert(s: number): boolean {
    return !this.greater((this.next - this.size + 65536) % 65536, s);
  }

  insert(s: number): boolean {
    if (!this.canInsert(s)) return false;
    this.advance(s);
    this.slots[s % this.size] = s;
    return true;
  }

  insertAdvanceFirst(s: number): boolean {
    if (!this.advance(s) && !this.canInsert(s)) return false;
    this.slots[s % this.size] = s;
    return true;
  }

  advance(s: number): boolean {
    if (!this.greater((s + 1) % 65536, this.next)) return false;
    const to = s < this.next ? s + 65536 : s;
    if (to - this.next < this.size) {
      for (let k = this.next; k <= to; k++) this.slots[k % this.size] = undefined;
    } else {
      this.slots.fill(undefined);
    }
    this.next = (s + 1) % 65536;
    return true;
  }

  remove(s: number): void {
    this.slots[s % this.size] = undefined;
  }

  reset(): void {
    this.next = 0;
    this.slots.fill(undefined);
  }

  ack(): number {
    return (this.next + 65535) % 65536;
  }

  ackBits(): number {
    let bits = 0;
    for (let i = 0; i < 32; i++) if (this.exists((this.ack() - i + 65536) % 65536)) bits += 2 ** i;
    return bits;
  }
}
