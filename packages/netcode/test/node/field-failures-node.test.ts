import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { formatAddress, NetcodeServer, monotonicSeconds, parseAddress } from '../../src/index.ts';
import type { NetcodeClient } from '../../src/index.ts';
import { createClient, createServer, UdpTransport } from '../../src/node/index.ts';
import type { Lookup, SocketFactory } from '../../src/node/udp-socket.ts';
import { bindFakes, bindOn } from '../support/node-bind.ts';
import {
  activeHandles,
  Closer,
  drive,
  mint,
  NO_IPV6,
  openClient,
  openServer,
  PRIVATE_KEY,
  PROTOCOL_ID,
  sleep,
} from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

async function connectClients(server: NetcodeServer, count: number, address: string = '127.0.0.1:0'): Promise<NetcodeClient[]> {
  const clients: NetcodeClient[] = [];
  for (let i = 0; i < count; i++) {
    const client = closer.add(await openClient({ address }));
    client.connect(mint([formatAddress(server.address)], { clientId: BigInt(100 + i) }));
    clients.push(client);
    // One after another, so that client i is in slot i.
    expect(await drive([server, ...clients], () => client.state === 'connected')).toBe(true);
  }
  return clients;
}

describe('addresses', () => {
  it('FF-09: many clients behind one public address', async () => {
    const server = closer.add(await openServer());
    server.start(8);
    const clients = await connectClients(server, 5);
    for (let slot = 0; slot < 5; slot++) server.send(slot, Uint8Array.of(slot));
    const got: number[][] = clients.map(() => []);
    await drive([server, ...clients], () => {
      for (const [i, client] of clients.entries()) {
        for (let received = client.receive(); received !== undefined; received = client.receive()) got[i]!.push(received.data[0]!);
      }
      return got.every((list) => list.length > 0);
    });
    expect(got).toEqual([[0], [1], [2], [3], [4]]);
    const addresses = [0, 1, 2, 3, 4].map((slot) => server.clientAddress(slot)!);
    expect(new Set(addresses.map(({ bytes }) => bytes.join('.')))).toEqual(new Set(['127.0.0.1']));
    expect(addresses.map(({ port }) => port)).toEqual(clients.map(({ port }) => port));
    expect(new Set(addresses.map(({ port }) => port)).size).toBe(5);
  });

  it('FF-12: IPv4-mapped IPv6 addresses', async () => {
    if (NO_IPV6 !== undefined) {
      console.log(`skipped FF-12: ${NO_IPV6}`);
      return;
    }
    const transport = await UdpTransport.bind('[::]:0');
    const address = `127.0.0.1:${transport.boundPort('ipv4')}`;
    const time = monotonicSeconds();
    const server = closer.add(new NetcodeServer({ time, transport, address, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY }));
    server.start(1);
    const [client] = await connectClients(server, 1);
    expect(formatAddress(server.clientAddress(0)!)).toBe(`127.0.0.1:${client!.port}`);
    expect(server.clientAddress(0)!.type).toBe('ipv4');
    server.send(0, Uint8Array.of(9));
    expect(await drive([server, client!], () => client!.receive()?.data[0] === 9)).toBe(true);
  });

  it('FF-12: three spellings of a sender are one address, a text is not unmapped', async () => {
    const { transport, sockets } = await bindFakes(['[::]:1']);
    closer.add(transport);
    for (const host of ['::ffff:127.0.0.1', '::FFFF:7f00:1', '127.0.0.1']) sockets[0]!.receive(Uint8Array.of(1), host, 4000);
    const senders = new Set<unknown>();
    transport.poll((from) => {
      senders.add(from);
      expect(from.type).toBe('ipv4');
      expect(from.bytes).toEqual(Uint8Array.of(127, 0, 0, 1));
    });
    expect(senders.size).toBe(1);
    expect(parseAddress('::ffff:127.0.0.1').type).toBe('ipv6');
  });

  it('FF-15: binding a wildcard while tokens name the public address', async () => {
    const free = await UdpTransport.bind('127.0.0.1:0');
    const port = free.boundPort('ipv4');
    free.close();
    await sleep(10);
    const server = closer.add(await openServer({ address: `127.0.0.1:${port}`, bindAddress: `0.0.0.0:${port}` }));
    server.start(2);
    const [client] = await connectClients(server, 1);
    expect(client!.state).toBe('connected');
    for (const address of [`0.0.0.0:${port}`, `[::]:${port}`]) {
      await expect(openServer({ address })).rejects.toMatchObject({ kind: 'wildcardAddress' });
      await expect(openServer({ address })).rejects.toThrow('must be concrete');
    }
    const stranger = closer.add(await openClient({ address: '127.0.0.1:0' }));
    const token = mint([`127.0.0.1:${port}`], { internalAddresses: [`10.0.0.1:${port}`], clientId: 2n });
    stranger.connect(token);
    expect(await drive([server, stranger], () => server.counters['request-not-our-address'] > 0)).toBe(true);
  });

  it('FF-16: second address of a dual-stack server', async () => {
    if (NO_IPV6 !== undefined) {
      console.log(`skipped FF-16: ${NO_IPV6}`);
      return;
    }
    const addresses = { address: '127.0.0.1:0', bindAddress: '127.0.0.1:0', address2: '[::1]:0', bindAddress2: '[::1]:0' };
    const server = closer.add(await openServer(addresses));
    server.start(4);
    const [ipv4, ipv6] = [formatAddress(server.address), formatAddress(server.address2!)];
    const clients: NetcodeClient[] = [];
    for (const [i, only] of [ipv4, ipv6].entries()) {
      const client = closer.add(await openClient({}));
      clients.push(client);
      client.connect(mint([only], { clientId: BigInt(i) }));
      expect(await drive([server, ...clients], () => client.state === 'connected')).toBe(true);
      expect(server.clientAddress(i)!.type).toBe(i === 0 ? 'ipv4' : 'ipv6');
    }
    const neither = closer.add(await openClient({}));
    neither.connect(mint([ipv4], { internalAddresses: ['127.0.0.1:9'], clientId: 5n }));
    expect(await drive([server, neither], () => server.counters['request-not-our-address'] > 0)).toBe(true);
    expect(neither.state).toBe('sendingConnectionRequest');
  });

  it('FF-16: a client of one family fails clearly on an address of the other', async () => {
    const lines: string[] = [];
    const client = closer.add(await openClient({ address: '127.0.0.1:0', time: 0, logger: { warn: (line) => lines.push(line) } }));
    client.connect(mint(['[::1]:40000', '127.0.0.1:9'], { timeoutSeconds: 1 }));
    for (let time = 0.1; time < 0.9; time += 0.1) client.update(time);
    expect(client.state).toBe('sendingConnectionRequest');
    expect(lines).toEqual(['udp: cannot send to [::1]:40000: no IPv6 socket is open; bind an address of that family as well']);
    for (let time = 0.9; time < 1.5; time += 0.1) client.update(time);
    expect(formatAddress(client.serverAddress!)).toBe('127.0.0.1:9');
  });

  it('FF-17: port 0 reports and checks the real port', async () => {
    const servers = [closer.add(await openServer()), closer.add(await openServer())];
    const ports = servers.map((server) => server.address.port);
    expect(ports[0]).toBeGreaterThan(0);
    expect(ports[1]).toBeGreaterThan(0);
    expect(ports[0]).not.toBe(ports[1]);
    for (const [i, server] of servers.entries()) {
      expect(server.port).toBe(ports[i]);
      server.start(2);
      await connectClients(server, 1);
      // Dials this server with a token that is for the other one.
      const stranger = closer.add(await openClient());
      const own = [formatAddress(server.address)];
      stranger.connect(mint(own, { internalAddresses: [`127.0.0.1:${ports[1 - i]}`], clientId: 9n }));
      expect(await drive([server, stranger], () => server.counters['request-not-our-address'] > 0)).toBe(true);
    }
  });

  it('FF-34: host names are refused where addresses are configured', async () => {
    for (const name of ['localhost:40000', 'example.invalid:1']) {
      const refusal = /expected a numeric address.*resolve host names first/;
      await expect(openServer({ address: name })).rejects.toThrow(refusal);
      await expect(openServer({ bindAddress: name })).rejects.toThrow(refusal);
      await expect(openClient({ address: name })).rejects.toThrow(refusal);
      await expect(UdpTransport.bind(name)).rejects.toMatchObject({ kind: 'parseAddressFailed', code: 'PARSE_ADDRESS_FAILED' });
      expect(() => mint([name])).toThrow(/resolve host names first/);
    }
  });

  it('FF-34: no name lookups on the packet path', async () => {
    const hosts = new Map<string, number>();
    let lookup: Lookup | undefined;
    const factory: SocketFactory = (options) => {
      lookup = options.lookup;
      const counting: Lookup = (host, ...rest) => {
        hosts.set(host, (hosts.get(host) ?? 0) + 1);
        options.lookup(host, ...rest);
      };
      return createSocket({ ...options, lookup: counting });
    };
    const transport = closer.add(await bindOn(factory, ['127.0.0.1:0']));
    const to = parseAddress(`127.0.0.1:${transport.boundPort('ipv4')}`);
    for (let i = 0; i < 10_000; i++) transport.send(to, Uint8Array.of(i & 255), 0, 1);
    expect([...hosts.keys()]).toEqual(['127.0.0.1']);
    expect(hosts.get('127.0.0.1')).toBeGreaterThanOrEqual(10_000);
    lookup!('localhost', 4, (error) => expect(error?.message).toContain('resolve host names first'));
    expect.assertions(3);
  });
});

