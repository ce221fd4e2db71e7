import { clientStateName } from '@x/netcode';
import type { DemoClient } from './demo-client.ts';
import type { EchoServer } from './echo-server.ts';
import { Script } from './script.ts';
import type { Outcome, Play, Step } from './script.ts';

/** Share of its payloads that a client may lose, beyond one: on loopback only a machine in distress loses any. */
const MAX_LOST_SHARE = 0.03;
/** Most seconds that a step may take. */
const PATIENCE_SECONDS = 5;
/** Most seconds that a client waits for its last echoes before it leaves. */
const LAST_ECHOES_SECONDS = 0.5;
/** Silence allowed by the tokens of the client whose spent token is tried again: so long does that take. */
const SHORT_TIMEOUT_SECONDS = 1;

/** When each step may begin, as a share of the whole. The last of them, which takes a second, fits into three. */
const SCHEDULE = { full: 0.08, leave: 0.2, kick: 0.27, comeBack: 0.33, usedToken: 0.35 };

/** Who plays. */
export interface Cast {
  readonly server: EchoServer;
  /** Those meant to get in; as many as the server has slots, at least one. */
  readonly clients: readonly DemoClient[];
  /** Comes with a good token when every slot is taken. */
  readonly surplus: DemoClient;
  /** Comes with a token that has had its session. */
  readonly impostor: DemoClient;
}

/** What a scenario is made of. */
export interface ScenarioOptions {
  readonly cast: Cast;
  /** The length that the schedule is scaled to. */
  readonly seconds: number;
  readonly onEvent: (text: string) => void;
  /** Told of everything that should not have happened. */
  readonly onUnexpected: (text: string) => void;
}

/** The scripted events and what is expected of each; also watches that nothing else happens. */
export class Scenario {
  readonly #cast: Cast;
  readonly #options: ScenarioOptions;
  readonly #script: Script;
  #elapsed: number = 0;
  /** Those that are in and have no reason to leave. */
  readonly #staying = new Set<DemoClient>();

  constructor(options: ScenarioOptions) {
    this.#cast = options.cast;
    this.#options = options;
    this.#script = new Script(this.#steps(), PATIENCE_SECONDS, options.onUnexpected);
  }

  /** Every scripted event has been decided. */
  get isFinished(): boolean {
    return this.#script.isFinished;
  }

