// `npm run demo -- [flags]`: relative paths belong to the folder in which it was typed, which npm tells in INIT_CWD.
import { runCommand } from './command.ts';
import { realParts } from './parts.ts';
import { stopOnSignals } from './stop-signals.ts';

const stop = new AbortController();
stopOnSignals(process, stop);

process.exitCode = await runCommand(process.argv.slice(2), {
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  terminal: process.stdout.isTTY ? process.stdout : undefined,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  signal: stop.signal,
  parts: realParts,
});
