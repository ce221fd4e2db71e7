import { generateConnectToken, generateKey } from '@x/netcode/token';
import type { ClientEnd, End, ServerEnd } from './ends.ts';
import { EXPECTATIONS } from './expectations.ts';
import type { Expected, Implementation, ImplementationTable, Peer } from './expectations.ts';
import { mintForeign, openForeignClient, openForeignServer } from './foreign.ts';
import { openOurClient, openOurServer } from './ours.ts';

/** What our side plays. */
export type Role = 'server' | 'client';
/** Address family of a scenario. */
export type Family = 'ipv4' | 'ipv6';

/** Where a scenario is played. */
export interface StageSetup {
  /** File of the built foreign program. */
  readonly program: string;
  readonly peer: Peer;
  readonly role: Role;
  readonly family: Family;
  /** Seed of the payloads, u32. */
  readonly seed: number;
}

/** A minted token and what its server must report. */
export interface Ticket {
  readonly token: Uint8Array;
  readonly clientId: bigint;
  readonly userData: Uint8Array;
}

const LOCALHOST: Readonly<Record<Family, string>> = { ipv4: '127.0.0.1:0', ipv6: '[::1]:0' };
/** How long a tick or a look at a condition may be apart. */
const LOOK_MILLISECONDS = 3;
/** How long something that should happen at once may take on a busy machine. */
const PATIENCE_SECONDS = 10;
/** A u64 that no double holds. */
const FIRST_CLIENT_ID = 0xfedc_ba98_7654_3211n;
/** What both sides agree on for a token: the server's own option. */
const TOKEN_LIFETIME_SECONDS = 30;

/** Opens the ends of one scenario, mints its tokens, waits for what must happen, and closes everything. */
export class Stage {
  readonly #setup: StageSetup;
  readonly #ends: End[] = [];
  readonly #protocolId = 0x1122_3344_5566_7788n;
  readonly #privateKey = generateKey();
  #nextClientId = FIRST_CLIENT_ID;
  #isClosed = false;

  constructor(setup: StageSetup) {
    this.#setup = setup;
  }

  /** What is expected of the server's implementation. */
  get serverTable(): ImplementationTable {
    return EXPECTATIONS[this.#setup.role === 'server' ? 'ours' : this.#setup.peer];
  }

  /** What is expected of the client's implementation. */
  get clientTable(): ImplementationTable {
    return EXPECTATIONS[this.#setup.role === 'client' ? 'ours' : this.#setup.peer];
  }

  /** The foreign implementation. */
  get peer(): Peer {
    return this.#setup.peer;
  }

  /** Opens a server, started. */
  async openServer(slots: number): Promise<ServerEnd> {
    const { role, program, peer, family, seed } = this.#setup;
    const setup = { address: LOCALHOST[family], protocolId: this.#protocolId, privateKey: this.#privateKey, slots, seed };
    return this.#add(role === 'server' ? await openOurServer(setup) : await openForeignServer(program, peer, setup));
  }

  /** Opens a client on a source port of its own. */
  async openClient(): Promise<ClientEnd> {
    const { role, program, peer, family, seed } = this.#setup;
    const address = LOCALHOST[family];
    return this.#add(role === 'client' ? await openOurClient(address, seed) : await openForeignClient(program, peer, address, seed));
  }

  /** Mints a token for a server that is already running, by default with the implementation of that server. */
  async mint(
    server: ServerEnd,
    {
      by = server.implementation,
      privateKey = this.#privateKey,
      expireSeconds = TOKEN_LIFETIME_SECONDS,
      timeoutSeconds = 5,
    }: { by?: Implementation; privateKey?: Uint8Array; expireSeconds?: number; timeoutSeconds?: number } = {},
  ): Promise<Ticket> {
    const clientId = this.#nextClientId++;
    const userData = Uint8Array.from({ length: 256 }, (_, index) => (index * 7 + Number(clientId & 0xffn)) & 0xff);
    const common = { clientId, protocolId: this.#protocolId, privateKey, expireSeconds, timeoutSeconds, userData };
    const token =
      by === 'ours'
        ? generateConnectToken({ ...common, publicAddresses: [server.address] })
        : await mintForeign(this.#setup.program, by, { ...common, server: server.address });
    return { token, clientId, userData };
  }

  /** Connects and checks what the server reports about the client. */
  async connect(client: ClientEnd, server: ServerEnd, ticket: Ticket): Promise<void> {
    client.connect(ticket.token);
    await this.connected(client);
    await this.until(
      'the server reports the client',
      () => lastSession(server, ticket)?.reason === undefined && hasSession(server, ticket),
    );
    equal('user data at the server', lastSession(server, ticket)?.userData, Buffer.from(ticket.userData).toString('hex'));
  }

  /** Waits until an attempt has led to a connection. */
  async connected(client: ClientEnd): Promise<void> {
    await this.#decided(client, 'connected');
  }

  /** Waits until an attempt has led nowhere and compares the state of the client. */
  async refused(client: ClientEnd, state: Expected<string>): Promise<void> {
    await this.#decided(client, state.value);
  }

  /** Waits until a connected client has ended and compares its state. */
  async ended(client: ClientEnd, state: Expected<string>): Promise<void> {
    await this.until('the client has ended', () => client.status.state !== 'connected');
    equal('state of the client', client.status.state, state.value);
  }

  /** Waits until the server has given up the session of a ticket and compares the reason. */
  async left(server: ServerEnd, ticket: Ticket, reason: Expected<string>): Promise<void> {
    await this.until('the slot is given up', () => lastSession(server, ticket)?.reason !== undefined);
    equal('reason of the slot', lastSession(server, ticket)?.reason, reason.value);
  }

  /** Waits until a condition holds; throws when it does not in time, or when an end breaks down. */
  async until(what: string, condition: () => boolean): Promise<void> {
    const deadline = performance.now() + PATIENCE_SECONDS * 1000;
    while (!condition()) {
      const broken = this.#ends.find((end) => end.failure !== undefined);
      if (broken?.failure !== undefined) throw new Error(`${broken.implementation} broke down: ${broken.failure}`);
      if (this.#isClosed) throw new Error(`gave up while waiting: ${what}`);
      if (performance.now() > deadline) throw new Error(`did not happen within ${PATIENCE_SECONDS} s: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
    }
  }

  /** Waits for an answer of an end; throws when an end breaks down first. */
  async answer<T>(what: string, promise: Promise<T>): Promise<T> {
    let settled: { value: T } | undefined;
    void promise.then((value) => (settled = { value }));
    await this.until(what, () => settled !== undefined);
    return promise;
  }

  /** Closes every end. Whoever still waits is told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#ends.map((end) => end.close()));
  }

  async #decided(client: ClientEnd, state: string): Promise<void> {
    await this.until('the attempt to connect is decided', () => client.status.state !== 'connecting');
    equal('state of the client', client.status.state, state);
  }

  #add<T extends End>(end: T): T {
    this.#ends.push(end);
    if (this.#isClosed) void end.close();
    return end;
  }
}

function lastSession(server: ServerEnd, { clientId }: Ticket): ServerEnd['sessions'][number] | undefined {
  return server.sessions.findLast((session) => session.clientId === clientId);
}

function hasSession(server: ServerEnd, ticket: Ticket): boolean {
  return lastSession(server, ticket) !== undefined;
}

/** Throws when a value is not the expected one. */
export function equal(what: string, actual: unknown, wanted: unknown): void {
  if (actual !== wanted) throw new Error(`${what}: expected ${String(wanted)}, got ${String(actual)}`);
}
