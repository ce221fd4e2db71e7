import { afterEach, expect, it, vi } from 'vitest';
import type { ClientState, NetcodeClient, NetcodeServer } from '../../src/index.ts';
import { createClientOn, createServerOn } from '../../src/node/create.ts';
import { ErrorLog } from '../../src/node/error-log.ts';
import { Hooks } from '../../src/internal/hooks.ts';
import { fakeSockets, systemError } from '../support/node-fake-socket.ts';
import type { FakeSocket } from '../support/node-fake-socket.ts';
import { Closer, mint, PRIVATE_KEY, PROTOCOL_ID, turn } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => {
  vi.restoreAllMocks();
  closer.closeAll();
});

const SERVER = '127.0.0.1:40000';
const FIRST_CLIENT_PORT = 50_001;
const STEP_SECONDS = 0.05;

interface World {
  server: NetcodeServer;
  serverSocket: FakeSocket;
  clients: NetcodeClient[];
  clientSockets: FakeSocket[];
  states: ClientState[][];
  dropped: number[];
  lines: string[];
  /** Payloads that client i received, by its first byte. */
  toClient: number[][];
  toServer: number[][];
  step(): Promise<void>;
}

/** A server and its clients on fake sockets that are wired to each other, in virtual time. */
async function openWorld(count: number): Promise<World> {
  const { sockets, createSocket } = fakeSockets();
  const lines: string[] = [];
  const toServer: number[][] = Array.from({ length: count }, () => []);
  const toClient: number[][] = Array.from({ length: count }, () => []);
  const states: ClientState[][] = Array.from({ length: count }, () => []);
  const dropped: number[] = [];
  const logger = { warn: (line: string): void => void lines.push(line) };
  const server = closer.add(
    await createServerOn(
      {
        address: SERVER,
        protocolId: PROTOCOL_ID,
        privateKey: PRIVATE_KEY,
        time: 0,
        logger,
        onConnectDisconnect: (slot, connected) => {
          if (!connected) dropped.push(slot);
        },
        onPayload: (slot, bytes, offset) => void toServer[slot]!.push(bytes[offset]!),
      },
      createSocket,
    ),
  );
  server.start(count);
  const clients: NetcodeClient[] = [];
  for (let i = 0; i < count; i++) {
    const options = {
      address: `127.0.0.1:${FIRST_CLIENT_PORT + i}`,
      time: 0,
      logger,
      onStateChange: (_previous: ClientState, next: ClientState): void => void states[i]!.push(next),
      onPayload: (bytes: Uint8Array, offset: number): void => void toClient[i]!.push(bytes[offset]!),
    };
    clients.push(closer.add(await createClientOn(options, createSocket)));
  }
  const [serverSocket, ...clientSockets] = sockets;
  serverSocket!.onSend = ({ bytes, port }) => clientSockets[port - FIRST_CLIENT_PORT]?.receive(bytes, '127.0.0.1', 40_000);
  for (const [i, socket] of clientSockets.entries()) {
    socket.onSend = ({ bytes }) => serverSocket!.receive(bytes, '127.0.0.1', FIRST_CLIENT_PORT + i);
  }
  let time = 0;
  const step = async (): Promise<void> => {
    time += STEP_SECONDS;
    for (const machine of [...clients, server]) machine.update(time);
    // Send callbacks run after this.
    await turn();
  };
  const world = { server, serverSocket: serverSocket!, clients, clientSockets, states, dropped, lines, toClient, toServer, step };
  for (const [i, client] of clients.entries()) {
    client.connect(mint([SERVER], { clientId: BigInt(i + 1) }));
    for (let k = 0; k < 20 && client.state !== 'connected'; k++) await step();
    expect(client.state).toBe('connected');
  }
  return world;
}

async function run(world: World, seconds: number): Promise<void> {
  for (let i = 0; i < Math.round(seconds / STEP_SECONDS); i++) await world.step();
}

