import { describe, expect, test } from 'vitest';
import { formatAddress } from '../src/address.ts';
import { nobleAead } from '../src/aead.ts';
import { NetcodeError } from '../src/errors.ts';
import { NetcodeServer } from '../src/server-machine.ts';
import type { ServerOptions } from '../src/server-options.ts';
import { clientAddress, FakeTransport, PRIVATE_KEY, PROTOCOL_ID, SERVER, START, testBytes } from './support/session-kit.ts';
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

describe('creation', () => {
  const base = (): ServerOptions => ({
    time: START,
    transport: new FakeTransport(),
    address: SERVER,
    protocolId: PROTOCOL_ID,
    privateKey: PRIVATE_KEY,
  });
  const cases: [string, Partial<ServerOptions>, string][] = [
    ['an address that cannot be read', { address: 'localhost:1' }, 'parseAddressFailed'],
    ['a second one that cannot be read', { address2: '::1::' }, 'parseAddress2Failed'],
    ['0.0.0.0', { address: '0.0.0.0:40000' }, 'wildcardAddress'],
    [':: without a port', { address: '::' }, 'wildcardAddress'],
    ['the mapped wildcard', { address: '[::ffff:0.0.0.0]:1' }, 'wildcardAddress'],
    ['a wildcard as second address', { address2: '[::]:40000' }, 'wildcardAddress'],
    ['a protocol id that is a number', { protocolId: wrong(7) }, 'invalidId'],
    ['a negative protocol id', { protocolId: -1n }, 'invalidId'],
    ['a short key', { privateKey: new Uint8Array(31) }, 'invalidKey'],
    ['a long previous key', { previousPrivateKey: new Uint8Array(33) }, 'invalidKey'],
    ['a lifetime of 0', { maxConnectTokenLifetimeSeconds: 0 }, 'invalidOption'],
    ['a lifetime of 1.5', { maxConnectTokenLifetimeSeconds: 1.5 }, 'invalidOption'],
    ['a negative lifetime', { maxConnectTokenLifetimeSeconds: -1 }, 'invalidOption'],
    ['a lifetime of 2^31', { maxConnectTokenLifetimeSeconds: 2 ** 31 }, 'invalidOption'],
    ['no way for datagrams', { transport: undefined }, 'invalidOption'],
    ['two ways for datagrams', { override: { sendPacket: () => {}, receivePacket: () => undefined } }, 'invalidOption'],
    ['half an override', { transport: undefined, override: wrong({ sendPacket: () => {} }) }, 'missingOverrideCallback'],
    ['a time that is text', { time: wrong('1') }, 'invalidOption'],
    ['a callback that is none', { onConnectDisconnect: wrong(1) }, 'invalidOption'],
    ['a clock that is none', { unixSeconds: wrong(5n) }, 'invalidOption'],
  ];
  test.each(cases)('when given %s, then it throws', (_, options, kind) => {
    expect(kindOf(() => new NetcodeServer({ ...base(), ...options }))).toBe(kind);
  });

  test('when the identity is a wildcard, then the text says what to do', () => {
    expect(() => new NetcodeServer({ ...base(), address: '[::]:1' })).toThrow(/must be concrete.*bindAddress/);
  });

  test('when the cipher has no memory, then creation fails with allocateServerFailed', () => {
    const aead = {
      ...nobleAead,
      alloc: () => {
        throw new Error('out of memory');
      },
    };
    expect(kindOf(() => new NetcodeServer({ ...base(), aead }))).toBe('allocateServerFailed');
  });

  test('when the optional members are undefined, then a server can be created, stopped', () => {
    const server = new NetcodeServer({ ...base(), address2: undefined, previousPrivateKey: undefined, logger: undefined, aead: undefined });
    expect([server.isRunning, server.maxClients, server.connectedCount, server.address2, server.port]).toEqual([
      false,
      0,
      0,
      undefined,
      40_000,
    ]);
  });

  test('when an identity has port 0, then each family takes the port of its socket; without a socket 0 stays', () => {
    const transport = new FakeTransport();
    transport.ports = { ipv4: 4444, ipv6: 6666 };
    const server = new NetcodeServer({ ...base(), transport, address: '[::1]:0', address2: '127.0.0.1:0' });
    expect([formatAddress(server.address), formatAddress(server.address2!), server.port]).toEqual(['[::1]:6666', '127.0.0.1:4444', 6666]);
    const fixed = new NetcodeServer({ ...base(), transport, address: '127.0.0.1:9' });
    expect([formatAddress(fixed.address), fixed.port]).toEqual(['127.0.0.1:9', 4444]);
    expect(new NetcodeServer({ ...base(), address: '127.0.0.1:0' }).address.port).toBe(0);
  });

  test('when the caller reuses the array of the private key, then the server is not disturbed and does not wipe it', () => {
    const key = Buffer.from(PRIVATE_KEY);
    const rig = new ServerRig({ privateKey: key });
    key.fill(3);
    rig.connected(1);
    expect(rig.server.connectedCount).toBe(1);
    rig.server.close();
    expect(key.every((byte) => byte === 3)).toBe(true);
  });
});

