import { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import type { Address } from '../src/address.ts';
import { inspectServer } from '../src/server-machine.ts';
import type { RawClient } from './support/session-kit.ts';
import { clientAddress, counted, ignoredCount, label, mint, openAtClient, SERVER_ADDRESS, UNIX } from './support/session-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { ServerRig } from './support/session-server-rig.ts';

const STRANGER = clientAddress(4000);

/** A server with two connected clients, and genuine packets of the first one that were never delivered. */
function victim(): { rig: ServerRig; client: RawClient; packets: Record<string, Uint8Array> } {
  const rig = new ServerRig();
  const pending = rig.raw(9);
  const challenge = rig.request(pending)!;
  const client = rig.connected(1);
  rig.connected(2);
  rig.send(client, client.payload(1)).server.receive(0);
  const packets = {
    request: rig.raw(50).request(),
    response: pending.response(challenge),
    keepAlive: client.keepAlive(),
    payload: client.payload(...Array.from({ length: 30 }, (_, i) => i)),
    disconnect: client.disconnect(),
  };
  rig.transport.take();
  return { rig, client, packets };
}

/** Where each packet has to come from to be taken seriously. */
function sourceOf(name: string, client: RawClient): Address {
  return name === 'response' ? clientAddress(9) : name === 'request' ? STRANGER : client.address;
}

/** Every copy with one bit flipped. */
function* flips(packet: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < packet.length * 8; bit++) {
    const copy = packet.slice();
    copy[bit >> 3]! ^= 1 << (bit & 7);
    yield copy;
  }
}

function* truncations(packet: Uint8Array): Generator<Uint8Array> {
  for (let length = 0; length < packet.length; length++) yield packet.slice(0, length);
}

const DAMAGES = { 'cut at every length': truncations, 'with every single bit flipped': flips };

describe.each(['request', 'response', 'keepAlive', 'payload', 'disconnect'])('a %s to a server', (name) => {
  test.each(Object.entries(DAMAGES))(
    'when it comes %s, then each copy is ignored with one counter, unanswered, and the original still works',
    (_, damage) => {
      const { rig, client, packets } = victim();
      const { server } = rig;
      const packet = packets[name]!;
      const from = sourceOf(name, client);
      const before = inspectServer(server);
      let count = ignoredCount(server.counters);
      for (const copy of damage(packet)) {
        server.processPacket(from, copy);
        if (ignoredCount(server.counters) !== ++count)
          expect.unreachable(`counters after ${copy.length} bytes: ${JSON.stringify(counted(server.counters))}`);
      }
      expect([rig.transport.sent, rig.events, inspectServer(server), server.receive(0)]).toEqual([[], ['+0', '+1'], before, undefined]);
      server.processPacket(from, packet);
      expect(ignoredCount(server.counters)).toBe(count);
    },
  );
});

describe.each(['denied', 'challenge', 'keepAlive', 'payload', 'disconnect'] as const)('a %s to a client', (type) => {
  test.each(Object.entries(DAMAGES))(
    'when it comes %s, then each copy is ignored with one counter and the original still works',
    (_, damage) => {
      const rig = type === 'denied' || type === 'challenge' ? new ClientRig().connect().at(0) : new ClientRig().establish();
      const make = {
        denied: () => rig.denied(),
        challenge: () => rig.challenge(),
        keepAlive: () => rig.keepAlive(),
        payload: () => rig.payload(1, 2, 3),
        disconnect: () => rig.kick(),
      };
      make[type]();
      const packet = rig.transport.inbox.pop()!.bytes;
      const { client } = rig;
      const { state } = client;
      let count = 0;
      for (const copy of damage(packet)) {
        client.processPacket(SERVER_ADDRESS, copy);
        if (ignoredCount(client.counters) !== ++count) expect.unreachable(`counters: ${JSON.stringify(counted(client.counters))}`);
      }
      expect([client.state, client.receive()]).toEqual([state, undefined]);
      client.processPacket(SERVER_ADDRESS, packet);
      expect(ignoredCount(client.counters)).toBe(count);
    },
  );
});

