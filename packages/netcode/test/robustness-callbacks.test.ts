import { describe, expect, test } from 'vitest';
import type { NetcodeClient } from '../src/client-machine.ts';
import { NetcodeError } from '../src/errors.ts';
import type { Logger } from '../src/logger.ts';
import type { NetcodeServer } from '../src/server-machine.ts';
import {
  codeOf,
  duringSend,
  keyRecorder,
  occupied,
  odd,
  ODD_NAMES,
  overrideClientRig,
  overrideServerRig,
  raise,
} from './support/robustness-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { clientAddress, mint, openAtClient, label, SERVER_ADDRESS, START, UNIX } from './support/session-kit.ts';
import type { RawClient } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const one = Uint8Array.of(1);
const TEN = Array.from({ length: 10 }, (_, i) => i);

/** What every client was sent since the last look, each opened with its own keys. */
function sentTo(rig: ServerRig, clients: readonly RawClient[]): string[][] {
  const sent = rig.transport.take();
  return clients.map(({ minted, address }) =>
    sent.filter(({ to }) => to.bytes.join() === address.bytes.join()).map(({ bytes }) => label(openAtClient(minted, bytes))),
  );
}

const tenDisconnects = (first: number) => TEN.map((i) => `disconnect#${first + i}`);

describe('a thrown value without text', () => {
  test.each(ODD_NAMES)('when every callback of a server throws %s, then it serves, disconnects, stops and closes', (name) => {
    const value = odd(name);
    let isClockBroken = false;
    const fail = () => raise(value);
    let payloads = 0;
    const rig = new ServerRig({
      logger: { error: fail, warn: fail, info: fail, debug: fail },
      onConnectDisconnect: fail,
      onPayload: () => (payloads++, fail()),
      sendLoopbackPacket: fail,
      unixSeconds: () => (isClockBroken ? fail() : UNIX),
    });
    const client = rig.connected(1);
    isClockBroken = true;
    rig.deliver(client.address, client.payload(1)).deliver(client.address, client.payload(2)).at();
    rig.server.processPacket(client.address, client.payload(3));
    rig.server.connectLoopbackClient(1, 9n);
    rig.server.processLoopbackPacket(1, one, 0n);
    expect([payloads, rig.server.send(1, one), rig.server.connectedCount]).toEqual([4, true, 2]);
    rig.server.disconnectClient(0);
    expect([rig.labels(client), occupied(rig)]).toEqual([tenDisconnects(1), 1]);
    rig.at(1).at(2);
    rig.server.close();
    expect([rig.server.isRunning, rig.server.connectedCount, rig.transport.closes]).toEqual([false, 0, 1]);
  });

  test.each(ODD_NAMES)('when every callback of a client throws %s, then it connects, receives, disconnects and closes', (name) => {
    const value = odd(name);
    const fail = () => raise(value);
    let payloads = 0;
    const rig = new ClientRig({
      logger: { error: fail, warn: fail, info: fail, debug: fail },
      onStateChange: fail,
      onPayload: () => (payloads++, fail()),
      sendLoopbackPacket: fail,
    });
    rig.establish().payload(1).payload(2).at(0.06);
    rig.client.processPacket(SERVER_ADDRESS, new Uint8Array(20));
    expect([rig.client.state, payloads, rig.client.send(one), rig.changes]).toEqual(['connected', 2, true, ['0>1', '1>2', '2>3']]);
    rig.client.disconnect();
    rig.client.connectLoopback(0, 1);
    expect([rig.client.send(one), codeOf(() => rig.client.close()), rig.client.state, rig.transport.closes]).toEqual([
      true,
      'nothing',
      'disconnected',
      1,
    ]);
  });

  test.each(ODD_NAMES)('when packet functions and onError throw %s, then update goes on and close ends', (name) => {
    const value = odd(name);
    let isBroken = false;
    const fail = () => {
      if (isBroken) raise(value);
    };
    const options = { onError: () => raise(value) };
    const rig = overrideServerRig(fail, options);
    const client = overrideClientRig(fail, options).establish();
    rig.connected(1);
    isBroken = true;
    expect([codeOf(() => rig.at(1)), codeOf(() => client.at(1)), codeOf(() => rig.at(2))]).toEqual(['nothing', 'nothing', 'nothing']);
    expect([rig.server.connectedCount, client.client.state]).toEqual([1, 'connected']);
    rig.server.close();
    client.client.close();
    expect([rig.server.connectedCount, client.client.state]).toEqual([0, 'disconnected']);
  });

  test.each(['kick', 'leave', 'time-out', 'stop'])(
    'when the disconnect callback throws such a value at a %s, then the slot is free for the next client',
    (how) => {
      for (const value of ODD_NAMES.map(odd)) {
        const rig: ServerRig = new ServerRig({ onConnectDisconnect: (_, connected) => !connected && raise(value) }, 1);
        const client = rig.connected(1);
        if (how === 'kick') rig.server.disconnectClient(0);
        else if (how === 'leave') rig.send(client, client.disconnect());
        else if (how === 'time-out') rig.at(6);
        else rig.server.stop();
        expect([rig.server.connectedCount, rig.server.isConnected(0)]).toEqual([0, false]);
        if (how === 'stop') rig.server.start(1);
        rig.connected(2, { expireSeconds: 60 });
        expect([rig.server.clientId(0), rig.server.connectedCount]).toEqual([2n, 1]);
      }
    },
  );
});

