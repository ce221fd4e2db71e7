import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import type { Address } from '../src/address.ts';
import { nobleAead } from '../src/aead.ts';
import { NetcodeClient } from '../src/client-machine.ts';
import { generateConnectToken, readConnectToken } from '../src/connect-token.ts';
import { NetcodeError } from '../src/errors.ts';
import { Hooks } from '../src/internal/hooks.ts';
import type { Logger } from '../src/logger.ts';
import { chooseTransport } from '../src/pulled-transport.ts';
import { NetcodeServer } from '../src/server-machine.ts';
import type { ServerOptions } from '../src/server-options.ts';
import { createSodiumAead } from '../src/sodium.ts';
import { codeOf, keyRecorder, wrong } from './support/robustness-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import {
  clientAddress,
  counted,
  mint,
  PRIVATE_KEY,
  PROTOCOL_ID,
  SERVER,
  SERVER_ADDRESS,
  START,
  testBytes,
  UNIX,
} from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const one = Uint8Array.of(1);

describe('a random source that reuses its buffer', () => {
  /** Fills and gives parts of one buffer, and notes what it gave. */
  const reusing = (): { randomBytes: (count: number) => Uint8Array; drawn: number[][]; buffer: Uint8Array } => {
    const buffer = new Uint8Array(64);
    const drawn: number[][] = [];
    const randomBytes = (count: number): Uint8Array => {
      buffer.set(testBytes(count));
      drawn.push([...buffer.subarray(0, count)]);
      return buffer.subarray(0, count);
    };
    return { randomBytes, drawn, buffer };
  };

  test('when a token is minted, then nonce and both keys are the bytes of their own draws', () => {
    const { randomBytes, drawn, buffer } = reusing();
    const bytes = generateConnectToken({ publicAddresses: [SERVER], clientId: 1n, protocolId: 1n, privateKey: PRIVATE_KEY, randomBytes });
    buffer.fill(0);
    const token = readConnectToken(bytes);
    expect([token.nonce, token.clientToServerKey, token.serverToClientKey].map((field) => [...field])).toEqual(drawn);
    expect(new Set(drawn.map(String)).size).toBe(3);
  });

  test('when a session uses such a token, then both directions work', () => {
    const rig = new ServerRig();
    const client = rig.connected(1, { randomBytes: reusing().randomBytes });
    rig.send(client, client.payload(5));
    expect([rig.server.receive(0)?.data, rig.server.send(0, one), rig.labels(client)]).toEqual([Uint8Array.of(5), true, ['payload#1']]);
  });

  test('when its buffer changes before the challenge key is made, then the key is what was drawn', () => {
    const { randomBytes, drawn, buffer } = reusing();
    const keys = keyRecorder();
    const rig = new ServerRig({ aead: keys.aead, randomBytes, onConnectDisconnect: (_, connected) => !connected && buffer.fill(0) });
    rig.connected(1);
    rig.server.start(1);
    const made = keys.given.map(({ then }) => then.join());
    expect([drawn.length, drawn.map((bytes) => made.filter((key) => key === bytes.join()).length)]).toEqual([2, [1, 1]]);
  });
});

