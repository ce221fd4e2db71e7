import { NetworkSimulator, parseAddress } from '@x/netcode';
import { SimulatorRandom } from '@x/netcode/protocol';
import { expectSame, readU64, shown } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

const SENDER = parseAddress('127.0.0.1:40000');
const RECEIVER = parseAddress('127.0.0.1:50000');

/** More packets than a run sends, duplicates included. */
const RECEIVE_ALL = 1000;

/** Longest further delay of a duplicate, in seconds. */
const DUPLICATE_SECONDS = 1;

/** Raw outputs after a reset: entry `index` is draw number `index`. */
export const replayRandomUint64: CaseReplayer = (entry, { index }) => {
  const random = usedAndReset();
  for (let i = 0; i < index; i++) random.nextUint64();
  expectSame('draw', random.nextUint64(), readU64(entry, 'draw'));
};

/** Float draws in [0, 100) after a reset: entry `index` is draw number `index`. */
export const replayRandomFloat: CaseReplayer = (entry, { index }) => {
  if (typeof entry !== 'number') throw new Error(`expected a number, got ${shown(entry)}`);
  const random = usedAndReset();
  for (let i = 0; i < index; i++) random.nextFloat(0, 100);
  expectSame('draw', random.nextFloat(0, 100), entry);
};

/**
 * One run: in every step an update, then one packet sent (its number is its only byte) while there are some left, then everything
 * received. It goes on until nothing can be under way any more.
 */
export const replaySimulatorRun: CaseReplayer = objectCase((fields) => {
  fields.describe('note');
  const latencyMilliseconds = fields.number('latencyMs');
  const jitterMilliseconds = fields.number('jitterMs');
  const simulator = new NetworkSimulator({
    latencyMilliseconds,
    jitterMilliseconds,
    packetLossPercent: fields.number('lossPercent'),
    duplicatePacketPercent: fields.number('duplicatePercent'),
  });
  const packetsSent = fields.number('packetsSent');
  const step = fields.number('updateStepSeconds');
  const stillUnderWay = (latencyMilliseconds + jitterMilliseconds) / 1000 + DUPLICATE_SECONDS;
  const steps = packetsSent + Math.ceil(stillUnderWay / step) + 1;
  const deliveries: { readonly time: number; readonly packets: readonly number[] }[] = [];
  for (let i = 0; i < steps; i++) {
    const time = i * step;
    simulator.update(time);
    if (i < packetsSent) simulator.sendPacket(SENDER, RECEIVER, Uint8Array.of(i));
    const packets = simulator.receivePackets(RECEIVER, RECEIVE_ALL).map(({ bytes }) => {
      expectSame('length of a received packet', bytes.length, 1);
      return bytes[0]!;
    });
    if (packets.length > 0) deliveries.push({ time, packets });
  }
  fields.expectEach('deliveries', deliveries, (expected, actual) => {
    expected.expectNumber('time', actual.time);
    const numbers = expected.list('packets');
    for (const [i, number] of numbers.entries()) expectSame(`${expected.at('packets')}[${i}]`, actual.packets[i], number);
    expectSame(`length of ${expected.at('packets')}`, actual.packets.length, numbers.length);
  });
});

function usedAndReset(): SimulatorRandom {
  const random = new SimulatorRandom();
  random.nextUint64();
  random.reset();
  return random;
}
