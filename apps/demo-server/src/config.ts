import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

/** The ciphers that the demo can encrypt its packets with. */
export type CipherName = 'sodium' | 'noble';

/** What the flags say, checked. */
export interface Config {
  /** How long the demo lasts; `undefined`: until it is interrupted. */
  readonly seconds: number | undefined;
  /** Plain lines even on a terminal. */
  readonly headless: boolean;
  /** Absolute path of the summary; `undefined`: none is written. */
  readonly json: string | undefined;
  readonly cipher: CipherName;
  /** Clients that get in, and slots of the server. */
  readonly clients: number;
}

/** The flags read: a run, or a text to print (help, or one line about a bad flag) and the exit status that goes with it. */
export type Parsed =
  { readonly type: 'run'; readonly config: Config } | { readonly type: 'exit'; readonly status: 0 | 2; readonly text: string };

/** What the flags are read against. */
export interface FlagSurroundings {
  /** Folder that a relative `--json` belongs to. */
  readonly folder: string;
  /** Somebody watches, who can press Ctrl-C. */
  readonly isTerminal: boolean;
}

/** Shortest demo in which everything scripted has its time. */
export const MIN_SECONDS = 3;
/** Length of a demo that nobody watches and no flag bounds. */
export const UNATTENDED_SECONDS = 20;
const MAX_CLIENTS = 64;
const DEFAULT_CLIENTS = 8;

/**
 * Reads and checks the flags.
 *
 * @param args - what follows the name of the command.
 */
export function parseFlags(args: readonly string[], { folder, isTerminal }: FlagSurroundings): Parsed {
  let output = '';
  const command = makeCommand((text) => {
    output += text;
  });
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { type: 'exit', status: error.exitCode === 0 ? 0 : 2, text: output.trimEnd() };
  }
  const flags = command.opts<{ seconds?: number; headless?: boolean; json?: string; cipher: CipherName; clients: number }>();
  const config: Config = {
    seconds: flags.seconds ?? (isTerminal ? undefined : UNATTENDED_SECONDS),
    headless: flags.headless ?? false,
    json: flags.json === undefined ? undefined : resolve(folder, flags.json),
    cipher: flags.cipher,
    clients: flags.clients,
  };
  return { type: 'run', config };
}

function makeCommand(print: (text: string) => void): Command {
  return new Command('npm run demo --')
    .description('A netcode server and its clients over UDP on this machine: encrypted echoes, refusals, comings and goings.')
    .option(
      '--seconds <n>',
      `how long, ${MIN_SECONDS} or more (default: until Ctrl-C; ${UNATTENDED_SECONDS} without a terminal)`,
      readSeconds,
    )
    .option('--headless', 'plain lines, no live table')
    .option('--json <file>', 'write the summary there')
    .addOption(new Option('--cipher <name>', 'packet cipher').choices(['sodium', 'noble']).default('sodium'))
    .option('--clients <n>', `clients, and slots of the server, 1 to ${MAX_CLIENTS}`, readClients, DEFAULT_CLIENTS)
    .helpOption('--help', 'print this')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print, outputError: (text, write) => write(text.replace(/^error: /, 'demo: ')) });
}

function readSeconds(text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (seconds >= MIN_SECONDS && Number.isFinite(seconds)) return seconds;
  throw new InvalidArgumentError(`Expected a number of seconds, ${MIN_SECONDS} or more.`);
}

function readClients(text: string): number {
  const clients = /^\d+$/.test(text) ? Number(text) : 0;
  if (clients >= 1 && clients <= MAX_CLIENTS) return clients;
  throw new InvalidArgumentError(`Expected a whole number, 1 to ${MAX_CLIENTS}.`);
}
