import { execFileSync } from 'node:child_process';
import type { RunResult } from './run.ts';

/** The object that `--json` writes. Members are added, never renamed. */
export type Report = Readonly<Record<string, unknown>>;

/** What a report has instead of figures when there was no run. */
const ABSENT: Report = {
  sent: null,
  resent: null,
  datagramsLost: null,
  simulatedSeconds: null,
  delivered: null,
  outOfOrder: null,
  duplicates: null,
  digest: null,
};

/** Makes the report of one run, or of a command that could not run for `error`. */
export function makeReport(startedAt: Date, seconds: number, result: RunResult | undefined, error: string | undefined): Report {
  return {
    format: 'x-simulate/1',
    ...currentCommit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds,
    ok: result?.ok === true && error === undefined,
    ...(result === undefined ? ABSENT : runMembers(result)),
    ...(error === undefined ? {} : { error }),
    ...(result === undefined ? { reason: error } : {}),
  };
}

function runMembers({ settings, samples, reason, ...figures }: RunResult): Report {
  return {
    ...figures,
    ...(reason === undefined ? {} : { error: reason }),
    steps: samples.length,
    settings: { ...settings, seed: settings.seed.toString() },
  };
}

/** The commit of this checkout; null with the reason when it is not known. */
function currentCommit(): { commit: string } | { commit: null; reason: string } {
  try {
    const cwd = import.meta.dirname;
    const output = execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { commit: output.trim() };
  } catch {
    return { commit: null, reason: 'not a git checkout' };
  }
}