/** What an application can do to a whole run inside a callback. */
const ENDINGS: readonly (readonly [string, (server: NetcodeServer) => void])[] = [
  ['stop', (server) => server.stop()],
  ['start', (server) => server.start(1)],
  ['disconnectClient', (server) => server.disconnectClient(0)],
  ['disconnectAllClients', (server) => server.disconnectAllClients()],
  ['close', (server) => server.close()],
];

describe('calls while the ten disconnect packets go out', () => {
  const check = (rig: ServerRig, name: string): void => {
    const { server } = rig;
    expect([server.connectedCount, occupied(rig), rig.events]).toEqual([0, 0, ['+0', '-0']]);
    if (name === 'close') return;
    if (!server.isRunning) server.start(1);
    rig.connected(2);
    expect([server.connectedCount, occupied(rig), server.clientId(0)]).toEqual([1, 1, 2n]);
    const third = rig.raw(3);
    expect([rig.request(third), server.counters.denied]).toEqual([expect.objectContaining({ packet: { type: 'denied' } }), 1]);
    server.stop();
    expect(server.connectedCount).toBe(0);
  };

  test.each(ENDINGS)('when a failed send leads to %s, then the count stays right and a full server still denies', (name, act) => {
    for (const trigger of ['disconnectClient', 'disconnectAllClients', 'stop'] as const) {
      let isArmed = false;
      const rig: ServerRig = overrideServerRig(
        () => {
          if (isArmed) raise(new Error('network down'));
        },
        {
          onError: () => {
            isArmed = false;
            act(rig.server);
          },
        },
        1,
      );
      rig.connected(1);
      isArmed = true;
      rig.server[trigger](0);
      expect(isArmed).toBe(false);
      check(rig, name);
    }
  });

  test.each(ENDINGS)('when the transport itself calls %s, then the count stays right and a full server still denies', (name, act) => {
    for (const skip of [0, 4, 9]) {
      const rig: ServerRig = new ServerRig({}, 1);
      rig.connected(1);
      duringSend(rig.transport, () => act(rig.server), skip);
      rig.server.disconnectClient(0);
      check(rig, name);
    }
  });

  test('when the server is stopped while one of many is told, then everybody is told once and the count is 0', () => {
    const rig: ServerRig = new ServerRig();
    for (const id of [1, 2, 3]) rig.connected(id);
    duringSend(rig.transport, () => rig.server.stop(), 12);
    rig.server.disconnectAllClients();
    expect([[...rig.events].sort(), rig.server.connectedCount]).toEqual([['+0', '+1', '+2', '-0', '-1', '-2'], 0]);
  });
});