it('FF-19: ICMP errors from departed clients', async () => {
  const world = await openWorld(4);
  const { server, serverSocket, toClient } = world;
  serverSocket.fail(systemError('ECONNREFUSED', 'recvmsg'));
  let failures = 2;
  serverSocket.failure = ({ port }) => (port === FIRST_CLIENT_PORT + 2 && failures-- > 0 ? systemError('ECONNREFUSED') : null);
  for (let i = 0; i < 10; i++) {
    for (let slot = 0; slot < 4; slot++) server.send(slot, Uint8Array.of(i));
    await world.step();
  }
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect([toClient[0], toClient[1], toClient[3]]).toEqual([all, all, all]);
  expect(toClient[2]).toEqual(all.slice(2));
  await run(world, 3);
  expect(server.connectedCount).toBe(4);
  expect(world.lines).toEqual(['udp: 1 socket error since the last line, treated as loss; receive: ECONNREFUSED']);
  // Client 3 really goes: only its timeout ends it.
  world.clientSockets[2]!.failure = () => systemError('ECONNREFUSED');
  serverSocket.failure = ({ port }) => (port === FIRST_CLIENT_PORT + 2 ? systemError('ECONNREFUSED') : null);
  await run(world, 4.7);
  expect(server.connectedCount).toBe(4);
  await run(world, 0.5);
  expect(world.dropped).toEqual([2]);
  expect(server.disconnectReason(2)).toBe('timedOut');
});

it('FF-20: network unreachable for 3 seconds', async () => {
  const world = await openWorld(1);
  const [client] = world.clients;
  world.clientSockets[0]!.failure = () => systemError('ENETUNREACH');
  await run(world, 3);
  world.clientSockets[0]!.failure = () => null;
  client!.send(Uint8Array.of(7));
  await run(world, 6);
  expect(client!.state).toBe('connected');
  expect(world.server.connectedCount).toBe(1);
  expect(world.toServer[0]).toEqual([7]);
  expect(world.lines.length).toBeLessThanOrEqual(2);
});

it('FF-20: network unreachable for 6 seconds', async () => {
  const world = await openWorld(1);
  const [client] = world.clients;
  const before = world.states[0]!.length;
  world.clientSockets[0]!.failure = () => systemError('EHOSTUNREACH');
  await run(world, 6);
  world.clientSockets[0]!.failure = () => null;
  expect(world.dropped).toEqual([0]);
  expect(world.server.disconnectReason(0)).toBe('timedOut');
  await run(world, 10);
  expect(world.states[0]!.slice(before)).toEqual(['connectionTimedOut']);
  expect(client!.state).toBe('connectionTimedOut');
  expect(world.dropped).toEqual([0]);
});

it('FF-32: Windows: connection reset on receive', async () => {
  const world = await openWorld(2);
  const [first, second] = world.clients;
  for (let i = 0; i < 1000; i++) {
    world.serverSocket.fail(systemError('ECONNRESET', 'recvmsg'));
    if (i % 10 !== 0) continue;
    (i % 20 === 0 ? first! : second!).send(Uint8Array.of(i / 10));
    if (i % 50 === 0) await world.step();
  }
  await world.step();
  expect(world.toServer.map((list) => list.length)).toEqual([50, 50]);
  expect(world.server.connectedCount).toBe(2);
  expect(world.dropped).toEqual([]);
  expect(world.lines.length).toBeGreaterThan(0);
  expect(world.lines.length).toBeLessThanOrEqual(2);
});

it('FF-32: one line a second says how many errors there were', () => {
  const lines: string[] = [];
  let now = 0;
  const log = new ErrorLog(new Hooks({ warn: (line) => lines.push(line) }, undefined).log, () => now);
  for (now = 0; now <= 2500; now += 10) log.note('receive', systemError('ECONNRESET'));
  log.note('send', new Error('without a code'));
  now = 9000;
  log.note('send', null);
  expect(lines).toEqual([
    'udp: 1 socket error since the last line, treated as loss; receive: ECONNRESET',
    'udp: 100 socket errors since the last line, treated as loss; receive: ECONNRESET',
    'udp: 100 socket errors since the last line, treated as loss; receive: ECONNRESET',
    'udp: 52 socket errors since the last line, treated as loss; send: unknown',
  ]);
});
