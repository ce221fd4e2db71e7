import { describe, expect, test } from 'vitest';
import { ReplayWindow } from '../src/replay-window.ts';

const TOP = 1n << 64n;

/** Feeds sequences as a receiver does: each is recorded unless it is refused. */
function feed(window: ReplayWindow, ...sequences: bigint[]): string[] {
  return sequences.map((sequence) => {
    if (window.alreadyReceived(sequence)) return 'refused';
    window.advance(sequence);
    return 'accepted';
  });
}

function times(count: number, word: string): string[] {
  return new Array<string>(count).fill(word);
}

function range(from: number, to: number): bigint[] {
  return Array.from({ length: to - from + 1 }, (_, i) => BigInt(from + i));
}

describe('ReplayWindow', () => {
  test('when 0 … 1023 arrive in order, then each is fresh once; twice with a reset between', () => {
    const window = new ReplayWindow();
    for (let round = 0; round < 2; round++) {
      window.reset();
      expect(window.mostRecent).toBe(0n);
      expect(feed(window, ...range(0, 1023))).toEqual(times(1024, 'accepted'));
      expect(window.mostRecent).toBe(1023n);
      expect(feed(window, 0n, ...range(1014, 1023))).toEqual(times(11, 'refused'));
      expect(feed(window, BigInt(1023 + 1 + 256))).toEqual(['accepted']);
      expect(feed(window, ...range(0, 1023))).toEqual(times(1024, 'refused'));
    }
  });

  test('when nothing has arrived, then no sequence is refused', () => {
    const window = new ReplayWindow();
    for (const sequence of [0n, 1n, 255n, 256n, 1n << 32n, 1n << 63n, TOP - 1n]) expect(window.alreadyReceived(sequence)).toBe(false);
  });

  test('FF-01: at the very top of 64 bits nothing wraps and no value is hidden', () => {
    const window = new ReplayWindow();
    const fed = [TOP - 2n, TOP - 3n, TOP - 200n, TOP - 257n, TOP - 258n];
    expect(feed(window, ...fed)).toEqual([...times(4, 'accepted'), 'refused']);
    expect(feed(window, ...fed)).toEqual(times(5, 'refused'));
    expect(feed(window, TOP - 1n, TOP - 1n)).toEqual(['accepted', 'refused']);
    expect(window.mostRecent).toBe(TOP - 1n);
    expect(feed(window, TOP - 257n, TOP - 256n, TOP - 256n)).toEqual(['refused', 'accepted', 'refused']);
    expect(feed(new ReplayWindow(), 0xffff_ffff_ffff_ff00n)).toEqual(['accepted']);
  });

  test('when most recent is below 256, then there is no lower edge', () => {
    const window = new ReplayWindow();
    expect(feed(window, 255n, 0n, 254n, 0n)).toEqual(['accepted', 'accepted', 'accepted', 'refused']);
  });

  test('when most recent is 256, then 0 is out and 1 is in, whether they arrived or not', () => {
    const window = new ReplayWindow();
    expect(feed(window, 256n, 0n, 1n)).toEqual(['accepted', 'refused', 'accepted']);
  });

  test.each([256n, 1000n, 0xffff_ffffn, 1n << 32n, (1n << 32n) + 255n, (1n << 32n) + 256n, (5n << 32n) + 7n, 1n << 63n, TOP - 1n])(
    'when most recent is %i, then 255 behind is in and 256 behind is out',
    (most) => {
      const window = new ReplayWindow();
      window.advance(most);
      expect(feed(window, most - 256n, most - 255n, most - 255n)).toEqual(['refused', 'accepted', 'refused']);
      expect(feed(window, 0n)).toEqual(['refused']);
      expect(window.mostRecent).toBe(most);
    },
  );

  test('when two sequences share an entry, then the older is refused and the newer is fresh', () => {
    const window = new ReplayWindow();
    expect(feed(window, 300n, 44n, 556n, 300n)).toEqual(['accepted', 'refused', 'accepted', 'refused']);
    const high = new ReplayWindow();
    expect(feed(high, 7n, (1n << 32n) + 7n, 7n, (2n << 32n) + 7n)).toEqual(['accepted', 'accepted', 'refused', 'accepted']);
  });

  test('when one number far ahead is only looked up, then it is fresh and nothing moves', () => {
    const window = new ReplayWindow();
    feed(window, 5n);
    expect(window.alreadyReceived(1n << 40n)).toBe(false);
    expect(window.mostRecent).toBe(5n);
    expect(feed(window, 6n, 5n)).toEqual(['accepted', 'refused']);
  });

  test('when an older one arrives, then most recent stays', () => {
    const window = new ReplayWindow();
    feed(window, (1n << 32n) + 3n, 0xffff_ffffn);
    expect(window.mostRecent).toBe((1n << 32n) + 3n);
  });

  test('when an old one is recorded unasked, then the edge still refuses what is 256 behind', () => {
    const window = new ReplayWindow();
    window.advance(1000n);
    window.advance(488n);
    expect(window.mostRecent).toBe(1000n);
    expect(window.alreadyReceived(744n)).toBe(true);
    expect(window.alreadyReceived(745n)).toBe(false);
  });

  test('when halves are given, then they mean the same as the number', () => {
    const window = new ReplayWindow();
    window.record(0x8000_0000, 0xffff_ffff);
    expect(window.mostRecent).toBe(0x8000_0000_ffff_ffffn);
    expect(window.hasReceived(0x8000_0000, 0xffff_ffff)).toBe(true);
    expect(window.alreadyReceived(0x8000_0000_ffff_ffffn)).toBe(true);
    expect(window.hasReceived(0x8000_0000, 0xffff_fffe)).toBe(false);
    expect(window.hasReceived(0x8000_0001, 0xffff_ffff)).toBe(false);
  });
});

test('when the most recent is 256 above a multiple of 2^32, then everything below that multiple is too old', () => {
  const window = new ReplayWindow();
  window.advance(2n ** 32n + 256n);
  for (const old of [0n, 5n, 2n ** 32n - 1n, 2n ** 32n]) expect(window.alreadyReceived(old)).toBe(true);
  expect(window.alreadyReceived(2n ** 32n + 1n)).toBe(false);
});
