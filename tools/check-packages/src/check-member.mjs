// All checks of one package, in the order in which a fault explains the ones after it.
import { join } from 'node:path';
import { browserBundleBytes, bundleAndRun } from './bundles.mjs';
import { codeEntries } from './exports-map.mjs';
import { isNodeEntry } from './expectations.mjs';
import { CheckFailure, mustBeEmpty } from './process.mjs';
import { createProject, measure } from './project.mjs';
import { checkPurity } from './purity.mjs';
import { sectionProblems, sizeProblems } from './readme.mjs';
import { readmeOf, runBlock, runnableBlocks, typeCheckBlocks } from './readme-run.mjs';
import { loadEntry, loadEveryFile, loadWithoutPeers } from './runtime.mjs';
import { checkAttw, checkContents, checkManifest, checkPublint } from './tarball.mjs';
import { checkTypes } from './types.mjs';
import { optionalPeers } from './workspace.mjs';

/** Installs the closure, first without the optional peers and then, in another project, with them; the second serves all later checks. */
async function install(member, tarballs, folder, report, check) {
  const peers = optionalPeers(member.manifest);
  const alone = await check('installs from tarballs', () => createProject(join(folder, 'alone'), tarballs));
  if (alone === undefined) return undefined;
  Object.assign(report, measure(alone));
  if (peers.length === 0) return alone;
  const names = Object.keys(member.manifest.peerDependenciesMeta);
  await check('imports without its optional peers', () =>
    loadWithoutPeers(
      member,
      report.entries.map(({ entry }) => entry),
      names,
      alone,
    ),
  );
  return check('installs with its optional peers', () => createProject(join(folder, 'with-peers'), tarballs, peers));
}

async function checkEntries(member, project, report, check) {
  for (const outcome of report.entries) {
    await check(`loads ${outcome.entry}`, () => loadEntry(member, outcome.entry, project, outcome));
  }
  await check('every published file loads', () => loadEveryFile(member, project));
  for (const types of [[], ['node']]) {
    const entries = report.entries.filter(({ entry }) => isNodeEntry(member.name, entry) === types.length > 0);
    if (entries.length === 0) continue;
    const title = types.length > 0 ? 'types of the Node entries' : 'types of the pure entries';
    const done = await check(title, () => {
      checkTypes(
        member,
        entries.map(({ entry }) => entry),
        project,
        types,
      );
      return true;
    });
    for (const outcome of entries) outcome.types = done === true;
  }
  for (const outcome of report.entries.filter(({ entry }) => !isNodeEntry(member.name, entry))) {
    const modules = await check(`${outcome.entry} is pure`, () => checkPurity(member, outcome.entry, project));
    if (modules !== undefined) outcome.modules = modules;
    if (modules !== undefined && outcome.entry === './token') console.log(modules.join('\n').replace(/^/gm, '        '));
    const bytes = await check(`${outcome.entry} bundles for browsers`, () => browserBundleBytes(member, outcome.entry, project));
    if (bytes !== undefined) outcome.browserBundleBytes = bytes;
  }
}

async function checkBundles(member, project, report, check) {
  const entries = report.entries.map(({ entry }) => entry);
  for (const bundler of ['esbuild', 'rollup']) {
    for (const format of ['esm', 'cjs']) {
      await check(`bundle runs: ${bundler}, ${format}`, () => bundleAndRun(member, entries, project, bundler, format));
    }
  }
}

async function checkReadme(member, project, report, check) {
  const text = await check('has a README', () => readmeOf(member));
  if (text === undefined) return;
  const blocks = runnableBlocks(text);
  report.readmeBlocks = blocks.length;
  if (!member.isApp) {
    await check('README: the eleven sections', () => mustBeEmpty(sectionProblems(text, member.name)));
    await check('README: installed size', () => mustBeEmpty(sizeProblems(text, report.installedBytes, report.dependencies)));
  }
  if (blocks.length > 0) await check('README: programs type-check', () => typeCheckBlocks(blocks, project));
  for (const block of blocks) await check(`README: program at line ${block.line}`, () => runBlock(block, project));
}

/** Checks one package of which all tarballs of its closure exist; returns its row for the report. */
export async function checkMember(member, tarballs, folder, ledger) {
  const check = (title, action) => ledger.check(member.name, title, action);
  const report = {
    name: member.name,
    packedBytes: member.packedBytes,
    installedBytes: null,
    dependencies: null,
    entries: [],
    readmeBlocks: 0,
  };
  report.entries = codeEntries(member.packed.exports).map((entry) => ({ entry, import: false, require: false, types: false }));
  await check('manifest is rewritten', () => checkManifest(member, member.tarball));
  await check('contents of the tarball', () => checkContents(member.tarball));
  await check('publint', () => checkPublint(member.tarball));
  await check('attw', () => checkAttw(member.tarball));
  await check('exports something', () => {
    if (report.entries.length === 0) throw new CheckFailure('no code in exports');
  });
  const project = await install(member, tarballs, folder, report, check);
  if (project === undefined) return { ...report, reason: 'not installed' };
  await checkEntries(member, project, report, check);
  await checkBundles(member, project, report, check);
  await checkReadme(member, project, report, check);
  return report;
}
