import { afterEach, describe, expect, test } from 'vitest';
import { NetcodeError, parseAddress } from '../../src/index.ts';
import type { Logger } from '../../src/index.ts';
import { createClientOn, createServerOn } from '../../src/node/create.ts';
import { createClient, createServer } from '../../src/node/index.ts';
import type { UdpOptions } from '../../src/node/index.ts';
import { bindFakes } from '../support/node-bind.ts';
import type { FakeSocket } from '../support/node-fake-socket.ts';
import { fakeSockets } from '../support/node-fake-socket.ts';
import { Closer, PRIVATE_KEY, PROTOCOL_ID, turn } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

const IDENTITY = { address: '127.0.0.1:40000', protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY };
const PEER = parseAddress('10.0.0.1:5');

/** From now on the system takes nothing: every send waits in the socket's queue. */
function clog(socket: FakeSocket): void {
  socket.onSend = () => {
    socket.queueCount++;
  };
}

/** The system takes what waits. */
function unclog(socket: FakeSocket): void {
  socket.onSend = () => undefined;
  socket.queueCount = 0;
  for (const done of socket.pending.splice(0)) done(null);
}

describe('a system that takes no more', () => {
  const bind = async (options: UdpOptions = {}) => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0', '[::1]:0'], options);
    closer.add({
      close: () => {
        sockets.forEach(unclog);
        transport.close();
      },
    });
    return { transport, ipv4: sockets[0]!, ipv6: sockets[1]! };
  };

  test('when 256 sends wait, then further ones return false, are counted and leave no copy', async () => {
    const lines: string[] = [];
    const { transport, ipv4 } = await bind({ logger: { warn: (line) => lines.push(line) } });
    clog(ipv4);
    const bytes = new Uint8Array(1200);
    const results = Array.from({ length: 1000 }, () => transport.send(PEER, bytes, 0, 1200));
    expect([results.indexOf(false), results.filter(Boolean).length, ipv4.sent.length]).toEqual([256, 256, 256]);
    expect(transport.stats).toMatchObject({ datagramsSent: 256, bytesSent: 256 * 1200, sendErrors: 744 });
    expect(lines.length).toBe(1);
  });

  test('when the system takes some again, then sends are accepted again, up to the limit', async () => {
    const { transport, ipv4 } = await bind();
    clog(ipv4);
    for (let i = 0; i < 300; i++) transport.send(PEER, Uint8Array.of(1), 0, 1);
    ipv4.queueCount -= 10;
    const results = Array.from({ length: 20 }, () => transport.send(PEER, Uint8Array.of(2), 0, 1));
    expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i < 10));
    unclog(ipv4);
    expect(Array.from({ length: 300 }, () => transport.send(PEER, Uint8Array.of(3), 0, 1))).not.toContain(false);
    expect(transport.stats).toMatchObject({ datagramsSent: 566, sendErrors: 54 });
  });

  test('when one family waits, then the other one still sends', async () => {
    const { transport, ipv4, ipv6 } = await bind();
    clog(ipv4);
    for (let i = 0; i < 300; i++) transport.send(PEER, Uint8Array.of(1), 0, 1);
    expect([transport.send(PEER, Uint8Array.of(1), 0, 1), transport.send(parseAddress('[fd00::1]:5'), Uint8Array.of(6), 0, 1)]).toEqual([
      false,
      true,
    ]);
    expect(ipv6.sent.map(({ bytes }) => bytes[0])).toEqual([6]);
  });
});

describe('datagrams that are too long for a packet', () => {
  test('when they wait for poll, then 1301 bytes of each are kept, in memory of that length', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0']);
    closer.add(transport);
    const lengths = [1299, 1300, 1301, 1302, 9000, 65_507];
    for (const length of lengths) sockets[0]!.receive(new Uint8Array(length).fill(length & 0xff), '10.0.0.1', 5);
    const got: [number, number, number, number][] = [];
    transport.poll((_, bytes, offset, length) => got.push([length, bytes[offset]!, bytes[offset + length - 1]!, bytes.buffer.byteLength]));
    expect(got).toEqual(
      lengths.map((length) => {
        const kept = Math.min(length, 1301);
        return [kept, length & 0xff, length & 0xff, kept];
      }),
    );
    const total = lengths.reduce((sum, length) => sum + length, 0);
    expect(transport.stats).toMatchObject({ datagramsReceived: 6, bytesReceived: total, dropped: 0, receiveErrors: 0 });
  });

  test('when they reach a server and a client, then they count as too long', async () => {
    const { sockets, createSocket } = fakeSockets();
    const server = closer.add(await createServerOn({ ...IDENTITY, time: 0 }, createSocket));
    const client = closer.add(await createClientOn({ address: '127.0.0.1:0', time: 0 }, createSocket));
    server.start(1);
    for (const socket of sockets)
      for (const length of [1300, 1301, 65_507]) socket.receive(new Uint8Array(length).fill(0x15), '10.0.0.1', 5);
    server.update(1);
    client.update(1);
    expect([server.counters['too-long'], server.counters['no-read-key']]).toEqual([2, 1]);
    expect([client.counters['too-long'], client.counters['no-read-key']]).toEqual([2, 1]);
  });
});

describe('errors of hooks that the transport calls', () => {
  /** Throws at the lines that the transport writes. */
  const brokenLogger = (): Logger => ({
    info: (line) => {
      if (line.startsWith('udp')) throw new Error('disk full');
    },
    warn: () => {
      throw new Error('disk full');
    },
  });
  const shrink = (socket: FakeSocket): void => {
    socket.largestBuffer = 1 << 20;
  };
  const makers = {
    createServer: (options: Partial<UdpOptions>, onError: (error: unknown, source: string) => void) =>
      createServerOn({ ...IDENTITY, ...options, onError, time: 0 }, fakeSockets(shrink).createSocket),
    createClient: (options: Partial<UdpOptions>, onError: (error: unknown, source: string) => void) =>
      createClientOn({ address: '127.0.0.1:0', ...options, onError, time: 0 }, fakeSockets(shrink).createSocket),
  };

  test.each(['createServer', 'createClient'] as const)('when the logger throws while %s binds, then onError is told once', async (name) => {
    const told: string[] = [];
    const made = await makers[name]({ logger: brokenLogger() }, (error, source) => told.push(`${source}: ${(error as Error).message}`));
    closer.add(made);
    expect(told).toEqual(['logger: disk full']);
    made.update(1);
    await turn();
    expect(told).toEqual(['logger: disk full']);
  });

  test.each(['createServer', 'createClient'] as const)('when onError of %s throws too, then nothing escapes', async (name) => {
    const made = await makers[name]({ logger: brokenLogger() }, () => {
      throw new Error('onError');
    });
    closer.add(made);
    expect(() => made.update(1)).not.toThrow();
  });
});

describe('options of the wrong form', () => {
  const functions: Readonly<Record<string, (options: never) => Promise<unknown>>> = { createServer, createClient };
  test.each(Object.keys(functions))('when %s is given no options, then it rejects with INVALID_OPTION', async (name) => {
    for (const none of [undefined, null, 7, 'text']) {
      const error: unknown = await functions[name]!(none as never).catch((thrown: unknown) => thrown);
      expect([NetcodeError.is(error), (error as Partial<NetcodeError>).code]).toEqual([true, 'INVALID_OPTION']);
    }
  });
});
