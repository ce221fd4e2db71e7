import { afterAll, describe, expect, test } from 'vitest';
import { NetcodeClient } from '../src/client-machine.ts';
import { inspectServer } from '../src/server-machine.ts';
import { clientAddress, counted, mint, SERVER, START, testBytes } from './support/session-kit.ts';
import type { Minted } from './support/session-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { ServerRig } from './support/session-server-rig.ts';
import { ALLOWED_TRANSITIONS, SimWorld } from './support/session-sim.ts';

const seen = new Set<string>();
const worlds: SimWorld[] = [];

function world(dt: number = 0.1): SimWorld {
  const made = new SimWorld(undefined, dt);
  worlds.push(made);
  return made;
}

/** The tokens of this table: expiry 30 s, timeout 15 s. */
function token(clientId: number, options: Parameters<typeof mint>[0] = {}): Minted {
  return mint({ clientId: BigInt(clientId), timeoutSeconds: 15, ...options });
}

describe('in the simulator: latency 250 ms, jitter 250 ms, loss 5 %, duplicates 10 %, 10 updates per second', () => {
  test('when one client connects, then payloads of 1200 bytes go both ways, and a server disconnect ends it', () => {
    const net = world();
    const server = net.server(1);
    const client = net.connected(1, token(1));
    expect([client.state, client.index, client.maxClients, server.connectedCount, server.clientId(0)]).toEqual(['connected', 0, 1, 1, 1n]);
    net.exchange(server);
    server.disconnectClient(0);
    net.until(() => client.state !== 'connected', 5);
    expect(client.state).toBe('disconnected');
  });

  test('when nobody sends payloads for longer than the timeout, then keep-alives hold the session without transitions', () => {
    const net = world();
    const server = net.server(1);
    const client = net.connected(1);
    const { events } = net;
    net.run(20);
    expect([client.state, server.connectedCount, events]).toEqual(['connected', 1, ['+0 none']]);
  });

  test('when 2, then 32, then 5 clients use a server that is started again each time, then all exchange payloads, and a stop ends all', () => {
    const net = world();
    const server = net.server(2);
    for (const count of [2, 32, 5]) {
      server.start(count);
      net.clients.length = 0;
      for (let i = 0; i < count; i++) net.client(i, token(i + 1));
      net.until(() => net.clients.every((client) => client.state === 'connected'), 10);
      expect([server.connectedCount, new Set(net.clients.map((client) => client.index)).size]).toEqual([count, count]);
      net.exchange(server);
      server.stop();
      net.until(() => net.clients.every((client) => client.state === 'disconnected'), 5);
    }
  });

  test('when two dead servers precede a live one, then the client connects to the third after both timeouts', () => {
    const net = world();
    net.server(1);
    const client = net.client(1, token(1, { publicAddresses: ['10.9.9.1:1', '10.9.9.2:1', SERVER] }));
    const seconds = net.until(() => client.state === 'connected', 40);
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThan(33);
  });

  test('when the expiry is 0, then connectTokenExpired after one update', () => {
    const net = world();
    const client = net.client(1, token(1, { expireSeconds: 0 }));
    net.tick();
    expect(client.state).toBe('connectTokenExpired');
  });

  test('when the token is random bytes, then invalidConnectToken directly after connect', () => {
    const client = world().client(1);
    client.connect(testBytes(2048));
    expect(client.state).toBe('invalidConnectToken');
  });

  test('when the server is not updated any more, then connectionTimedOut', () => {
    const net = world();
    net.server(1);
    const client = net.connected(1);
    net.servers.length = 0;
    net.run(18);
    expect(client.state).toBe('connectionTimedOut');
  });

  test.each([
    ['responses', 3, 'connectionResponseTimedOut'],
    ['requests', 0, 'connectionRequestTimedOut'],
  ] as const)('when the server ignores %s, then the client ends for that reason', (_, type, state) => {
    const net = world();
    const server = net.server(1, {}, ({ bytes }) => (bytes[0]! & 15) !== type);
    const client = net.client(1, token(1));
    net.run(20);
    expect([client.state, server.connectedCount]).toEqual([state, 0]);
  });

  test('when the only slot is taken, then the first stays and the second is denied', () => {
    const net = world();
    const server = net.server(1);
    const first = net.connected(1);
    const second = net.client(2, token(2));
    net.until(() => second.state === 'connectionDenied', 5);
    expect([first.state, server.connectedCount, server.clientId(0)]).toEqual(['connected', 1, 1n]);
  });

  test('when a client disconnects, then its slot is free quickly', () => {
    const net = world();
    const server = net.server(1);
    net.connected(1).disconnect();
    expect(net.until(() => server.connectedCount === 0, 5)).toBeLessThan(0.8);
    expect([server.isConnected(0), server.disconnectReason(0)]).toEqual([false, 'clientDisconnect']);
  });

  test('when the server disconnects, then the slot is free at once and the client learns of it', () => {
    const net = world();
    const server = net.server(1);
    const client = net.connected(1);
    server.disconnectClient(0);
    expect([server.isConnected(0), server.connectedCount]).toEqual([false, 0]);
    expect(net.until(() => client.state === 'disconnected', 5)).toBeLessThan(0.8);
  });

  test('when clients go for every reason, then it can be read inside the callback and later, until the slot is used again', () => {
    const net = world();
    const server = net.server(1);
    const reasons = [server.disconnectReason(0)];
    const note = () => reasons.push(server.disconnectReason(0));
    const silent = net.connected(1);
    net.clients.length = 0;
    net.run(16);
    note();
    expect(silent.state).toBe('connected');
    const polite = net.connected(2);
    note();
    polite.disconnect();
    net.run(1.5);
    note();
    net.clients.length = 0;
    net.connected(3);
    server.disconnectClient(0);
    note();
    expect(reasons).toEqual(['none', 'timedOut', 'none', 'clientDisconnect', 'serverDisconnect']);
    expect(net.events).toEqual(['+0 none', '-0 timedOut', '+0 none', '-0 clientDisconnect', '+0 none', '-0 serverDisconnect']);
  });

  test('when a kicked client comes back, then a fresh token gets slot 0 and the same token gets no packet at all', () => {
    const net = world();
    const server = net.server(1);
    const used = token(1);
    const client = net.connected(1, used);
    server.disconnectClient(0);
    net.until(() => client.state === 'disconnected', 5);
    net.run(2);
    client.connect(token(1).bytes);
    net.until(() => client.state === 'connected', 5);
    expect([client.index, server.connectedCount]).toEqual([0, 1]);
    server.disconnectClient(0);
    net.until(() => client.state === 'disconnected', 5);
    net.run(2);
    const before = net.fromServers;
    client.connect(used.bytes);
    net.run(17);
    expect([client.state, server.connectedCount, net.fromServers]).toEqual(['connectionRequestTimedOut', 0, before]);
  });

  test('when a token lives 10 s less than the option right after the start, then it is refused; one with the full lifetime connects', () => {
    const net = world();
    const server = net.server(1);
    const client = net.client(1, token(1, { expireSeconds: 20 }));
    net.run(16);
    expect([client.state, server.connectedCount, net.fromServers]).toEqual(['connectionRequestTimedOut', 0, 0]);
    client.connect(token(1).bytes);
    net.until(() => client.state === 'connected', 5);
  });

  test('when the history is full of unexpired tokens, then a new client ends in connectionRequestTimedOut', () => {
    const net = world();
    const server = net.server(1);
    for (let i = 0; i < 2048; i++) {
      const filler = new ClientRig().connect(token(100 + i)).at(0);
      server.processPacket(clientAddress(1), filler.transport.sent[0]!.bytes);
    }
    const client = net.client(1, token(1));
    net.run(16);
    expect([client.state, server.connectedCount]).toEqual(['connectionRequestTimedOut', 0]);
    expect(Object.keys(counted(server.counters))).toEqual(['request-history-full']);
  });

  test('when timeouts are off, then jumps of 1000 s between updates change nothing and payloads flow', () => {
    const net = world();
    const server = net.server(1);
    const client = net.connected(1, token(1, { timeoutSeconds: -1 }));
    for (let i = 0; i < 10; i++) net.tick(1000);
    expect([client.state, server.connectedCount]).toEqual(['connected', 1]);
    net.exchange(server);
  });

  test('when slot 0 is a loopback client, then both exchange payloads, it survives kicks and silence, and it can come back', () => {
    const net = world();
    let loopback: NetcodeClient | undefined = undefined as NetcodeClient | undefined;
    const server = net.server(2, { sendLoopbackPacket: (_, bytes, sequence) => loopback!.processLoopbackPacket(bytes, sequence) });
    loopback = new NetcodeClient({
      time: START,
      simulator: net.simulator,
      address: '10.8.8.8:1',
      sendLoopbackPacket: (slot, bytes, sequence) => server.processLoopbackPacket(slot, bytes, sequence),
    });
    const join = () => {
      loopback.connectLoopback(0, 2);
      server.connectLoopbackClient(0, 99n);
    };
    join();
    net.clients.push(loopback);
    const remote = net.client(1, token(1));
    net.until(() => remote.state === 'connected', 10);
    expect(remote.index).toBe(1);
    net.exchange(server);
    server.disconnectAllClients();
    net.until(() => remote.state === 'disconnected', 5);
    expect([loopback.state, server.isLoopback(0), server.connectedCount]).toEqual(['connected', true, 1]);
    server.disconnectLoopbackClient(0);
    loopback.disconnectLoopback();
    expect([loopback.state, server.connectedCount]).toEqual(['disconnected', 0]);
    join();
    net.run(2);
    remote.connect(token(2).bytes);
    net.until(() => remote.state === 'connected', 10);
    net.exchange(server);
    net.clients.splice(net.clients.indexOf(remote), 1);
    net.run(17);
    expect([loopback.state, server.isConnected(0), server.isConnected(1), server.disconnectReason(1)]).toEqual([
      'connected',
      true,
      false,
      'timedOut',
    ]);
  });
});