describe('caller errors', () => {
  const calls: [string, string, (server: NetcodeServer) => unknown][] = [
    ['update(NaN)', 'invalidOption', (server) => server.update(NaN)],
    ['update("1")', 'invalidOption', (server) => server.update(wrong('1'))],
    ['send(0, text)', 'invalidOption', (server) => server.send(0, wrong('text'))],
    ['send(0, undefined)', 'invalidOption', (server) => server.send(0, wrong(undefined))],
    ['send(0, bytes, 1, 1)', 'invalidOption', (server) => server.send(0, one, 1, 1)],
    ['send(0, bytes, 0, 1.5)', 'payloadSize', (server) => server.send(0, new Uint8Array(9), 0, 1.5)],
    ['receiveInto(0, 5)', 'invalidOption', (server) => server.receiveInto(0, wrong(5))],
    ['processPacket(text, bytes)', 'invalidOption', (server) => server.processPacket(wrong('10.0.0.1:1'), one)],
    ['processPacket(address, undefined)', 'invalidOption', (server) => server.processPacket(clientAddress(1), wrong(undefined))],
    ['connectLoopbackClient(1, 5)', 'invalidId', (server) => server.connectLoopbackClient(1, wrong(5))],
    ['connectLoopbackClient(1, 2^64)', 'invalidId', (server) => server.connectLoopbackClient(1, 1n << 64n)],
    ['connectLoopbackClient(1, 5n, 257 bytes)', 'invalidUserData', (server) => server.connectLoopbackClient(1, 5n, new Uint8Array(257))],
    ['processLoopbackPacket(1, undefined, 0n)', 'invalidOption', (server) => server.processLoopbackPacket(1, wrong(undefined), 0n)],
    ['processLoopbackPacket(1, bytes, 0)', 'invalidOption', (server) => server.processLoopbackPacket(1, one, wrong(0))],
    ['processLoopbackPacket(1, 1201 bytes, 0n)', 'payloadSize', (server) => server.processLoopbackPacket(1, new Uint8Array(1201), 0n)],
  ];
  test.each(calls)('when %s is called, then %s is thrown and nothing changes', (_, kind, call) => {
    const rig = new ServerRig();
    rig.connected(1);
    expect(kindOf(() => call(rig.server))).toBe(kind);
    expect([rig.server.connectedCount, rig.server.nextSequence(0), rig.transport.sent]).toEqual([1, 1n, []]);
  });

  test('when clock or random source of start are broken, then it throws, a run goes on and nobody is disconnected', () => {
    let random: unknown = testBytes(32);
    const rig = new ServerRig({ randomBytes: () => random as Uint8Array });
    rig.connected(1);
    random = new Uint8Array(31);
    expect(kindOf(() => rig.server.start(2))).toBe('invalidOption');
    rig.unix = wrong(5);
    random = testBytes(32);
    expect(kindOf(() => rig.server.start(2))).toBe('invalidOption');
    expect([rig.server.maxClients, rig.server.connectedCount, rig.events]).toEqual([4, 1, ['+0']]);
  });

  test('when closed, then properties answer and everything else throws closed; closing again does nothing', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    const { server } = rig;
    server.close();
    server.close();
    server[Symbol.dispose]();
    expect([rig.transport.closes, rig.events, rig.labels(client).length]).toEqual([1, ['+0', '-0'], 10]);
    expect([server.isRunning, server.maxClients, server.connectedCount, server.isConnected(0), server.receive(0), server.port]).toEqual([
      false,
      0,
      0,
      false,
      undefined,
      40_000,
    ]);
    const calls: (() => unknown)[] = [
      () => server.start(1),
      () => server.stop(),
      () => server.update(START),
      () => server.send(0, one),
      () => server.disconnectClient(0),
      () => server.disconnectAllClients(),
      () => server.processPacket(clientAddress(1), one),
      () => server.connectLoopbackClient(0, 1n),
      () => server.disconnectLoopbackClient(0),
      () => server.processLoopbackPacket(0, one, 0n),
    ];
    expect(calls.map(kindOf)).toEqual(calls.map(() => 'closed'));
  });
});
