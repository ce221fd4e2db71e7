import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { encodePrivateToken, sealPrivateToken } from '../src/connect-token.ts';
import { readPacket, writePacket } from '../src/packet-codec.ts';
import { encodeRequest } from '../src/request-packet.ts';
import { inspectServer } from '../src/server-machine.ts';
import { counted, label, mint, PRIVATE_KEY, PROTOCOL_ID, RawClient, UNIX } from './support/session-kit.ts';
import type { Opened } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const OTHER_HOST = parseAddress('10.2.9.9:50000');

function challengeOf(opened: Opened | undefined): bigint | string {
  if (opened === undefined) return 'silence';
  return 'packet' in opened && opened.packet.type === 'challenge' ? opened.packet.challengeSequence : label(opened);
}

describe('request', () => {
  test('when a request is accepted, then a challenge of 333 bytes with the global sequence goes to its source, each time anew', () => {
    const rig = new ServerRig();
    const client = rig.raw(1);
    rig.deliver(client.address, client.request()).at(0);
    const [sent] = rig.transport.sent;
    expect([sent!.to, sent!.bytes.length, sent!.bytes[0]]).toEqual([client.address, 333, 0x82]);
    expect(rig.labels(client)).toEqual(['challenge#g0']);
    expect([challengeOf(rig.request(client)), challengeOf(rig.request(rig.raw(2)))]).toEqual([1n, 2n]);
    expect(inspectServer(rig.server)).toMatchObject({ challengeSequence: 3n, globalSequence: (1n << 63n) + 3n });
    expect([rig.server.connectedCount, counted(rig.server.counters), rig.events]).toEqual([0, {}, []]);
  });

  /** Each fails the check of its name and every later one. */
  const refused: [string, (rig: ServerRig) => [RawClient, Uint8Array?]][] = [
    ['not-running', (rig) => (rig.server.stop(), [rig.raw(1, { expireSeconds: 1 })])],
    ['request-length', (rig) => [rig.raw(1), rig.raw(1).request().subarray(0, 1077)]],
    ['request-version', (rig) => [rig.raw(1), rig.raw(1, { protocolId: 5n }).request().fill(1, 1, 2)]],
    ['request-protocol-id', (rig) => [rig.raw(1, { protocolId: PROTOCOL_ID + 1n, expireSeconds: 0 })]],
    ['request-expired', (rig) => [rig.raw(1, { expireSeconds: 0 })]],
    ['request-predates-start', (rig) => [rig.raw(1, { expireSeconds: 29 }), rig.raw(1, { expireSeconds: 29 }).request().fill(0, 100, 200)]],
    ['request-decrypt', (rig) => [rig.raw(1, { privateKey: new Uint8Array(32) })]],
    ['request-private-data', (rig) => [rig.raw(1), privateCount(0)]],
    ['request-private-data', (rig) => [rig.raw(1), privateCount(33)]],
    [
      'request-not-our-address',
      (rig) => [new RawClient(mint({ clientId: 7n, internalAddresses: ['10.1.1.1:40001'] }), rig.connected(7).address)],
    ],
    ['request-address-connected', (rig) => [rig.raw(7, {}, rig.connected(7).address)]],
    ['request-id-connected', (rig) => [new RawClient(rig.connected(7).minted, OTHER_HOST)]],
  ];
  /** A request whose private part opens but names this many servers. */
  function privateCount(count: number): Uint8Array {
    const { token } = mint();
    const plain = encodePrivateToken({
      clientId: 1n,
      timeoutSeconds: 5,
      serverAddresses: token.serverAddresses,
      clientToServerKey: token.clientToServerKey,
      serverToClientKey: token.serverToClientKey,
      userData: new Uint8Array(256),
    });
    plain[12] = count;
    return encodeRequest({ ...token, privateData: sealPrivateToken(plain, { ...token, key: PRIVATE_KEY }) });
  }
  test.each(refused)('when a request falls at %s, then it is ignored with that counter, no reply and no trace', (counter, make) => {
    const rig = new ServerRig();
    const [client, bytes] = make(rig);
    rig.transport.take();
    const before = inspectServer(rig.server);
    rig.deliver(client.address, bytes ?? client.request()).at(0);
    expect([counted(rig.server.counters), rig.transport.sent, inspectServer(rig.server)]).toEqual([{ [counter]: 1 }, [], before]);
  });

  test('when a connected client sends requests, then they enter neither history nor mappings', () => {
    const rig = new ServerRig();
    const first = rig.connected(1);
    const second = rig.raw(2, {}, first.address);
    expect(rig.request(second)).toBeUndefined();
    rig.send(first, first.payload(3));
    expect(rig.server.receive(0)?.data).toEqual(Uint8Array.of(3));
    expect(challengeOf(rig.request(new RawClient(second.minted, OTHER_HOST)))).toBe(1n);
  });

  test('when only one of two identities is listed, then the request is accepted; the public list does not count', () => {
    const rig = new ServerRig({ address: '10.9.9.9:1', address2: '[fd00::1]:2' });
    const by = (internal: string) => rig.raw(1, { publicAddresses: ['5.5.5.5:5'], internalAddresses: [internal] });
    expect(challengeOf(rig.request(by('10.9.9.9:1')))).toBe(0n);
    expect(challengeOf(rig.request(by('[fd00::1]:2')))).toBe(1n);
    expect(rig.request(by('[fd00::1]:1'))).toBeUndefined();
    expect(rig.request(rig.raw(1, { publicAddresses: ['10.9.9.9:1'], internalAddresses: ['5.5.5.5:5'] }))).toBeUndefined();
    expect(counted(rig.server.counters)).toEqual({ 'request-not-our-address': 2 });
  });

  test('when the key was rotated, then tokens under the previous key open too and no others', () => {
    const old = new Uint8Array(32).fill(1);
    const rig = new ServerRig({ previousPrivateKey: old });
    rig.connect(rig.raw(1, { privateKey: old }));
    rig.connect(rig.raw(2));
    expect(rig.request(rig.raw(3, { privateKey: new Uint8Array(32) }))).toBeUndefined();
    expect([rig.server.connectedCount, counted(rig.server.counters)]).toEqual([2, { 'request-decrypt': 1 }]);
  });
});