describe('floods', () => {
  /** Runs 10 s of a session in which `hit` is called 100 times a second, and checks that the client does not notice. */
  function undisturbed(rig: ServerRig, hit: (i: number) => void): void {
    const client = rig.connected(1);
    const received: number[] = [];
    const answers: string[] = [];
    for (let i = 0; i < 1000; i++) {
      rig.deliver(client.address, client.payload(i & 0xff));
      hit(i);
      rig.at(i / 100);
      rig.server.send(0, Uint8Array.of(i & 0xff));
      received.push(rig.server.receive(0)!.data[0]!);
      answers.push(...rig.labels(client).filter((text) => text.startsWith('payload')));
    }
    expect(received).toEqual(Array.from({ length: 1000 }, (_, i) => i & 0xff));
    expect([answers.length, rig.server.isConnected(0), rig.server.connectedCount]).toEqual([1000, true, 1]);
  }

  test('when 10,000 random datagrams come from everywhere, then a connected client is undisturbed and each is counted once', () => {
    const rig = new ServerRig();
    const random = new SeededRandom(10_000);
    const sources = [clientAddress(1), ...Array.from({ length: 500 }, (_, i) => clientAddress(100 + i))];
    undisturbed(rig, () => {
      for (let k = 0; k < 10; k++) {
        const junk = random.bytes(random.below(random.chance(0.2) ? 1600 : 120));
        if (random.chance(0.5) && junk.length > 0) junk[0] = random.pick([0x13, 0x14, 0x15, 0x16, 0x25, 0x85, 0x00]);
        rig.server.processPacket(random.pick(sources), junk);
      }
    });
    expect(ignoredCount(rig.server.counters)).toBe(10_000);
    expect(inspectServer(rig.server).challengeSequence).toBe(1n);
  });

  test('when 2,000 well-formed expired requests and 2,000 that predate the start come, then they are refused before decryption', () => {
    const rig = new ServerRig();
    const expired = rig.raw(2, { expireSeconds: 0 }).request();
    const early = rig.raw(3, { expireSeconds: 10 }).request();
    undisturbed(rig, (i) => {
      for (let k = 0; k < 2; k++) rig.deliver(clientAddress(i % 700), expired).deliver(clientAddress(i % 700), early);
    });
    expect(counted(rig.server.counters)).toEqual({ 'request-expired': 2000, 'request-predates-start': 2000 });
  });

  test('when recorded packets of the session are sent again from its own address and others, then none counts twice', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    const packets = Array.from({ length: 400 }, (_, i) => client.payload(i & 0xff, i >> 8));
    for (const packet of packets) rig.send(client, packet).server.receive(0);
    for (const packet of packets) for (const from of [client.address, STRANGER]) rig.server.processPacket(from, packet);
    expect([rig.server.receive(0), counted(rig.server.counters)]).toEqual([undefined, { replay: 400, 'no-read-key': 400 }]);
  });

  test('when junk comes from 20,000 addresses, then nothing is kept for any of them: every mapping and history entry is still free', () => {
    const rig = new ServerRig();
    const junk = new Uint8Array(100).fill(0x35);
    const request = rig.raw(1, { privateKey: new Uint8Array(32) }).request();
    for (let i = 0; i < 20_000; i++) rig.server.processPacket(clientAddress(i), i % 20 === 0 ? request : junk);
    expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 19_000, 'request-decrypt': 1000 });
    for (let i = 0; i < 1024; i++) rig.deliver(clientAddress(i), rig.raw(i).request());
    rig.at(0);
    expect([rig.transport.take().length, inspectServer(rig.server).challengeSequence]).toEqual([1024, 1024n]);
  });

  test('when more valid tokens come than there is room for, then the tables stop growing and a connected client keeps its keys', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    for (let i = 0; i < 2100; i++) rig.server.processPacket(clientAddress(10 + i), rig.raw(10 + i).request());
    expect(counted(rig.server.counters)).toEqual({ 'request-no-mapping-room': 1024, 'request-history-full': 53 });
    expect(rig.transport.take().length).toBe(1023);
    rig.send(client, client.payload(5));
    rig.server.send(0, Uint8Array.of(6));
    expect([rig.server.receive(0)?.data[0], rig.labels(client)]).toEqual([5, ['payload#1']]);
    rig.unix = UNIX + 30n;
    rig.at(5.1);
    expect(label(rig.request(rig.raw(5000, { createTimestamp: rig.unix }))!)).toBe('challenge#g1024');
  });

  test('when a client floods with payloads, then 256 wait, the rest is counted, and another client is not affected', () => {
    const rig = new ServerRig();
    const [flooder, other] = [rig.connected(1), rig.connected(2)];
    for (let i = 0; i < 5000; i++) rig.deliver(flooder.address, flooder.payload(1));
    rig.deliver(other.address, other.payload(2)).at(0);
    expect([counted(rig.server.counters), rig.server.receive(1)?.data[0]]).toEqual([{ 'queue-full': 4744 }, 2]);
  });

  test('when a client is flooded from its server address and others, then it stays connected and each is counted once', () => {
    const rig = new ClientRig().establish();
    const random = new SeededRandom(77);
    for (let i = 0; i < 10_000; i++) rig.client.processPacket(random.pick([SERVER_ADDRESS, STRANGER]), random.bytes(random.below(1400)));
    rig.payload(3).at(0.06);
    expect([rig.client.state, rig.client.receive()?.data[0], ignoredCount(rig.client.counters)]).toEqual(['connected', 3, 10_000]);
  });
});

test('when a challenge is reordered, doubled or of another server, then a client takes the first good one and connects', () => {
  const rig = new ServerRig();
  const client = rig.raw(1);
  const challenges = Array.from(
    { length: 5 },
    () => (rig.deliver(client.address, client.request()).at(0), rig.transport.take()[0]!.bytes),
  ).reverse();
  const foreign = new ClientRig().connect(mint());
  foreign.minted = client.minted;
  foreign.client.connect(client.minted.bytes);
  for (const challenge of [...challenges, ...challenges]) foreign.client.processPacket(SERVER_ADDRESS, challenge);
  expect([foreign.client.state, counted(foreign.client.counters)]).toEqual(['sendingConnectionResponse', { unexpected: 9 }]);
  foreign.at(0.2);
  rig.send(client, foreign.transport.sent.at(-1)!.bytes);
  expect([rig.server.clientId(0), label(openAtClient(client.minted, rig.transport.sent[0]!.bytes))]).toEqual([1n, 'keepAlive#0']);
});
