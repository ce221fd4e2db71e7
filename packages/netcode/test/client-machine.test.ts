import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import type { ClientState } from '../src/client-state.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { clientAddress, counted, fromServer, mint, openAtServer, SERVER, SERVER_ADDRESS } from './support/session-kit.ts';

const SECOND = '10.1.1.2:40001';

describe('connect', () => {
  test('when a client is fresh, then it is idle and everything is zero', () => {
    const { client, transport } = new ClientRig().at(1);
    expect([
      client.state,
      client.index,
      client.maxClients,
      client.serverAddress,
      client.port,
      client.nextSequence,
      client.isLoopback,
    ]).toEqual(['disconnected', 0, 0, undefined, 0, 0n, false]);
    expect(client.receive()).toBeUndefined();
    expect(transport.sent).toEqual([]);
  });

  test('when connect is called, then the state changes and nothing is sent before the next update', () => {
    const rig = new ClientRig().connect();
    expect([rig.client.state, rig.changes, rig.sent()]).toEqual(['sendingConnectionRequest', ['0>1'], []]);
    expect(rig.client.serverAddress).toEqual(SERVER_ADDRESS);
    expect(rig.at(0).sent()).toEqual(['request']);
  });

  test('when a request is sent, then it is 1078 bytes to the first public address with the sealed half of the token', () => {
    const rig = new ClientRig().connect(mint({ publicAddresses: [SERVER], internalAddresses: [SECOND] })).at(0);
    const [sent] = rig.transport.take();
    const { token } = rig.minted;
    expect([sent!.to, sent!.bytes.length, sent!.bytes.slice(54)]).toEqual([SERVER_ADDRESS, 1078, token.privateData]);
  });

  test('when the token is not 2048 readable bytes, then the id comes back, the state tells, nothing is sent and the getter showed the old state', () => {
    const rig = new ClientRig();
    const cases: [(bytes: Uint8Array) => Uint8Array, string][] = [
      [(bytes) => bytes.subarray(0, 2047), 'token-length'],
      [(bytes) => bytes.fill(0, 0, 1), 'token-version'],
      [(bytes) => bytes.fill(0xff, 21, 29), 'token-timestamps'],
      [(bytes) => bytes.fill(0, 1089, 1093), 'token-address-count'],
      [(bytes) => bytes.fill(3, 1093, 1094), 'token-address-type'],
    ];
    for (const [damage, id] of cases) expect(rig.client.connect(damage(mint().bytes))).toBe(id);
    expect([rig.client.state, rig.changes, rig.seen[0]]).toEqual([
      'invalidConnectToken',
      ['0>-5', '-5>-5', '-5>-5', '-5>-5', '-5>-5'],
      'disconnected',
    ]);
    expect(rig.at(10).sent()).toEqual([]);
    rig.connect();
    expect(rig.changes.at(-1)).toBe('-5>1');
  });

  test('when connect is called while connected, then ten disconnect packets leave first and sequences begin again', () => {
    const rig = new ClientRig().establish();
    const before = Number(rig.client.nextSequence);
    const old = rig.minted;
    rig.client.connect(mint().bytes);
    rig.minted = old;
    expect(rig.sent()).toEqual(Array.from({ length: 10 }, (_, i) => `disconnect#${before + i}`));
    expect([rig.changes.slice(-2), rig.client.nextSequence]).toEqual([['3>0', '0>1'], 0n]);
  });

  test('when the token is unreadable while connected, then the session ends all the same', () => {
    const rig = new ClientRig().establish();
    expect(rig.client.connect(new Uint8Array(5))).toBe('token-length');
    expect(rig.changes.slice(-2)).toEqual(['3>0', '0>-5']);
  });

  test('when connect follows long after the last update, then the stale time is used and the first update times out', () => {
    const rig = new ClientRig().connect(mint({ timeoutSeconds: 5 })).at(6);
    expect([rig.client.state, rig.sent()]).toEqual(['connectionRequestTimedOut', ['request']]);
  });

  test('when the token array is reused after connect, then the attempt is not disturbed', () => {
    const rig = new ClientRig();
    const minted = mint();
    const mine = minted.bytes.slice();
    rig.minted = minted;
    rig.client.connect(mine);
    mine.fill(0);
    expect(rig.at(0).sent()).toEqual(['request']);
    expect(rig.client.serverAddress).toEqual(SERVER_ADDRESS);
  });
});

