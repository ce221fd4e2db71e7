import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makePage } from './page.ts';
import { makeReport } from './report.ts';
import { simulate } from './run.ts';
import type { RunResult } from './run.ts';
import { readRequest } from './settings.ts';
import type { Request } from './settings.ts';
import { tableLines } from './table.ts';

const USAGE = `usage: npm run simulate -- [--latency S] [--jitter S] [--loss P] [--duplicate P] [--events N] [--payload BYTES] [--seed N]
                           [--html FILE] [--json FILE]`;

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
 * @returns the exit status: 0 when every event arrived once and in order, else 1; 2 when the arguments are wrong.
 */
export function runCommand(args: readonly string[], { folder, print, printError }: CommandSurroundings): 0 | 1 | 2 {
  const startedAt = new Date();
  let request: Request;
  try {
    request = readRequest(args);
  } catch (error) {
    printError(`simulate: ${messageOf(error)}\n${USAGE}`);
    return 2;
  }
  let result: RunResult | undefined;
  let failure: string | undefined;
  try {
    result = simulate(request.settings);
    print(tableLines(result).join('\n'));
    if (request.htmlFile !== undefined) write(resolve(folder, request.htmlFile), makePage(result));
  } catch (error) {
    failure = messageOf(error);
  }
  if (request.jsonFile !== undefined) {
    const report = makeReport(startedAt, (Date.now() - startedAt.getTime()) / 1000, result, failure);
    try {
      write(resolve(folder, request.jsonFile), `${JSON.stringify(report, null, 2)}\n`);
    } catch (error) {
      failure ??= messageOf(error);
    }
  }
  if (failure !== undefined) printError(`simulate: ${failure}`);
  return failure === undefined && result?.ok === true ? 0 : 1;
}

function write(file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new Error(`cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
