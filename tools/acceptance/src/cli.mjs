// `node tools/acceptance/src/cli.mjs SUITE [--json FILE]`: runs the tests that stand for the checks of a suite and says for each check how it went. Exit
// status 1 when a check failed or nobody has written it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brokenFiles, checksOf } from './checks.mjs';
import { runTests } from './run-tests.mjs';
import { suites } from './suites.mjs';

const TITLE_WIDTH = 100;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

function usage() {
  console.error(`usage: node tools/acceptance/src/cli.mjs <${Object.keys(suites).join('|')}> [--json FILE]`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
  } catch {
    return usage();
  }
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

function row({ id, title, result, tests, detail }) {
  const text = title.length > TITLE_WIDTH ? `${title.slice(0, TITLE_WIDTH - 1)}…` : title;
  const lines = [`${id.padEnd(5)}${result.padEnd(9)}${String(tests).padStart(5)}  ${text}`];
  if (detail !== undefined) lines.push(`${' '.repeat(21)}${detail}`);
  return lines.join('\n');
}

const { values: flags, positionals } = readArguments();
const [name] = positionals;
if (positionals.length !== 1 || !Object.hasOwn(suites, name)) usage();
const { checks: titles, packages } = suites[name];
const ids = Object.keys(titles);
const startedAt = new Date();
const reports = packages.map((folder) => runTests(root, folder, ids)).filter((report) => report !== undefined);
const checks = checksOf(titles, reports);
const failed = checks.filter(({ result }) => result === 'failed').length;
const passed = checks.filter(({ result }) => result === 'passed').length;
const skipped = checks.length - passed - failed;
const ok = failed === 0;

if (flags.json !== undefined) {
  const report = {
    format: 'x-acceptance/1',
    ...commit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    ok,
    suite: name,
    checks: checks.map(({ id, title, result, detail }) => ({ id, title, result, ...(detail === undefined ? {} : { detail }) })),
  };
  writeFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), flags.json), `${JSON.stringify(report, null, 2)}\n`);
}
console.log(`${'id'.padEnd(5)}${'result'.padEnd(9)}tests  title`);
for (const check of checks) console.log(row(check));
for (const line of brokenFiles(reports)) console.log(`could not be run: ${line}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = ok ? 0 : 1;