  /** Whether the refusals happened as they should. */
  get refused(): { readonly full: Outcome; readonly usedToken: Outcome } {
    return { full: this.#script.outcome('server full'), usedToken: this.#script.outcome('used token') };
  }

  /** Goes on, at `elapsed` seconds after the start; client and server have been updated. */
  tick(elapsed: number): void {
    this.#elapsed = elapsed;
    this.#script.tick(elapsed);
    for (const client of this.#staying) {
      if (client.isConnected) continue;
      this.#staying.delete(client);
      const seen = this.#cast.server.departure(client.id);
      const text = seen === undefined ? 'the server still has it' : `the server says ${seen}`;
      this.#options.onUnexpected(`client ${client.id} is out: ${clientStateName(client.state)}; ${text}`);
    }
  }

  /** The time is up. */
  end(): void {
    this.#script.end();
  }

  /** Those that are in now and must be told when the server stops; from now on they may leave. */
  dismiss(): DemoClient[] {
    const told = [...this.#staying];
    this.#staying.clear();
    return told;
  }

  /** Judges, after the server has stopped, that all of them were told on both ends. */
  judgeStop(told: readonly DemoClient[]): void {
    for (const client of told) {
      const seen = this.#cast.server.departure(client.id);
      if (client.state === 'disconnected' && seen === 'serverDisconnect') continue;
      this.#options.onUnexpected(
        `client ${client.id} after the stop: ${clientStateName(client.state)}; the server says ${seen ?? 'nothing'}`,
      );
    }
  }

  /** Judges the traffic, when no more echoes can come. */
  judgeTraffic(): void {
    for (const { id, lost, echoes } of this.#cast.clients) {
      if (lost > Math.max(1, echoes.sent * MAX_LOST_SHARE))
        this.#options.onUnexpected(`client ${id}: ${lost} of ${echoes.sent} payloads lost`);
    }
  }

  #steps(): Step[] {
    const { seconds } = this.#options;
    const { clients } = this.#cast;
    const leaver = clients[0]!;
    // Never the last one to leave, where there is a choice: its slot stays free, so that the used token meets a server with room.
    const kicked = clients[1] ?? leaver;
    kicked.timeoutSeconds = SHORT_TIMEOUT_SECONDS;
    this.#cast.impostor.timeoutSeconds = SHORT_TIMEOUT_SECONDS;
    const step = (name: string, share: number, after: readonly string[], play: () => Play): Step => ({
      name,
      due: share * seconds,
      after,
      play,
    });
    return [
      step('everybody in', 0, [], () => this.#everybodyIn()),
      step('server full', SCHEDULE.full, ['everybody in'], () => this.#serverFull()),
      step('leaves by itself', SCHEDULE.leave, ['server full'], () => this.#leaves(leaver)),
      step('comes back', SCHEDULE.comeBack, ['leaves by itself'], () => this.#comesBack(leaver)),
      step('thrown out', SCHEDULE.kick, [kicked === leaver ? 'comes back' : 'server full'], () => this.#thrownOut(kicked)),
      step('used token', SCHEDULE.usedToken, ['thrown out'], () => this.#usedToken(kicked)),
    ];
  }

  *#everybodyIn(): Play {
    const { clients, server } = this.#cast;
    for (const client of clients) this.#connect(client);
    for (const client of clients) yield* this.#untilIn(client);
    this.#options.onEvent(`all ${clients.length} connected, ${server.connectedCount} of ${server.slots} slots taken`);
  }

  *#serverFull(): Play {
    const { server, surplus } = this.#cast;
    if (!server.isFull) throw new Error(`only ${server.connectedCount} of ${server.slots} slots are taken`);
    this.#connect(surplus);
    while (!surplus.isOut && !surplus.isConnected) yield `client ${surplus.id} to be refused`;
    expectState(surplus, 'connectionDenied');
    this.#options.onEvent(`client ${surplus.id} refused: the server is full`);
  }

  *#leaves(client: DemoClient): Play {
    yield* this.#quiet(client);
    client.leave();
    yield* this.#untilServerSays(client, 'clientDisconnect');
    expectState(client, 'disconnected');
    this.#options.onEvent(`client ${client.id} left by itself`);
  }

  *#comesBack(client: DemoClient): Play {
    this.#connect(client);
    yield* this.#untilIn(client);
    this.#options.onEvent(`client ${client.id} came back with a fresh token`);
  }

  *#thrownOut(client: DemoClient): Play {
    yield* this.#quiet(client);
    this.#cast.server.kick(client.id);
    yield* this.#untilServerSays(client, 'serverDisconnect');
    while (!client.isOut) yield `client ${client.id} to be told that it is thrown out`;
    expectState(client, 'disconnected');
    this.#options.onEvent(`client ${client.id} thrown out by the server`);
  }

  *#usedToken(owner: DemoClient): Play {
    const { impostor, server } = this.#cast;
    const ignoredBefore = server.counters['request-token-used'];
    // Its session is over, so nothing but the token's past speaks against it: not the id, and not the number of free slots.
    impostor.connect(owner.spentToken!);
    while (!impostor.isOut && !impostor.isConnected) yield 'the used token to run into silence';
    expectState(impostor, 'connectionRequestTimedOut');
    if (server.counters['request-token-used'] === ignoredBefore) throw new Error('the server has not counted a used token');
    this.#options.onEvent(`the used token of client ${owner.id} got no answer`);
  }

  #connect(client: DemoClient): void {
    client.connect(this.#cast.server.mint(client.id, client.timeoutSeconds));
  }

  *#untilIn(client: DemoClient): Play {
    while (!client.isConnected || !this.#cast.server.has(client.id)) {
      if (client.isOut) throw new Error(`client ${client.id} did not get in: ${clientStateName(client.state)}`);
      yield `client ${client.id} to get in (${clientStateName(client.state)})`;
    }
    this.#staying.add(client);
  }

  /** Ends the payloads of a client that is about to leave, and waits for its last echoes. */
  *#quiet(client: DemoClient): Play {
    this.#staying.delete(client);
    client.hold();
    const until = this.#elapsed + LAST_ECHOES_SECONDS;
    while (!client.echoes.isQuiet && this.#elapsed < until) yield `the last echoes of client ${client.id}`;
  }

  *#untilServerSays(client: DemoClient, reason: 'clientDisconnect' | 'serverDisconnect'): Play {
    const { server } = this.#cast;
    while (server.has(client.id)) yield `the server to see client ${client.id} leave`;
    const seen = server.departure(client.id);
    if (seen !== reason) throw new Error(`expected the server to say ${reason} of client ${client.id}, it says ${seen ?? 'nothing'}`);
  }
}

function expectState(client: DemoClient, state: DemoClient['state']): void {
  if (client.state === state) return;
  throw new Error(`client ${client.id}: expected ${clientStateName(state)}, is ${clientStateName(client.state)}`);
}
