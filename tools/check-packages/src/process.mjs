import { spawnSync } from 'node:child_process';

const OUTPUT_LINES = 40;
const DEFAULT_TIMEOUT_MILLISECONDS = 180_000;

/** What a check throws when the package is at fault; its message is for the reader of the report. */
export class CheckFailure extends Error {
  name = 'CheckFailure';
}

/** What a check throws when it cannot be made here. */
export class CheckSkipped extends Error {
  name = 'CheckSkipped';
}

/** The environment of a stranger: without the variables by which a running npm script points its children at this repository. */
function cleanEnvironment() {
  const own =
    /^(npm_(package|lifecycle|config_local_prefix|config_prefix|command|execpath|node_execpath)|INIT_CWD$|NODE_PATH$|NODE_OPTIONS$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Runs a program to its end; standard output and error come back as one text. */
export function run(command, args, { cwd, timeoutMilliseconds = DEFAULT_TIMEOUT_MILLISECONDS } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: cleanEnvironment(),
    encoding: 'utf8',
    timeout: timeoutMilliseconds,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && command !== process.execPath,
  });
  const ended = result.signal === null ? '' : `\n${command} was ended after ${timeoutMilliseconds / 1000} s`;
  return {
    ok: result.status === 0,
    stdout: result.stdout ?? '',
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}${ended}`.trim() || `exit status ${result.status}`,
  };
}

/** The part of a crash report that says what happened: the line with the error, without code frames and stack. */
export function errorLine(output) {
  const lines = output.split('\n');
  return lines.find((line) => /^(\w*Error\b|SyntaxError|Uncaught)/.test(line)) ?? lines.slice(0, 5).join('\n');
}

/** Runs a program that must succeed; its last lines are the message when it does not. */
export function mustRun(title, command, args, options) {
  const result = run(command, args, options);
  if (!result.ok) throw new CheckFailure(`${title} failed:\n${result.output.split('\n').slice(-OUTPUT_LINES).join('\n')}`);
  return result;
}

/** Fails with the given lines, if there are any. */
export function mustBeEmpty(problems) {
  if (problems.length > 0) throw new CheckFailure(problems.join('\n'));
}