describe('senders that the caller uses again', () => {
  const mutable = (): { type: 'ipv4'; bytes: Uint8Array; port: number; carrier: string } => ({
    type: 'ipv4',
    bytes: Uint8Array.of(10, 2, 0, 0),
    port: 50000,
    carrier: '',
  });
  const addresses = ({ server }: ServerRig): (string | undefined)[] => [0, 1, 2].map((slot) => server.clientAddress(slot)?.bytes.join('.'));

  test('when processPacket is given one sender object for everybody, then each client keeps its own address', () => {
    const rig = new ServerRig();
    const from = mutable();
    const clients = [1, 2].map((id) => rig.raw(id));
    for (const client of clients) {
      from.bytes[3] = client.address.bytes[3]!;
      rig.server.processPacket(from, client.request());
      from.bytes[3] = 99;
      const challenge = rig.answers(client)[0]!;
      from.bytes[3] = client.address.bytes[3]!;
      rig.server.processPacket(from, client.response(challenge));
      from.bytes[3] = 99;
      from.port = 1;
      expect(rig.labels(client)).toEqual(['keepAlive#0']);
      from.port = 50000;
    }
    expect([rig.server.connectedCount, addresses(rig)]).toEqual([2, ['10.2.0.1', '10.2.0.2', undefined]]);
    for (const client of clients) rig.send(client, client.payload(client.address.bytes[3]!));
    expect([rig.server.receive(0)?.data, rig.server.receive(1)?.data]).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
  });

  test('when receivePacket gives one datagram object for everybody, then each client keeps its own address', () => {
    const datagram = { from: mutable(), bytes: new Uint8Array(0) };
    let isWaiting = false;
    const rig: ServerRig = new ServerRig({
      transport: undefined,
      override: {
        sendPacket: (to, bytes) => void rig.transport.send(to, bytes, 0, bytes.length),
        receivePacket: () => {
          if (!isWaiting) return undefined;
          isWaiting = false;
          return datagram;
        },
      },
    });
    const arrive = (id: number, bytes: Uint8Array): void => {
      Object.assign(datagram, { bytes });
      datagram.from.bytes[3] = id;
      isWaiting = true;
      rig.at();
      datagram.from.bytes[3] = 99;
    };
    for (const id of [1, 2]) {
      const client = rig.raw(id);
      arrive(id, client.request());
      arrive(id, client.response(rig.answers(client)[0]!));
      expect(rig.labels(client)).toEqual(['keepAlive#0']);
    }
    expect([rig.server.connectedCount, addresses(rig)]).toEqual([2, ['10.2.0.1', '10.2.0.2', undefined]]);
  });
});

const ip = { type: 'ipv4', bytes: Uint8Array.of(10, 2, 0, 1), port: 50000, carrier: '' };
/** What is no sender. */
const NO_SENDERS: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'a text': '10.2.0.1:50000',
  'a number': 7,
  'a symbol': Symbol('from'),
  'an empty object': {},
  'an object without a prototype': Object.create(null) as unknown,
  'an address without bytes': { ...ip, bytes: undefined },
  'an address of 0 bytes': { ...ip, bytes: new Uint8Array(0) },
  'an address with an array of numbers': { ...ip, bytes: [10, 2, 0, 1] },
  'an IPv4 address of 16 bytes': { ...ip, bytes: new Uint8Array(16) },
  'an IPv6 address of 4 bytes': { ...ip, type: 'ipv6' },
  'an IPv6 address of 0 bytes': { ...ip, type: 'ipv6', bytes: new Uint8Array(0) },
  'a carrier address of 4 bytes': { type: 'carrier', bytes: new Uint8Array(4), port: 0, carrier: 'ws' },
  'a type that there is not': { ...ip, type: 'bogus' },
  'the name of a method as type': { ...ip, type: 'constructor' },
  'a symbol as type': { ...ip, type: Symbol('ipv4') },
  'no port': { ...ip, port: undefined },
  'a port as text': { ...ip, port: '50000' },
  'port 70000': { ...ip, port: 70_000 },
  'port -1': { ...ip, port: -1 },
  'port 1.5': { ...ip, port: 1.5 },
  'port NaN': { ...ip, port: NaN },
  'no carrier': { ...ip, carrier: undefined },
};

describe('a sender that is no address', () => {
  test.each(Object.keys(NO_SENDERS))(
    'when processPacket of a server is given %s, then INVALID_OPTION is thrown before anything changes',
    (name) => {
      for (const logger of [{}, { debug: () => undefined }]) {
        let reads = 0;
        const rig = new ServerRig({ logger, unixSeconds: () => (reads++, UNIX) });
        const client = rig.connected(1);
        const before = reads;
        for (const bytes of [client.payload(1), new Uint8Array(40).fill(0x15), rig.raw(2).request(), new Uint8Array(0)]) {
          expect(codeOf(() => rig.server.processPacket(wrong(NO_SENDERS[name]), bytes))).toBe('INVALID_OPTION');
        }
        expect([reads - before, counted(rig.server.counters), rig.server.receive(0), rig.transport.take()]).toEqual([0, {}, undefined, []]);
        rig.send(client, client.payload(7));
        expect(rig.server.receive(0)?.data).toEqual(Uint8Array.of(7));
      }
    },
  );

  test.each(Object.keys(NO_SENDERS))(
    'when processPacket of a client is given %s, then INVALID_OPTION is thrown before anything changes',
    (name) => {
      for (const logger of [{}, { debug: () => undefined }]) {
        const rig = new ClientRig({ logger });
        rig.establish();
        for (const bytes of [new Uint8Array(40).fill(0x15), new Uint8Array(0)]) {
          expect(codeOf(() => rig.client.processPacket(wrong(NO_SENDERS[name]), bytes))).toBe('INVALID_OPTION');
        }
        expect([counted(rig.client.counters), rig.client.receive(), rig.client.state]).toEqual([{}, undefined, 'connected']);
      }
    },
  );

  test('when there is no datagram, then INVALID_OPTION is thrown', () => {
    const rig = new ServerRig();
    for (const bytes of [undefined, null, 'text', [0, 1, 2], new ArrayBuffer(30), new Uint16Array(4)]) {
      expect(codeOf(() => rig.server.processPacket(clientAddress(1), wrong(bytes)))).toBe('INVALID_OPTION');
    }
    expect(counted(rig.server.counters)).toEqual({});
  });
});

