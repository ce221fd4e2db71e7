import { execFileSync } from 'node:child_process';
import { firstLine } from './cipher.ts';
import type { ClientState } from '@x/netcode';
import type { CipherName } from './config.ts';
import type { ClientResult, DemoResult } from './demo.ts';
import type { Outcome } from './script.ts';
import { tableLines } from './table.ts';
import type { Paint } from './table.ts';

/** One client in the summary. */
export interface ClientSummary {
  /** Decimal. */
  readonly id: string;
  readonly state: ClientState;
  /** Why its last session ended, as the server saw it; null: it has had none. */
  readonly departure: string | null;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  /** Bytes of payloads, both ways. */
  readonly bytes: number;
  /** Mean of all echoes. */
  readonly rttMs: number | null;
  /** Why a member is null; only then. */
  readonly reason?: string;
}

/** The object that `--json` writes. Members are added, never renamed. */
export interface Summary {
  readonly format: 'x-demo/1';
  /** Commit of this checkout. */
  readonly commit: string | null;
  /** Why there is no commit; only then. */
  readonly reason?: string;
  readonly node: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** True exactly when the exit status is 0. */
  readonly ok: boolean;
  readonly cipher: CipherName;
  /** The signal, or what else stopped the demo before its time; null: nothing did. */
  readonly stoppedBy: string | null;
  /** Those meant to get in. */
  readonly clients: readonly ClientSummary[];
  /** True when refused as it should be; null when it did not come to that. */
  readonly refused: { readonly full: boolean | null; readonly usedToken: boolean | null; readonly reason?: string };
  readonly unexpected: readonly string[];
}

/** What a summary is made of. */
export interface SummaryInput {
  readonly startedAt: Date;
  readonly seconds: number;
  readonly cipher: CipherName;
  readonly stoppedBy: string | undefined;
  /** `undefined`: the demo broke off. */
  readonly result: DemoResult | undefined;
  readonly unexpected: readonly string[];
}

/** Makes the summary of one run. */
export function makeSummary({ startedAt, seconds, cipher, stoppedBy, result, unexpected }: SummaryInput): Summary {
  const refused = { full: decided(result?.refused.full), usedToken: decided(result?.refused.usedToken) };
  const isUndecided = refused.full === null || refused.usedToken === null;
  return {
    format: 'x-demo/1',
    ...currentCommit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds: rounded(seconds),
    ok: unexpected.length === 0,
    cipher,
    stoppedBy: stoppedBy ?? null,
    clients: result?.clients.map(clientSummary) ?? [],
    refused: isUndecided
      ? { ...refused, reason: `not tried: ${stoppedBy === undefined ? 'the demo broke off' : `stopped by ${stoppedBy}`}` }
      : refused,
    unexpected,
  };
}

/** The lines that end the output of a run. */
export function summaryLines(summary: Summary, paint: Paint): string[] {
  const { ok, seconds, stoppedBy, clients, refused, unexpected } = summary;
  const sum = (of: (client: ClientSummary) => number): number => clients.reduce((total, client) => total + of(client), 0);
  const word = (value: boolean | null): string => (value === null ? 'not tried' : value ? 'refused' : 'NOT refused as it should be');
  return [
    '',
    ...(clients.length === 0 ? [] : [...tableLines(clients, paint), '']),
    `${clients.length} clients in ${seconds.toFixed(1)} s${stoppedBy === null ? '' : `, stopped by ${stoppedBy}`}`,
    `payloads: ${sum(({ sent }) => sent)} sent, ${sum(({ received }) => received)} back and right, ${sum(({ lost }) => lost)} lost`,
    `server full: ${word(refused.full)}; used token: ${word(refused.usedToken)}`,
    ...unexpected.map((text) => paint.red(`unexpected: ${text}`)),
    ok ? paint.green(stoppedBy === null ? 'everything went as expected' : 'until then everything went as expected') : paint.red('FAILED'),
  ];
}

function clientSummary({ id, state, departure, sent, received, lost, bytes, rttMilliseconds }: ClientResult): ClientSummary {
  const reasons = [
    ...(departure === undefined ? ['no session of it has ended'] : []),
    ...(rttMilliseconds === undefined ? ['no echo came back'] : []),
  ];
  return {
    id: String(id),
    state,
    departure: departure ?? null,
    sent,
    received,
    lost,
    bytes,
    rttMs: rttMilliseconds === undefined ? null : rounded(rttMilliseconds),
    ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
  };
}

function decided(outcome: Outcome | undefined): boolean | null {
  return outcome === undefined || outcome === 'pending' ? null : outcome === 'passed';
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function currentCommit(): Pick<Summary, 'commit' | 'reason'> {
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { commit: output.trim() };
  } catch (error) {
    const told = (error as { readonly stderr?: unknown }).stderr;
    return { commit: null, reason: `commit: ${firstLine(typeof told === 'string' && told.trim() !== '' ? told.trim() : error)}` };
  }
}
