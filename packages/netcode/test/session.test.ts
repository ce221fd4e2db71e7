import { eachSeed, MemoryNetwork, SeededRandom } from '@x/testkit';
import { expect, test } from 'vitest';
import { recordingAead, SealLog } from './support/session-recording-aead.ts';
import { Soak } from './support/session-soak.ts';
import type { SoakTotals } from './support/session-soak.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 150);
const TICKS = 150;

test('when clients and a server do anything in any order on a bad network, then nothing that must hold is ever broken', () => {
  const totals: SoakTotals = { sessions: 0, toServer: 0, toClient: 0, restarts: 0, replays: 0 };
  let runs = 0;
  eachSeed(SEEDS, (random) => {
    const soak = new Soak(random);
    for (let i = 0; i < TICKS && soak.faults.length === 0; i++) soak.tick();
    if (soak.faults.length === 0) soak.settle();
    if (soak.faults.length > 0) throw new Error(soak.faults.slice(0, 3).join('; '));
    for (const name of Object.keys(totals) as (keyof SoakTotals)[]) totals[name] += soak.totals[name];
    runs++;
  });
  // A replay of one seed need not have met everything.
  if (runs < 50) return;
  for (const count of Object.values(totals)) expect(count).toBeGreaterThan(runs / 10);
  expect(totals.sessions).toBeGreaterThan(2 * runs);
  expect(totals.toServer).toBeGreaterThan(20 * runs);
  expect(totals.toClient).toBeGreaterThan(20 * runs);
}, 600_000);

test('when the same seed runs twice, then the same happens', () => {
  const run = () => {
    const soak = new Soak(new SeededRandom(7));
    for (let i = 0; i < TICKS; i++) soak.tick();
    return [soak.totals, soak.log.sealed, soak.server.counters];
  };
  expect(run()).toEqual(run());
});

test('when a nonce is used twice or a sequence is left out, then the log of seals says so', () => {
  const log = new SealLog();
  const key = recordingAead(log, true).createKey(new Uint8Array(32));
  const seal = (hi: number, lo: number) => key.aead.seal(key, hi, lo, new Uint8Array(0), 0, new Uint8Array(1), 0, 1, new Uint8Array(17), 0);
  for (const [hi, lo] of [
    [0, 0],
    [0x8000_0000, 0],
    [0, 1],
    [0x8000_0000, 0],
    [0, 3],
  ] as const)
    seal(hi, lo);
  expect(log.faults).toEqual(['key and nonce repeated: sequence 2147483648:0', 'sequence 3 follows 1']);
});

test('when the memory network is bad, then datagrams are lost, doubled, held back and damaged, each in its share', () => {
  const network = new MemoryNetwork<string>(new SeededRandom(3), (address) => address, { latencySeconds: 0.1 });
  const [a, b] = [network.open('a', 1), network.open('b', 2)];
  const arrived: number[] = [];
  const send = (count: number) => {
    arrived.length = 0;
    for (let i = 0; i < count; i++) a.send('b', Uint8Array.of(9, i & 0xff), 1, 1);
    network.advance(network.time + 0.1);
    b.poll((_from, bytes, offset, length) => arrived.push(...bytes.subarray(offset, offset + length)));
    return arrived.length;
  };
  expect([send(100), arrived]).toEqual([100, Array.from({ length: 100 }, (_, i) => i)]);
  network.settings.lossChance = 0.25;
  expect(Math.abs(send(1000) - 750)).toBeLessThan(60);
  Object.assign(network.settings, { lossChance: 0, duplicateChance: 0.25 });
  expect(Math.abs(send(1000) - 1250)).toBeLessThan(60);
  Object.assign(network.settings, { duplicateChance: 0, reorderChance: 0.25, reorderSeconds: 0.05 });
  expect(Math.abs(send(1000) - 750)).toBeLessThan(60);
  Object.assign(network.settings, { reorderChance: 0, corruptChance: 1 });
  network.advance(network.time + 1);
  b.poll(() => {});
  expect([send(100), arrived.some((value, i) => value === i)]).toEqual([100, false]);
  network.filter = ({ bytes }) => bytes[0]! < 50;
  expect([send(100), network.inFlight]).toEqual([50, 0]);
  b.close();
  expect([send(10), b.send('a', Uint8Array.of(1), 0, 1), b.boundPort('ipv4')]).toEqual([0, false, 2]);
  expect(() => network.open('a')).toThrow('in use');
});
