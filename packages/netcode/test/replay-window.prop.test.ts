import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReplayWindow } from '../src/replay-window.ts';
import { u64 } from './support/codec-arbitraries.ts';
import { propertyOptions } from './support/codec-property.ts';
import { ReplayTwin } from './twins/replay-twin.ts';

const LAST = (1n << 64n) - 1n;
const border = fc.constantFrom(0n, 255n, 256n, 512n, 0xffff_ffffn, 1n << 32n, (1n << 32n) + 256n, 1n << 53n, 1n << 63n, LAST - 300n, LAST);
const start = fc.oneof(border, u64);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -300, max: 300 }).map(BigInt) },
  { weight: 2, arbitrary: fc.constantFrom(-257n, -256n, -255n, -1n, 0n, 1n, 255n, 256n, 257n) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(1n << 33n), max: 1n << 33n }) },
  { weight: 1, arbitrary: fc.constant('reset' as const) },
);

test('when sequences arrive around any place, then the window refuses what the twin refuses', () => {
  fc.assert(
    fc.property(start, fc.array(step, { minLength: 1, maxLength: 80 }), fc.nat(400), (from, steps, base) => {
      const window = new ReplayWindow();
      const twin = new ReplayTwin();
      for (const change of steps) {
        if (change === 'reset') {
          window.reset();
          twin.reset();
          continue;
        }
        const anchor = twin.highest === 0n ? from : twin.highest - BigInt(base % 2);
        const wanted = anchor + change;
        const sequence = wanted < 0n ? 0n : wanted > LAST ? LAST : wanted;
        const isRefused = window.alreadyReceived(sequence);
        expect(isRefused).toBe(twin.refuses(sequence));
        expect(window.hasReceived(Number(sequence >> 32n), Number(sequence & 0xffff_ffffn))).toBe(isRefused);
        if (isRefused) continue;
        window.advance(sequence);
        twin.accept(sequence);
        expect(window.mostRecent).toBe(twin.highest);
      }
    }),
    propertyOptions(300),
  );
});

test('when any sequences arrive, then none is accepted twice', () => {
  fc.assert(
    fc.property(fc.array(u64, { minLength: 1, maxLength: 40 }), (sequences) => {
      const window = new ReplayWindow();
      const accepted = [...sequences, ...sequences].filter((sequence) => {
        if (window.alreadyReceived(sequence)) return false;
        window.advance(sequence);
        return true;
      });
      expect(new Set(accepted).size).toBe(accepted.length);
    }),
    propertyOptions(200),
  );
});
