// `npm run simulate -- [flags]`: relative paths belong to the folder in which it was typed, which npm tells in INIT_CWD.
import { runCommand } from './command.ts';

process.exitCode = runCommand(process.argv.slice(2), {
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  print: (text) => {
    console.log(text);
  },
  printError: (text) => {
    console.error(text);
  },
});
