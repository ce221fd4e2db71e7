import { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { readPacket } from '../src/packet-codec.ts';
import {
  clientAddress,
  counted,
  ignoredCount,
  label,
  mint,
  openAtClient,
  PRIVATE_KEY,
  PROTOCOL_ID,
  RawClient,
  SERVER,
  START,
} from './support/session-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { ServerRig } from './support/session-server-rig.ts';
import { SimWorld } from './support/session-sim.ts';

const PERFECT = { latencyMilliseconds: 0, jitterMilliseconds: 0, packetLossPercent: 0, duplicatePacketPercent: 0 };

const bytes = (...values: number[]) => Uint8Array.from(values);

test('FF-21: when payloads of every size at the edge are sent, then 1 to 1200 bytes arrive unchanged and the rest is refused', () => {
  const net = new SimWorld(PERFECT, 0.02);
  const server = net.server(1);
  const client = net.connected(1);
  const random = new SeededRandom(21);
  const got = { server: [] as Uint8Array[], client: [] as Uint8Array[] };
  const sent: Uint8Array[] = [];
  for (const size of [1, 1199, 1200, 0, 1201, 65_536]) {
    const payload = random.bytes(size);
    const before = net.fromServers;
    if (size < 1 || size > 1200) {
      expect(() => client.send(payload)).toThrow(expect.objectContaining({ code: 'PAYLOAD_SIZE' }) as Error);
      expect(() => server.send(0, payload)).toThrow(expect.objectContaining({ code: 'PAYLOAD_SIZE' }) as Error);
      expect(net.fromServers).toBe(before);
      continue;
    }
    sent.push(payload);
    client.send(payload);
    server.send(0, payload);
  }
  net.run(0.3);
  for (let next = server.receive(0); next !== undefined; next = server.receive(0)) got.server.push(next.data);
  for (let next = client.receive(); next !== undefined; next = client.receive()) got.client.push(next.data);
  expect([got.server, got.client, client.state]).toEqual([sent, sent, 'connected']);
});

test('FF-22: when junk and spoofed requests come, then no source gets more than it sent, and nothing unasked', () => {
  const rig = new ServerRig({}, 1);
  const random = new SeededRandom(22);
  for (let i = 0; i < 1000; i++) rig.deliver(clientAddress(i), random.bytes(random.below(1501)));
  rig.at(0);
  expect(rig.transport.take()).toEqual([]);
  for (let i = 0; i < 10; i++) rig.deliver(clientAddress(i), rig.raw(i).request());
  for (let t = 0; t < 7; t += 0.05) rig.at(t);
  expect(rig.transport.take().map(({ bytes: packet }) => packet.length)).toEqual(Array.from({ length: 10 }, () => 333));
  rig.connected(100);
  for (let i = 0; i < 10; i++) rig.deliver(clientAddress(i), rig.raw(200 + i).request());
  rig.at();
  expect(rig.transport.take().map(({ bytes: packet }) => packet.length)).toEqual(Array.from({ length: 10 }, () => 25));
});

test('FF-23: when datagrams of every short shape come, then each is ignored and counted once and the client is unaffected', () => {
  const rig = new ServerRig();
  const client = rig.connected(1);
  const client0 = new ClientRig().establish();
  let count = 0;
  const feed = (datagram: Uint8Array) => {
    for (const from of [client.address, clientAddress(50)]) rig.server.processPacket(from, datagram);
    client0.client.processPacket(parseAddress(SERVER), datagram);
    count++;
  };
  for (const length of [0, 1, 2, 17, 18]) for (let prefix = 0; prefix < 256; prefix++) feed(new Uint8Array(length).fill(prefix, 0, 1));
  for (const length of [1077, 1078, 1079]) feed(new Uint8Array(length));
  expect([ignoredCount(rig.server.counters), ignoredCount(client0.client.counters), rig.transport.sent]).toEqual([2 * count, count, []]);
  rig.send(client, client.payload(5));
  client0.payload(6).at(0.06);
  expect([rig.server.receive(0)?.data, client0.client.receive()?.data, rig.server.connectedCount]).toEqual([bytes(5), bytes(6), 1]);
});

test('FF-24: when a batch has forged packets in it, then every good payload of that update is delivered', () => {
  const rig = new ServerRig();
  const [a, b, c] = [rig.connected(1), rig.connected(2), rig.connected(3)];
  const forged = a.payload(9);
  forged[forged.length - 1]! ^= 1;
  rig.deliver(a.address, a.payload(1)).deliver(a.address, forged).deliver(b.address, b.payload(2));
  rig.deliver(clientAddress(60), new Uint8Array(700).fill(0x35)).deliver(c.address, c.payload(3)).at(0);
  expect([0, 1, 2].map((slot) => rig.server.receive(slot)?.data[0])).toEqual([1, 2, 3]);
  expect(counted(rig.server.counters)).toEqual({ decrypt: 1, 'no-read-key': 1 });
});

test('FF-25: when the server is full, then the second client knows within a round trip; when a slot is free, then it gets in', () => {
  const net = new SimWorld({ ...PERFECT, latencyMilliseconds: 50 }, 0.01);
  const server = net.server(1);
  const first = net.connected(1);
  const second = net.client(2, mint({ clientId: 2n }));
  expect(net.until(() => second.state === 'connectionDenied', 1)).toBeLessThan(0.21);
  expect([server.connectedCount, net.events]).toEqual([1, ['+0 none']]);
  first.disconnect();
  net.run(0.2);
  second.connect(mint({ clientId: 2n }).bytes);
  net.until(() => second.state === 'connected', 1);
  expect(server.clientId(0)).toBe(2n);
});

test('FF-26: when the first server is dead and the second full, then the third is reached after one timeout', () => {
  const net = new SimWorld({ ...PERFECT, latencyMilliseconds: 20 }, 0.01);
  const addresses = ['10.9.9.1:1', '10.9.9.2:1', SERVER];
  const full = net.server(1, { address: addresses[1]!, override: undefined, simulator: net.simulator });
  net.client(5, mint({ clientId: 5n, publicAddresses: [addresses[1]!] }));
  net.until(() => full.connectedCount === 1);
  net.server(1);
  const minted = mint({ publicAddresses: addresses, timeoutSeconds: 1 });
  const client = net.client(1, minted);
  const seconds = net.until(() => client.state === 'connected', 5);
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThan(1.4);
  expect(client.serverAddress).toEqual(parseAddress(SERVER));
});

describe('FF-27: packets without a body', () => {
  test('FF-27: when one of ten disconnect packets of a client survives, then the server knows in its next update, once', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    for (let i = 0; i < 9; i++) client.disconnect();
    rig.send(client, client.disconnect());
    expect([rig.events, rig.server.disconnectReason(0)]).toEqual([['+0', '-0'], 'clientDisconnect']);
  });

  test('FF-27: when one of ten disconnect packets of a server survives, then the client knows in its next update, and the others do nothing', () => {
    const rig = new ServerRig();
    const raw = rig.connected(1);
    rig.server.disconnectClient(0);
    const last = rig.transport.take().at(-1)!.bytes;
    expect([last.length, label(openAtClient(raw.minted, last))]).toEqual([18, 'disconnect#10']);
    const client = new ClientRig().establish();
    client.slotSequence = 9n;
    client.kick().at(0.06);
    for (let i = 0; i < 9; i++) client.kick();
    client.at(0.07);
    expect([client.changes.slice(3), counted(client.client.counters)]).toEqual([['3>0'], { 'no-read-key': 9 }]);
  });

  test('FF-27: when a denied packet of 25 bytes arrives, then the client is denied in that update', () => {
    expect(new ClientRig().connect().denied().at(0.01).client.state).toBe('connectionDenied');
  });
});

