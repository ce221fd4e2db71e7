// Checks every package that would be published, from the outside: packs it, installs the tarball in an empty project, loads, type-checks and
// bundles each entry there, and runs the programs of its README. Needs a build; changes nothing in the repository.
//
//   node tools/check-packages/src/cli.mjs [--json FILE] [--only NAME] [--keep]
//
// --json FILE   also writes the result as JSON        --only NAME   one package, `@x/netcode` or `netcode`
// --keep        leaves the temporary projects and prints where they are
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMember } from './check-member.mjs';
import { Ledger } from './ledger.mjs';
import { CheckFailure } from './process.mjs';
import { printTable, writeJson } from './report.mjs';
import { pack, packedManifest } from './tarball.mjs';
import { closureOf, publishedMembers } from './workspace.mjs';

function readArguments() {
  try {
    return parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' }, keep: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    console.error(`${error.message}\nusage: node tools/check-packages/src/cli.mjs [--json FILE] [--only NAME] [--keep]`);
    process.exit(2);
  }
}

/** Packs each member once, also when that fails; the result stays at the member, since others need it for their closure. */
async function packOnce(member, folder, ledger) {
  if (member.isTried) return;
  member.isTried = true;
  await ledger.check(member.name, 'packs', () => {
    member.tarball = pack(member, folder);
    member.packedBytes = statSync(member.tarball).size;
    member.packed = packedManifest(member.tarball);
  });
}

const { json, only, keep } = readArguments();
const startedAt = new Date();
const ledger = new Ledger();
const packages = [];
const members = publishedMembers();
const chosen = members.filter(({ name }) => only === undefined || name === only || name.endsWith(`/${only}`));
const folder = mkdtempSync(join(tmpdir(), 'check-packages-'));
const tarballFolder = join(folder, 'tarballs');
mkdirSync(tarballFolder);
try {
  if (chosen.length === 0) {
    await ledger.check(only ?? 'workspace', 'there is something to check', () => {
      throw new CheckFailure('no published package of that name');
    });
  }
  for (const member of chosen) {
    const closure = closureOf(member, members);
    for (const needed of closure) await packOnce(needed, tarballFolder, ledger);
    if (closure.some(({ packed }) => packed === undefined)) continue;
    const tarballs = closure.map(({ tarball }) => tarball);
    packages.push(await checkMember(member, tarballs, join(folder, member.name.replace('/', '-')), ledger));
  }
} finally {
  if (keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
printTable(packages, ledger);
if (json !== undefined) {
  writeJson(resolve(process.env.INIT_CWD ?? '.', json), startedAt, (Date.now() - startedAt.getTime()) / 1000, packages, ledger);
}
console.log('');
for (const { package: name, check, detail } of ledger.checks.filter(({ result }) => result === 'failed')) {
  console.log(`failed: ${name}: ${check}: ${detail.split('\n')[0]}`);
}
console.log(`\n${ledger.totalsLine}`);
process.exitCode = ledger.count('failed') > 0 ? 1 : 0;
