import { writeFileSync } from 'node:fs';
import { firstLine, loadCipher } from './cipher.ts';
import { parseFlags } from './config.ts';
import type { Config } from './config.ts';
import { runDemo } from './demo.ts';
import type { DemoResult } from './demo.ts';
import type { DemoParts } from './parts.ts';
import { makeSummary, summaryLines } from './summary.ts';
import type { Summary } from './summary.ts';
import { LiveView, paintFor, PlainView } from './table.ts';
import type { View } from './table.ts';

/** More of them are only counted, so that a demo gone wrong for hours does not fill the memory. */
const MAX_UNEXPECTED = 50;

/** What the command needs from its process. */
export interface CommandSurroundings {
  /** Folder that relative paths belong to. */
  readonly folder: string;
  /** The terminal, when there is one: a live table is drawn there. */
  readonly terminal: NodeJS.WriteStream | undefined;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Stops the demo gracefully; its reason is the name of what did. */
  readonly signal: AbortSignal;
  readonly parts: DemoParts;
}

/**
 * Runs the command.
 *
 * @param args - what follows the command's name.
 * @returns the exit status: 0 when everything went as expected, 1 when not, 2 for a bad flag.
 */
export async function runCommand(args: readonly string[], surroundings: CommandSurroundings): Promise<0 | 1 | 2> {
  const { folder, terminal, print, printError } = surroundings;
  const parsed = parseFlags(args, { folder, isTerminal: terminal !== undefined });
  if (parsed.type === 'exit') {
    (parsed.status === 0 ? print : printError)(parsed.text);
    return parsed.status;
  }
  const { config } = parsed;
  const summary = await runAndSum(config, surroundings);
  for (const line of summaryLines(summary, paintFor(terminal !== undefined && !config.headless))) print(line);
  if (config.json !== undefined) {
    try {
      writeFileSync(config.json, `${JSON.stringify(summary, null, 2)}\n`);
    } catch (error) {
      printError(`demo: cannot write ${config.json}: ${firstLine(error)}`);
      return 1;
    }
  }
  return summary.ok ? 0 : 1;
}

async function runAndSum(config: Config, surroundings: CommandSurroundings): Promise<Summary> {
  const { print, signal, parts } = surroundings;
  const startedAt = new Date();
  const start = parts.clock.now();
  const unexpected: string[] = [];
  let untold = 0;
  const view = makeView(surroundings, config);
  const onUnexpected = (text: string): void => {
    if (unexpected.length >= MAX_UNEXPECTED) {
      untold++;
      return;
    }
    unexpected.push(text);
    view.event(`UNEXPECTED: ${text}`);
  };
  const { aead, name, note } = await loadCipher(config.cipher);
  if (note !== undefined) print(note);
  let result: DemoResult | undefined;
  try {
    result = await runDemo({ config, aead, parts, view, signal, onUnexpected });
  } catch (error) {
    onUnexpected(`the demo broke off: ${firstLine(error)}`);
  }
  view.end();
  if (untold > 0) unexpected.push(`… and ${untold} more`);
  const stoppedBy = signal.aborted ? String(signal.reason) : undefined;
  return makeSummary({ startedAt, seconds: parts.clock.now() - start, cipher: name, stoppedBy, result, unexpected });
}

function makeView({ terminal, print }: CommandSurroundings, { headless }: Config): View {
  return terminal === undefined || headless ? new PlainView(print) : new LiveView(terminal, paintFor(true));
}
