import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Seq16 } from '../src/index.ts';

const u16 = fc.integer({ min: 0, max: 0xffff });

describe('Seq16', () => {
  test('when a sequence reaches the end, then 0 follows', () => {
    expect([Seq16.next(0), Seq16.next(65534), Seq16.next(65535)]).toEqual([1, 65535, 0]);
    expect([Seq16.add(65535, 2), Seq16.add(0, -1), Seq16.add(5, 65536)]).toEqual([1, 65535, 5]);
    expect([Seq16.since(3, 65535), Seq16.since(65535, 3), Seq16.since(7, 7)]).toEqual([4, 65532, 0]);
  });

  test('when the distance is exactly half the range, then the larger number is newer', () => {
    expect([Seq16.isNewer(32768, 0), Seq16.isNewer(0, 32768)]).toEqual([true, false]);
    expect([Seq16.isNewer(65535, 32767), Seq16.isNewer(32767, 65535)]).toEqual([true, false]);
    expect([Seq16.isNewer(9, 9), Seq16.isOlder(9, 9)]).toEqual([false, false]);
  });

  test('going forward 1 … 32767 is newer, and never both ways', () => {
    fc.assert(
      fc.property(u16, fc.integer({ min: 1, max: 32767 }), (a, d) => {
        const b = Seq16.add(a, d);
        expect(Seq16.isNewer(b, a)).toBe(true);
        expect(Seq16.isNewer(a, b)).toBe(false);
        expect(Seq16.isOlder(a, b)).toBe(true);
        expect(Seq16.since(b, a)).toBe(d);
      }),
    );
  });

  test('of two different sequences exactly one is newer', () => {
    fc.assert(fc.property(u16, u16, (a, b) => a === b || Seq16.isNewer(a, b) !== Seq16.isNewer(b, a)));
  });
});
