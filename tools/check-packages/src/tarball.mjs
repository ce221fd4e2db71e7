// Packs a member as publishing would, and what can be said about the tarball before installing it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { manifestProblems } from './packed-manifest.mjs';
import { CheckFailure, CheckSkipped, mustBeEmpty, mustRun } from './process.mjs';
import { packageManager } from './workspace.mjs';

const require = createRequire(import.meta.url);

/** The script behind a bin of a package that is installed for this tool or at the root; its exports need not name its manifest. */
export function binOf(packageName, bin) {
  const folder = require.resolve
    .paths(packageName)
    .map((path) => join(path, packageName))
    .find((path) => existsSync(join(path, 'package.json')));
  if (folder === undefined) throw new CheckSkipped(`${packageName} is not installed`);
  const { bin: bins } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bins === 'string' ? bins : bins[bin]);
}

/** Packs with pnpm, which rewrites workspace ranges and the exports map; npm would not. Returns the tarball's path. */
export function pack(member, folder) {
  mustRun('pnpm pack', 'npx', ['--yes', '--prefer-offline', packageManager, 'pack', '--pack-destination', folder], { cwd: member.folder });
  const file = join(folder, `${member.name.replace('@', '').replace('/', '-')}-${member.manifest.version}.tgz`);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) throw new CheckFailure(`pnpm pack did not write ${file}`);
  return file;
}

/** The manifest inside a tarball. */
export function packedManifest(tarball) {
  return JSON.parse(mustRun('tar', 'tar', ['-xOzf', tarball, 'package/package.json']).stdout);
}

export function checkManifest(member, tarball) {
  mustBeEmpty(manifestProblems(member.manifest, packedManifest(tarball)));
}

/** What the tarball may contain: dist, src and the few files every package has; no tests, no build state. */
export function checkContents(tarball) {
  const names = mustRun('tar', 'tar', ['-tzf', tarball]).stdout.trim().split('\n');
  const allowed = /^package\/((dist|src)\/.+|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
  const unwanted = names.filter((name) => !allowed.test(name) || /tsbuildinfo$|tsconfig.*\.json$|(^|\/)(test|bench)\//.test(name));
  const absent = ['LICENSE', 'README.md'].filter((name) => !names.includes(`package/${name}`));
  mustBeEmpty([...unwanted.map((name) => `${name}: does not belong in the tarball`), ...absent.map((name) => `${name} is missing`)]);
}

export function checkPublint(tarball) {
  mustRun('publint', process.execPath, [binOf('publint', 'publint'), 'run', tarball, '--strict']);
}

export function checkAttw(tarball) {
  mustRun('attw', process.execPath, [binOf('@arethetypeswrong/cli', 'attw'), tarball, '--profile', 'esm-only', '--no-color', '--no-emoji']);
}
