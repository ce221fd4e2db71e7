import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { NetcodeError } from '../src/errors.ts';
import type { NetcodeServer } from '../src/server-machine.ts';
import type { Datagram } from '../src/simulator.ts';
import { clientAddress, counted, ignoredCount, openAtClient, PRIVATE_KEY, SERVER, START, testBytes, UNIX } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const wrong = (value: unknown) => value as never;

const one = Uint8Array.of(1);

function kindOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return NetcodeError.is(error) ? error.kind : String(error);
  }
  return 'nothing';
}

describe('inside callbacks', () => {
  test('when update or processPacket is called inside onPayload, then reentrant is thrown and the rest is delivered', () => {
    const kinds: string[] = [];
    const seen: number[] = [];
    const rig: ServerRig = new ServerRig({
      onPayload: (_, bytes, offset) => {
        kinds.push(
          kindOf(() => rig.server.update(START)),
          kindOf(() => rig.server.processPacket(clientAddress(9), new Uint8Array(20))),
        );
        rig.server.send(0, new Uint8Array(1200).fill(0xee));
        seen.push(bytes[offset]!);
      },
    });
    const client = rig.connected(1);
    rig.deliver(client.address, client.payload(4)).deliver(client.address, client.payload(5)).at(0);
    expect([kinds, seen, rig.labels(client)]).toEqual([Array.from({ length: 4 }, () => 'reentrant'), [4, 5], ['payload#1', 'payload#2']]);
    expect(rig.server.receive(0)).toBeUndefined();
  });

  const endings: [string, (server: NetcodeServer) => void, object][] = [
    ['disconnectClient', (server) => server.disconnectClient(0), { 'no-read-key': 1 }],
    ['stop', (server) => server.stop(), { 'not-running': 2 }],
    ['start', (server) => server.start(2), { 'no-read-key': 2 }],
    ['close', (server) => server.close(), {}],
  ];
  test.each(endings)('when %s is called inside onPayload, then one disconnect is told and update ends well', (_, act, counters) => {
    let isFirst = true;
    const rig: ServerRig = new ServerRig({
      onPayload: () => {
        if (isFirst) act(rig.server);
        isFirst = false;
      },
    });
    const [a, b] = [rig.connected(1), rig.connected(2)];
    rig.deliver(a.address, a.payload(1)).deliver(a.address, a.payload(2)).deliver(b.address, b.payload(3)).at(0);
    expect(rig.events.filter((event) => event === '-0').length).toBe(1);
    expect([counted(rig.server.counters), rig.server.isRunning]).toEqual([counters, !['stop', 'close'].includes(_)]);
  });

  test.each(endings.slice(0, 3))(
    'when %s is called inside the connect callback, then the session has ended when update returns',
    (_, act) => {
      const rig: ServerRig = new ServerRig({ onConnectDisconnect: (_slot, connected) => connected && act(rig.server) });
      rig.connected(1);
      expect([rig.events, rig.server.connectedCount]).toEqual([['+0', '-0'], 0]);
    },
  );

  test.each([
    ...endings.map(([name, act]) => [name, act] as const),
    ['disconnectAllClients', (server: NetcodeServer) => server.disconnectAllClients()] as const,
  ])('when %s is called inside the disconnect callback, then each client is told once and counts stay right', (name, act) => {
    for (const trigger of ['kick', 'time-out', 'leave', 'stop'] as const) {
      let isFirst = true;
      const rig: ServerRig = new ServerRig({
        onConnectDisconnect: (_, connected) => {
          if (!connected && isFirst) {
            isFirst = false;
            act(rig.server);
          }
        },
      });
      const client = rig.connected(1);
      rig.connected(2);
      if (trigger === 'kick') rig.server.disconnectClient(0);
      else if (trigger === 'leave') rig.send(client, client.disconnect());
      else if (trigger === 'time-out') rig.at(6);
      else rig.server.stop();
      const everybody = name !== 'disconnectClient' || trigger === 'stop' || trigger === 'time-out';
      expect([...rig.events].sort()).toEqual(everybody ? ['+0', '+1', '-0', '-1'] : ['+0', '+1', '-0']);
      expect(rig.server.connectedCount).toBe(everybody ? 0 : 1);
      if (name === 'close') expect([rig.server.isRunning, rig.transport.closes]).toEqual([false, 1]);
      if (trigger === 'stop') expect(rig.server.isRunning).toBe(false);
    }
  });

  test('when close is called inside a disconnect callback of start, then the server stays closed', () => {
    const rig: ServerRig = new ServerRig({ onConnectDisconnect: (_, connected) => !connected && rig.server.close() });
    rig.connected(1);
    kindOf(() => rig.server.start(2));
    expect([rig.server.isRunning, rig.server.maxClients, rig.transport.closes]).toEqual([false, 0, 1]);
    expect(kindOf(() => rig.server.update(START))).toBe('closed');
  });

  test('when close is called inside a disconnect callback of close, then the transport is closed once', () => {
    const rig: ServerRig = new ServerRig({ onConnectDisconnect: (_, connected) => !connected && rig.server.close() });
    rig.connected(1);
    rig.server.close();
    expect([rig.transport.closes, rig.events]).toEqual([1, ['+0', '-0']]);
  });

  test('when the slot is asked for inside its disconnect callback, then it is not free yet; afterwards it is', () => {
    const rig: ServerRig = new ServerRig({
      onConnectDisconnect: (slot, connected) => {
        if (!connected) rig.server.connectLoopbackClient(slot, 50n);
      },
    });
    rig.connected(1);
    rig.server.disconnectClient(0);
    expect([rig.server.isConnected(0), rig.events]).toEqual([false, ['+0', '-0']]);
  });

  test('when update is called inside the disconnect callback, then nothing is told twice', () => {
    const rig: ServerRig = new ServerRig({ onConnectDisconnect: (_, connected) => !connected && rig.at(rig.time) });
    const client = rig.connected(1);
    rig
      .deliver(client.address, client.disconnect())
      .deliver(client.address, client.payload(1))
      .deliver(client.address, client.disconnect())
      .at(0);
    expect([rig.events, rig.server.connectedCount, rig.server.isConnected(0)]).toEqual([['+0', '-0'], 0, false]);
  });
});

