import { realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { REGISTRY } from './registry.ts';
import { replayDirectory } from './replay.ts';
import type { FileResult } from './replay.ts';
import { makeReport, reportLines } from './report.ts';

const USAGE = 'usage: npm run vectors -- [--dir DIR] [--json FILE]';

/** The repository's own copy of the data; it must be complete. */
export const OWN_DATA: string = resolve(import.meta.dirname, '../data');

/** What the command needs from its process. */
export interface CommandSurroundings {
  /** Folder that relative paths belong to. */
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Runs the command.
 *
 * @param args - what follows the command's name.
 * @returns the exit status: 0 when every case that can be replayed passed, else 1.
 */
export function runCommand(args: readonly string[], { folder, print, printError }: CommandSurroundings): 0 | 1 {
  const fail = (message: string): 1 => {
    printError(`vectors: ${message}`);
    return 1;
  };
  let options;
  try {
    options = parseArgs({ args: [...args], options: { dir: { type: 'string' }, json: { type: 'string' } } }).values;
  } catch (error) {
    return fail(`${messageOf(error)}\n${USAGE}`);
  }
  const startedAt = new Date();
  const directory = options.dir === undefined ? OWN_DATA : resolve(folder, options.dir);
  let files: FileResult[] = [];
  let error: string | undefined;
  try {
    files = replayDirectory(directory, { registry: REGISTRY, complete: isOwnData(directory) });
  } catch (thrown) {
    error = messageOf(thrown);
  }
  const report = makeReport(files, startedAt, (Date.now() - startedAt.getTime()) / 1000, error);
  let status: 0 | 1 = report.ok ? 0 : 1;
  if (options.json !== undefined) {
    const file = resolve(folder, options.json);
    try {
      writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
    } catch (thrown) {
      status = fail(`cannot write ${file}: ${messageOf(thrown)}`);
    }
  }
  if (error !== undefined) return fail(error);
  print(reportLines(files).join('\n'));
  return status;
}

function isOwnData(directory: string): boolean {
  try {
    return realpathSync(directory) === realpathSync(OWN_DATA);
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
