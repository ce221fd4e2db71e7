/** A stream as a list of single bits, first one first. */
export class BitsTwin {
  readonly list: (0 | 1)[] = [];

  bits(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.list.push(Math.floor(value / 2 ** i) % 2 === 0 ? 0 : 1);
  }

  int(value: number, min: number, max: number): void {
    let count = 0;
    while (2 ** count <= max - min) count++;
    this.bits(value - min, count);
  }

  align(): void {
    while (this.list.length % 8 !== 0) this.list.push(0);
  }

  bytes(values: Iterable<number>): void {
    this.align();
    for (const value of values) this.bits(value, 8);
  }

  intRelative(previous: number, current: number): void {
    const tiers: [number, number, number][] = [
      [1, 1, 0],
      [2, 6, 3],
      [7, 23, 5],
      [24, 280, 9],
      [281, 4377, 13],
      [4378, 69914, 17],
    ];
    const difference = current - previous;
    for (const [first, last, width] of tiers) {
      if (difference <= last) {
        this.bits(1, 1);
        this.bits(difference - first, width);
        return;
      }
      this.bits(0, 1);
    }
    this.bits(current, 32);
  }

  finish(): number[] {
    const bytes: number[] = new Array<number>(Math.ceil(this.list.length / 8)).fill(0);
    for (const [i, bit] of this.list.entries()) bytes[Math.floor(i / 8)]! += bit * 2 ** (i % 8);
    return bytes;
  }
}
