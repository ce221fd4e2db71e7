import { execFileSync } from 'node:child_process';
import type { Peer } from './expectations.ts';
import type { Outcome } from './runner.ts';

/** One pairing in the report. */
export interface Pair {
  /** Name of the foreign package. */
  readonly peer: Peer;
  readonly version: string;
  /** Scenario and address family. */
  readonly scenario: string;
  /** What our side plays. */
  readonly role: 'server' | 'client';
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
  readonly seconds: number;
}

/** The object that `--json` writes. Members are added, never renamed. */
export interface Report {
  readonly format: 'x-interop/1';
  /** Commit of this checkout; null when it is not known. */
  readonly commit: string | null;
  /** Why there is no commit; only then. */
  readonly reason?: string;
  /** Version of Node. */
  readonly node: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** True exactly when the exit status is 0. */
  readonly ok: boolean;
  /** Seed of the payloads. */
  readonly seed: number;
  readonly pairs: readonly Pair[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The pairing of an outcome. */
export function pairOf({ entry, result, reason, seconds }: Outcome, versions: Readonly<Record<Peer, string>>): Pair {
  return {
    peer: entry.peer,
    version: versions[entry.peer],
    role: entry.role,
    scenario: `${entry.scenario}-${entry.family}`,
    result,
    ...(reason === undefined ? {} : { reason }),
    seconds,
  };
}

/** How many pairings there are of each result. */
export function totalsOf(pairs: readonly Pair[]): { passed: number; failed: number; skipped: number } {
  const count = (result: Pair['result']): number => pairs.filter((pair) => pair.result === result).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** Makes the report of one run. A run without a single pairing is not a success. */
export function makeReport(
  pairs: readonly Pair[],
  { seed, startedAt, seconds }: { seed: number; startedAt: Date; seconds: number },
): Report {
  const totals = totalsOf(pairs);
  return {
    format: 'x-interop/1',
    ...currentCommit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds,
    ok: totals.failed === 0 && pairs.length > 0,
    seed,
    pairs,
    ...totals,
  };
}

const COLUMNS = { peer: 16, version: 7, ours: 6, scenario: 26, result: 7 };

/** Heading of the table. */
export function tableHead(): string {
  return Object.entries(COLUMNS)
    .map(([name, width]) => name.padEnd(width))
    .concat('seconds')
    .join('  ');
}

/** One line of the table, with the reason below it. */
export function tableLine({ peer, version, role, scenario, result, reason, seconds }: Pair): string {
  const cells = { peer, version, ours: role, scenario, result };
  const line = Object.entries(COLUMNS)
    .map(([name, width]) => cells[name as keyof typeof COLUMNS].padEnd(width))
    .concat(seconds.toFixed(1).padStart(7))
    .join('  ');
  return reason === undefined ? line : `${line}\n    ${reason}`;
}

/** The last line: `N passed, N failed`, and how many were skipped. */
export function totalsLine(pairs: readonly Pair[]): string {
  const { passed, failed, skipped } = totalsOf(pairs);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function currentCommit(): Pick<Report, 'commit' | 'reason'> {
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { commit: output.trim() };
  } catch (error) {
    const told = (error as { readonly stderr?: unknown }).stderr;
    const reason = typeof told === 'string' && told.trim() !== '' ? told.trim() : String(error);
    return { commit: null, reason: reason.split('\n')[0] ?? '' };
  }
}
