import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { inspectServer } from '../src/server-machine.ts';
import { clientAddress, counted, label, MAX_U64, RawClient, UNIX } from './support/session-kit.ts';
import type { Opened } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const OTHER_PORT = parseAddress('10.2.0.1:50001');

const OTHER_HOST = parseAddress('10.2.9.9:50000');

function challengeOf(opened: Opened | undefined): bigint | string {
  if (opened === undefined) return 'silence';
  return 'packet' in opened && opened.packet.type === 'challenge' ? opened.packet.challengeSequence : label(opened);
}

describe('token history', () => {
  test('when a token is pending, then only its own address is answered', () => {
    const rig = new ServerRig();
    const client = rig.raw(1);
    expect(challengeOf(rig.request(client))).toBe(0n);
    for (const thief of [OTHER_PORT, OTHER_HOST]) expect(rig.request(new RawClient(client.minted, thief))).toBeUndefined();
    expect(challengeOf(rig.request(client))).toBe(1n);
    expect(counted(rig.server.counters)).toEqual({ 'request-token-used': 2 });
  });

  const ends: [string, (rig: ServerRig, client: RawClient) => void][] = [
    ['client disconnect', (rig, client) => rig.send(client, client.disconnect())],
    ['kick', (rig) => rig.server.disconnectClient(0)],
    ['time-out', (rig) => rig.at(6)],
  ];
  test.each(ends)('when a token was consumed, then after a %s it is refused from every address, without a denial', (_, end) => {
    const rig = new ServerRig({}, 1);
    const client = rig.connected(1);
    end(rig, client);
    expect(rig.server.connectedCount).toBe(0);
    for (const address of [client.address, OTHER_PORT, OTHER_HOST])
      expect(rig.request(new RawClient(client.minted, address))).toBeUndefined();
    rig.connected(2);
    expect(rig.request(client)).toBeUndefined();
    expect(counted(rig.server.counters)).toEqual({ 'request-token-used': 4 });
  });

  test('when the server is full, then the denial binds the token to its address, which may try again later', () => {
    const rig = new ServerRig({}, 1);
    const first = rig.connected(1);
    const second = rig.raw(2);
    const denied = rig.request(second);
    expect([label(denied!), rig.server.counters.denied, rig.events]).toEqual(['denied#g1', 1, ['+0']]);
    expect(rig.request(new RawClient(second.minted, OTHER_HOST))).toBeUndefined();
    expect(counted(rig.server.counters)).toEqual({ denied: 1, 'request-token-used': 1 });
    rig.send(first, first.disconnect());
    expect(rig.request(new RawClient(second.minted, OTHER_HOST))).toBeUndefined();
    rig.connect(second);
    expect([rig.server.clientId(0), counted(rig.server.counters)]).toEqual([2n, { denied: 1, 'request-token-used': 2 }]);
  });

  test('when a denied client has no mapping, then what it sends is without a key', () => {
    const rig = new ServerRig({}, 1);
    rig.connected(1);
    const second = rig.raw(2);
    rig.request(second);
    rig.send(second, second.payload(1));
    expect(counted(rig.server.counters)).toEqual({ denied: 1, 'no-read-key': 1 });
  });

  test('when 2048 unexpired tokens are known, then new ones get silence, not a denial, until the second in which the old expire', () => {
    const rig = new ServerRig({}, 1);
    rig.connected(0, { timeoutSeconds: -1 });
    for (let i = 1; i < 2048; i++) rig.deliver(clientAddress(1), rig.raw(i).request());
    rig.at(0);
    expect(rig.transport.take().length).toBe(2047);
    rig.unix = UNIX + 29n;
    expect(rig.request(rig.raw(1, { createTimestamp: rig.unix }))).toBeUndefined();
    expect(counted(rig.server.counters)).toEqual({ denied: 2047, 'request-history-full': 1 });
    rig.unix = UNIX + 30n;
    expect(label(rig.request(rig.raw(1, { createTimestamp: rig.unix }))!)).toBe('denied#g2048');
    rig.server.disconnectClient(0);
    rig.connected(1, { createTimestamp: rig.unix });
    expect(rig.server.clientId(0)).toBe(1n);
  });

  test('when an entry was given to another token before the response, then that token is not spent', () => {
    const rig = new ServerRig({ maxConnectTokenLifetimeSeconds: 1 });
    const slow = rig.raw(1, { expireSeconds: 1 });
    const challenge = rig.request(slow)!;
    rig.unix = UNIX + 1n;
    const heir = rig.raw(2, { createTimestamp: rig.unix, expireSeconds: 10 });
    rig.request(heir);
    rig.send(slow, slow.response(challenge));
    expect([rig.server.clientId(0), label(rig.request(heir)!)]).toEqual([1n, 'challenge#g2']);
  });

  test('when two tokens come from one address, then the second replaces the keys and the first may be presented again', () => {
    const rig = new ServerRig();
    const first = rig.raw(1);
    const firstChallenge = rig.request(first)!;
    const second = rig.raw(2, {}, first.address);
    rig.request(second);
    rig.send(first, first.response(firstChallenge));
    expect(counted(rig.server.counters)).toEqual({ decrypt: 1 });
    rig.connect(first);
    expect(rig.server.clientId(0)).toBe(1n);
    rig.server.disconnectClient(0);
    expect([rig.request(first), challengeOf(rig.request(second))]).toEqual([undefined, 3n]);
  });
});