test('when the global sequence has moved on, then it begins at 2^63 again in every run', () => {
  const rig = new ServerRig();
  const first = 1n << 63n;
  expect(inspectServer(rig.server).globalSequence).toBe(first);
  const request = rig.raw(1).request();
  for (let i = 0; i < 1000; i++) rig.deliver(clientAddress(1), request);
  rig.at(0);
  expect(inspectServer(rig.server).globalSequence).toBe(first + 1000n);
  rig.server.stop();
  expect(inspectServer(rig.server).globalSequence).toBe(first);
  rig.server.start(1);
  expect(inspectServer(rig.server)).toEqual({ challengeSequence: 0n, globalSequence: first, confirmed: [false] });
});

describe('transitions', () => {
  test('when every way out of every state is taken, then the table of allowed transitions is reached in full', () => {
    const two = () => mint({ publicAddresses: [SERVER, '10.1.1.2:1'] });
    const garbage = new Uint8Array(7);
    const rigs = [
      new ClientRig().connect().denied().at(0),
      new ClientRig().connect().at(6),
      new ClientRig().connect().challenge().at(0).at(6),
      new ClientRig().establish().at(6),
      new ClientRig().connect(mint({ expireSeconds: 0 })).at(0),
      new ClientRig()
        .connect(mint({ expireSeconds: 1 }))
        .challenge()
        .at(0)
        .at(2),
      new ClientRig().connect().challenge().denied().at(0),
      new ClientRig().connect().challenge().denied().keepAlive().at(0),
      new ClientRig().connect(two()).denied().at(0),
      new ClientRig().connect(two()).challenge().denied().at(0),
      new ClientRig().establish(two()).kick().at(0.06),
      new ClientRig().establish().kick().at(0.06),
      new ClientRig().connect(),
      new ClientRig().connect().challenge().at(0),
    ];
    for (const rig of rigs) {
      rig.client.connect(garbage);
      rig.client.connect(garbage);
      rig.client.connect(mint().bytes);
      rig.client.disconnect();
    }
    for (const make of [
      () => new ClientRig().connect().denied().at(0),
      () => new ClientRig().connect().at(6),
      () => new ClientRig().connect().challenge().at(0).at(6),
      () => new ClientRig().establish().at(6),
      () => new ClientRig().connect(mint({ expireSeconds: 0 })).at(0),
    ]) {
      const rig = make().connect();
      rigs.push(rig);
    }
    for (const rig of rigs) for (const change of rig.changes) seen.add(change);
    expect([...seen].sort()).toEqual([...ALLOWED_TRANSITIONS].sort());
  });
});

afterAll(() => {
  const all = new Set(worlds.flatMap((net) => [...net.transitions]));
  expect([...all].filter((transition) => !ALLOWED_TRANSITIONS.has(transition))).toEqual([]);
});
