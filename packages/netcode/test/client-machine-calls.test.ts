import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { nobleAead } from '../src/aead.ts';
import { NetcodeClient } from '../src/client-machine.ts';
import type { ClientOptions } from '../src/client-options.ts';
import { CLIENT_STATE_CODES, clientStateName } from '../src/client-state.ts';
import type { ClientState } from '../src/client-state.ts';
import { NetcodeError } from '../src/errors.ts';
import { NetworkSimulator } from '../src/simulator.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { counted, FakeTransport, fromServer, ignoredCount, mint, SERVER, SERVER_ADDRESS, START } from './support/session-kit.ts';

/** The kind of the error that a call throws; anything but a `NetcodeError` is shown as it is. */
function kindOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return NetcodeError.is(error) ? error.kind : String(error);
  }
  return 'nothing';
}

const wrong = (value: unknown) => value as never;

describe('creation', () => {
  const base = (): ClientOptions => ({ time: START, transport: new FakeTransport() });
  const cases: [string, ClientOptions, string][] = [
    ['an address that cannot be read', { ...base(), address: 'localhost:1' }, 'parseAddressFailed'],
    ['a second address that cannot be read', { ...base(), address2: '1.2.3.4:99999' }, 'parseAddress2Failed'],
    ['a simulator without an address', { time: START, simulator: new NetworkSimulator() }, 'simulatorRequiresPort'],
    ['a simulator and port 0', { time: START, simulator: new NetworkSimulator(), address: '10.0.0.1:0' }, 'simulatorRequiresPort'],
    ['no way for datagrams', { time: START }, 'invalidOption'],
    ['two ways for datagrams', { ...base(), simulator: new NetworkSimulator(), address: '10.0.0.1:1' }, 'invalidOption'],
    ['half an override', { time: START, override: wrong({ sendPacket: () => {} }) }, 'missingOverrideCallback'],
    ['the other half', { time: START, override: wrong({ receivePacket: () => undefined }) }, 'missingOverrideCallback'],
    ['a time that is no number', { ...base(), time: NaN }, 'invalidOption'],
    ['a callback that is none', { ...base(), onPayload: wrong(5) }, 'invalidOption'],
    ['a logger that is none', { ...base(), logger: wrong('loud') }, 'invalidOption'],
  ];
  test.each(cases)('when given %s, then it throws', (_, options, kind) => {
    expect(kindOf(() => new NetcodeClient(options))).toBe(kind);
  });

  test('when the cipher has no memory, then creation fails with allocateClientFailed and the cause', () => {
    const aead = {
      ...nobleAead,
      alloc: () => {
        throw new Error('out of memory');
      },
    };
    expect(() => new NetcodeClient({ ...base(), aead: wrong(aead) })).toThrow(
      expect.objectContaining({ kind: 'allocateClientFailed', code: 'ALLOCATE_CLIENT_FAILED', cause: expect.any(Error) as Error }) as Error,
    );
  });

  test('when it has own addresses, then the port is that of the socket of the first one, else its own', () => {
    const transport = new FakeTransport();
    const client = new NetcodeClient({ time: START, transport, address: '[::1]:7', address2: '127.0.0.1:9' });
    expect(client.port).toBe(7);
    transport.ports = { ipv4: 4444, ipv6: 6666 };
    expect(client.port).toBe(6666);
  });

  test('when states are printed, then codes and names are those of the native libraries', () => {
    const names = Object.entries(CLIENT_STATE_CODES).map(([state, code]) => `${code} ${clientStateName(state as ClientState)}`);
    expect(names).toEqual([
      '-6 connect token expired',
      '-5 invalid connect token',
      '-4 connection timed out',
      '-3 connection response timed out',
      '-2 connection request timed out',
      '-1 connection denied',
      '0 disconnected',
      '1 sending connection request',
      '2 sending connection response',
      '3 connected',
    ]);
  });
});