describe('lifecycle', () => {
  it('FF-18: port already in use', async () => {
    const server = closer.add(await openServer({ bindAddress: '127.0.0.1:0' }));
    server.start(1);
    const address = `127.0.0.1:${server.address.port}`;
    await sleep(20);
    const handles = activeHandles('UDPWrap');
    for (let i = 0; i < 3; i++) {
      const second = createServer({ address, bindAddress: address, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY });
      await expect(second).rejects.toMatchObject({ kind: 'bindSocketIpv4Failed', code: 'EADDRINUSE' });
      await expect(second).rejects.toThrow(address);
    }
    await expect(createClient({ address })).rejects.toMatchObject({ kind: 'createSocketIpv4Failed', code: 'EADDRINUSE' });
    await sleep(20);
    expect(activeHandles('UDPWrap')).toBeLessThanOrEqual(handles);
    const [client] = await connectClients(server, 1);
    expect(client!.state).toBe('connected');
  });

  it('FF-29: reusing a send buffer in the same tick', async () => {
    const receivers: UdpTransport[] = [];
    for (let i = 0; i < 5; i++) receivers.push(closer.add(await UdpTransport.bind('127.0.0.1:0')));
    const sender = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const scratch = new Uint8Array(1300);
    for (const [i, receiver] of receivers.entries()) {
      scratch.fill(i + 1);
      sender.send(parseAddress(`127.0.0.1:${receiver.boundPort('ipv4')}`), scratch, 7, 500);
      scratch.fill(0xee);
    }
    for (const [i, receiver] of receivers.entries()) {
      for (let k = 0; k < 500 && receiver.stats.datagramsReceived === 0; k++) await sleep(2);
      const got: Uint8Array[] = [];
      receiver.poll((_from, bytes) => got.push(Uint8Array.from(bytes)));
      expect(got).toEqual([new Uint8Array(500).fill(i + 1)]);
    }
  });

  it('FF-29: reusing a send buffer while the socket is congested', async () => {
    const { transport: congested, sockets } = await bindFakes(['127.0.0.1:1']);
    closer.add(congested);
    const socket = sockets[0]!;
    socket.queueCount = 1;
    const scratch = new Uint8Array(64);
    for (let i = 0; i < 5; i++) congested.send(parseAddress(`127.0.0.1:${8000 + i}`), scratch.fill(i), 0, 40);
    scratch.fill(0xff);
    socket.queueCount = 0;
    congested.send(parseAddress('127.0.0.1:9000'), scratch, 0, 40);
    // What is still queued is what the socket was given, not a copy of it.
    expect(socket.sent.slice(0, 5).map(({ given }) => [given.length, given[0], given[39]])).toEqual([0, 1, 2, 3, 4].map((i) => [40, i, i]));
  });

  it('FF-29: five clients get their own payloads', async () => {
    const server = closer.add(await openServer());
    server.start(5);
    const clients = await connectClients(server, 5);
    const payload = new Uint8Array(700);
    for (let slot = 0; slot < 5; slot++) server.send(slot, payload.fill(slot + 1));
    payload.fill(0);
    const got: Uint8Array[] = clients.map(() => new Uint8Array(0));
    await drive(clients, () => {
      for (const [i, client] of clients.entries()) got[i] = client.receive()?.data ?? got[i]!;
      return got.every((data) => data.length > 0);
    });
    expect(got).toEqual([1, 2, 3, 4, 5].map((value) => new Uint8Array(700).fill(value)));
    expect(clients.map((client) => client.counters.decrypt)).toEqual([0, 0, 0, 0, 0]);
  });

  it('FF-33: a client closes right after sending', async () => {
    const problems: unknown[] = [];
    const note = (error: unknown): void => void problems.push(error);
    process.on('uncaughtExceptionMonitor', note).on('unhandledRejection', note);
    const server = closer.add(await openServer());
    server.start(8);
    await sleep(50);
    const udp = activeHandles('UDPWrap');
    const timers = activeHandles('Timeout');
    for (let round = 0; round < 50; round++) {
      const client = await openClient();
      client.connect(mint([formatAddress(server.address)], { clientId: BigInt(round + 1) }));
      expect(await drive([server, client], () => client.state === 'connected')).toBe(true);
      for (let i = 0; i < 100; i++) client.send(new Uint8Array(100));
      client.disconnect();
      client.close();
      expect(() => client.send(new Uint8Array(1))).toThrow(expect.objectContaining({ kind: 'closed', code: 'CLOSED' }));
      expect(await drive([server], () => server.connectedCount === 0)).toBe(true);
    }
    await sleep(500);
    expect(activeHandles('UDPWrap')).toBeLessThanOrEqual(udp);
    expect(activeHandles('Timeout')).toBeLessThanOrEqual(timers);
    process.off('uncaughtExceptionMonitor', note).off('unhandledRejection', note);
    expect(problems).toEqual([]);
  });

  it('FF-33: a server with 8 clients closes right after sending', async () => {
    const server = await openServer();
    server.start(8);
    const clients = await connectClients(server, 8);
    for (let slot = 0; slot < 8; slot++) for (let i = 0; i < 20; i++) server.send(slot, Uint8Array.of(slot, i));
    server.close();
    server.close();
    expect(() => server.update(monotonicSeconds())).toThrow(expect.objectContaining({ kind: 'closed' }));
    const got = clients.map(() => 0);
    const isOver = (): boolean => {
      for (const [i, client] of clients.entries()) while (client.receive() !== undefined) got[i]!++;
      return clients.every((client) => client.state === 'disconnected');
    };
    expect(await drive(clients, isOver, 2000)).toBe(true);
    closer.closeAll();
    await sleep(500);
    expect(activeHandles('UDPWrap')).toBe(0);
  });
});