describe('calls in the send path of a client', () => {
  const NESTED: readonly (readonly [string, (client: NetcodeClient) => void])[] = [
    ['close', (client) => client.close()],
    ['disconnect', (client) => client.disconnect()],
  ];
  const OUTER: readonly (readonly [string, (client: NetcodeClient) => void])[] = [
    ...NESTED,
    ['connect', (client) => void client.connect(mint().bytes)],
    ['send', (client) => void client.send(one)],
    ['update', (client) => client.update(START + 1)],
  ];
  const CASES = OUTER.flatMap(([outer, act]) => NESTED.map(([nested, inner]) => [nested, outer, inner, act] as const));

  const check = (rig: ClientRig, nested: string, outer: string, code: string): void => {
    const isClosed = nested === 'close' || outer === 'close';
    const isConnecting = outer === 'connect' && !isClosed;
    expect([code, rig.client.state]).toEqual([
      outer === 'connect' && isClosed ? 'CLOSED' : 'nothing',
      isConnecting ? 'sendingConnectionRequest' : 'disconnected',
    ]);
    expect(codeOf(() => rig.client.connect(mint().bytes))).toBe(isClosed ? 'CLOSED' : 'nothing');
    expect(rig.changes.filter((change) => change === '3>0').length).toBe(1);
    expect(codeOf(() => rig.client.close())).toBe('nothing');
  };

  test.each(CASES)(
    'when a failed send leads to %s inside %s, then both end well and the state is told once',
    (nested, outer, inner, act) => {
      const keys = keyRecorder();
      let isArmed = false;
      const rig: ClientRig = overrideClientRig(
        () => {
          if (isArmed) raise(new Error('network down'));
        },
        { aead: keys.aead, onError: () => inner(rig.client) },
      );
      rig.establish();
      isArmed = true;
      const code = codeOf(() => act(rig.client));
      check(rig, nested, outer, code);
      expect(keys.count()).toBe(0);
    },
  );

  test.each(CASES)('when the transport itself calls %s inside %s, then both end well', (nested, outer, inner, act) => {
    const keys = keyRecorder();
    const rig: ClientRig = new ClientRig({ aead: keys.aead });
    rig.establish();
    duringSend(rig.transport, () => inner(rig.client));
    const code = codeOf(() => act(rig.client));
    check(rig, nested, outer, code);
    expect([rig.transport.closes, keys.count()]).toEqual([1, 0]);
  });
});

describe('stop inside the disconnect callback', () => {
  const trio = (act: (server: NetcodeServer) => void): { rig: ServerRig; clients: RawClient[] } => {
    let isFirst = true;
    const rig: ServerRig = new ServerRig({
      onConnectDisconnect: (_, connected) => {
        if (connected || !isFirst) return;
        isFirst = false;
        act(rig.server);
      },
    });
    return { rig, clients: [1, 2, 3].map((id) => rig.connected(id)) };
  };
  const NESTED: readonly (readonly [string, (server: NetcodeServer) => void])[] = [
    ['stop', (server) => server.stop()],
    ['start', (server) => server.start(2)],
    ['close', (server) => server.close()],
  ];
  const CASES = NESTED.flatMap(([nested, act]) =>
    (['disconnectClient', 'disconnectAllClients', 'stop', 'start', 'close'] as const).map((outer) => [nested, outer, act] as const),
  );

  test.each(CASES)('when %s is called there inside %s, then each client gets its ten packets once', (_, outer, act) => {
    const { rig, clients } = trio(act);
    if (outer === 'disconnectClient') rig.server.disconnectClient(0);
    else if (outer === 'start') codeOf(() => rig.server.start(2));
    else rig.server[outer]();
    expect(sentTo(rig, clients)).toEqual(clients.map(() => tenDisconnects(1)));
    expect([[...rig.events].sort(), rig.server.connectedCount, occupied(rig)]).toEqual([['+0', '+1', '+2', '-0', '-1', '-2'], 0, 0]);
  });

  test('when every disconnect callback stops the server, then each client gets its ten packets once', () => {
    const rig: ServerRig = new ServerRig({ onConnectDisconnect: (_, connected) => !connected && rig.server.stop() });
    const clients = [1, 2, 3].map((id) => rig.connected(id));
    rig.server.stop();
    expect(sentTo(rig, clients)).toEqual(clients.map(() => tenDisconnects(1)));
  });

  test.each(['leave', 'time-out'])(
    'when a client is gone by a %s and its callback stops the server, then it gets none and the others ten',
    (how) => {
      const { rig, clients } = trio((server) => server.stop());
      const [gone, ...others] = clients;
      if (how === 'time-out') for (const other of others) rig.at(3).send(other, other.keepAlive());
      rig.transport.take();
      if (how === 'leave') rig.send(gone!, gone!.disconnect());
      else rig.at(5.5);
      const counts = sentTo(rig, clients).map((labels) => labels.filter((text) => text.startsWith('disconnect')).length);
      expect([counts, rig.server.isRunning]).toEqual([[0, 10, 10], false]);
    },
  );
});

