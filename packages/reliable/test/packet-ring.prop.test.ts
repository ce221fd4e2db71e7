import { eachSeed } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import { expect, test } from 'vitest';
import { ACKED_BYTES, ACKED_FINISH, ACKED_START, BYTES, DROPPED, FINISH, FOUND, PacketRing, START } from '../src/packet-ring.ts';
import { SequenceBufferTwin } from './twins/sequence-buffer-twin.ts';

interface Entry {
  readonly time: number;
  readonly bytes: number;
  isAcked: boolean;
}

/** The totals as the specification says: over the older half of the ring, packet by packet. */
function totals(twin: SequenceBufferTwin, entries: ReadonlyMap<number, Entry>): Record<number, number> {
  const found: Entry[] = [];
  for (let k = 0; k < Math.floor(twin.size / 2); k++) {
    const sequence = (twin.next - twin.size + k + 65536) % 65536;
    if (twin.exists(sequence)) found.push(entries.get(sequence)!);
  }
  const acked = found.filter(({ isAcked }) => isAcked);
  const bytes = (list: Entry[]): number => list.reduce((sum, entry) => sum + entry.bytes, 0);
  const times = (list: Entry[]): number[] => list.map(({ time }) => time);
  return {
    [FOUND]: found.length,
    [DROPPED]: found.length - acked.length,
    [BYTES]: bytes(found),
    [START]: Math.min(...times(found)),
    [FINISH]: Math.max(0, ...times(found)),
    [ACKED_BYTES]: bytes(acked),
    [ACKED_START]: Math.min(...times(acked)),
    [ACKED_FINISH]: Math.max(0, ...times(acked)),
  };
}

function sequenceNear(random: SeededRandom, { next, size }: SequenceBufferTwin): number {
  const step = random.chance(0.8) ? random.below(2) : random.pick([-random.below(size), random.below(40), random.below(2 * size), 20_000]);
  return (next + step + 65536) % 65536;
}

test.each([2, 4, 16, 32, 64, 256])('the totals of the older half are those of the twin, size %i', (size) => {
  eachSeed(15, (random) => {
    const clock = Float64Array.of(random.below(3));
    const ring = new PacketRing(size, clock);
    const twin = new SequenceBufferTwin(size);
    const entries = new Map<number, Entry>();
    for (let i = 0; i < 1500; i++) {
      const sequence = sequenceNear(random, twin);
      const action = random.below(10);
      if (action < 6 && twin.canInsert(sequence) && !twin.exists(sequence)) {
        const bytes = random.below(1500);
        ring.insert(sequence, bytes);
        twin.insert(sequence);
        entries.set(sequence, { time: clock[0]!, bytes, isAcked: false });
      } else if (action === 6) {
        ring.advance(sequence);
        twin.advance(sequence);
      } else if (action === 7) {
        const old = (twin.next - random.below(size) + 65536) % 65536;
        if (!twin.exists(old)) continue;
        ring.acknowledge(ring.buffer.slotOf(old));
        entries.get(old)!.isAcked = true;
      } else if (action === 8) {
        clock[0]! += random.unit();
      } else if (random.chance(0.01)) {
        ring.reset();
        twin.reset();
      }
      if (random.chance(0.3)) expect([...ring.olderHalf()]).toEqual(Object.values(totals(twin, entries)));
    }
  });
});