describe('hooks', () => {
  test('when every hook throws, then each source is reported once and clients are served', () => {
    const fail = (text: string) => () => {
      throw new Error(text);
    };
    const reports: string[] = [];
    const rig = new ServerRig({
      logger: { error: fail('log'), info: fail('log'), debug: fail('log') },
      onConnectDisconnect: fail('connect'),
      onPayload: fail('payload'),
      sendLoopbackPacket: fail('loopback'),
      onError: (error, source) => reports.push(`${source}: ${(error as Error).message}`),
    });
    for (const id of [1, 2, 3]) {
      const client = rig.connected(id);
      rig.send(client, client.payload(1));
    }
    rig.server.connectLoopbackClient(3, 9n);
    expect([rig.server.send(3, one), rig.server.send(3, one)]).toEqual([true, true]);
    rig.unix = wrong('later');
    rig.at(0.2).at(0.3);
    rig.server.stop();
    expect(reports).toEqual([
      'logger: log',
      'onConnectDisconnect: connect',
      'onPayload: payload',
      'loopback'.replace('loopback', 'sendLoopbackPacket: loopback'),
      expect.stringMatching(/^unixSeconds: /) as string,
    ]);
    expect(counted(rig.server.counters)).toEqual({});
    expect(rig.events.length).toBe(8);
  });

  test('when there is no onError, then logger.error is told, once per source', () => {
    const errors: string[] = [];
    const rig = new ServerRig({
      logger: { error: (text) => errors.push(text) },
      onPayload: () => {
        throw new Error('no');
      },
    });
    const client = rig.connected(1);
    for (let i = 0; i < 3; i++) rig.send(client, client.payload(1));
    expect(errors.map((text) => text.split('\n')[0])).toEqual(['onPayload threw: Error: no']);
  });

  test('when the wall clock is read, then once per update and once per processPacket, whatever the number of datagrams', () => {
    let reads = 0;
    const rig = new ServerRig({ unixSeconds: () => (reads++, UNIX) });
    expect(reads).toBe(1);
    for (let i = 0; i < 5; i++) rig.deliver(clientAddress(i), rig.raw(i).request());
    rig.at(0);
    expect(reads).toBe(2);
    rig.server.processPacket(clientAddress(1), new Uint8Array(30));
    expect(reads).toBe(3);
  });

  test('when packet functions are given, then they are called until nothing is left, and what they throw is reported and counted', () => {
    const waiting: Datagram[] = [];
    const sent: Uint8Array[] = [];
    const reports: string[] = [];
    let isBroken = false;
    const rig = new ServerRig({
      transport: undefined,
      override: {
        sendPacket: (_, bytes) => {
          if (isBroken) throw new Error('send');
          sent.push(bytes.slice());
        },
        receivePacket: () => {
          if (isBroken) throw new Error('receive');
          return waiting.shift();
        },
      },
      onError: (_, source) => reports.push(source),
    });
    const client = rig.raw(1);
    waiting.push({ from: client.address, bytes: new Uint8Array(0) }, { from: client.address, bytes: client.request() });
    rig.at(0);
    waiting.push({ from: parseAddress('[::ffff:10.2.0.1]:50000'), bytes: client.response(openAtClient(client.minted, sent[0]!)) });
    rig.at(0);
    expect([rig.server.clientAddress(0), ignoredCount(rig.server.counters)]).toEqual([client.address, 0]);
    isBroken = true;
    rig.at(0.2);
    expect([reports, rig.server.isConnected(0)]).toEqual([['override.receivePacket', 'override.sendPacket'], true]);
    expect(rig.at(5).server.isConnected(0)).toBe(false);
  });

  test('when a client has been silent for 1 s or more, then every update says so, at debug level', () => {
    const lines: string[] = [];
    const rig = new ServerRig({ logger: { debug: (text) => lines.push(text) } });
    rig.connected(1);
    lines.length = 0;
    rig.at(0.9);
    expect(lines).toEqual([]);
    rig.at(1).at(1.1);
    expect(lines.length).toBe(2);
  });

  test('when a session runs, then per-packet lines are debug only, and no line or dump shows a secret', () => {
    const lines: Record<'error' | 'info' | 'debug', string[]> = { error: [], info: [], debug: [] };
    const drawn: Uint8Array[] = [];
    const rig = new ServerRig({
      logger: { error: (t) => lines.error.push(t), info: (t) => lines.info.push(t), debug: (t) => lines.debug.push(t) },
      randomBytes: (count) => {
        const bytes = testBytes(count);
        drawn.push(bytes.slice());
        return bytes;
      },
    });
    const client = rig.connected(0xabc, { userData: new Uint8Array(256).fill(0xaa), expireSeconds: 3600 });
    rig.connected(2, { expireSeconds: 3600 });
    for (let i = 0; i < 20; i++) rig.deliver(clientAddress(9), new Uint8Array(40).fill(0x15));
    rig.at(0);
    const dumps = [inspect(rig.server, { depth: Infinity, showHidden: true }), JSON.stringify(rig.server)];
    rig.server.disconnectClient(1);
    rig.at(6);
    rig.server.stop();
    expect(lines.error).toEqual([]);
    expect(lines.info).toEqual([
      `server started as ${SERVER} with 4 slots`,
      expect.stringMatching(/maxConnectTokenLifetimeSeconds/) as string,
      'server accepted client 10.2.10.188:50000 0000000000000abc in slot 0',
      'server accepted client 10.2.0.2:50000 0000000000000002 in slot 1',
      'server disconnected client 0000000000000002 in slot 1: serverDisconnect',
      'server disconnected client 0000000000000abc in slot 0: timedOut',
      'server stopped',
    ]);
    expect(lines.debug.filter((line) => line === 'server ignored a datagram from 10.2.0.9:50000: no-read-key').length).toBe(20);
    expect(lines.debug.filter((line) => line.includes('challenge')).length).toBe(2);
    const text = [...lines.info, ...lines.debug, ...dumps].join('\n');
    const { token } = client.minted;
    for (const secret of [PRIVATE_KEY, ...drawn, token.clientToServerKey, token.serverToClientKey, new Uint8Array(8).fill(0xaa)]) {
      const run = secret.subarray(0, 8);
      for (const form of [
        Buffer.from(run).toString('hex'),
        Buffer.from(run).toString('base64').slice(0, 10),
        run.join(','),
        run.join(', '),
      ])
        expect(text).not.toContain(form);
    }
  });
});