describe('calls while the first keep-alive goes out', () => {
  const check = (rig: ServerRig): void => {
    const ended = rig.events.indexOf('-0');
    expect(ended === -1 ? [] : rig.events.slice(ended + 1)).toEqual([]);
    expect(rig.events.filter((event) => event === '+0').length).toBeLessThanOrEqual(1);
    expect([rig.server.connectedCount, occupied(rig)]).toEqual([0, 0]);
  };

  test.each(ENDINGS)('when a failed send leads to %s, then "connected" is not told after "disconnected"', (_, act) => {
    let left = Infinity;
    const rig: ServerRig = overrideServerRig(
      () => {
        if (--left === 0) raise(new Error('network down'));
      },
      { onError: () => act(rig.server) },
      1,
    );
    left = 2;
    rig.connect(rig.raw(1));
    expect(left).toBeLessThanOrEqual(0);
    check(rig);
  });

  test.each(ENDINGS)('when the transport itself calls %s, then "connected" is not told after "disconnected"', (_, act) => {
    const rig: ServerRig = new ServerRig({}, 1);
    duringSend(rig.transport, () => act(rig.server), 1);
    rig.connect(rig.raw(1));
    check(rig);
  });
});

describe('a logger that calls back', () => {
  /** Makes calls at every line and notes their codes; a line that one of these calls writes makes none. */
  const calling = (codes: string[], calls: () => readonly (() => unknown)[]): Logger => {
    let isCalling = false;
    const log = (): void => {
      if (isCalling) return;
      isCalling = true;
      codes.push(...calls().map(codeOf));
      isCalling = false;
    };
    return { error: log, warn: log, info: log, debug: log };
  };
  const serverCalls = (server: NetcodeServer): (() => unknown)[] => [
    () => server.stop(),
    () => server.start(1),
    () => server.update(START + 9),
    () => server.send(0, one),
    () => server.disconnectClient(0),
    () => server.disconnectAllClients(),
    () => server.processPacket(clientAddress(9), new Uint8Array(20)),
    () => server.connectLoopbackClient(3, 33n),
    () => server.disconnectLoopbackClient(3),
    () => server.processLoopbackPacket(3, one, 0n),
    () => server.close(),
  ];
  const clientCalls = (client: NetcodeClient): (() => unknown)[] => [
    () => client.disconnect(),
    () => client.connect(mint().bytes),
    () => client.update(START + 9),
    () => client.send(one),
    () => client.processPacket(SERVER_ADDRESS, new Uint8Array(20)),
    () => client.connectLoopback(0, 1),
    () => client.disconnectLoopback(),
    () => client.processLoopbackPacket(one, 0n),
    () => client.close(),
  ];

  /** Everything that a session on a server writes log lines about, and what its client was sent. */
  const serve = (logger: Logger | undefined, ready: (rig: ServerRig) => void): unknown[] => {
    const rig = new ServerRig({ logger }, 0);
    ready(rig);
    rig.server.start(1);
    const client = rig.raw(1);
    const labels = [rig.request(client)].map((opened) => (opened === undefined ? 'none' : label(opened)));
    const second = rig.raw(2);
    rig.deliver(client.address, client.request()).at();
    const challenge = rig.answers(client)[0]!;
    rig.send(client, client.response(challenge)).send(second, second.request()).send(client, client.payload(1));
    rig.deliver(clientAddress(9), new Uint8Array(40).fill(0x15)).at(2);
    const all = sentTo(rig, [client, second]);
    codeOf(() => rig.server.send(0, new Uint8Array(0)));
    rig.server.disconnectClient(0);
    all.push(...sentTo(rig, [client]));
    rig.server.stop();
    return [labels, all, rig.events, rig.server.counters, rig.server.connectedCount, rig.server.isRunning];
  };

  test('when every log line calls what changes a server, then it is refused and the session is that of a silent logger', () => {
    const codes: string[] = [];
    let rig: ServerRig | undefined;
    const logged = serve(
      calling(codes, () => serverCalls(rig!.server)),
      (made) => (rig = made),
    );
    expect([codes.length > 100, new Set(codes)]).toEqual([true, new Set(['REENTRANT'])]);
    expect(logged).toEqual(serve(undefined, () => undefined));
    expect(logged[0]).toEqual(['challenge#g0']);
    expect(logged[1]).toEqual([['keepAlive#0', 'keepAlive#1'], ['denied#g2'], tenDisconnects(2)]);
  });

  /** The same for a client. */
  const visit = (logger: Logger | undefined, ready: (rig: ClientRig) => void): unknown[] => {
    const rig = new ClientRig({ logger });
    ready(rig);
    rig.client.connect(new Uint8Array(3));
    rig.connect().at(0).challenge().at(0.2).keepAlive().payload(1).at(0.4);
    rig.transport.deliver(SERVER_ADDRESS, new Uint8Array(40).fill(0x15));
    codeOf(() => rig.client.send(new Uint8Array(0)));
    rig.at(0.6).client.send(one);
    const sent = rig.sent();
    rig.kick().at(0.7);
    return [sent, rig.sent(), rig.changes, rig.client.state, rig.client.counters];
  };

  test('when every log line calls what changes a client, then it is refused and the session is that of a silent logger', () => {
    const codes: string[] = [];
    let rig: ClientRig | undefined;
    const logged = visit(
      calling(codes, () => clientCalls(rig!.client)),
      (made) => (rig = made),
    );
    expect([codes.length > 90, new Set(codes)]).toEqual([true, new Set(['REENTRANT'])]);
    expect(logged).toEqual(visit(undefined, () => undefined));
    expect(logged.slice(2, 4)).toEqual([['0>-5', '-5>1', '1>2', '2>3', '3>0'], 'disconnected']);
  });

  test('when a logger lets the refusal through, then onError is told once, with the code', () => {
    const reports: string[] = [];
    const rig: ServerRig = new ServerRig(
      {
        logger: { debug: () => rig.server.stop() },
        onError: (error, source) => reports.push(`${source}: ${NetcodeError.is(error) ? error.code : 'other'}`),
      },
      0,
    );
    rig.server.start(1);
    const client = rig.connected(1);
    rig.deliver(clientAddress(9), new Uint8Array(40).fill(0x15)).send(client, client.payload(1));
    expect([reports, rig.server.isRunning, rig.server.connectedCount]).toEqual([['logger: REENTRANT'], true, 1]);
  });

  test('when a logger only reads, then it gets the answers', () => {
    const seen: unknown[] = [];
    const rig: ServerRig = new ServerRig({ logger: { debug: () => seen.push([rig.server.isRunning, rig.server.connectedCount]) } }, 1);
    rig.request(rig.raw(1));
    expect(seen).toEqual([[true, 0]]);
  });
});
