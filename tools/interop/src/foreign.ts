import type { ClientEnd, ClientStatus, End, ServerEnd, ServerSetup, Session } from './ends.ts';
import type { Peer } from './expectations.ts';
import { callForeign, ForeignProgram, numberOf, textOf } from './foreign-program.ts';
import type { ForeignEvent } from './foreign-program.ts';
import type { ExchangeResult, TallyResult } from './payload.ts';

/** What the program calls each peer. */
const FLAG: Readonly<Record<Peer, string>> = { 'netcode-official': 'official', renetcode: 'renetcode' };

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function countOf(event: ForeignEvent, name: string): number {
  const count = numberOf(event, name);
  if (count === undefined) throw new Error(`${event.event}: ${name} is null`);
  return count;
}

function tallyOf(event: ForeignEvent): TallyResult {
  const faults = event['faults'];
  if (!Array.isArray(faults)) throw new Error(`${event.event}: faults is not a list`);
  return { received: countOf(event, 'received'), verified: countOf(event, 'verified'), faults: faults.map(String) };
}

/** One end played by the foreign program. */
abstract class ForeignEnd implements End {
  readonly implementation: Peer;
  readonly #program: string;
  readonly #waiting = new Map<string, (event: ForeignEvent) => void>();
  #running: ForeignProgram | undefined;

  constructor(program: string, peer: Peer) {
    this.#program = program;
    this.implementation = peer;
  }

  get failure(): string | undefined {
    return this.#running?.failure;
  }

  freeze(): void {
    this.command('freeze');
  }

  resume(): void {
    this.command('resume');
  }

  refusals(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#running?.stop();
  }

  protected async start(role: string, flags: readonly string[]): Promise<ForeignEvent> {
    const args = [role, '--peer', FLAG[this.implementation], ...flags];
    const { running, ready } = await ForeignProgram.start(this.#program, args, (event) => {
      const take = this.#waiting.get(event.event);
      if (take === undefined) this.take(event);
      else take(event);
    });
    this.#running = running;
    return ready;
  }

  protected command(command: string, members?: Readonly<Record<string, string>>): void {
    this.#running?.command(command, members);
  }

  /** Sends a command and resolves with the event that answers it. */
  protected async ask(command: string, answer: string): Promise<ForeignEvent> {
    return new Promise((resolve) => {
      this.#waiting.set(answer, (event) => {
        this.#waiting.delete(answer);
        resolve(event);
      });
      this.command(command);
    });
  }

  protected abstract take(event: ForeignEvent): void;
}

class ForeignServer extends ForeignEnd implements ServerEnd {
  address = '';
  readonly sessions: (Session & { reason: string | undefined })[] = [];

  async open(setup: ServerSetup): Promise<this> {
    const ready = await this.start('server', [
      ...['--address', setup.address, '--protocol-id', String(setup.protocolId), '--key', hex(setup.privateKey)],
      ...['--slots', String(setup.slots), '--seed', String(setup.seed)],
    ]);
    this.address = textOf(ready, 'address');
    return this;
  }

  kick(clientId: bigint): void {
    this.command('kick', { clientId: String(clientId) });
  }

  async tally(): Promise<TallyResult> {
    return tallyOf(await this.ask('tally', 'tally'));
  }

  protected take(event: ForeignEvent): void {
    const clientId = BigInt(textOf(event, 'clientId'));
    if (event.event === 'connected') {
      this.sessions.push({ clientId, userData: textOf(event, 'userData'), reason: undefined });
    } else {
      const session = this.sessions.findLast((candidate) => candidate.clientId === clientId);
      if (session !== undefined) session.reason = textOf(event, 'reason');
    }
  }
}

class ForeignClient extends ForeignEnd implements ClientEnd {
  status: ClientStatus = { state: 'disconnected' };

  async open(address: string, seed: number): Promise<this> {
    await this.start('client', ['--bind', address, '--seed', String(seed)]);
    return this;
  }

  connect(token: Uint8Array): void {
    this.status = { state: 'connecting' };
    this.command('connect', { token: hex(token) });
  }

  disconnect(): void {
    this.command('disconnect');
  }

  async exchange(): Promise<ExchangeResult> {
    const event = await this.ask('exchange', 'exchanged');
    return { ...tallyOf(event), sent: countOf(event, 'sent') };
  }

  protected take(event: ForeignEvent): void {
    this.status = { state: textOf(event, 'state'), slot: numberOf(event, 'slot'), slots: numberOf(event, 'slots') };
  }
}

/** Starts the foreign program as a server. */
export function openForeignServer(program: string, peer: Peer, setup: ServerSetup): Promise<ServerEnd> {
  return new ForeignServer(program, peer).open(setup);
}

/** Starts the foreign program as a client on `address`, with port 0. */
export function openForeignClient(program: string, peer: Peer, address: string, seed: number): Promise<ClientEnd> {
  return new ForeignClient(program, peer).open(address, seed);
}

/** What a token is minted from. */
export interface MintRequest {
  /** Address of the one server listed. */
  readonly server: string;
  readonly clientId: bigint;
  readonly protocolId: bigint;
  readonly privateKey: Uint8Array;
  readonly userData: Uint8Array;
  readonly expireSeconds: number;
  readonly timeoutSeconds: number;
}

/** Lets a foreign implementation mint a token; it comes in the form of the protocol, 2048 bytes. */
export async function mintForeign(program: string, peer: Peer, request: MintRequest): Promise<Uint8Array> {
  const event = await callForeign(program, [
    ...['mint', '--peer', FLAG[peer], '--server', request.server, '--client-id', String(request.clientId)],
    ...['--protocol-id', String(request.protocolId), '--key', hex(request.privateKey), '--user-data', hex(request.userData)],
    ...['--expire-seconds', String(request.expireSeconds), '--timeout-seconds', String(request.timeoutSeconds)],
  ]);
  return Uint8Array.from(Buffer.from(textOf(event, 'token'), 'hex'));
}
