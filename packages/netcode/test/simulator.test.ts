import { toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { SIM_PACKET_ENTRIES, SIM_PENDING_RECEIVE } from '../src/constants.ts';
import { NetworkSimulator, SimulatorRandom } from '../src/simulator.ts';
import type { NetworkSimulatorSettings } from '../src/simulator.ts';
import { failureOf } from './support/codec-samples.ts';

const A = parseAddress('10.0.0.1:5000');
const B = parseAddress('10.0.0.2:5000');
const C = parseAddress('[::1]:5000');

/** Sends packets with one number each. */
function send(simulator: NetworkSimulator, ...numbers: number[]): void {
  for (const number of numbers) simulator.sendPacket(A, B, Uint8Array.of(number & 255, number >> 8));
}

/** Takes the numbers that are available for B. */
function take(simulator: NetworkSimulator, max: number = 1e9): number[] {
  return simulator.receivePackets(B, max).map(({ bytes }) => bytes[0]! + 256 * bytes[1]!);
}

/** What arrives for B in each of `ticks` updates of 0.1 s, the first at time 0.1. */
function run(simulator: NetworkSimulator, ticks: number): number[][] {
  return Array.from({ length: ticks }, (_, i) => {
    simulator.update((i + 1) * 0.1);
    return take(simulator);
  });
}

describe('SimulatorRandom', () => {
  test('when it is fresh or reset, then it gives the numbers of xorshift64* with the seed of the protocol', () => {
    const random = new SimulatorRandom();
    const numbers = [
      973819730272012410n,
      6108091081255984487n,
      12125365036566318712n,
      9038174178950858617n,
      10437328418169017477n,
      11378009173764233326n,
    ];
    for (let round = 0; round < 2; round++) {
      expect(numbers.map(() => random.nextUint64())).toEqual(numbers);
      random.reset();
    }
  });

  test('when floats are drawn, then they are those of 32-bit arithmetic', () => {
    const random = new SimulatorRandom();
    const draws = Array.from({ length: 6 }, () => random.nextFloat(0, 100));
    expect(draws).toEqual([
      5.279082298278809, 33.11202621459961, 65.73173522949219, 48.996036529541016, 56.58086395263672, 61.6803092956543,
    ]);
    random.reset();
    expect([random.nextFloat(-50, 50), random.nextFloat(-50, 50)]).toEqual([-44.720916748046875, -16.88797378540039]);
  });
});

describe('NetworkSimulator', () => {
  test('when nothing disturbs, then packets arrive at the next update, in order, with sender and a copy of the bytes', () => {
    const simulator = new NetworkSimulator();
    const bytes = Buffer.of(1, 2, 3);
    simulator.sendPacket(A, B, bytes);
    bytes.fill(9);
    expect(simulator.receivePackets(B, 10)).toEqual([]);
    simulator.update(0);
    expect(simulator.receivePackets(A, 10)).toEqual([]);
    expect(simulator.receivePackets(parseAddress('10.0.0.2:5001'), 10)).toEqual([]);
    expect(simulator.receivePackets(B, 10).map(({ from, bytes: copy }) => [from, toHex(copy)])).toEqual([[A, '010203']]);
    expect(simulator.receivePackets(B, 10)).toEqual([]);
  });

  test('when latency is 250 ms, then a packet arrives at the first update that is not before it', () => {
    const simulator = new NetworkSimulator({ latencyMilliseconds: 250 });
    simulator.update(1);
    send(simulator, 1);
    for (const time of [1, 1.1, 1.2499]) {
      simulator.update(time);
      expect(take(simulator)).toEqual([]);
    }
    simulator.update(1.25);
    expect(take(simulator)).toEqual([1]);
  });

  test('when latency is no 32-bit float, then the nearest one counts', () => {
    const simulator = new NetworkSimulator({ latencyMilliseconds: 33.3 });
    send(simulator, 1);
    simulator.update(33.299_999 / 1000);
    expect(take(simulator)).toEqual([]);
    simulator.update(33.299_999_237_060_55 / 1000);
    expect(take(simulator)).toEqual([1]);
  });

  test('when it is reset, then packets in flight and those that wait are gone', () => {
    const simulator = new NetworkSimulator();
    send(simulator, 1, 2);
    simulator.update(5);
    simulator.latencyMilliseconds = 1000;
    send(simulator, 3, 4, 5);
    simulator.reset();
    expect(take(simulator)).toEqual([]);
    simulator.latencyMilliseconds = 9000;
    send(simulator, 6);
    simulator.update(8.9);
    expect(take(simulator)).toEqual([]);
    simulator.update(9);
    expect(take(simulator)).toEqual([6]);
  });

  test('when a packet is not picked up before the next update, then it is lost', () => {
    const simulator = new NetworkSimulator();
    send(simulator, 1, 2, 3);
    simulator.update(0.1);
    expect(take(simulator, 1)).toEqual([1]);
    simulator.update(0.2);
    expect(take(simulator)).toEqual([]);
  });

  test('when a receiver takes at most two, then the others wait within the same update, and those for others stay', () => {
    const simulator = new NetworkSimulator();
    send(simulator, 1, 2);
    simulator.sendPacket(B, C, Uint8Array.of(7));
    send(simulator, 3);
    simulator.update(0.1);
    expect([take(simulator, 2), take(simulator, 0), take(simulator, 2)]).toEqual([[1, 2], [], [3]]);
    expect(simulator.receivePackets(C, 1)).toEqual([{ from: B, bytes: Uint8Array.of(7) }]);
  });

  test('when all packets are lost, then none arrives; when all are doubled, then each arrives twice within a second', () => {
    const lossy = new NetworkSimulator({ packetLossPercent: 100 });
    send(lossy, 1, 2, 3);
    expect(run(lossy, 20).flat()).toEqual([]);
    const doubling = new NetworkSimulator({ duplicatePacketPercent: 100 });
    send(doubling, 1, 2, 3);
    const ticks = run(doubling, 11);
    expect(ticks.flat().sort()).toEqual([1, 1, 2, 2, 3, 3]);
    expect(ticks[0]).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(ticks.slice(2).flat()).not.toEqual([]);
  });

  test('when the share equals the draw exactly, then the packet is lost or doubled; a hair less and it is not', () => {
    const [first, second] = [new SimulatorRandom(), new SimulatorRandom()].map((random) => [
      random.nextFloat(0, 100),
      random.nextFloat(0, 100),
    ]);
    const draw = first![0]!;
    const arrivals = (settings: Partial<NetworkSimulatorSettings>): number => {
      const simulator = new NetworkSimulator(settings);
      send(simulator, 1);
      return run(simulator, 12).flat().length;
    };
    expect([arrivals({ packetLossPercent: draw }), arrivals({ packetLossPercent: draw - 1e-5 })]).toEqual([0, 1]);
    const next = second![1]!;
    expect([arrivals({ duplicatePacketPercent: next }), arrivals({ duplicatePacketPercent: next - 1e-5 })]).toEqual([2, 1]);
  });

  test('when there is jitter, then a packet may arrive up to that much earlier or later, and not in the order sent', () => {
    const simulator = new NetworkSimulator({ latencyMilliseconds: 1000, jitterMilliseconds: 500 });
    send(simulator, ...Array.from({ length: 300 }, (_, i) => i));
    const ticks = run(simulator, 20);
    expect(ticks.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(ticks.slice(0, 4).flat()).toEqual([]);
    expect(ticks.slice(15).flat()).toEqual([]);
    expect(Math.min(ticks[5]!.length, ticks[9]!.length, ticks[13]!.length)).toBeGreaterThan(10);
    expect(ticks.flat()).not.toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  test('when packets of one update were due at different times, then they come in the order they were sent', () => {
    const simulator = new NetworkSimulator({ latencyMilliseconds: 900 });
    send(simulator, 1);
    simulator.latencyMilliseconds = 100;
    send(simulator, 2);
    simulator.update(5);
    expect(take(simulator)).toEqual([1, 2]);
  });

  test('when two simulators get the same inputs, then they deliver the same; a reset one does as well', () => {
    const settings = { latencyMilliseconds: 100, jitterMilliseconds: 50, packetLossPercent: 25, duplicatePacketPercent: 25 };
    const session = (simulator: NetworkSimulator): number[][] => {
      send(simulator, ...Array.from({ length: 100 }, (_, i) => i));
      return run(simulator, 15);
    };
    const [one, two] = [new NetworkSimulator(settings), new NetworkSimulator(settings)];
    const delivered = session(one);
    expect(session(two)).toEqual(delivered);
    const count = delivered.flat().length;
    expect(count).toBeGreaterThan(60);
    expect(new Set(delivered.flat()).size).toBeLessThan(count);
    expect(new Set(delivered.flat()).size).toBeLessThan(100);
    send(one, 500);
    one.reset();
    expect(session(one)).toEqual(delivered);
    expect(one.jitterMilliseconds).toBe(50);
  });

  test('when 65536 packets are in flight, then the next takes the place of the oldest', () => {
    const simulator = new NetworkSimulator({ latencyMilliseconds: 1000 });
    for (let i = 0; i < SIM_PACKET_ENTRIES + 2; i++) send(simulator, i & 0xffff);
    simulator.update(1);
    // The two newest stand at the start of the ring, where the two oldest were.
    const first = take(simulator);
    expect(first).toHaveLength(SIM_PENDING_RECEIVE);
    expect(first.slice(0, 4)).toEqual([0, 1, 2, 3]);
    let total = first.length;
    for (let time = 2; time < 6; time++) {
      simulator.update(time);
      total += take(simulator).length;
    }
    expect(total).toBe(SIM_PACKET_ENTRIES);
  });

  test('when more than 16384 are due, then the rest waits for the next update', () => {
    const simulator = new NetworkSimulator();
    for (let i = 0; i < SIM_PENDING_RECEIVE + 3; i++) send(simulator, i);
    simulator.update(1);
    expect(take(simulator)).toHaveLength(SIM_PENDING_RECEIVE);
    simulator.update(2);
    expect(take(simulator)).toEqual([SIM_PENDING_RECEIVE, SIM_PENDING_RECEIVE + 1, SIM_PENDING_RECEIVE + 2]);
    simulator.update(3);
    expect(take(simulator)).toEqual([]);
  });

  test.each(['latencyMilliseconds', 'jitterMilliseconds', 'packetLossPercent', 'duplicatePacketPercent'])(
    'when %s is not a number of 0 or more, then INVALID_OPTION',
    (name) => {
      for (const value of [-1, NaN, Infinity, '5', 5n]) {
        const error = failureOf(() => new NetworkSimulator({ [name]: value }));
        expect([error.code, error.field]).toEqual(['INVALID_OPTION', name]);
      }
      expect(new NetworkSimulator({ [name]: 3 })).toHaveProperty(name, 3);
    },
  );
});
