import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PEERS } from './expectations.ts';
import type { Peer } from './expectations.ts';
import { ipv6Missing } from './machine.ts';
import { makePlan } from './plan.ts';
import type { PlanEntry } from './plan.ts';
import { playEntry } from './play.ts';
import { makeReport, pairOf, tableHead, tableLine, totalsLine } from './report.ts';
import { runPlan } from './runner.ts';
import type { RunnerOptions } from './runner.ts';
import { buildProgram, pinnedVersions } from './rust.ts';
import type { Build } from './rust.ts';

const USAGE = `usage: npm run interop -- [--require-all] [--json FILE] [--only ${PEERS.join('|')}] [--seed N]`;
/** Scenarios at the same time. They mostly wait, and two cores carry this many. */
const LANES = 6;

/** What the command needs from its surroundings. */
export interface CommandSurroundings {
  /** Folder that relative paths belong to. */
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Brings the foreign program; replaced in tests. */
  readonly build?: (folder: string) => Build;
  /** Plays one pairing; replaced in tests. */
  readonly play?: typeof playEntry;
}

interface Options {
  readonly requireAll: boolean;
  readonly json: string | undefined;
  readonly peers: readonly Peer[];
  readonly seed: number;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'require-all': { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const peers = PEERS.filter((peer) => values.only === undefined || values.only === peer);
  if (peers.length === 0) throw new Error(`--only: expected ${PEERS.join(' or ')}, got ${values.only ?? ''}`);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    throw new Error(`--seed: expected 0 to 4294967295, got ${values.seed ?? ''}`);
  return { requireAll: values['require-all'], json: values.json, peers, seed };
}

/**
 * Runs the command.
 *
 * @param args - what follows the command's name.
 * @returns the exit status: 0 when nothing failed, else 1.
 */
export async function runCommand(args: readonly string[], surroundings: CommandSurroundings): Promise<0 | 1> {
  const { folder, print, printError, build = buildProgram, play = playEntry } = surroundings;
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    printError(`interop: ${messageOf(error)}\n${USAGE}`);
    return 1;
  }
  const { requireAll, json, peers, seed } = options;
  const startedAt = new Date();
  const versions = pinnedVersions();
  const built = build(folder);
  const noIpv6 = await ipv6Missing();
  print(`seed ${seed}\n${tableHead()}`);
  const runner: RunnerOptions = {
    play: (entry) => ('program' in built ? play(entry, built.program, seed) : Promise.reject(new Error(obstacle(built)))),
    skipReason: (entry) => ('missing' in built ? built.missing : entry.family === 'ipv6' ? noIpv6 : undefined),
    requireAll,
    lanes: LANES,
    onOutcome: (outcome) => print(tableLine(pairOf(outcome, versions))),
  };
  const plan: PlanEntry[] = makePlan(peers);
  const pairs = (await runPlan(plan, runner)).map((outcome) => pairOf(outcome, versions));
  const report = makeReport(pairs, { seed, startedAt, seconds: (Date.now() - startedAt.getTime()) / 1000 });
  let status: 0 | 1 = report.ok ? 0 : 1;
  if (json !== undefined) {
    const file = resolve(folder, json);
    try {
      writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
    } catch (error) {
      printError(`interop: cannot write ${file}: ${messageOf(error)}`);
      status = 1;
    }
  }
  print(totalsLine(pairs));
  return status;
}

function obstacle(build: Exclude<Build, { program: string }>): string {
  return 'broken' in build ? build.broken : build.missing;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
