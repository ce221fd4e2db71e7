// Loads what was installed in plain Node: each entry in three ways, and every published file.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { specifierOf } from './exports-map.mjs';
import { mayNeedPeer, runsOnImport } from './expectations.mjs';
import { walk } from './module-graph.mjs';
import { CheckFailure, errorLine, mustBeEmpty, run } from './process.mjs';
import { filesBelow } from './project.mjs';

const PROBE_TIMEOUT_MILLISECONDS = 20_000;
const NODE_CONDITIONS = ['node', 'import', 'module-sync', 'default'];

const probes = {
  import: {
    file: 'probe.mjs',
    text: (name) => `import * as entry from '${name}';\nif (Object.keys(entry).length === 0) throw new Error('exports nothing');\n`,
  },
  'dynamic import': {
    file: 'probe-later.cjs',
    text: (name) => `import('${name}').then((entry) => { if (Object.keys(entry).length === 0) throw new Error('exports nothing'); });\n`,
  },
  require: { file: 'probe.cjs', text: (name) => `if (Object.keys(require('${name}')).length === 0) throw new Error('exports nothing');\n` },
};

/** Runs a probe file; undefined when it went well, else the text of the failure. A program that does not end by itself fails too. */
function probe(kind, specifier, folder) {
  const { file, text } = probes[kind];
  writeFileSync(join(folder, file), text(specifier));
  const { ok, output } = run(process.execPath, [file], { cwd: folder, timeoutMilliseconds: PROBE_TIMEOUT_MILLISECONDS });
  return ok ? undefined : output;
}

/** Loads an entry by import, dynamic import and require; which of them work comes back, failures are thrown together. */
export function loadEntry(member, entry, folder, outcome) {
  const failures = [];
  for (const kind of Object.keys(probes)) {
    const failure = probe(kind, specifierOf(member.name, entry), folder);
    if (failure !== undefined) failures.push(`${kind}: ${errorLine(failure)}`);
    if (kind === 'import') outcome.import = failure === undefined;
    if (kind === 'dynamic import') outcome.import &&= failure === undefined;
    if (kind === 'require') outcome.require = failure === undefined;
  }
  mustBeEmpty(failures);
}

/** Without the optional peers every entry must load, except those that may need one: these must name it when they fail. */
export function loadWithoutPeers(member, entries, peerNames, folder) {
  const failures = [];
  for (const entry of entries) {
    const failure = probe('import', specifierOf(member.name, entry), folder);
    if (failure === undefined) continue;
    const namesPeer = peerNames.some((name) => failure.includes('ERR_MODULE_NOT_FOUND') && failure.includes(`'${name}'`));
    if (!(mayNeedPeer(member.name, entry) && namesPeer)) failures.push(`${entry} without ${peerNames.join(', ')}: ${errorLine(failure)}`);
  }
  mustBeEmpty(failures);
}

/** Imports every published .js file by its path; programs are not started, only their imports are followed. */
export function loadEveryFile(member, folder) {
  const home = join(folder, 'node_modules', member.name);
  const files = filesBelow(join(home, 'dist')).filter((path) => path.endsWith('.js'));
  if (files.length === 0) throw new CheckFailure('dist has no .js file: build first');
  const bins = Object.values(typeof member.manifest.bin === 'string' ? { bin: member.manifest.bin } : (member.manifest.bin ?? {}));
  const programs = new Set(bins.map((path) => join(home, path)));
  const importable = files.filter((path) => !programs.has(path) && !runsOnImport(member.name, relative(home, path).replaceAll('\\', '/')));
  const { missing } = walk(files, NODE_CONDITIONS, (file) => file.startsWith(home));
  writeFileSync(
    join(folder, 'probe-files.mjs'),
    `for (const url of ${JSON.stringify(importable.map((path) => pathToFileURL(path).href))}) {
  await import(url).catch((error) => { process.exitCode = 1; console.error(url + ': ' + error.message); });
}\n`,
  );
  const { ok, output } = run(process.execPath, ['probe-files.mjs'], { cwd: folder, timeoutMilliseconds: PROBE_TIMEOUT_MILLISECONDS });
  mustBeEmpty([
    ...missing.map(({ file, specifier, reason }) => `${relative(home, file)}: ${specifier}: ${reason}`),
    ...(ok ? [] : [output]),
  ]);
}
