// The bench runner: `npm run bench -- [--only PREFIX,…] [--rounds N] [--json FILE]`. Runs the races of every `packages/*/bench/*.bench.mjs` on built output, prints
// a table of ratios and writes the JSON. Exit status 1 when a case failed or is below its floor.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { keeps, runRace } from './race.mjs';
import { printCase, printHeader } from './table.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values: flags } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' }, rounds: { type: 'string' } } });
const prefixes = flags.only?.split(',');
const rounds = flags.rounds === undefined ? undefined : Number(flags.rounds);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1)) {
  console.error(`--rounds: expected a whole number of 1 or more, got ${flags.rounds}`);
  process.exit(2);
}

function benchFiles() {
  return readdirSync(resolve(root, 'packages'))
    .map((name) => resolve(root, 'packages', name, 'bench'))
    .filter(existsSync)
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.bench.mjs'))
        .map((name) => resolve(folder, name)),
    );
}

function commit() {
  try {
    return {
      commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
    };
  } catch {
    return { commit: null, reason: 'not a git checkout' };
  }
}

/** `--only aead` takes aead/…; `--only netcode/server/32` takes netcode/server/32/… */
const isWanted = (name) => prefixes === undefined || prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}/`));

const startedAt = new Date();
const cases = [];
const errors = [];
printHeader();
for (const file of benchFiles()) {
  const { races } = await import(pathToFileURL(file).href);
  for (const race of (await races()).filter(({ name }) => isWanted(name))) {
    try {
      for (const entry of await runRace(race, { rounds })) {
        cases.push(entry);
        printCase(entry);
      }
    } catch (error) {
      errors.push(`${race.name}: ${error.message}`);
      console.error(`${race.name} failed: ${error.stack}`);
    }
  }
}
const below = cases.filter((entry) => keeps(entry, entry.floor) === false);
for (const { name, floor } of below) console.error(`${name}: misses its floor of ${floor}`);
if (cases.length === 0) errors.push('no case ran');
const ok = errors.length === 0 && below.length === 0;
if (flags.json !== undefined) {
  const report = {
    format: 'x-bench/1',
    ...commit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    ok,
    cpu: cpus()[0]?.model ?? null,
    cases,
    errors,
  };
  writeFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), flags.json), `${JSON.stringify(report, null, 2)}\n`);
}
console.log(`\n${cases.length - below.length} passed, ${below.length + errors.length} failed`);
process.exit(ok ? 0 : 1);
