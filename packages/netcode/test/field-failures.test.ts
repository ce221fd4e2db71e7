import { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { openConnectToken } from '../src/connect-token.ts';
import { counted, label, MAX_U64, mint, openAtClient, PRIVATE_KEY, UNIX } from './support/session-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { ServerRig } from './support/session-server-rig.ts';
import { SimWorld } from './support/session-sim.ts';

const PERFECT = { latencyMilliseconds: 0, jitterMilliseconds: 0, packetLossPercent: 0, duplicatePacketPercent: 0 };

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('FF-02: a forged datagram with a huge sequence', () => {
  test('FF-02: when it comes from the address of a client, then the window of the server stays and the next payload is delivered', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    for (let i = 0; i <= 10; i++) rig.send(client, client.payload(i));
    const forged = new SeededRandom(2).bytes(49);
    forged.set([0x85, 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    rig.send(client, forged);
    expect(counted(rig.server.counters)).toEqual({ decrypt: 1 });
    rig.send(client, client.payload(11));
    for (let i = 0; i <= 11; i++) expect(rig.server.receive(0)?.data).toEqual(bytes(i));
    expect(rig.server.isConnected(0)).toBe(true);
  });

  test('FF-02: when it comes from the address of the server, then the window of the client stays', () => {
    const rig = new ClientRig().establish();
    const forged = new Uint8Array(49).fill(0xff);
    forged[0] = 0x85;
    rig.client.processPacket(rig.client.serverAddress!, forged);
    rig.payload(7).at(0.06);
    expect([rig.client.receive()?.data, counted(rig.client.counters)]).toEqual([bytes(7), { decrypt: 1 }]);
  });
});

test('FF-03: when 600 payloads are sent, then handshake packets are numbered from 2^63 and all others 0, 1, 2 … without gaps', () => {
  const rig = new ServerRig();
  const client = rig.raw(1);
  rig.deliver(client.address, client.request()).at(0);
  rig.deliver(client.address, client.response(openAtClient(client.minted, rig.transport.sent[0]!.bytes))).at(0);
  for (let i = 0; i < 600; i++) {
    if (i === 30) rig.send(client, client.keepAlive());
    rig.server.send(0, bytes(i & 0xff, i >> 8));
    rig.at(i * 0.05);
    if (i % 20 === 0) rig.send(client, client.payload(1));
  }
  const opened = rig.answers(client).map((packet) => ('packet' in packet ? packet : expect.unreachable(label(packet))));
  const global = opened.filter(({ packet }) => packet.type === 'challenge' || packet.type === 'denied');
  const slot = opened.filter((packet) => !global.includes(packet));
  expect(global.map(({ sequence }) => sequence)).toEqual([1n << 63n]);
  expect(slot.map(({ sequence }) => sequence)).toEqual(slot.map((_, i) => BigInt(i)));
  expect(slot.filter(({ packet }) => packet.type === 'payload').length).toBe(600);
});

test('FF-04: when a token has opened a session, then it opens no second one, from no port, and a new token does', () => {
  const net = new SimWorld(PERFECT, 0.05);
  const server = net.server(1, { maxConnectTokenLifetimeSeconds: 60 });
  const used = mint({ expireSeconds: 60 });
  const client = net.connected(1, used);
  net.exchange(server);
  server.disconnectClient(0);
  net.until(() => client.state === 'disconnected');
  const before = net.fromServers;
  for (const other of [client, net.client(1000)]) {
    other.connect(used.bytes);
    net.until(() => other.state === 'connectionRequestTimedOut', 6);
  }
  expect([server.connectedCount, net.fromServers, server.counters['request-token-used'] > 50]).toEqual([0, before, true]);
  client.connect(mint({ expireSeconds: 60 }).bytes);
  net.until(() => client.state === 'connected', 1);
});

test('FF-05: when tokens could predate the start, then they are ignored; later and never-expiring ones are accepted', () => {
  const rig = new ServerRig({}, 0);
  rig.unix = 1005n;
  rig.server.start(8);
  const present = (id: number, minted: bigint, now: bigint, expireSeconds: number): string => {
    rig.unix = now;
    const answer = rig.request(rig.raw(id, { createTimestamp: minted, expireSeconds }));
    return answer === undefined ? 'silence' : label(answer).split('#')[0]!;
  };
  expect([
    present(1, 1000n, 1006n, 30),
    present(2, 1006n, 1006n, 30),
    present(3, 1007n, 1007n, 10),
    present(4, 1030n, 1030n, 10),
    present(5, 1030n, 1030n, -1),
  ]).toEqual(['silence', 'challenge', 'silence', 'challenge', 'challenge']);
  expect(counted(rig.server.counters)).toEqual({ 'request-predates-start': 2 });
});

describe('FF-06: a time base far from zero', () => {
  const FAR = 31_536_000;
  test('FF-06: when client and server begin there, then they connect within one round trip and the send intervals', () => {
    const net = new SimWorld({ ...PERFECT, latencyMilliseconds: 50 }, 0.01);
    net.time = FAR;
    net.server(1);
    const client = net.client(1, mint({ timeoutSeconds: 60 }));
    expect(net.until(() => client.state === 'connected', 5)).toBeLessThan(0.35);
  });

  test('FF-06: when nobody listens, then the token expires after 30.0 s, not earlier', () => {
    const rig = new ClientRig({ time: FAR });
    rig.connect(mint({ timeoutSeconds: 60 }));
    for (let i = 0; i <= 299; i++) rig.client.update(FAR + i / 10);
    expect(rig.client.state).toBe('sendingConnectionRequest');
    rig.client.update(FAR + 30);
    expect(rig.client.state).toBe('connectTokenExpired');
  });
});

test('FF-07: when expiry equals timeout, then the expiry is the reason; when it is longer, then the timeout just after', () => {
  const end = (expireSeconds: number): [string, number] => {
    const rig = new ClientRig().connect(mint({ expireSeconds, timeoutSeconds: 5 }));
    for (let i = 1; i <= 1000; i++) if (rig.at(i / 100).client.state !== 'sendingConnectionRequest') return [rig.client.state, i / 100];
    return [rig.client.state, Infinity];
  };
  expect([end(5), end(60)]).toEqual([
    ['connectTokenExpired', 5],
    ['connectionRequestTimedOut', 5.01],
  ]);
});

test('FF-08: when expiry and timeout are negative, then never: ten years on, and through an hour of silence', () => {
  const minted = mint({ expireSeconds: -1, timeoutSeconds: -1 });
  const { token } = minted;
  expect([token.expireTimestamp, token.timeoutSeconds, openConnectToken(token, PRIVATE_KEY)?.timeoutSeconds]).toEqual([MAX_U64, -1, -1]);
  const net = new SimWorld(PERFECT);
  net.unix = UNIX + 315_360_000n;
  const server = net.server(1);
  const client = net.connected(1, minted);
  const [clients, servers] = [net.clients.splice(0), net.servers.splice(0)];
  net.time += 3600;
  clients[0]!.update(net.time);
  servers[0]!.update(net.time);
  expect([client.state, server.connectedCount]).toEqual(['connected', 1]);
});

test('FF-10: when a crashed client comes back at once, then it waits for its old slot and connects with the same second token', () => {
  const net = new SimWorld(PERFECT, 0.02);
  const events: string[] = [];
  const server = net.server(4, {
    onConnectDisconnect: (slot, connected) => {
      events.push(`${connected ? 'connected' : server.disconnectReason(slot)} ${server.clientAddress(slot)?.port}`);
      expect([0, 1, 2, 3].filter((other) => server.clientId(other) === 7n).length).toBe(1);
    },
  });
  net.connected(1, mint({ clientId: 7n }));
  net.run(0.3);
  net.clients.length = 0;
  const crash = net.time;
  net.run(0.5);
  const again = net.client(2000, mint({ clientId: 7n }));
  net.until(() => again.state !== 'sendingConnectionRequest' && again.state !== 'sendingConnectionResponse', 10);
  expect(again.state).toBe('connected');
  expect(net.time - crash).toBeGreaterThan(4.8);
  expect(net.time - crash).toBeLessThan(5.5);
  expect(events).toEqual(['connected 50000', 'timedOut 50000', 'connected 50000']);
  expect(server.counters['request-id-connected']).toBeGreaterThan(35);
});

test('FF-11: when a slot is used again, then nothing of its last client is left', () => {
  const left: number[] = [];
  const rig: ServerRig = new ServerRig(
    {
      onConnectDisconnect: (slot, connected) => {
        if (!connected) left.push(rig.server.receive(slot)!.data[0]!);
      },
    },
    1,
  );
  const a = rig.connected(1, { userData: new Uint8Array(256).fill(0xaa) });
  a.sequence = 0n;
  for (let i = 0; i < 20; i++) rig.send(a, a.payload(0xa0 + i));
  rig.send(a, a.disconnect());
  expect([left, rig.server.receive(0), rig.server.disconnectReason(0)]).toEqual([[0xa0], undefined, 'clientDisconnect']);
  const b = rig.raw(2, { userData: new Uint8Array(256).fill(0xbb) }, a.address);
  const challenge = rig.request(b)!;
  rig.send(b, b.response(challenge));
  expect([rig.labels(b), rig.server.disconnectReason(0), rig.server.userData(0)]).toEqual([
    ['keepAlive#0'],
    'none',
    new Uint8Array(256).fill(0xbb),
  ]);
  b.sequence = 0n;
  rig.send(b, b.payload(0x62));
  expect([rig.server.receive(0), rig.server.receive(0), rig.server.clientId(0)]).toMatchObject([
    { data: bytes(0x62), sequence: 0n },
    undefined,
    2n,
  ]);
});
