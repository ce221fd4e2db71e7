import { SeededRandom, eachSeed, toHex } from '@x/testkit';
import { expect, test } from 'vitest';
import { readFragment } from '../src/wire.ts';
import { End } from './support/end.ts';

const CONFIG = { maxPacketSize: 2048, fragmentAbove: 64, maxFragments: 32, fragmentSize: 64, fragmentReassemblyBufferSize: 8 };

test('random datagrams never throw, and memory stays within its bound', () => {
  eachSeed(20, (random) => {
    const end = new End(CONFIG);
    const bound = end.endpoint.memoryBytes + (8 + 2) * 32 * 64;
    for (let i = 0; i < 2000; i++) {
      const bytes = random.bytes(random.below(random.chance(0.1) ? 2200 : 90));
      if (random.chance(0.7) && bytes.length > 4) {
        bytes[0] = random.pick([0, 1, 0x3e, 0x20]);
        bytes[2] = 0;
        bytes[4] = random.below(8);
      }
      end.endpoint.receive(bytes);
      end.processed = [];
      if (end.endpoint.memoryBytes > bound) throw new Error(`holds ${end.endpoint.memoryBytes} bytes, more than ${bound}`);
    }
    expect(end.endpoint.ackCount).toBe(0);
  });
});

test('loss, disorder, flipped bits, copies and foreign datagrams: never throws, and what was not damaged arrives as it was sent', () => {
  eachSeed(20, (random) => {
    const [a, b] = [new End(CONFIG), new End(CONFIG)];
    const sent = new Set<string>();
    const flying: { to: End; datagram: Uint8Array; isDamaged: boolean }[] = [];
    for (let i = 0; i < 400; i++) {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        const payload = random.bytes(1 + random.below(600));
        sent.add(toHex(payload));
        for (const datagram of from.send(payload)) {
          const isDamaged = random.chance(0.2);
          if (isDamaged) datagram[random.below(datagram.length)]! ^= 1 << random.below(8);
          if (random.chance(0.9)) flying.push({ to, datagram, isDamaged });
          if (random.chance(0.05)) flying.push({ to, datagram, isDamaged });
        }
        if (random.chance(0.2)) to.endpoint.receive(random.bytes(random.below(100)));
      }
      while (flying.length > 30) {
        const [next] = flying.splice(random.below(flying.length), 1);
        const { to, datagram, isDamaged } = next!;
        to.processed = [];
        to.endpoint.receive(datagram);
        // Only a packet in one datagram is sure not to hold parts of a damaged one.
        if (!isDamaged && datagram[0] !== 1) for (const { payload } of to.processed) expect(sent.has(toHex(payload))).toBe(true);
        to.endpoint.clearAcks();
      }
      for (const { endpoint } of [a, b]) endpoint.update(100 + i / 60);
    }
    for (const end of [a, b]) {
      const values: number[] = Object.values({ ...end.endpoint.stats });
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    }
    expect(a.endpoint.counters.packetsReceived).toBeGreaterThan(50);
  });
});

test('truncating a fragment anywhere refuses it, and reads nothing beyond its end', () => {
  const a = new End(CONFIG);
  const fragments = a.send(200);
  const random = new SeededRandom(1);
  const out = { sequence: 0, ack: 0, ackBits: 0, fragmentId: 0, fragmentCount: 0, dataOffset: 0, dataLength: 0 };
  for (const [id, fragment] of fragments.entries()) {
    for (let length = 0; length < fragment.length; length++) {
      const cut = Uint8Array.from(fragment.subarray(0, length));
      const refusal = readFragment(cut, CONFIG, out);
      if (id < fragments.length - 1 || length < 5) expect(refusal).toBeTypeOf('string');
      const end = new End(CONFIG);
      const around = random.bytes(length + 20);
      around.set(cut, 7);
      end.endpoint.receive(around, 7, length);
      expect(end.endpoint.reassemblies).toBe(refusal === undefined ? 1 : 0);
    }
  }
  expect(() => readFragment(fragments[0]!, { maxFragments: 0, fragmentSize: 1 }, out)).toThrow('maxFragments');
  expect(() => readFragment(fragments[0]!, { maxFragments: 1, fragmentSize: 0 }, out)).toThrow('fragmentSize');
});
