import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { NetcodeError } from '../src/errors.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { counted, mint, SERVER, SERVER_ADDRESS, START } from './support/session-kit.ts';

/** The kind of the error that a call throws; anything but a `NetcodeError` is shown as it is. */
function kindOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return NetcodeError.is(error) ? error.kind : String(error);
  }
  return 'nothing';
}

describe('inside onStateChange', () => {
  test('when what would change the state is called, then it is refused, the refusal is reported once and the change goes on', () => {
    const kinds: string[] = [];
    const rig = new ClientRig({
      onStateChange: () => {
        const { client } = rig;
        const calls = [
          () => client.connect(mint().bytes),
          () => client.disconnect(),
          () => client.update(START + 1),
          () => client.processPacket(SERVER_ADDRESS, new Uint8Array(20)),
          () => client.connectLoopback(0, 1),
          () => client.disconnectLoopback(),
          () => client.close(),
        ];
        kinds.push(...calls.map(kindOf));
      },
    });
    rig.establish();
    expect(rig.client.state).toBe('connected');
    expect([kinds.length, new Set(kinds)]).toEqual([21, new Set(['reentrant'])]);
  });

  test('when the last payloads are taken inside the callback that ends the session, then they are still there', () => {
    const taken: number[] = [];
    const rig = new ClientRig({
      onStateChange: (_, next) => {
        if (next === 'disconnected')
          for (let next = rig.client.receive(); next !== undefined; next = rig.client.receive()) taken.push(next.data[0]!);
      },
    });
    rig.establish().payload(1).payload(2).kick().at(0.06);
    expect([taken, rig.client.state, rig.client.receive()]).toEqual([[1, 2], 'disconnected', undefined]);
  });

  test.each(['kick', 'time out', 'loopback'])(
    'when send is called as a session ends by a %s, then it throws nothing and sends nothing',
    (how) => {
      const results: unknown[] = [];
      const looped: number[] = [];
      const rig = new ClientRig({
        sendLoopbackPacket: (_, bytes) => looped.push(bytes[0]!),
        onStateChange: (previous) => {
          if (previous !== 'connected') return;
          rig.transport.take();
          results.push(kindOf(() => results.push(rig.client.send(Uint8Array.of(1)))));
          results.push(rig.sent());
        },
      });
      if (how === 'kick') rig.establish().kick().at(0.06);
      else if (how === 'time out') rig.establish().at(6);
      else {
        rig.client.connectLoopback(0, 1);
        rig.client.disconnectLoopback();
      }
      expect([results, looped]).toEqual([[false, 'nothing', []], []]);
    },
  );

  test('when send is called as the client moves to the next server, then that server gets no payload', () => {
    const rig = new ClientRig({
      onStateChange: (previous) => {
        if (previous === 'connected') rig.client.send(Uint8Array.of(1));
      },
    });
    rig
      .establish(mint({ publicAddresses: [SERVER, '10.1.1.2:40001'] }))
      .kick()
      .at(0.06);
    rig.transport.take();
    rig.at(0.07);
    expect(rig.sent()).toEqual(['request']);
  });
});

describe('inside onPayload', () => {
  const during = (act: (rig: ClientRig) => void): ClientRig => {
    let isFirst = true;
    const rig: ClientRig = new ClientRig({
      onPayload: () => {
        if (!isFirst) return;
        isFirst = false;
        act(rig);
      },
    });
    return rig.establish().payload(1).payload(2).at(0.06);
  };

  test('when a payload arrives, then it is handed over with its range and never queued', () => {
    const seen: number[][] = [];
    const rig = new ClientRig({ onPayload: (bytes, offset, length) => seen.push([...bytes.subarray(offset, offset + length)]) });
    rig.establish().payload(1, 2).payload(3).at(0.06);
    expect([seen, rig.client.receive(), rig.client.receiveInto(new Uint8Array(9))]).toEqual([[[1, 2], [3]], undefined, 0]);
  });

  test('when update or processPacket is called, then reentrant is thrown', () => {
    const kinds: string[] = [];
    const rig = during(({ client }) => {
      kinds.push(
        kindOf(() => client.update(START + 1)),
        kindOf(() => client.processPacket(SERVER_ADDRESS, new Uint8Array(20))),
      );
    });
    expect([kinds, rig.client.state]).toEqual([['reentrant', 'reentrant'], 'connected']);
  });

  test('when send is called, then it is sent at once and the bytes that were handed over stay', () => {
    const kept: number[] = [];
    const rig = new ClientRig({
      onPayload: (bytes, offset, length) => {
        rig.client.send(new Uint8Array(1200).fill(0xee));
        kept.push(...bytes.subarray(offset, offset + length));
      },
    });
    rig.establish().payload(1, 2).at(0.06);
    expect([kept, rig.sent()]).toEqual([[1, 2], ['payload#1']]);
  });

  test('when disconnect is called, then the rest of the batch is ignored with a counter', () => {
    const rig = during(({ client }) => client.disconnect());
    expect([rig.client.state, rig.sent().length, counted(rig.client.counters)]).toEqual(['disconnected', 10, { 'no-read-key': 1 }]);
  });

  test('when connect is called, then the new attempt is not touched by the rest of the batch', () => {
    const next = mint();
    const rig = during(({ client }) => client.connect(next.bytes));
    rig.transport.take();
    expect([rig.client.state, counted(rig.client.counters)]).toEqual(['sendingConnectionRequest', { decrypt: 1 }]);
    rig.minted = next;
    expect(rig.challenge().keepAlive().at(0.07).client.state).toBe('connected');
  });

  test('when close is called, then update ends quietly', () => {
    const rig = during(({ client }) => client.close());
    expect([rig.client.state, rig.transport.closes, kindOf(() => rig.at(1))]).toEqual(['disconnected', 1, 'closed']);
  });
});