describe('caller errors', () => {
  test('when a payload is not 1 to 1200 bytes, then payloadSize is thrown, nothing is sent and the session goes on', () => {
    const rig = new ClientRig().establish();
    for (const size of [0, 1201, 65_536]) expect(kindOf(() => rig.client.send(new Uint8Array(size)))).toBe('payloadSize');
    expect(kindOf(() => rig.client.send(new Uint8Array(10), 3, 8))).toBe('invalidOption');
    expect(kindOf(() => rig.client.send(new Uint8Array(10), -1, 2))).toBe('invalidOption');
    expect(kindOf(() => new ClientRig().client.send(new Uint8Array(0)))).toBe('payloadSize');
    expect(rig.sent()).toEqual([]);
    for (const size of [1, 1199, 1200]) expect(rig.client.send(new Uint8Array(size))).toBe(true);
    expect(rig.client.send(new Uint8Array(2000), 700, 1200)).toBe(true);
    expect(rig.sent()).toEqual(['payload#1', 'payload#2', 'payload#3', 'payload#4']);
  });

  const calls: [string, (client: NetcodeClient) => unknown][] = [
    ['connect(5)', (client) => client.connect(wrong(5))],
    ['connect(undefined)', (client) => client.connect(wrong(undefined))],
    ['update("1")', (client) => client.update(wrong('1'))],
    ['update(NaN)', (client) => client.update(NaN)],
    ['update(Infinity)', (client) => client.update(Infinity)],
    ['send("text")', (client) => client.send(wrong('text'))],
    ['send(undefined)', (client) => client.send(wrong(undefined))],
    ['send(null)', (client) => client.send(wrong(null))],
    ['receiveInto(undefined)', (client) => client.receiveInto(wrong(undefined))],
    ['processPacket(text, bytes)', (client) => client.processPacket(wrong(SERVER), new Uint8Array(20))],
    ['processPacket(null, bytes)', (client) => client.processPacket(wrong(null), new Uint8Array(20))],
    ['processPacket(address, text)', (client) => client.processPacket(SERVER_ADDRESS, wrong('bytes'))],
    ['connectLoopback(-1, 1)', (client) => client.connectLoopback(-1, 1)],
    ['connectLoopback(0, "8")', (client) => client.connectLoopback(0, wrong('8'))],
    ['processLoopbackPacket(undefined, 0n)', (client) => client.processLoopbackPacket(wrong(undefined), 0n)],
  ];
  test.each(calls)('when %s is called, then invalidOption is thrown and nothing changes', (_, call) => {
    const rig = new ClientRig().establish().payload(1).at(0.06);
    const before = [rig.client.state, rig.client.nextSequence, rig.changes.length];
    expect(kindOf(() => call(rig.client))).toBe('invalidOption');
    expect([rig.client.state, rig.client.nextSequence, rig.changes.length]).toEqual(before);
    expect(rig.client.receive()?.data).toEqual(Uint8Array.of(1));
  });

  test('when a loopback sequence is a number, then invalidOption is thrown and nothing is queued', () => {
    const { client } = new ClientRig();
    client.connectLoopback(0, 1);
    expect(kindOf(() => client.processLoopbackPacket(Uint8Array.of(1), wrong(5)))).toBe('invalidOption');
    expect(client.receive()).toBeUndefined();
  });
});

describe('close', () => {
  test('when a connected client is closed twice, then ten packets leave, the transport is closed once and properties answer', () => {
    const rig = new ClientRig().establish();
    rig.client.close();
    rig.client.close();
    rig.client[Symbol.dispose]();
    expect([rig.sent().length, rig.transport.closes, rig.changes.at(-1)]).toEqual([10, 1, '3>0']);
    const { client } = rig;
    expect([client.state, client.index, client.port, client.nextSequence, client.serverAddress, client.isLoopback]).toEqual([
      'disconnected',
      0,
      0,
      0n,
      undefined,
      false,
    ]);
  });

  test('when closed, then every call that does something throws closed', () => {
    const { client } = new ClientRig();
    client.close();
    const calls: (() => unknown)[] = [
      () => client.connect(mint().bytes),
      () => client.disconnect(),
      () => client.update(START),
      () => client.send(Uint8Array.of(1)),
      () => client.processPacket(SERVER_ADDRESS, new Uint8Array(20)),
      () => client.connectLoopback(0, 1),
      () => client.disconnectLoopback(),
      () => client.processLoopbackPacket(Uint8Array.of(1), 0n),
    ];
    expect(calls.map(kindOf)).toEqual(calls.map(() => 'closed'));
  });
});

