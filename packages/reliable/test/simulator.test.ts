import { eachSeed, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { ConnectionShared } from '../src/index.ts';
import { Link, PERFECT, Pair, SplitMix64, latency } from '../src/simulator/index.ts';
import type { LinkConfig } from '../src/simulator/index.ts';
import { CHAT, SPAWN, TEST, golden, payload } from './support/catalogues.ts';
import { thrown } from './support/thrown.ts';

const DT = 1 / 60;

/** The generator with 64-bit integers, from its definition. */
function* slowMix(seed: bigint): Generator<bigint, never> {
  const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
  let state = seed;
  for (;;) {
    state = u64(state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = u64((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = u64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    yield z ^ (z >> 31n);
  }
}

describe('SplitMix64', () => {
  test('when seeds are drawn at random, then every draw equals the 64-bit definition', () => {
    eachSeed(200, (random) => {
      const seed = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
      const slow = slowMix(seed);
      const fast = new SplitMix64(seed);
      for (let i = 0; i < 40; i++) {
        const expected = slow.next().value;
        const n = random.pick([1, 2, 100, 65_536, 2 ** 21, 2 ** 21 + 1, 2 ** 32, 2 ** 40 + 7]);
        if (i % 3 === 0) expect(fast.next()).toBe(expected);
        else if (i % 3 === 1) expect(fast.unit()).toBe(Number(expected >> 11n) * 2 ** -53);
        else expect(fast.below(n)).toBe(Number(expected % BigInt(n)));
      }
    });
  });

  test('when a probability is 0 or a range is empty, then nothing is drawn', () => {
    const random = new SplitMix64(0);
    expect([random.chance(0), random.chance(-1), random.below(0)]).toEqual([false, false, 0]);
    expect(random.next()).toBe(0xe220a8397b1dcdafn);
    expect(random.chance(1)).toBe(true);
  });

  test.each([-1, 0.5, 2 ** 53, -1n, 2n ** 64n])('refuses the seed %s', (seed) => {
    expect(thrown(() => new SplitMix64(seed))).toMatchObject({ kind: 'invalidOption', field: 'seed' });
  });
});

/** A link written from the specification: draws in their order, a list instead of a heap. */
function slowLink(config: LinkConfig, seed: bigint) {
  const random = new SplitMix64(seed);
  const flying: { arrival: number; order: number; bytes: Uint8Array }[] = [];
  let order = 0;
  const nanos = (seconds: number): number => Math.trunc(Math.max(seconds, 0) * 1e9);
  const enqueue = (time: number, bytes: Uint8Array): void => {
    const copy = bytes.slice();
    if (config.corrupt > 0 && random.unit() < config.corrupt && copy.length > 0) {
      const bit = random.below(copy.length * 8);
      copy[Math.floor(bit / 8)]! ^= 1 << (bit % 8);
    }
    const extra = config.jitter > 0 ? random.unit() * config.jitter : 0;
    flying.push({ arrival: nanos(time + config.latency + extra), order: ++order, bytes: copy });
  };
  return {
    send(time: number, bytes: Uint8Array): void {
      if (config.loss > 0 && random.unit() < config.loss) return;
      enqueue(time, bytes);
      if (config.duplicate > 0 && random.unit() < config.duplicate) enqueue(time, bytes);
    },
    deliver(time: number): string[] {
      const due = flying.filter(({ arrival }) => arrival <= nanos(time)).sort((a, b) => a.arrival - b.arrival || a.order - b.order);
      for (const one of due) flying.splice(flying.indexOf(one), 1);
      return due.map(({ bytes }) => toHex(bytes));
    },
  };
}

describe('Link', () => {
  test('when datagrams are offered to random links, then deliveries are those of the slow twin', () => {
    eachSeed(150, (random, seed) => {
      const chance = (): number => random.pick([0, 0, 0.3, 1]) * random.unit();
      const config = {
        latency: random.pick([0, 0.02, 0.1]),
        jitter: random.pick([0, 0.05]),
        loss: chance(),
        duplicate: chance(),
        corrupt: chance(),
      };
      const link = new Link(config, seed);
      const twin = slowLink(config, BigInt(seed));
      let time = 0;
      for (let step = 0; step < 40; step++) {
        time += DT;
        for (let i = random.below(6); i > 0; i--) {
          const bytes = random.bytes(random.pick([0, 1, 30, 3000]));
          link.send(time, bytes);
          twin.send(time, bytes);
        }
        const delivered: string[] = [];
        link.deliver(time, (bytes, offset, length) => delivered.push(toHex(bytes, offset, length)));
        expect(delivered).toEqual(twin.deliver(time));
      }
      const { sent, lost, duplicated, delivered } = link.counters;
      expect(sent - lost + duplicated).toBe(delivered + link.inFlight);
    });
  });

  test('when the configuration changes, then datagrams in flight keep their arrival time', () => {
    const link = new Link(latency(1), 1);
    link.send(0, Uint8Array.of(1));
    link.setConfig(PERFECT);
    link.send(0, Uint8Array.of(0, 2), 1, 1);
    const arrived: number[] = [];
    link.deliver(0.5, (bytes, offset) => arrived.push(bytes[offset]!));
    link.deliver(1, (bytes, offset) => arrived.push(bytes[offset]!));
    expect(arrived).toEqual([2, 1]);
    expect(link.counters.bytes).toBe(2);
  });

  test('when receive sends on the same link, then what is due at once is delivered in the same call', () => {
    const link = new Link({}, 1);
    link.send(0, Uint8Array.of(3));
    const seen: number[] = [];
    link.deliver(0, (bytes, offset) => {
      const left = bytes[offset]!;
      seen.push(left);
      if (left > 0) link.send(0, Uint8Array.of(left - 1));
    });
    expect(seen).toEqual([3, 2, 1, 0]);
  });

  test.each([{ loss: -0.1 }, { latency: Number.NaN }, { jitter: Infinity }])('refuses %o', (config) => {
    expect(thrown(() => new Link(config, 1))).toMatchObject({ kind: 'invalidOption', field: Object.keys(config)[0] });
  });
});

describe('FF-53 Same seed, same run', () => {
  const run = (seed: number, disturb: () => void): string[] => {
    const link = new Link({ latency: 0.02, loss: 0.1, duplicate: 0.05, jitter: 0.03 }, seed);
    const log: string[] = [];
    let time = 0;
    for (let i = 0; i < 2000; i++) {
      time += 0.001;
      disturb();
      link.send(time, Uint8Array.of(i & 255, i >>> 8));
      link.deliver(time, (bytes, offset, length) => log.push(`${time} ${toHex(bytes, offset, length)}`));
    }
    return log;
  };

  test('when two links have the same seed, then they deliver the same at the same times; another seed does not', () => {
    const first = run(99, () => undefined);
    expect(run(99, () => Math.random())).toEqual(first);
    expect(run(100, () => undefined)).not.toEqual(first);
  });

  test('when two pairs have the same seed, then counters of both ends agree after 2000 packets', () => {
    const play = (seed: number): unknown => {
      const pair = Pair.symmetric(ConnectionShared.create(TEST), { latency: 0.02, loss: 0.1, duplicate: 0.05, jitter: 0.03 }, seed);
      for (let i = 0; i < 2000; i++) {
        pair.b.trySend(CHAT, payload(i, 30));
        pair.step(DT);
        while (pair.aInbox.pop() !== undefined);
      }
      return [pair.a.counters, pair.b.counters, pair.aToB.counters, pair.bToA.counters, { ...pair.b.stats }];
    };
    const first = play(5);
    expect(play(5)).toEqual(first);
    expect(play(6)).not.toEqual(first);
  });
});

test('when the documented run is played, then its printed line is reproduced', () => {
  const pair = Pair.symmetric(ConnectionShared.create(golden('chat1')), { latency: 0.03, loss: 0.2 }, 7);
  expect(pair.handshake(DT, 600)).toBe(true);
  for (let i = 0; i < 500; i++) {
    const bytes = new Uint8Array(200);
    new DataView(bytes.buffer).setUint32(0, i, true);
    expect(pair.b.trySend(0, bytes)).toBeUndefined();
  }
  let received = 0;
  while (received < 500) {
    pair.step(DT);
    for (let record = pair.aInbox.pop(); record !== undefined; record = pair.aInbox.pop()) {
      if (record.type === 'message')
        expect(new DataView(record.payload.buffer, record.payload.byteOffset).getUint32(0, true)).toBe(received++);
    }
  }
  const line = `${pair.b.counters.eventsResent} events resent, ${pair.bToA.counters.lost} datagrams lost, ${pair.time.toFixed(2)} s`;
  expect(line).toBe('190 events resent, 26 datagrams lost, 0.33 s');
});

test('when a pair is established, then a handshake takes no step, and setPerfect heals both links', () => {
  const pair = Pair.symmetric(ConnectionShared.create(TEST), { loss: 1 }, 1);
  expect(pair.handshake(DT, 5)).toBe(false);
  pair.setPerfect();
  expect(pair.handshake(DT, 5)).toBe(true);
  const { time } = pair;
  expect(pair.handshake(DT, 5)).toBe(true);
  expect(pair.time).toBe(time);
});

test('when 16 packets arrive on a perfect link, then an immediate acknowledgement of a reaches b in the same step, one of b reaches a in the next', () => {
  const pair = Pair.symmetric(ConnectionShared.create(TEST), {}, 1);
  expect(pair.handshake(DT, 5)).toBe(true);
  for (let i = 0; i < 5; i++) pair.step(DT);
  for (let i = 0; i < 16; i++) {
    pair.a.trySend(SPAWN, payload(i, 1000));
    pair.b.trySend(SPAWN, payload(i, 1000));
  }
  pair.step(DT);
  expect([pair.a.queued(0), pair.b.queued(0)]).toEqual([16, 16]);
  pair.step(DT);
  expect([pair.a.queued(0), pair.b.queued(0)]).toEqual([16, 0]);
  pair.step(DT);
  expect([pair.a.queued(0), pair.b.queued(0)]).toEqual([0, 0]);
});