describe('sending', () => {
  test('when 0.1 s have passed exactly, then it is too early; just after, one packet leaves', () => {
    const rig = new ClientRig().connect().at(0);
    rig.sent();
    expect(rig.at(1 / 10).sent()).toEqual([]);
    expect(rig.at(0.1000001).sent()).toEqual(['request']);
    expect(rig.at(0.15).sent()).toEqual([]);
  });

  test('when the challenge comes at once, then the response waits for the send timer and echoes sequence and data', () => {
    const rig = new ClientRig().connect().at(0);
    rig.sent();
    rig.challenge().at(0.02);
    expect([rig.client.state, rig.sent()]).toEqual(['sendingConnectionResponse', []]);
    rig.at(0.11);
    const opened = openAtServer(rig.minted, rig.transport.sent[0]!.bytes);
    expect(opened).toEqual({
      packet: { type: 'response', challengeSequence: 7n, challengeData: new Uint8Array(300).fill(9) },
      sequence: 1n,
    });
  });

  test('when connected and silent, then keep-alives with zeros leave every 0.1 s; payloads put them off', () => {
    const rig = new ClientRig().establish();
    rig.at(0.2);
    expect(openAtServer(rig.minted, rig.transport.sent[0]!.bytes)).toMatchObject({
      packet: { type: 'keepAlive', clientIndex: 0, maxClients: 0 },
    });
    rig.sent();
    expect(rig.client.send(Uint8Array.of(1))).toBe(true);
    expect(rig.at(0.28).sent()).toEqual(['payload#2']);
    expect(rig.at(0.301).sent()).toEqual(['keepAlive#3']);
  });

  test('when nothing is received, then every packet uses a sequence, the request included', () => {
    const rig = new ClientRig().connect().at(0).at(0.2).at(0.4);
    expect(rig.client.nextSequence).toBe(3n);
    rig.challenge().at(0.6);
    expect(rig.sent()).toEqual(['request', 'request', 'request', 'response#3']);
  });

  test('when an update times out, then it still sends the packet that is due', () => {
    const rig = new ClientRig().connect().at(0);
    rig.sent();
    expect([rig.at(5.01).sent(), rig.client.state]).toEqual([['request'], 'connectionRequestTimedOut']);
  });

  test('when send is called in other states than connected, then nothing happens', () => {
    const rig = new ClientRig();
    expect(rig.client.send(Uint8Array.of(1))).toBe(false);
    rig.connect();
    expect(rig.client.send(Uint8Array.of(1))).toBe(false);
    rig.challenge().at(0.05);
    expect(rig.client.send(Uint8Array.of(1))).toBe(false);
    expect(rig.sent()).toEqual(['response#0']);
  });
});

