import { expect, test } from 'vitest';
import { Exchange, makePayload, payloadLength, PAYLOADS, Tally } from '../src/payload.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('when payloads are made, then the lengths rise from 1 to 1200 and the bytes are those of the Rust twin', () => {
  const lengths = Array.from({ length: PAYLOADS }, (_, index) => payloadLength(index));
  expect([lengths[0], lengths.at(-1)]).toEqual([1, 1200]);
  expect(new Set(lengths).size).toBe(PAYLOADS);
  expect([...lengths].sort((a, b) => a - b)).toEqual(lengths);
  // The same bytes are expected in ../rust/src/payload.rs.
  expect(hex(makePayload(7, 2))).toBe('02402f20100ff060cf41d0afb1');
  expect(hex(makePayload(0xffff_ffff, 1))).toBe('0176e35ec6b3be');
});

test('when payloads arrive, then each counts once and every damage is noted', () => {
  const tally = new Tally(7);
  for (const index of [0, 5, 5]) tally.take(makePayload(7, index));
  expect(tally).toMatchObject({ received: 3, verified: 2, faults: [] });
  expect([tally.has(5), tally.has(6)]).toEqual([true, false]);
  for (let offset = 0; offset < payloadLength(6); offset++) {
    const damaged = makePayload(7, 6);
    damaged[offset]! ^= 1;
    tally.take(damaged);
    expect(tally.faults).toHaveLength(offset + 1);
  }
  tally.take(makePayload(7, 6).subarray(0, -1));
  tally.take(makePayload(8, 7));
  tally.take(new Uint8Array());
  expect(tally.faults).toHaveLength(payloadLength(6) + 3);
  expect(tally.verified).toBe(2);
});

test('when nothing comes back, then the window is sent once and again only after a while', () => {
  const exchange = new Exchange(7);
  const sent: number[] = [];
  const step = (time: number): void => exchange.step(time, (bytes) => sent.push(bytes[0] ?? -1));
  step(1);
  step(1.1);
  expect(sent).toEqual(Array.from({ length: Exchange.WINDOW }, (_, index) => index));
  step(1.3);
  expect(sent).toHaveLength(2 * Exchange.WINDOW);
  expect(exchange.isOver).toBe(false);
});

test('when some payloads are lost, then they are sent again and every one is verified', () => {
  const exchange = new Exchange(7);
  let count = 0;
  for (let time = 0; !exchange.isOver; time += 0.01) {
    expect(time).toBeLessThan(20);
    exchange.step(time, (bytes) => {
      if (count++ % 3 !== 0) exchange.tally.take(bytes);
    });
  }
  expect(exchange.result).toMatchObject({ verified: PAYLOADS, received: PAYLOADS, faults: [] });
  expect(exchange.result.sent).toBe(count);
  expect(count).toBeGreaterThan(PAYLOADS);
});

test('when a damaged payload comes back, then the exchange is over', () => {
  const exchange = new Exchange(7);
  exchange.tally.take(Uint8Array.of(3, 1));
  expect(exchange.isOver).toBe(true);
  exchange.step(0, () => expect.unreachable());
});
