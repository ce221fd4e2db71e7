import { afterEach, describe, expect, it } from 'vitest';
import { formatAddress, monotonicSeconds, nobleAead } from '../../src/index.ts';
import type { Aead, NetcodeClient, NetcodeServer } from '../../src/index.ts';
import { createClientOn, createServerOn } from '../../src/node/create.ts';
import type { CreateClientOptions, CreateServerOptions } from '../../src/node/create.ts';
import { createClient, createServer } from '../../src/node/index.ts';
import { fakeSockets, systemError } from '../support/node-fake-socket.ts';
import type { FakeSocket } from '../support/node-fake-socket.ts';
import { activeHandles, Closer, openClient, openServer, PRIVATE_KEY, PROTOCOL_ID, sleep } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

const IDENTITY = { address: '203.0.113.1:40000', protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY };

async function serverOn(options: Partial<CreateServerOptions>): Promise<{ server: NetcodeServer; sockets: FakeSocket[] }> {
  const { sockets, createSocket } = fakeSockets();
  return { server: closer.add(await createServerOn({ ...IDENTITY, ...options }, createSocket)), sockets };
}

async function clientOn(
  options: CreateClientOptions,
  prepare?: (socket: FakeSocket) => void,
): Promise<{ client: NetcodeClient; sockets: FakeSocket[] }> {
  const { sockets, createSocket } = fakeSockets(prepare);
  return { client: closer.add(await createClientOn(options, createSocket)), sockets };
}

const boundTo = (sockets: readonly FakeSocket[]): string[] =>
  sockets.map(({ type, boundTo: [to] }) => `${type} ${to!.address} ${to!.port}`);

/** A cipher that has no memory left. */
const FULL_AEAD: Aead = {
  ...nobleAead,
  alloc: () => {
    throw new Error('full');
  },
};