describe('hooks and logs', () => {
  test('when hooks throw, then each source is reported once and the session lives', () => {
    const fail = (text: string) => () => {
      throw new Error(text);
    };
    const reports: string[] = [];
    const rig = new ClientRig({
      logger: { error: fail('log'), info: fail('log'), debug: fail('log') },
      onStateChange: fail('state'),
      onPayload: fail('payload'),
      onError: (error, source) => reports.push(`${source}: ${(error as Error).message}`),
    });
    rig.establish().payload(1).payload(2).at(0.06);
    expect(rig.client.state).toBe('connected');
    expect(reports).toEqual(['logger: log', 'onStateChange: state', 'onPayload: payload']);
    expect(counted(rig.client.counters)).toEqual({});
  });

  test('when onError throws too, or there is none and the logger throws, then nothing escapes', () => {
    const fail = () => {
      throw new Error('hook');
    };
    expect(() => new ClientRig({ logger: { error: fail, info: fail }, onStateChange: fail }).establish()).not.toThrow();
    expect(() => new ClientRig({ onError: fail, onStateChange: fail }).establish()).not.toThrow();
  });

  test('when a request or response is sent again without a change of state, then it is a debug line all the same', () => {
    const lines: string[] = [];
    const rig = new ClientRig({ logger: { debug: (text) => lines.push(text) } });
    rig.connect().at(0);
    lines.length = 0;
    rig.at(0.2);
    expect([lines.length, rig.sent()]).toEqual([1, ['request', 'request']]);
    rig.challenge().at(0.4);
    lines.length = 0;
    rig.at(0.6);
    expect([lines.length, rig.sent()]).toEqual([1, ['response#2', 'response#3']]);
  });

  test('when a session runs, then per-packet lines are debug only, texts are right and no line or dump shows a secret', () => {
    const lines: Record<'error' | 'info' | 'debug', string[]> = { error: [], info: [], debug: [] };
    const rig = new ClientRig({
      logger: { error: (t) => lines.error.push(t), info: (t) => lines.info.push(t), debug: (t) => lines.debug.push(t) },
    });
    rig.connect(mint({ publicAddresses: [SERVER, '10.1.1.2:1'], userData: new Uint8Array(256).fill(0xaa) }));
    rig.challenge().keepAlive().at(0.05);
    for (let i = 0; i < 50; i++) rig.transport.deliver(SERVER_ADDRESS, new Uint8Array(40).fill(0x15));
    rig.at(0.06);
    expect(kindOf(() => rig.client.send(new Uint8Array(0)))).toBe('payloadSize');
    const dumps = [
      inspect(rig.client, { depth: Infinity, showHidden: true }),
      JSON.stringify(rig.client),
      inspect(rig.minted.token, { depth: Infinity }),
    ];
    rig.client.disconnect();
    rig.client.connect(new Uint8Array(3));
    expect(lines.info).toEqual([
      `client connecting to server ${SERVER} [1/2]`,
      `client connected to server ${SERVER} as client 2`,
      'client disconnected',
    ]);
    expect(lines.error).toEqual(['payload: expected 1 … 1200 bytes, got 0', 'connect token refused: token-length']);
    expect(lines.debug.filter((line) => line.includes('decrypt')).length).toBe(50);
    expect(lines.debug).toContain("client changed state from 'sending connection request' to 'sending connection response'");
    const text = [...lines.error, ...lines.info, ...lines.debug, ...dumps].join('\n');
    for (const secret of [rig.minted.token.clientToServerKey, rig.minted.token.serverToClientKey, new Uint8Array(8).fill(0xaa)]) {
      const run = secret.subarray(0, 8);
      for (const form of [
        Buffer.from(run).toString('hex'),
        Buffer.from(run).toString('base64').slice(0, 10),
        run.join(','),
        run.join(', '),
      ])
        expect(text).not.toContain(form);
    }
  });
});
