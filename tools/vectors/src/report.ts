import { execFileSync } from 'node:child_process';
import { totalsOf } from './replay.ts';
import type { FileResult, GroupResult } from './replay.ts';

/** The object that `--json` writes. Members are added, never renamed. */
export interface Report {
  readonly format: 'x-vectors/1';
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
  /** Why nothing could be replayed; only then. */
  readonly error?: string;
  readonly files: readonly FileResult[];
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
}

/** Makes the report of one run. `error` says why nothing could be replayed. */
export function makeReport(files: readonly FileResult[], startedAt: Date, seconds: number, error?: string): Report {
  const totals = totalsOf(files);
  return {
    format: 'x-vectors/1',
    ...currentCommit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds,
    ok: error === undefined && totals.failed === 0,
    ...(error === undefined ? {} : { error }),
    files,
    ...totals,
  };
}

/** The lines that are printed for a run, the last one `N passed, N failed`. */
export function reportLines(files: readonly FileResult[]): string[] {
  const { cases, passed, failed } = totalsOf(files);
  const waiting = cases - passed - failed;
  return [
    ...files.flatMap(({ file, built, groups }) => [
      built ? file : `${file} (not yet built: listed, not replayed)`,
      ...groups.flatMap((group) => groupLines(group, built)),
      '',
    ]),
    `${cases} cases in ${files.length} ${files.length === 1 ? 'file' : 'files'}${waiting > 0 ? `, ${waiting} of them not yet replayed by any package` : ''}`,
    `${passed} passed, ${failed} failed`,
  ];
}

function groupLines({ name, cases, passed, failed, firstFailure }: GroupResult, built: boolean): string[] {
  const counts = `  ${name.padEnd(24)} ${count(cases, cases === 1 ? 'case ' : 'cases')}`;
  const line = built ? `${counts} ${count(passed, 'passed')} ${count(failed, 'failed')}` : counts;
  return firstFailure === undefined ? [line] : [line, `    first failure: ${firstFailure}`];
}

function count(number: number, unit: string): string {
  return `${String(number).padStart(5)} ${unit}`;
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