describe('createServer', () => {
  it('binds any address of the identity family, with its port', async () => {
    const { sockets } = await serverOn({ address2: '[2001:db8::1]:40001' });
    expect(boundTo(sockets)).toEqual(['udp4 0.0.0.0 40000', 'udp6 :: 40001']);
    const alone = await serverOn({ address: '[2001:db8::1]:40001' });
    expect(boundTo(alone.sockets)).toEqual(['udp6 :: 40001']);
    expect([...sockets, ...alone.sockets].map(({ ipv6Only }) => ipv6Only)).toEqual([false, true, true]);
  });

  it('binds what it is told, and keeps the port of the identity', async () => {
    const { server, sockets } = await serverOn({ bindAddress: '127.0.0.1:7000', address2: '[2001:db8::1]:0', bindAddress2: '[::1]:0' });
    expect(boundTo(sockets)).toEqual(['udp4 127.0.0.1 7000', 'udp6 ::1 0']);
    expect(formatAddress(server.address)).toBe('203.0.113.1:40000');
    expect(formatAddress(server.address2!)).toBe('[2001:db8::1]:50000');
    expect(server.port).toBe(7000);
  });

  it('binds one socket for two identities of one family', async () => {
    const { server, sockets } = await serverOn({ address2: '10.0.0.1:40000' });
    expect(boundTo(sockets)).toEqual(['udp4 0.0.0.0 40000']);
    expect(formatAddress(server.address2!)).toBe('10.0.0.1:40000');
  });

  it('takes the time it is given, or the clock', async () => {
    const { server } = await serverOn({});
    server.start(1);
    server.update(monotonicSeconds());
    const timed = await serverOn({ time: 1000 });
    timed.server.update(1000.1);
    expect(timed.server.maxClients).toBe(0);
  });

  it.each<[Partial<CreateServerOptions>, string, string]>([
    [{ address: 'localhost:40000' }, 'parseAddressFailed', 'address'],
    [{ address: '0.0.0.0:40000' }, 'wildcardAddress', 'address'],
    [{ address2: '[::]:40000' }, 'wildcardAddress', 'address2'],
    [{ privateKey: new Uint8Array(31) }, 'invalidKey', 'privateKey'],
    [{ protocolId: 1 as never }, 'invalidId', 'protocolId'],
    [{ maxConnectTokenLifetimeSeconds: 0 }, 'invalidOption', 'maxConnectTokenLifetimeSeconds'],
    [{ bindAddress: 'example.invalid:1' }, 'parseAddressFailed', 'bindAddress'],
    [{ bindAddress: '[::]:40000' }, 'invalidOption', 'bindAddress'],
    [{ bindAddress2: '[::]:40000' }, 'invalidOption', 'bindAddress2'],
    [{ address2: '[2001:db8::1]:1', bindAddress2: '0.0.0.0:1' }, 'invalidOption', 'bindAddress2'],
    [{ address2: '[2001:db8::1]:1', bindAddress2: 'x' }, 'parseAddress2Failed', 'bindAddress2'],
    [{ time: NaN }, 'invalidOption', 'time'],
    [{ receiveQueueDatagrams: -1 }, 'invalidOption', 'receiveQueueDatagrams'],
    [{ socketBufferBytes: 0 }, 'invalidOption', 'socketBufferBytes'],
    [{ packetTagging: 'yes' as never }, 'invalidOption', 'packetTagging'],
    [{ logger: 1 as never }, 'invalidOption', 'logger'],
    [{ onPayload: 1 as never }, 'invalidOption', 'onPayload'],
    [{ transport: {} } as never, 'invalidOption', 'transport'],
    [{ override: {} } as never, 'invalidOption', 'override'],
  ])('refuses %o before anything is bound', async (options, kind, field) => {
    const { sockets, createSocket } = fakeSockets();
    await expect(createServerOn({ ...IDENTITY, ...options }, createSocket)).rejects.toMatchObject({ kind, field });
    expect(sockets).toEqual([]);
  });

  it('leaves no socket when the server cannot be made', async () => {
    const { sockets, createSocket } = fakeSockets();
    const options = { ...IDENTITY, address2: '[2001:db8::1]:1', aead: FULL_AEAD };
    await expect(createServerOn(options, createSocket)).rejects.toMatchObject({ kind: 'allocateServerFailed' });
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  it('reports bind failures under the kinds of servers', async () => {
    const { createSocket } = fakeSockets((socket) => (socket.bindError = systemError('EACCES', 'bind')));
    await expect(createServerOn(IDENTITY, createSocket)).rejects.toMatchObject({ kind: 'bindSocketIpv4Failed', code: 'EACCES' });
    await expect(createServer({ ...IDENTITY, bindAddress: '192.0.2.1:0' })).rejects.toMatchObject({
      kind: 'bindSocketIpv4Failed',
      code: 'EADDRNOTAVAIL',
    });
  });
});

describe('createClient', () => {
  it('binds both families by default', async () => {
    const { client, sockets } = await clientOn({});
    expect(boundTo(sockets)).toEqual(['udp4 0.0.0.0 0', 'udp6 :: 0']);
    expect(sockets.map(({ ipv6Only }) => ipv6Only)).toEqual([false, true]);
    expect(client.port).toBe(50_000);
  });

  it.each(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])('goes on without IPv6 where the machine has none: %s', async (code) => {
    const lines: string[] = [];
    const { client, sockets } = await clientOn({ logger: { info: (line) => lines.push(line) } }, (socket) => {
      if (socket.type === 'udp6') socket.bindError = systemError(code, 'bind');
    });
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([false, true]);
    expect(client.state).toBe('disconnected');
    expect(lines).toEqual([`udp: going on without ::: ${code}`]);
  });

  it('fails when an address that was asked for cannot be bound', async () => {
    const { sockets, createSocket } = fakeSockets((socket) => {
      if (socket.type === 'udp6') socket.bindError = systemError('EAFNOSUPPORT', 'bind');
    });
    const options = { address: '127.0.0.1:0', address2: '[::1]:0' };
    await expect(createClientOn(options, createSocket)).rejects.toMatchObject({ kind: 'createSocketIpv6Failed', code: 'EAFNOSUPPORT' });
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    await expect(createClient({ address: '192.0.2.1:0' })).rejects.toMatchObject({ kind: 'createSocketIpv4Failed', code: 'EADDRNOTAVAIL' });
  });

  it('binds exactly what it is told', async () => {
    const both = await clientOn({ address: '[::1]:7000', address2: '127.0.0.1:7001' });
    expect(boundTo(both.sockets)).toEqual(['udp6 ::1 7000', 'udp4 127.0.0.1 7001']);
    expect(both.client.port).toBe(7000);
    const second = await clientOn({ address2: '[::1]:7002' });
    expect(boundTo(second.sockets)).toEqual(['udp6 ::1 7002']);
    expect(second.client.port).toBe(7002);
  });

  it.each<[CreateClientOptions, string, string]>([
    [{ address: 'localhost:1' }, 'parseAddressFailed', 'address'],
    [{ address2: 'localhost:1' }, 'parseAddress2Failed', 'address2'],
    [{ onStateChange: 1 as never }, 'invalidOption', 'onStateChange'],
    [{ receiveQueueDatagrams: 0.5 }, 'invalidOption', 'receiveQueueDatagrams'],
    [{ time: Infinity }, 'invalidOption', 'time'],
    [{ simulator: {} } as never, 'invalidOption', 'simulator'],
  ])('refuses %o before anything is bound', async (options, kind, field) => {
    const { sockets, createSocket } = fakeSockets();
    await expect(createClientOn(options, createSocket)).rejects.toMatchObject({ kind, field });
    expect(sockets).toEqual([]);
  });

  it('leaves no socket when the client cannot be made', async () => {
    const { sockets, createSocket } = fakeSockets();
    await expect(createClientOn({ aead: FULL_AEAD }, createSocket)).rejects.toMatchObject({ kind: 'allocateClientFailed' });
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });
});

it('closes its handles with the client and the server', async () => {
  await sleep(50);
  const before = activeHandles('UDPWrap');
  const server = await openServer();
  const client = await openClient({});
  expect(activeHandles('UDPWrap')).toBeGreaterThan(1);
  server.close();
  client.close();
  client.close();
  await sleep(50);
  expect(activeHandles('UDPWrap')).toBeLessThanOrEqual(before);
});
