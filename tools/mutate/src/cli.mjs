// `npm run mutate -- [--package NAME] [--json FILE]`: changes the sources of a package in many small ways and sees which changes no test notices. Each such survivor
// must be explained in `survivors/NAME.json`; one that is not, or an explanation without a survivor, is a failure. Takes minutes; not part of the gate.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { plans } from './plans.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values: flags } = parseArgs({ options: { package: { type: 'string', default: 'netcode' }, json: { type: 'string' } } });
const plan = plans[flags.package];
if (plan === undefined) {
  console.error(`--package: expected one of ${Object.keys(plans).join(', ')}, got ${flags.package}`);
  process.exit(2);
}
process.chdir(root);
process.env.MUTATED_PACKAGE = flags.package;
mkdirSync('reports', { recursive: true });

const mutants = await new Stryker({
  packageManager: 'pnpm',
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tools/mutate/vitest.config.mjs', related: true },
  mutate: plan.mutate,
  // Texts are for people; the tests of errors look at kinds and fields.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, reportMutants: false, allowColor: false },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', 'coverage', 'reports', 'target', 'tools/interop', 'apps'],
  disableTypeChecks: false,
  warnings: { slow: false },
}).runMutationTest();

const sources = new Map(plan.mutate.map((file) => [file, readFileSync(file, 'utf8').split('\n')]));
const survived = mutants
  .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  .map(({ fileName, location, mutatorName, replacement, status }) => {
    const file = fileName.replaceAll('\\', '/').replace(/^.*packages\//, 'packages/');
    return {
      file,
      line: sources.get(file)?.[location.start.line - 1]?.trim() ?? '',
      at: location.start.line,
      mutator: mutatorName,
      replacement,
      status,
    };
  });
const keyOf = ({ file, line, mutator, replacement }) => `${file}: ${line} [${mutator}] ${replacement}`;
const explainedFile = resolve(root, 'tools/mutate/survivors', `${flags.package}.json`);
const explained = existsSync(explainedFile) ? JSON.parse(readFileSync(explainedFile, 'utf8')) : [];
const unexplained = survived.filter((mutant) => !explained.some((entry) => keyOf(entry) === keyOf(mutant)));
const stale = explained.filter((entry) => !survived.some((mutant) => keyOf(entry) === keyOf(mutant)));
const counted = mutants.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status));
const killed = counted.length - survived.length;
for (const mutant of unexplained)
  console.error(`survived: ${mutant.file}:${mutant.at} ${mutant.line} [${mutant.mutator}] ${mutant.replacement}`);
for (const entry of stale) console.error(`explained, but killed or gone: ${keyOf(entry)}`);
console.log(
  `${flags.package}: ${counted.length} mutants, ${killed} killed, ${survived.length} survived, ${survived.length - unexplained.length} of them explained`,
);
if (flags.json !== undefined) {
  writeFileSync(
    resolve(process.env.INIT_CWD ?? root, flags.json),
    `${JSON.stringify({ package: flags.package, mutants: counted.length, killed, survived }, null, 2)}\n`,
  );
}
process.exit(unexplained.length + stale.length === 0 ? 0 : 1);
