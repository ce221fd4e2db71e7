import type { DropReason } from '@x/netcode';
import type { Implementation } from './expectations.ts';
import type { ExchangeResult, TallyResult } from './payload.ts';

/** How a server is set up. */
export interface ServerSetup {
  /** Numeric address with port 0. */
  readonly address: string;
  readonly protocolId: bigint;
  readonly privateKey: Uint8Array;
  readonly slots: number;
  /** Seed of the payloads, u32. */
  readonly seed: number;
}

/** One connection as its server saw it. */
export interface Session {
  readonly clientId: bigint;
  /** Hex. */
  readonly userData: string;
  /** Why it ended; undefined while it lasts. */
  readonly reason: string | undefined;
}

/** What either end of a scenario offers, whoever plays it. */
export interface End {
  readonly implementation: Implementation;
  /** Why this end broke down, which no scenario expects. */
  readonly failure: string | undefined;
  /** From now on the end does nothing at all, until `resume`. */
  freeze(): void;
  resume(): void;
  /** How often a datagram was refused for this reason; undefined where nothing is counted. */
  refusals(reason: DropReason): number | undefined;
  close(): Promise<void>;
}

/** A server that echoes every payload after comparing it with its pattern. */
export interface ServerEnd extends End {
  /** The identity, with the port that was bound. */
  readonly address: string;
  /** Every connection so far, oldest first. */
  readonly sessions: readonly Session[];
  kick(clientId: bigint): void;
  tally(): Promise<TallyResult>;
}

/** Where a client stands; `connecting` covers every state between idle and connected. */
export interface ClientStatus {
  readonly state: string;
  /** Once connected, where the implementation tells it. */
  readonly slot?: number | undefined;
  readonly slots?: number | undefined;
}

/** A client; every attempt to connect uses the same source port. */
export interface ClientEnd extends End {
  readonly status: ClientStatus;
  connect(token: Uint8Array): void;
  disconnect(): void;
  /** Sends every payload until its echo is there; resolves with what came back. */
  exchange(): Promise<ExchangeResult>;
}