describe('response', () => {
  test('when it is accepted, then the lowest free slot is filled and a keep-alive with sequence 0 precedes the callback', () => {
    const order: string[] = [];
    const rig = new ServerRig({
      onConnectDisconnect: (slot, connected) => {
        const { server } = rig;
        const last = rig.transport.sent.at(-1)?.bytes.length;
        order.push(
          `${connected} ${server.isConnected(slot)} ${server.clientId(slot)} ${server.connectedCount} ${server.userData(slot)?.[0]} ${last}`,
        );
      },
    });
    const client = rig.connect(rig.raw(0xfedc, { userData: Uint8Array.of(0x77) }));
    const opened = rig.answers(client)[0]!;
    expect(opened).toEqual({ packet: { type: 'keepAlive', clientIndex: 0, maxClients: 4 }, sequence: 0n });
    expect(order).toEqual(['true true 65244 1 119 26']);
    const { server } = rig;
    expect([
      server.clientAddress(0),
      server.userData(0)?.length,
      server.disconnectReason(0),
      server.nextSequence(0),
      server.isLoopback(0),
    ]).toEqual([client.address, 256, 'none', 1n, false]);
    expect(inspectServer(server).confirmed).toEqual([false, false, false, false]);
    rig.connected(2);
    rig.connected(3);
    server.disconnectClient(1);
    rig.connected(4);
    expect([0, 1, 2, 3].map((slot) => server.clientId(slot))).toEqual([65_244n, 4n, 3n, 0n]);
  });

  const refused: [string, (rig: ServerRig) => unknown][] = [
    ['response-challenge', (rig) => answer(rig, rig.raw(1), (data) => data.fill(0, 5, 6))],
    ['response-challenge', (rig) => answer(rig, rig.raw(1), (data) => data, 1n)],
    [
      'response-challenge',
      (rig) => rig.sealed(rig.connected(1), { type: 'response', challengeSequence: 0n, challengeData: new Uint8Array(300) }),
    ],
    [
      'response-address-connected',
      (rig) => {
        const client = rig.raw(1);
        const challenge = rig.request(client)!;
        rig.send(client, client.response(challenge)).send(client, client.response(challenge));
      },
    ],
    [
      'response-id-connected',
      (rig) => {
        const [first, second] = [rig.raw(1), rig.raw(1, {}, OTHER_HOST)];
        const [one, two] = [rig.request(first)!, rig.request(second)!];
        rig.send(first, first.response(one)).send(second, second.response(two));
      },
    ],
  ];
  function answer(rig: ServerRig, client: RawClient, damage: (data: Uint8Array) => Uint8Array, sequenceShift: bigint = 0n): void {
    const challenge = rig.request(client)!;
    if (!('packet' in challenge) || challenge.packet.type !== 'challenge') throw new Error(label(challenge));
    const { challengeData, challengeSequence } = challenge.packet;
    rig.sealed(client, { type: 'response', challengeSequence: challengeSequence + sequenceShift, challengeData: damage(challengeData) });
  }
  test.each(refused)('when a response falls at %s, then it is ignored with that counter and no reply', (counter, make) => {
    const rig = new ServerRig({}, 1);
    make(rig);
    expect(counted(rig.server.counters)).toEqual({ [counter]: 1 });
    expect([rig.server.connectedCount, rig.events.length]).toEqual(
      counter === 'response-challenge' && rig.events.length === 0 ? [0, 0] : [1, 1],
    );
  });

  test('when two hold a challenge for the last slot, then the later one is denied with the global sequence', () => {
    const rig = new ServerRig({}, 1);
    const [first, second] = [rig.raw(1), rig.raw(2)];
    const [one, two] = [rig.request(first)!, rig.request(second)!];
    rig.send(first, first.response(one));
    rig.transport.take();
    rig.send(second, second.response(two));
    expect([rig.labels(second), counted(rig.server.counters)]).toEqual([['denied#g2'], { denied: 1 }]);
    rig.send(first, first.disconnect()).send(second, second.response(two));
    expect(rig.server.clientId(0)).toBe(2n);
  });

  test('when an old challenge of this run or a token that expired meanwhile is answered, then it is accepted', () => {
    const rig = new ServerRig();
    const client = rig.raw(1);
    const challenge = rig.request(client)!;
    rig.request(client);
    rig.unix = UNIX + 100n;
    rig.send(client, client.response(challenge));
    expect(rig.server.connectedCount).toBe(1);
  });

  test('when the challenge is of the run before, then it does not open', () => {
    const rig = new ServerRig({ maxConnectTokenLifetimeSeconds: 1 });
    const client = rig.raw(1, { expireSeconds: -1 });
    const challenge = rig.request(client)!;
    rig.server.start(4);
    rig.send(client, client.response(challenge));
    rig.request(client);
    rig.send(client, client.response(challenge));
    expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 1, 'response-challenge': 1 });
  });
});

test('when the two ranges of sequences are read with another protocol id, then nothing opens', () => {
  const rig = new ServerRig();
  const client = rig.raw(1);
  rig.deliver(client.address, client.request()).at(0);
  const key = client.minted.token.serverToClientKey;
  const [sent] = rig.transport.take();
  expect(readPacket(sent!.bytes, { side: 'client', protocolId: 1n, unixSeconds: 0n, readKey: key })).toEqual({ refused: 'decrypt' });
  const foreign = writePacket({ type: 'disconnect' }, { protocolId: 1n, sequence: 0n, key: client.minted.token.clientToServerKey });
  rig.send(client, foreign);
  expect(counted(rig.server.counters)).toEqual({ decrypt: 1 });
});