const packet = new Uint8Array(30).fill(0x15);
/** What is no datagram. */
const NO_DATAGRAMS: Readonly<Record<string, unknown>> = {
  null: null,
  'a text': 'datagram',
  'a number': 1,
  'an empty object': {},
  'no sender': { bytes: packet },
  'no bytes': { from: clientAddress(1) },
  'bytes as text': { from: clientAddress(1), bytes: 'hello hello hello hello' },
  'bytes as an array of numbers': { from: clientAddress(1), bytes: [...packet] },
  ...Object.fromEntries(Object.entries(NO_SENDERS).map(([name, from]) => [`${name} as sender`, { from, bytes: packet }])),
};

describe('a packet function that gives no datagram', () => {
  test.each(Object.keys(NO_DATAGRAMS))('when it gives %s, then that is reported and counted, and the round ends', (name) => {
    const reports: string[] = [];
    const waiting = [NO_DATAGRAMS[name], { from: clientAddress(2), bytes: packet }, undefined];
    let calls = 0;
    const hooks = new Hooks(undefined, (error, source) => reports.push(`${source}: ${error instanceof Error}`));
    const override = {
      sendPacket: () => undefined,
      receivePacket: () => {
        calls++;
        return wrong(waiting.shift());
      },
    };
    const transport = chooseTransport({ time: START, override }, SERVER_ADDRESS, 8, hooks);
    const got: Address[] = [];
    transport.poll((from) => void got.push(from));
    expect([calls, got, reports]).toEqual([1, [], ['override.receivePacket: true']]);
    expect(transport.stats).toMatchObject({ receiveErrors: 1, datagramsReceived: 0 });
    transport.poll((from) => void got.push(from));
    expect([calls, got]).toEqual([3, [clientAddress(2)]]);
    expect(transport.stats).toMatchObject({ receiveErrors: 1, datagramsReceived: 1 });
  });

  test.each(Object.keys(NO_DATAGRAMS))('when it gives %s, then update of client and server ends well', (name) => {
    const reports: string[] = [];
    let value = NO_DATAGRAMS[name];
    const override = {
      sendPacket: () => undefined,
      receivePacket: () => {
        const given = value;
        value = undefined;
        return wrong(given);
      },
    };
    const options = { transport: undefined, override, onError: (_: unknown, source: string) => void reports.push(source) };
    const server = new ServerRig(options);
    expect(codeOf(() => server.at(1))).toBe('nothing');
    value = NO_DATAGRAMS[name];
    const client = new ClientRig(options);
    expect(codeOf(() => client.at(1))).toBe('nothing');
    expect([reports, counted(server.server.counters), counted(client.client.counters)]).toEqual([
      ['override.receivePacket', 'override.receivePacket'],
      {},
      {},
    ]);
  });
});

