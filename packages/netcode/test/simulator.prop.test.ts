import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from '../src/address.ts';
import { NetworkSimulator, SimulatorRandom } from '../src/simulator.ts';
import { propertyOptions } from './support/codec-property.ts';
import { SimulatorTwin } from './twins/simulator-twin.ts';

const ADDRESSES = ['10.0.0.1:5000', '10.0.0.2:5000'].map(parseAddress);

type Step =
  | { do: 'send'; to: number; count: number }
  | { do: 'receive'; to: number; max: number }
  | { do: 'update'; seconds: number }
  | { do: 'set'; latency: number; jitter: number; loss: number; duplicate: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), to: fc.nat(1), count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('receive' as const), to: fc.nat(1), max: fc.constantFrom(1, 3, 64) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), seconds: fc.constantFrom(0, 0.05, 0.1, 0.3, 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      latency: fc.constantFrom(0, 33.3, 250),
      jitter: fc.constantFrom(0, 0.7, 250),
      loss: fc.constantFrom(0, 5, 33.3),
      duplicate: fc.constantFrom(0, 10, 66.6),
    }),
  },
);

test('when packets are sent and taken in any order under any settings, then deliveries are those of the twin', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 80 }), (steps) => {
      const simulator = new NetworkSimulator();
      const twin = new SimulatorTwin();
      let time = 0;
      let made = 0;
      for (const action of steps) {
        if (action.do === 'set') {
          Object.assign(simulator, { latencyMilliseconds: action.latency, jitterMilliseconds: action.jitter });
          Object.assign(simulator, { packetLossPercent: action.loss, duplicatePacketPercent: action.duplicate });
          Object.assign(twin, action);
        } else if (action.do === 'update') {
          time += action.seconds;
          simulator.update(time);
          twin.update(time);
        } else if (action.do === 'receive') {
          const to = ADDRESSES[action.to]!;
          const labels = simulator.receivePackets(to, action.max).map(({ bytes }) => Buffer.from(bytes).toString());
          expect(labels).toEqual(twin.receive(formatAddress(to), action.max));
        } else {
          for (let i = 0; i < action.count; i++) {
            const to = ADDRESSES[action.to]!;
            const label = `packet ${++made}`;
            simulator.sendPacket(ADDRESSES[1 - action.to]!, to, Buffer.from(label));
            twin.send(formatAddress(to), label);
          }
        }
      }
    }),
    propertyOptions(150),
  );
});

test('when floats of any range are drawn, then they are those of the twin and within the range', () => {
  const bound = fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(-1e6), max: Math.fround(1e6) });
  fc.assert(
    fc.property(bound, bound, (a, b) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      const random = new SimulatorRandom();
      const twin = new SimulatorTwin();
      for (let i = 0; i < 20; i++) {
        const drawn = random.nextFloat(from, to);
        expect(drawn).toBe(twin.draw(from, to));
        expect(drawn >= from && drawn <= to).toBe(true);
      }
    }),
    propertyOptions(100),
  );
});