describe('processPacket', () => {
  test('when datagrams of every awkward length are given, then each is ignored with exactly one counter and not modified', () => {
    const rig = new ClientRig().establish();
    for (const [i, length] of [0, 1, 17, 18, 1300, 1301].entries()) {
      const bytes = new Uint8Array(length).fill(0x15);
      rig.client.processPacket(SERVER_ADDRESS, bytes);
      expect([ignoredCount(rig.client.counters), bytes.every((byte) => byte === 0x15)]).toEqual([i + 1, true]);
    }
    expect(counted(rig.client.counters)).toEqual({ empty: 1, 'too-small': 2, 'too-long': 1, decrypt: 2 });
  });

  test('when a mapped sender is given, then it is the IPv4 server', () => {
    const rig = new ClientRig().establish();
    rig.client.processPacket(
      parseAddress('[::ffff:10.1.1.1]:40000'),
      fromServer(rig.minted, { type: 'payload', payload: Uint8Array.of(4) }, 9n),
    );
    expect(rig.client.receive()?.data).toEqual(Uint8Array.of(4));
  });

  test('when a datagram is given to a loopback client, then it is ignored with exactly one counter', () => {
    const rig = new ClientRig();
    rig.client.connectLoopback(0, 1);
    rig.client.processPacket(SERVER_ADDRESS, new Uint8Array(20).fill(0x15));
    expect(ignoredCount(rig.client.counters)).toBe(1);
  });
});

describe('loopback', () => {
  test('when connected, then it is without callback, packets and time-outs, and payloads go through the function', () => {
    const sent: unknown[] = [];
    const rig = new ClientRig({ sendLoopbackPacket: (index, bytes, sequence) => sent.push([index, [...bytes], sequence]) });
    rig.client.connectLoopback(3, 4);
    expect([rig.client.state, rig.client.isLoopback, rig.client.index, rig.client.maxClients, rig.changes]).toEqual([
      'connected',
      true,
      3,
      4,
      [],
    ]);
    rig.client.send(Uint8Array.of(9, 8, 7), 1, 2);
    rig.client.send(Uint8Array.of(6));
    expect([sent, rig.client.nextSequence]).toEqual([
      [
        [3, [8, 7], 0n],
        [3, [6], 1n],
      ],
      2n,
    ]);
    rig.at(1000);
    expect([rig.client.state, rig.transport.sent]).toEqual(['connected', []]);
    const mine = Uint8Array.of(5);
    rig.client.processLoopbackPacket(mine, 0xffff_ffff_ffff_ffffn);
    mine.fill(0);
    expect(rig.client.receive()).toMatchObject({ data: Uint8Array.of(5), sequence: 0xffff_ffff_ffff_ffffn });
    expect(kindOf(() => rig.client.processLoopbackPacket(new Uint8Array(1201), 0n))).toBe('payloadSize');
  });

  test('when 256 payloads wait, then the next is dropped and counted', () => {
    const { client } = new ClientRig();
    client.connectLoopback(0, 1);
    for (let i = 0; i < 257; i++) client.processLoopbackPacket(Uint8Array.of(1), BigInt(i));
    expect(counted(client.counters)).toEqual({ 'queue-full': 1 });
  });

  test.each(['disconnectLoopback', 'disconnect', 'close', 'connect'] as const)(
    'when %s is called, then the callback fires and no packet leaves',
    (method) => {
      const rig = new ClientRig();
      rig.client.connectLoopback(0, 1);
      rig.client.processLoopbackPacket(Uint8Array.of(1), 0n);
      if (method === 'connect') rig.connect();
      else rig.client[method]();
      expect([rig.changes, rig.transport.sent, rig.client.isLoopback, rig.client.receive()]).toEqual([
        method === 'connect' ? ['3>0', '0>1'] : ['3>0'],
        [],
        false,
        undefined,
      ]);
    },
  );

  test('when not idle or not in loopback, then the loopback calls do nothing', () => {
    const rig = new ClientRig().establish();
    rig.client.connectLoopback(9, 9);
    rig.client.disconnectLoopback();
    rig.client.processLoopbackPacket(Uint8Array.of(1), 0n);
    expect([rig.client.state, rig.client.isLoopback, rig.client.index, rig.client.receive()]).toEqual(['connected', false, 2, undefined]);
  });
});