describe('options of the wrong form', () => {
  const NONE: readonly unknown[] = [undefined, null];
  const functions: Readonly<Record<string, (options: never) => unknown>> = {
    NetcodeServer: (options) => new NetcodeServer(options),
    NetcodeClient: (options) => new NetcodeClient(options),
    generateConnectToken,
  };
  test.each(Object.keys(functions))('when %s is given no options, then INVALID_OPTION is thrown', (name) => {
    expect([...NONE, 7, 'text', Symbol('options')].map((none) => codeOf(() => functions[name]!(wrong(none))))).toEqual(
      new Array(5).fill('INVALID_OPTION'),
    );
  });

  const identity = { time: START, address: SERVER, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY };
  const WAYS: readonly (readonly [string, object, string])[] = [
    ['transport: {}', { transport: {} }, 'INVALID_OPTION'],
    ['transport: null', { transport: null }, 'INVALID_OPTION'],
    ['transport: 7', { transport: 7 }, 'INVALID_OPTION'],
    ['simulator: {}', { simulator: {} }, 'INVALID_OPTION'],
    ['simulator: null', { simulator: null }, 'INVALID_OPTION'],
    ['simulator: text', { simulator: 'simulator' }, 'INVALID_OPTION'],
    ['override: {}', { override: {} }, 'MISSING_OVERRIDE_CALLBACK'],
    ['override without receivePacket', { override: { sendPacket: () => undefined } }, 'MISSING_OVERRIDE_CALLBACK'],
    [
      'override with a text for a function',
      { override: { sendPacket: 'send', receivePacket: () => undefined } },
      'MISSING_OVERRIDE_CALLBACK',
    ],
    ['no way at all', {}, 'INVALID_OPTION'],
  ];
  test.each(WAYS)('when the way for datagrams is %s, then an error of the package says so', (_, way, code) => {
    expect(codeOf(() => new NetcodeServer(wrong({ ...identity, ...way })))).toBe(code);
    expect(codeOf(() => new NetcodeClient(wrong({ ...identity, ...way })))).toBe(code);
  });

  test.each([
    ['null', null],
    ['7', 7],
    ['text', 'override'],
  ] as const)('when the override is %s, then an error of the package says so', (_, override) => {
    const codes = [
      codeOf(() => new NetcodeServer(wrong({ ...identity, override }))),
      codeOf(() => new NetcodeClient(wrong({ ...identity, override }))),
    ];
    for (const code of codes) expect(['INVALID_OPTION', 'MISSING_OVERRIDE_CALLBACK']).toContain(code);
  });
});

describe('slots and offsets of the wrong type', () => {
  const SLOTS: readonly unknown[] = [
    'length',
    '0',
    '',
    [0],
    [],
    {},
    null,
    undefined,
    true,
    0n,
    NaN,
    -1,
    0.5,
    4,
    Infinity,
    Symbol('0'),
    'at',
    '__proto__',
  ];

  test('when a slot is no slot number, then accessors answer neutrally and actions do nothing', () => {
    const rig = new ServerRig();
    const client = rig.connected(1, { userData: new Uint8Array(256).fill(1) });
    rig.send(client, client.payload(1));
    const { server } = rig;
    for (const value of SLOTS) {
      const slot = wrong(value);
      const answers = [
        server.isConnected(slot),
        server.isLoopback(slot),
        server.clientId(slot),
        server.clientAddress(slot),
        server.userData(slot),
        server.disconnectReason(slot),
        server.nextSequence(slot),
        server.send(slot, one),
        server.receive(slot),
        server.receiveInto(slot, new Uint8Array(1200)),
      ];
      expect(answers).toEqual([false, false, 0n, undefined, undefined, 'none', 0n, false, undefined, 0]);
      server.disconnectClient(slot);
      server.connectLoopbackClient(slot, 7n);
      server.disconnectLoopbackClient(slot);
      server.processLoopbackPacket(slot, one, 0n);
    }
    expect([rig.events, server.connectedCount, server.maxClients, rig.transport.take()]).toEqual([['+0'], 1, 4, []]);
    expect([server.receive(0)?.data, server.userData(0)]).toEqual([one, new Uint8Array(256).fill(1)]);
  });

  test('when send is given an offset or length of the wrong type, then an error of the package is thrown and nothing is sent', () => {
    const rig = new ServerRig();
    rig.connected(1);
    const client = new ClientRig();
    client.establish();
    for (const value of [Symbol('offset'), '0', 0n, {}, [], null, NaN, Infinity, 0.5, -1, true]) {
      const calls = [
        () => rig.server.send(0, one, wrong(value)),
        () => rig.server.send(0, one, wrong(value), 1),
        () => client.client.send(one, wrong(value)),
        () => client.client.send(one, wrong(value), 1),
      ];
      for (const call of calls) expect(['INVALID_OPTION', 'PAYLOAD_SIZE']).toContain(codeOf(call));
      if (value === null) continue;
      expect(codeOf(() => rig.server.send(0, one, 0, wrong(value)))).toBe('PAYLOAD_SIZE');
      expect(codeOf(() => client.client.send(one, 0, wrong(value)))).toBe('PAYLOAD_SIZE');
    }
    expect([rig.transport.take(), client.sent(), rig.server.nextSequence(0)]).toEqual([[], [], 1n]);
  });
});

