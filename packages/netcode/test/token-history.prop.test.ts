import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from '../src/address.ts';
import { HISTORY_FULL, TOKEN_REFUSED, TokenHistory } from '../src/token-history.ts';
import { propertyOptions } from './support/codec-property.ts';
import { TokenHistoryTwin } from './twins/token-history-twin.ts';
import { bytesOfHex, hexOf, le } from './twins/wire-hex.ts';

const ADDRESSES = ['10.0.0.1:5', '10.0.0.1:6', '[::1]:5'].map(parseAddress);
const START = (1n << 32n) - 4n;

type Step =
  | { do: 'present'; address: number; token: number; life: bigint }
  | { do: 'consume'; place: number; serialOffset: number }
  | { do: 'wait'; seconds: bigint }
  | { do: 'reset' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('present' as const),
      address: fc.nat(2),
      token: fc.nat(5),
      life: fc.constantFrom(0n, 1n, 2n, 5n, 1n << 33n),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('consume' as const), place: fc.nat(8), serialOffset: fc.constantFrom(0, 0, 0, -1, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1n, 2n, 5n) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
);

/** A tag that names a token by its number. */
function macOf(token: number): Uint8Array {
  return bytesOfHex(le(7, 4) + le(token, 4) + le(7, 8));
}

/** The same history twice, first filled with so many tokens that live 3 seconds or for ever. */
class Pair {
  readonly history: TokenHistory = new TokenHistory();
  readonly twin: TokenHistoryTwin = new TokenHistoryTwin();
  now: bigint = START;
  time: number = 0;

  present(address: number, token: number, life: bigint): void {
    const from = ADDRESSES[address]!;
    const mac = macOf(token);
    const found = this.history.findOrAdd(from, mac, this.now + life, this.now, ++this.time);
    const expected = this.twin.findOrAdd(formatAddress(from), hexOf(mac), this.now + life, this.now, this.time);
    expect(found === TOKEN_REFUSED ? 'refused' : found === HISTORY_FULL ? 'full' : found).toBe(expected);
    if (typeof expected !== 'number') return;
    expect(this.history.serial(expected)).toBe(this.twin.entry(expected)?.serial);
    expect(this.history.createdAt(expected)).toBe(this.twin.entry(expected)?.created);
  }

  /** Presents so many tokens, compared only as a whole: expectations are slow. */
  fill(count: number, life: bigint): void {
    const expire = this.now + life;
    const places = Array.from({ length: count }, (_, i) => {
      const mac = macOf(1000 + i);
      this.twin.findOrAdd(formatAddress(ADDRESSES[i % 3]!), hexOf(mac), expire, this.now, 0);
      return this.history.findOrAdd(ADDRESSES[i % 3]!, mac, expire, this.now, 0);
    });
    expect(places).toEqual(Array.from({ length: count }, (_, i) => i));
  }

  run(action: Step): void {
    switch (action.do) {
      case 'present':
        this.present(action.address, action.token, action.life);
        return;
      case 'consume': {
        const serial = (this.twin.entry(action.place)?.serial ?? 1) + action.serialOffset;
        this.history.consume(action.place, serial);
        this.twin.consume(action.place, serial);
        return;
      }
      case 'wait':
        this.now += action.seconds;
        return;
      case 'reset':
        this.history.reset();
        this.twin.reset();
    }
  }
}

test('when tokens are presented, consumed and expire in any order, then each answer is that of the twin', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const pair = new Pair();
      for (const action of steps) pair.run(action);
    }),
    propertyOptions(60),
  );
});

test('when the table is nearly full, then each answer is that of the twin', () => {
  const fillings = fc.tuple(fc.constantFrom(2046, 2047, 2048), fc.constantFrom(3n, 1n << 40n));
  fc.assert(
    fc.property(fillings, fc.array(step, { minLength: 5, maxLength: 40 }), ([count, life], steps) => {
      const pair = new Pair();
      pair.fill(count, life);
      for (const action of steps) pair.run(action);
    }),
    propertyOptions(3),
  );
});
