import type { Aead, ClientState, SlotDisconnectReason } from '@x/netcode';
import type { Config } from './config.ts';
import { DemoClient } from './demo-client.ts';
import { EchoServer } from './echo-server.ts';
import { runLoop } from './loop.ts';
import type { DemoParts } from './parts.ts';
import { Scenario } from './scenario.ts';
import type { Cast } from './scenario.ts';
import type { Outcome } from './script.ts';
import type { View } from './table.ts';

const HZ = 60;
/** The schedule of a demo without end. */
const OPEN_END_SECONDS = 20;
/** So long before its end a demo stops sending, to have every echo home and everybody told in time. */
const TAIL_SECONDS = 0.25;
/** Most seconds to wait for the last echoes. */
const SETTLE_SECONDS = 0.5;
/** Most seconds to wait, once the server has stopped, for the clients to hear of it. More than a used token takes to run into silence. */
const STOP_SECONDS = 1.5;
const FIRST_CLIENT_ID = 1001n;

/** What a demo needs. */
export interface DemoOptions {
  readonly config: Config;
  readonly aead: Aead;
  readonly parts: DemoParts;
  readonly view: View;
  /** Stops the demo, gracefully. */
  readonly signal: AbortSignal;
  /** Told of everything that should not have happened. */
  readonly onUnexpected: (text: string) => void;
}

/** How one of the clients that were meant to get in has fared. */
export interface ClientResult {
  readonly id: bigint;
  /** When the time was up, before everything was taken down; after an interruption: once the server had told everybody. */
  readonly state: ClientState;
  /** Why its last session ended, as the server saw it; `undefined`: it has had none. */
  readonly departure: SlotDisconnectReason | undefined;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  /** Bytes of payloads, both ways. */
  readonly bytes: number;
  /** Mean of all echoes; `undefined`: there was none. */
  readonly rttMilliseconds: number | undefined;
}

/** How a demo went, apart from the unexpected. */
export interface DemoResult {
  readonly clients: readonly ClientResult[];
  readonly refused: { readonly full: Outcome; readonly usedToken: Outcome };
}

type Phase = { readonly name: 'exchange' | 'settle' | 'stop'; readonly since: number };

/** Runs the whole demo: opens server and clients, drives them in one loop, closes them. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const opened: { close(): void }[] = [];
  try {
    const cast = await openCast(options, opened);
    return await play(cast, options);
  } finally {
    for (const part of opened) part.close();
  }
}

async function openCast({ config, aead, parts, view, onUnexpected }: DemoOptions, opened: { close(): void }[]): Promise<Cast> {
  const server = await EchoServer.open({
    parts,
    aead,
    slots: config.clients,
    onMembership: ({ clientId, slot, reason }) => {
      view.detail(reason === undefined ? `client ${clientId} is in slot ${slot}` : `slot ${slot}: client ${clientId} gone (${reason})`);
    },
  });
  opened.push(server);
  const clients: DemoClient[] = [];
  for (let i = 0; i < config.clients + 2; i++) {
    const client = await DemoClient.open({ parts, aead, id: FIRST_CLIENT_ID + BigInt(i), onWrongEcho: onUnexpected });
    opened.push(client);
    clients.push(client);
  }
  const [surplus, impostor] = clients.splice(config.clients);
  return { server, clients, surplus: surplus!, impostor: impostor! };
}

async function play(cast: Cast, { config, parts, view, signal, onUnexpected }: DemoOptions): Promise<DemoResult> {
  const { server, clients } = cast;
  const everybody = [...clients, cast.surplus, cast.impostor];
  const length = config.seconds ?? Infinity;
  const scenario = new Scenario({
    cast,
    seconds: config.seconds ?? OPEN_END_SECONDS,
    onEvent: (text) => view.event(text),
    onUnexpected,
  });
  view.event(`server on ${server.address}, ${server.slots} slots`);

  const start = parts.clock.now();
  let phase: Phase = { name: 'exchange', since: 0 };
  let states = new Map<DemoClient, ClientState>();
  let told: DemoClient[] = [];
  const stop = (elapsed: number): void => {
    phase = { name: 'stop', since: elapsed };
    states = statesOf(clients);
    told = scenario.dismiss();
    server.stop();
    for (const client of [...clients, cast.surplus]) {
      // Who is in has been told; who was still trying gives up.
      if (client.isConnected) client.hold();
      else client.leave();
    }
    view.event('server stopped');
  };

  await runLoop({
    hz: HZ,
    clock: parts.clock,
    onTick: (time) => {
      const elapsed = time - start;
      parts.onTick?.(time);
      for (const client of everybody) client.update(time);
      server.update(time);
      if (phase.name !== 'stop') {
        scenario.tick(elapsed);
        if (signal.aborted) {
          view.event(`interrupted (${String(signal.reason)})`);
          stop(elapsed);
        }
      }
      if (phase.name === 'exchange' && (elapsed >= length || (elapsed >= length - TAIL_SECONDS && scenario.isFinished))) {
        scenario.end();
        for (const client of clients) client.hold();
        phase = { name: 'settle', since: elapsed };
      }
      if (phase.name === 'settle' && (clients.every(({ echoes }) => echoes.isQuiet) || elapsed > phase.since + SETTLE_SECONDS))
        stop(elapsed);
      view.frame(elapsed, cast);
      // The impostor, too, is waited for: closed in the middle of its attempt it would say goodbye with keys that were used before.
      return phase.name !== 'stop' || (!everybody.every(({ isOut }) => isOut) && elapsed < phase.since + STOP_SECONDS);
    },
  });
  scenario.judgeStop(told);
  scenario.judgeTraffic();
  if (signal.aborted) states = statesOf(clients);
  return { clients: clients.map((client) => resultOf(client, states.get(client)!, server)), refused: scenario.refused };
}

function statesOf(clients: readonly DemoClient[]): Map<DemoClient, ClientState> {
  return new Map(clients.map((client) => [client, client.state]));
}

function resultOf(client: DemoClient, state: ClientState, server: EchoServer): ClientResult {
  const { id, echoes, lost, bytes } = client;
  return {
    id,
    state,
    departure: server.departure(id),
    sent: echoes.sent,
    received: echoes.received,
    lost,
    bytes,
    rttMilliseconds: echoes.meanMilliseconds,
  };
}