describe('what errors show and what is an error', () => {
  test('when a key is given as a bigint or a number, then no message shows it', async () => {
    const sodium = await createSodiumAead();
    const key = 0xdeadbeefcafebabe_0123456789abcdefn;
    const token = { publicAddresses: [SERVER], clientId: 1n, protocolId: 1n };
    const calls: ((given: never) => unknown)[] = [
      (privateKey) => new ServerRig({ privateKey }, 0),
      (previousPrivateKey) => new ServerRig({ previousPrivateKey }, 0),
      (privateKey) => generateConnectToken({ ...token, privateKey }),
      (bytes) => nobleAead.createKey(bytes),
      (bytes) => sodium.createKey(bytes),
    ];
    for (const call of calls) {
      for (const given of [key, 123_456_789]) {
        let thrown: unknown;
        try {
          call(wrong(given));
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toMatchObject({ code: 'INVALID_KEY' });
        const { message } = thrown as Error;
        for (const text of [given.toString(), given.toString(16)]) expect(message).not.toContain(text);
      }
    }
  });

  test('when an error comes from another realm, then NetcodeError.is knows it', () => {
    const other: unknown = runInNewContext(
      `class NetcodeError extends Error { name = 'NetcodeError'; kind = 'closed'; code = 'CLOSED'; }; new NetcodeError('text')`,
    );
    expect([other instanceof Error, NetcodeError.is(other)]).toEqual([false, true]);
  });

  test('when an object throws as it is looked at, or is no error, then NetcodeError.is says no', () => {
    const trap = (): never => {
      throw new Error('trap');
    };
    const others: unknown[] = [
      Object.defineProperty({ kind: 'closed', code: 'CLOSED' }, 'name', { get: trap }),
      new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap }),
      Object.create(null),
      { name: 'NetcodeError' },
      new Error('text'),
      null,
      undefined,
      'NetcodeError',
      Symbol('NetcodeError'),
    ];
    expect(others.map((other) => NetcodeError.is(other))).toEqual(others.map(() => false));
  });
});

describe('a logger whose getters throw', () => {
  const trap = (): never => {
    throw new Error('getter');
  };
  const makers: Readonly<Record<string, () => Logger>> = {
    'a proxy': () => new Proxy({}, { get: trap }),
    'an object with getters': () =>
      Object.defineProperties({}, Object.fromEntries(['error', 'warn', 'info', 'debug'].map((level) => [level, { get: trap }]))),
  };

  test.each(Object.keys(makers))('when the logger is %s, then a server serves and onError is told once', (name) => {
    const reports: string[] = [];
    const options: Partial<ServerOptions> = {
      logger: makers[name]!(),
      onError: (error, source) => reports.push(`${source}: ${(error as Error).message}`),
    };
    const rig = new ServerRig(options);
    const client = rig.connected(1);
    rig.deliver(parseAddress('1.1.1.1:1'), new Uint8Array(30)).send(client, client.payload(1)).at(2);
    expect([rig.server.receive(0)?.data, reports]).toEqual([one, ['logger: getter']]);
    rig.server.close();
    expect(rig.events).toEqual(['+0', '-0']);
  });

  test.each(Object.keys(makers))('when the logger is %s, then a client connects and onError is told once', (name) => {
    const reports: string[] = [];
    const rig = new ClientRig({
      logger: makers[name]!(),
      onError: (error, source) => reports.push(`${source}: ${(error as Error).message}`),
    });
    rig.establish(mint()).payload(1).at(0.2);
    expect([rig.client.state, rig.client.receive()?.data, reports]).toEqual(['connected', one, ['logger: getter']]);
    rig.client.close();
  });

  test.each(Object.keys(makers))('when the logger is %s and there is no onError, then nothing escapes', (name) => {
    const rig = new ServerRig({ logger: makers[name]!() });
    rig.connected(1);
    expect(codeOf(() => rig.at(10))).toBe('nothing');
    expect(codeOf(() => rig.server.close())).toBe('nothing');
  });
});
