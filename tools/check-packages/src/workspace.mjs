import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The pinned package manager, `pnpm@…`. */
export const packageManager = readJson(join(root, 'package.json')).packageManager;

/** Everything that would be published: the members of packages/ and apps/ that are not private, by name. */
export function publishedMembers() {
  return ['packages', 'apps']
    .filter((group) => existsSync(join(root, group)))
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest, isApp: folder.startsWith(join(root, 'apps')) }));
}

/** A member and all members it needs at run time. */
export function closureOf(member, members) {
  const found = new Map([[member.name, member]]);
  for (const { manifest } of found.values()) {
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const other = members.find((candidate) => candidate.name === name);
      if (other !== undefined) found.set(name, other);
    }
  }
  return [...found.values()];
}

/** The optional peers of a manifest, as install arguments (`name@range`). */
export function optionalPeers(manifest) {
  return Object.entries(manifest.peerDependencies ?? {})
    .filter(([name]) => manifest.peerDependenciesMeta?.[name]?.optional === true)
    .map(([name, range]) => `${name}@${range}`);
}
