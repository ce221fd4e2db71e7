// `npm run fuzz -- --target NAME --seconds N`: see the README.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCorpus, writeCorpus } from './corpus.mjs';
import { Coverage } from './coverage.mjs';
import { fuzz } from './fuzzer.mjs';
import { loadPlan, loadTarget, targetNames } from './targets.mjs';

const usage = `usage: --target <${targetNames.join('|')}> [--seconds N] [--seed N] [--json FILE] [--keep] [--plant]`;
const { values: flags } = readFlags({
  options: {
    target: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
    plant: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);
const seed = flags.seed === undefined ? Date.now() >>> 0 : Number(flags.seed);
if (flags.list) {
  console.log(targetNames.join('\n'));
  process.exit(0);
}
if (!targetNames.includes(flags.target) || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error(usage);
  process.exit(2);
}

function readFlags(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    return process.exit(2);
  }
}

function commit() {
  try {
    return { commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() };
  } catch {
    return { commit: null, reason: 'not a git checkout' };
  }
}

const plan = await loadPlan(flags.target);
const coverage = new Coverage(plan.watch);
await coverage.start();
if (flags.plant) register('./plant-loader.mjs', import.meta.url, { data: plan.plant });
const target = await loadTarget(flags.target);
const startedAt = new Date();
const corpus = readCorpus(flags.target);
const result = await fuzz(target, coverage, corpus, { seconds, seed });
const { inputs, newCoverage, findings, fresh } = result;
if (flags.keep && !flags.plant) writeCorpus(flags.target, [...corpus, ...fresh]);
console.log(
  `${flags.target}: seed ${seed}, ${inputs} inputs, ${newCoverage} new blocks, corpus ${result.corpus}, ${findings.length} findings`,
);
for (const { input, error } of findings) console.log(`\n${input}\n${error}`);
if (flags.json !== undefined) {
  const report = {
    format: 'x-fuzz/1',
    ...commit(),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    ok: findings.length === 0,
    target: flags.target,
    seed,
    planted: flags.plant,
    inputs,
    newCoverage,
    corpus: result.corpus,
    findings,
  };
  writeFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), flags.json), `${JSON.stringify(report, null, 2)}\n`);
}
process.exit(findings.length === 0 ? 0 : 1);
