import { monotonicSeconds } from '@x/netcode';
import type { DropReason, NetcodeClient, NetcodeServer } from '@x/netcode';
import { createClient, createServer } from '@x/netcode/node';
import type { ClientEnd, ClientStatus, End, ServerEnd, ServerSetup, Session } from './ends.ts';
import { Exchange, Tally } from './payload.ts';
import type { ExchangeResult, TallyResult } from './payload.ts';

/** Pause between two updates. */
const TICK_MILLISECONDS = 4;

/** Drives one of our machines: an update per tick unless frozen, and what it throws kept as the failure. */
abstract class OurEnd implements End {
  readonly implementation = 'ours' as const;
  failure: string | undefined;
  #isFrozen = false;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      if (this.#isFrozen || this.failure !== undefined) return;
      try {
        this.tick();
      } catch (error) {
        this.failure = String(error);
      }
    }, TICK_MILLISECONDS);
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  resume(): void {
    this.#isFrozen = false;
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    this.release();
    return Promise.resolve();
  }

  abstract refusals(reason: DropReason): number;
  protected abstract tick(): void;
  protected abstract release(): void;
}

class OurServer extends OurEnd implements ServerEnd {
  readonly sessions: readonly Session[];
  readonly #server: NetcodeServer;
  readonly #address: string;
  readonly #tally: Tally;

  constructor(server: NetcodeServer, setup: ServerSetup, sessions: readonly Session[]) {
    super();
    this.#server = server;
    this.#address = setup.address.replace(/:0$/, `:${server.port}`);
    this.#tally = new Tally(setup.seed);
    this.sessions = sessions;
  }

  get address(): string {
    return this.#address;
  }

  kick(clientId: bigint): void {
    for (let slot = 0; slot < this.#server.maxClients; slot++) {
      if (this.#server.clientId(slot) === clientId) this.#server.disconnectClient(slot);
    }
  }

  tally(): Promise<TallyResult> {
    return Promise.resolve(this.#tally);
  }

  refusals(reason: DropReason): number {
    return this.#server.counters[reason];
  }

  protected tick(): void {
    this.#server.update(monotonicSeconds());
    for (let slot = 0; slot < this.#server.maxClients; slot++) {
      for (let received = this.#server.receive(slot); received !== undefined; received = this.#server.receive(slot)) {
        this.#tally.take(received.data);
        this.#server.send(slot, received.data);
      }
    }
  }

  protected release(): void {
    this.#server.close();
  }
}

/** Opens our server, started. */
export async function openOurServer(setup: ServerSetup): Promise<ServerEnd> {
  const sessions: (Session & { reason: string | undefined })[] = [];
  const server = await createServer({
    address: setup.address,
    protocolId: setup.protocolId,
    privateKey: setup.privateKey,
    onConnectDisconnect: (slot, connected) => {
      const clientId = server.clientId(slot);
      if (connected) {
        sessions.push({ clientId, userData: Buffer.from(server.userData(slot) ?? []).toString('hex'), reason: undefined });
      } else {
        const session = sessions.findLast((candidate) => candidate.clientId === clientId);
        if (session !== undefined) session.reason = server.disconnectReason(slot);
      }
    },
  });
  server.start(setup.slots);
  return new OurServer(server, setup, sessions);
}

class OurClient extends OurEnd implements ClientEnd {
  readonly #client: NetcodeClient;
  readonly #seed: number;
  #running: { exchange: Exchange; resolve: (result: ExchangeResult) => void } | undefined;

  constructor(client: NetcodeClient, seed: number) {
    super();
    this.#client = client;
    this.#seed = seed;
  }

  get status(): ClientStatus {
    const { state, index, maxClients } = this.#client;
    if (state === 'connected') return { state, slot: index, slots: maxClients };
    return { state: state.startsWith('sending') ? 'connecting' : state };
  }

  connect(token: Uint8Array): void {
    this.#client.update(monotonicSeconds());
    const refused = this.#client.connect(token);
    if (refused !== undefined) this.failure = `the token was refused: ${refused}`;
  }

  disconnect(): void {
    this.#client.disconnect();
  }

  exchange(): Promise<ExchangeResult> {
    return new Promise((resolve) => {
      this.#running = { exchange: new Exchange(this.#seed), resolve };
    });
  }

  refusals(reason: DropReason): number {
    return this.#client.counters[reason];
  }

  protected tick(): void {
    this.#client.update(monotonicSeconds());
    for (let received = this.#client.receive(); received !== undefined; received = this.#client.receive()) {
      this.#running?.exchange.tally.take(received.data);
    }
    if (this.#running === undefined) return;
    const { exchange, resolve } = this.#running;
    exchange.step(monotonicSeconds(), (bytes) => this.#client.send(bytes));
    if (!exchange.isOver) return;
    this.#running = undefined;
    resolve(exchange.result);
  }

  protected release(): void {
    this.#client.close();
  }
}

/** Opens our client on `address`, with port 0. */
export async function openOurClient(address: string, seed: number): Promise<ClientEnd> {
  return new OurClient(await createClient({ address }), seed);
}