test('FF-31: when 90 days have passed, then keep-alives still leave every 0.1 s within one frame, both ways, and nobody is disconnected', () => {
  const net = new SimWorld({ ...PERFECT, latencyMilliseconds: 50 }, 1 / 60);
  const server = net.server(1);
  const client = net.connected(1, mint({ timeoutSeconds: -1, expireSeconds: -1 }));
  for (let day = 1; day <= 90; day++) net.tick(day * 86_400 + START - net.time);
  net.run(1);
  const sentAt: Record<'client' | 'server', number[]> = { client: [], server: [] };
  let [clientNext, serverNext] = [client.nextSequence, server.nextSequence(0)];
  net.onTick = () => {
    if (client.nextSequence !== clientNext) sentAt.client.push(net.time);
    if (server.nextSequence(0) !== serverNext) sentAt.server.push(net.time);
    [clientNext, serverNext] = [client.nextSequence, server.nextSequence(0)];
  };
  net.run(60);
  for (const times of [sentAt.client, sentAt.server]) {
    expect(times.length).toBeGreaterThan(500);
    for (let i = 1; i < times.length; i++) expect(Math.abs(times[i]! - times[i - 1]! - 0.1)).toBeLessThanOrEqual(1 / 60 + 1e-6);
  }
  expect([client.state, net.events]).toEqual(['connected', ['+0 none']]);
});

