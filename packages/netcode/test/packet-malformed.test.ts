import { SeededRandom } from '@x/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import type { Address } from '../src/address.ts';
import { NetcodeClient } from '../src/client-machine.ts';
import { generateConnectToken } from '../src/connect-token.ts';
import type { NetcodeCounters } from '../src/counters.ts';
import { readPacket } from '../src/packet-codec.ts';
import { ReplayWindow } from '../src/replay-window.ts';
import { NetcodeServer } from '../src/server-machine.ts';
import { NetworkSimulator } from '../src/simulator.ts';
import { mintOptions, NOW, PRIVATE_KEY, PROTOCOL_ID, SESSION_KEY } from './support/codec-samples.ts';

const SERVER = '10.0.0.1:40000';
const CLIENT = parseAddress('10.0.0.2:50000');
const STRANGER = parseAddress('10.0.0.3:50000');

/** Lengths 0, 1, 2, 17, 18 with every first byte, then three of about the length of a request. */
function shapes(): Uint8Array[] {
  const random = new SeededRandom(23);
  const short = [1, 2, 17, 18].flatMap((length) =>
    Array.from({ length: 256 }, (_, prefix) => {
      const bytes = random.bytes(length);
      bytes[0] = prefix;
      return bytes;
    }),
  );
  return [new Uint8Array(0), ...short, ...[1077, 1078, 1079].map((length) => new Uint8Array(length))];
}

function total(counters: NetcodeCounters): number {
  return Object.values(counters).reduce((sum, count) => sum + count, 0);
}

describe('FF-23: malformed datagrams of every short shape', () => {
  test('when a reader gets them, with or without keys, then each is refused and the window stays', () => {
    for (const side of ['server', 'client'] as const) {
      for (const keys of [{ readKey: SESSION_KEY, privateKey: PRIVATE_KEY }, {}]) {
        const window = new ReplayWindow();
        for (const bytes of shapes()) {
          expect(readPacket(bytes, { side, protocolId: PROTOCOL_ID, unixSeconds: NOW, window, ...keys })).toHaveProperty('refused');
        }
        expect(window.mostRecent).toBe(0n);
      }
    }
  });

  describe('against a server with a connected client', () => {
    let simulator: NetworkSimulator;
    let server: NetcodeServer;
    let client: NetcodeClient;
    let time: number;

    function tick(): void {
      time += 0.05;
      simulator.update(time);
      client.update(time);
      server.update(time);
    }

    beforeEach(() => {
      simulator = new NetworkSimulator();
      time = 0;
      const common = { time, simulator, unixSeconds: () => NOW };
      server = new NetcodeServer({ ...common, address: SERVER, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY });
      server.start(2);
      client = new NetcodeClient({ ...common, address: '10.0.0.2:50000' });
      client.connect(generateConnectToken(mintOptions({ publicAddresses: [SERVER] })));
      for (let i = 0; i < 20; i++) tick();
      expect([client.state, server.isConnected(0)]).toEqual(['connected', true]);
    });

    test.each<[string, Address]>([
      ['an unknown address', STRANGER],
      ['the address of the connected client', CLIENT],
    ])('when they come from %s, then each is counted once, nothing is answered and the client is undisturbed', (_, from) => {
      const before = total(server.counters);
      const sequence = server.nextSequence(0);
      for (const bytes of shapes()) {
        const copy = bytes.slice();
        const counted = total(server.counters);
        server.processPacket(from, bytes);
        expect(total(server.counters)).toBe(counted + 1);
        expect(bytes).toEqual(copy);
      }
      expect(total(server.counters)).toBe(before + shapes().length);
      expect([server.counters['request-length'] > 0, server.counters['request-version']]).toEqual([true, 1]);
      expect(server.counters['sequence-bytes'] > 0).toBe(from === CLIENT);
      expect([server.connectedCount, server.nextSequence(0)]).toEqual([1, sequence]);
      simulator.update(time + 0.01);
      expect(simulator.receivePackets(STRANGER, 10)).toEqual([]);
      client.send(Uint8Array.of(42));
      for (let i = 0; i < 4; i++) tick();
      expect(client.state).toBe('connected');
      expect(server.receive(0)?.data).toEqual(Uint8Array.of(42));
    });

    test('when they come to the client from its server, then each is counted once and it stays connected', () => {
      const from = parseAddress(SERVER);
      for (const bytes of shapes()) {
        const counted = total(client.counters);
        client.processPacket(from, bytes);
        expect(total(client.counters)).toBe(counted + 1);
      }
      for (let i = 0; i < 4; i++) tick();
      expect(client.state).toBe('connected');
    });
  });
});