describe('key mappings', () => {
  test('when 1024 addresses are pending, then one more gets no room until they expire, and its entry stays pending', () => {
    const rig = new ServerRig();
    for (let i = 0; i < 1024; i++) rig.deliver(clientAddress(i), rig.raw(i).request());
    rig.at(0);
    const late = rig.raw(5000);
    expect(rig.request(late)).toBeUndefined();
    expect(counted(rig.server.counters)).toEqual({ 'request-no-mapping-room': 1 });
    expect(inspectServer(rig.server).challengeSequence).toBe(1024n);
    rig.at(5.1);
    expect(rig.request(new RawClient(late.minted, OTHER_HOST))).toBeUndefined();
    expect(challengeOf(rig.request(late))).toBe(1024n);
  });

  test('when the response comes after the timeout, then there is no key; a repeated request renews the deadline', () => {
    const rig = new ServerRig();
    const client = rig.raw(1);
    const challenge = rig.request(client)!;
    rig.at(4);
    rig.request(client);
    rig.at(8.9).send(client, client.response(challenge));
    expect(rig.server.clientId(0)).toBe(1n);
    const late = rig.raw(2);
    const lateChallenge = rig.request(late)!;
    rig.at(13.95).send(late, late.response(lateChallenge));
    expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 1 });
  });

  test('when the timeout of a token is 0, then its keys are gone as soon as the clock moves; when negative, then never', () => {
    const rig = new ServerRig();
    const zero = rig.raw(1, { timeoutSeconds: 0 });
    const zeroChallenge = rig.request(zero)!;
    const never = rig.raw(2, { timeoutSeconds: -1 });
    const neverChallenge = rig.request(never)!;
    rig.at(0.01).send(zero, zero.response(zeroChallenge));
    expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 1 });
    rig.at(1e6).send(never, never.response(neverChallenge));
    expect(rig.server.clientId(0)).toBe(2n);
    rig.at(2e6);
    expect(rig.server.connectedCount).toBe(1);
  });

  test('when the keys of a connected client look expired in the update that hears of it again, then they are not given away', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    const stranger = rig.raw(2);
    rig.deliver(stranger.address, stranger.request()).deliver(client.address, client.payload(1)).at(6);
    expect([rig.server.receive(0)?.data, rig.server.isConnected(0), counted(rig.server.counters)]).toEqual([Uint8Array.of(1), true, {}]);
    expect(rig.labels(client)).toEqual(['keepAlive#1']);
  });
});

describe('restart rule', () => {
  test('when tokens could predate the start, then they are refused before decryption; equal passes; expired counts first', () => {
    const rig = new ServerRig({ maxConnectTokenLifetimeSeconds: 60 });
    const expiring = (seconds: number) => rig.raw(1, { expireSeconds: seconds });
    expect([rig.request(expiring(59)), rig.request(expiring(0))]).toEqual([undefined, undefined]);
    expect(counted(rig.server.counters)).toEqual({ 'request-predates-start': 1, 'request-expired': 1 });
    expect([60, 61, 1000, -1].map((seconds) => challengeOf(rig.request(expiring(seconds))))).toEqual([0n, 1n, 2n, 3n]);
    rig.unix -= 50n;
    expect(rig.request(expiring(59))).toBeUndefined();
  });

  test('when the server is stopped and started, then the limit moves, counters of sequences begin again and never-expiring tokens pass', () => {
    const rig = new ServerRig();
    const never = rig.connected(1, { expireSeconds: -1 });
    const used = rig.connected(2);
    rig.unix += 1n;
    rig.server.start(4);
    expect(inspectServer(rig.server)).toEqual({
      challengeSequence: 0n,
      globalSequence: 1n << 63n,
      confirmed: [false, false, false, false],
    });
    expect([rig.request(used), rig.request(rig.raw(3))]).toEqual([undefined, undefined]);
    expect(counted(rig.server.counters)).toEqual({ 'request-predates-start': 2 });
    expect(label(rig.request(never)!)).toBe('challenge#g0');
    expect(rig.server.disconnectReason(0)).toBe('none');
  });

  test('when the limit would pass 2^64, then only never-expiring tokens are accepted', () => {
    const rig = new ServerRig({ unixSeconds: () => MAX_U64 - 1n });
    expect(challengeOf(rig.request(rig.raw(1, { expireSeconds: -1 })))).toBe(0n);
  });
});