describe('receiving', () => {
  test('when challenge and keep-alive come in one update, then the client goes 1 > 2 > 3 and stores index and slots', () => {
    const { client, changes, seen } = new ClientRig().establish();
    expect([client.state, client.index, client.maxClients]).toEqual(['connected', 2, 8]);
    expect(changes).toEqual(['0>1', '1>2', '2>3']);
    expect(seen).toEqual(['disconnected', 'sendingConnectionRequest', 'sendingConnectionResponse']);
  });

  test('when a keep-alive names a slot of a foreign server, then it is stored as a signed number and not judged', () => {
    const rig = new ClientRig().connect().challenge().keepAlive(1023, -1).at(0.05);
    expect([rig.client.index, rig.client.maxClients]).toEqual([1023, -1]);
    rig.keepAlive(5, 5).at(0.1);
    expect([rig.client.index, rig.client.maxClients]).toEqual([1023, -1]);
  });

  const packets = {
    denied: (rig: ClientRig) => rig.denied(),
    challenge: (rig: ClientRig) => rig.challenge(),
    keepAlive: (rig: ClientRig) => rig.keepAlive(),
    payload: (rig: ClientRig) => rig.payload(1),
    disconnect: (rig: ClientRig) => rig.kick(),
  };
  const enter: Partial<Record<ClientState, (rig: ClientRig) => ClientRig>> = {
    disconnected: (rig) => rig.at(0),
    sendingConnectionRequest: (rig) => rig.connect().at(0),
    sendingConnectionResponse: (rig) => rig.connect().challenge().at(0),
    connected: (rig) => rig.establish().at(0.06),
  };
  test.each([
    ['disconnected', 'denied', 'disconnected', 'no-read-key'],
    ['disconnected', 'payload', 'disconnected', 'no-read-key'],
    ['sendingConnectionRequest', 'denied', 'connectionDenied', undefined],
    ['sendingConnectionRequest', 'challenge', 'sendingConnectionResponse', undefined],
    ['sendingConnectionRequest', 'keepAlive', 'sendingConnectionRequest', 'unexpected'],
    ['sendingConnectionRequest', 'payload', 'sendingConnectionRequest', 'unexpected'],
    ['sendingConnectionRequest', 'disconnect', 'sendingConnectionRequest', 'unexpected'],
    ['sendingConnectionResponse', 'denied', 'connectionDenied', undefined],
    ['sendingConnectionResponse', 'challenge', 'sendingConnectionResponse', 'unexpected'],
    ['sendingConnectionResponse', 'keepAlive', 'connected', undefined],
    ['sendingConnectionResponse', 'payload', 'sendingConnectionResponse', 'unexpected'],
    ['sendingConnectionResponse', 'disconnect', 'sendingConnectionResponse', 'unexpected'],
    ['connected', 'denied', 'connected', 'unexpected'],
    ['connected', 'challenge', 'connected', 'unexpected'],
    ['connected', 'keepAlive', 'connected', undefined],
    ['connected', 'payload', 'connected', undefined],
    ['connected', 'disconnect', 'disconnected', undefined],
  ] as const)('when %s and a %s arrives, then %s', (state, type, next, counter) => {
    const rig = enter[state]!(new ClientRig());
    packets[type](rig).at(0.07);
    expect(rig.client.state).toBe(next);
    expect(counted(rig.client.counters)).toEqual(counter === undefined ? {} : { [counter]: 1 });
    expect(rig.client.receive()?.data).toEqual(state === 'connected' && type === 'payload' ? Uint8Array.of(1) : undefined);
  });

  test.each(['other port', 'other host'])('when an authentic packet comes from an %s, then it is ignored but moves the window', (which) => {
    const rig = new ClientRig().establish();
    const from = which === 'other port' ? parseAddress('10.1.1.1:40001') : clientAddress(1);
    const packet = fromServer(rig.minted, { type: 'payload', payload: Uint8Array.of(1) }, 20n);
    rig.transport.deliver(from, packet);
    rig.transport.deliver(SERVER_ADDRESS, packet);
    rig.at(0.06);
    expect(counted(rig.client.counters)).toEqual({ 'other-sender': 1, replay: 1 });
    expect(rig.client.receive()).toBeUndefined();
  });

  test('when 256 payloads wait, then the next is dropped and counted and order and sequences stay', () => {
    const rig = new ClientRig().establish();
    for (let i = 0; i < 257; i++) rig.payload(i & 0xff, i >> 8);
    rig.at(0.06);
    expect(counted(rig.client.counters)).toEqual({ 'queue-full': 1 });
    for (let i = 0; i < 256; i++)
      expect(rig.client.receive()).toMatchObject({ data: Uint8Array.of(i & 0xff, i >> 8), sequence: BigInt(i + 1) });
    expect(rig.client.receive()).toBeUndefined();
  });

  test('when payloads arrive out of order, then they are handed over in order of arrival with their own sequence', () => {
    const rig = new ClientRig().establish();
    for (const sequence of [9n, 3n, 0xffff_ffff_ffff_ffffn]) rig.from({ type: 'payload', payload: Uint8Array.of(1) }, sequence);
    rig.at(0.06);
    expect([rig.client.receive()?.sequence, rig.client.receive()?.sequence, rig.client.receive()?.sequence]).toEqual([
      9n,
      3n,
      0xffff_ffff_ffff_ffffn,
    ]);
  });

  test('when receiveInto has too little room, then it throws and takes nothing', () => {
    const rig = new ClientRig().establish().payload(1, 2, 3).at(0.06);
    const out = new Uint8Array(4);
    expect(() => rig.client.receiveInto(new Uint8Array(2))).toThrow(
      expect.objectContaining({ code: 'BUFFER_TOO_SMALL', field: 'out' }) as Error,
    );
    expect([rig.client.receiveInto(out), out, rig.client.receiveInto(out)]).toEqual([3, Uint8Array.of(1, 2, 3, 0), 0]);
  });

  test('when a received payload is kept, then later packets do not change it', () => {
    const rig = new ClientRig().establish().payload(1, 2, 3).at(0.06);
    const kept = rig.client.receive()!;
    rig.payload(7, 7, 7).at(0.07).client.receiveInto(new Uint8Array(3));
    rig.payload(8, 8, 8).at(0.08);
    expect(kept.data).toEqual(Uint8Array.of(1, 2, 3));
  });
});