test('FF-65: when the connect callback throws for one client only, then the others are served and no counter says otherwise', () => {
  const reports: string[] = [];
  const rig: ServerRig = new ServerRig({
    onError: (_, source) => reports.push(source),
    onConnectDisconnect: (slot) => {
      if (rig.server.clientId(slot) === 2n) throw new Error('hook');
    },
  });
  const clients = [1, 2, 3].map((id) => rig.connected(id));
  for (const client of clients) rig.deliver(client.address, client.payload(Number(client.sequence)));
  rig.at(0);
  expect([0, 1, 2].map((slot) => rig.server.receive(slot)?.data.length)).toEqual([1, 1, 1]);
  rig.server.disconnectAllClients();
  expect([rig.server.connectedCount, reports, counted(rig.server.counters)]).toEqual([0, ['onConnectDisconnect'], {}]);
});

test('FF-73: when hostile traffic floods a server with the default logger, then nothing is written per packet and no text is built', () => {
  const lines: string[] = [];
  const rig = new ServerRig({
    logger: { error: (text) => lines.push(text), warn: (text) => lines.push(text), info: (text) => lines.push(text) },
  });
  lines.length = 0;
  const random = new SeededRandom(73);
  const expired = rig.raw(1, { expireSeconds: 0 }).request();
  // An address whose printing would throw: a text built in vain would show.
  const from = {
    type: 'ipv4' as const,
    port: 9,
    carrier: '',
    bytes: Object.assign(bytes(10, 3, 3, 3), { join: () => expect.unreachable('printed') }),
  };
  const junk = Array.from({ length: 64 }, () => random.bytes(1 + random.below(200)).fill(0x35, 0, 1));
  for (let i = 0; i < 100_000; i++) rig.server.processPacket(from, junk[i & 63]!);
  for (let i = 0; i < 10_000; i++) rig.server.processPacket(from, expired);
  for (let i = 0; i < 1000; i++) rig.server.processPacket(from, bytes(0, i & 0xff));
  expect([lines, ignoredCount(rig.server.counters)]).toEqual([[], 111_000]);
  expect(rig.server.counters).toMatchObject({ 'request-expired': 10_000, 'request-length': 1000 });
});

test('FF-82: when packets of a session are read without its keys, then only requests show anything, and that is sealed', () => {
  const rig = new ServerRig();
  const client = new RawClient(mint({ userData: new Uint8Array(256).fill(0x5a) }), clientAddress(1));
  const secrets = [client.minted.token.clientToServerKey, client.minted.token.serverToClientKey, new Uint8Array(8).fill(0x5a), PRIVATE_KEY];
  const request = client.request();
  rig.deliver(client.address, request).at(0);
  const wire = [request, ...rig.transport.sent.map(({ bytes: packet }) => packet)].map((packet) => Buffer.from(packet));
  for (const secret of secrets) for (const packet of wire) expect(packet.includes(Buffer.from(secret.subarray(0, 8)))).toBe(false);
  expect(readPacket(wire[1]!, { side: 'client', protocolId: PROTOCOL_ID, unixSeconds: 0n, readKey: new Uint8Array(32) })).toEqual({
    refused: 'decrypt',
  });
});
