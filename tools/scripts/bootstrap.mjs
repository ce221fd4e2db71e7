// Runs a root command straight after a clone: brings the pinned pnpm, installs what the lockfile says, builds what the command needs, runs it.
// Needs nothing but Node and its npm.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { packageManager } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
const callerFolder = process.env.INIT_CWD ?? root;
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', INIT_CWD: callerFolder };

/** Runs one step and ends this process with the step's status when it fails; 1 when it died by a signal. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command !== process.execPath,
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Runs the last step and ends with its status. A terminal tells the whole group of an interrupt, and a signal sent to this process alone is passed on; either
 * way the step decides how it ends, and the prompt returns after it.
 */
function runToEnd(command, args) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${command}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status) => process.exit(status ?? 1));
}

const pnpm = (...args) => run('npx', ['--yes', '--prefer-offline', packageManager, ...args]);
const exec = (...args) => pnpm('exec', ...args);
const install = () => pnpm('install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn');
const turbo = (...args) => exec('turbo', 'run', ...args, '--output-logs=errors-only', '--log-order=grouped');
const node = (...args) => run(process.execPath, args);

const commands = {
  build: () => turbo('build'),
  test: (args) => {
    turbo('build');
    exec('vitest', 'run', '--reporter=default', '--reporter=./tools/scripts/totals-reporter.mjs', ...args);
  },
  demo: (args) => {
    turbo('build', '--filter=@x/demo-server...');
    runToEnd(process.execPath, ['apps/demo-server/dist/main.js', ...args]);
  },
  vectors: (args) => {
    turbo('build', '--filter=@x/vectors...');
    node('tools/vectors/dist/cli.js', ...args);
  },
  fuzz: (args) => {
    turbo('build', '--filter=./packages/*');
    node('tools/fuzz/src/cli.mjs', ...args);
  },
  bench: (args) => {
    turbo('build', '--filter=./packages/*');
    node('tools/bench/src/cli.mjs', ...args);
  },
  interop: (args) => {
    turbo('build', '--filter=@x/interop...');
    node('tools/interop/dist/cli.js', ...args);
  },
  simulate: (args) => {
    turbo('build', '--filter=@x/simulate...');
    node('tools/simulate/dist/cli.js', ...args);
  },
  acceptance: (args) => {
    turbo('build');
    node('tools/acceptance/src/cli.mjs', ...args);
  },
  mutate: (args) => node('tools/mutate/src/cli.mjs', ...args),
  lint: () => turbo('lint:repo'),
  typecheck: () => turbo('typecheck:repo'),
  format: (args) => exec('prettier', args.length > 0 ? args[0] : '--check', '.'),
  'check:imports': () => exec('depcruise', '--config', 'tools/import-rules/rules.cjs', 'packages', 'apps', 'tools'),
  'check:packages': (args) => {
    turbo('build');
    node('tools/check-packages/src/cli.mjs', ...args);
  },
  check: () => {
    for (const name of ['format', 'lint', 'typecheck', 'check:imports', 'test', 'vectors', 'check:packages']) {
      console.log(`\n== ${name}`);
      commands[name]([]);
    }
  },
};

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(`usage: node tools/scripts/bootstrap.mjs <${Object.keys(commands).join('|')}> [arguments]`);
  process.exit(2);
}
install();
command(args);
