// Finds the file behind an import as a runtime or a bundler would, for a given set of conditions and without running anything.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve as resolvePath } from 'node:path';

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The first target that the conditions allow, a path, or undefined. */
export function pickTarget(target, conditions) {
  if (typeof target === 'string') return target;
  if (target === null || target === undefined) return undefined;
  if (Array.isArray(target)) return target.map((item) => pickTarget(item, conditions)).find((item) => item !== undefined);
  for (const [condition, inner] of Object.entries(target)) {
    if (condition !== 'default' && !conditions.includes(condition)) continue;
    const found = pickTarget(inner, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Looks a key up in an `exports` or `imports` map, patterns included (the longest prefix wins). */
export function lookUp(map, key, conditions) {
  if (Object.hasOwn(map, key)) return pickTarget(map[key], conditions);
  const pattern = Object.keys(map)
    .filter((name) => {
      const [before, after] = name.split('*');
      return after !== undefined && key.length >= name.length && key.startsWith(before) && key.endsWith(after);
    })
    .sort((a, b) => b.indexOf('*') - a.indexOf('*'))[0];
  if (pattern === undefined) return undefined;
  const [before, after] = pattern.split('*');
  return pickTarget(map[pattern], conditions)?.replaceAll('*', key.slice(before.length, key.length - after.length));
}

/** A package's map with its short forms written out: a string or a conditions object alone means ".". */
function fullMap(exports) {
  return typeof exports === 'string' || Array.isArray(exports) || !Object.keys(exports)[0]?.startsWith('.') ? { '.': exports } : exports;
}

/** The nearest folder at or above a file that has a manifest. */
function packageFolderOf(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Where `import` of a specifier inside a file leads: `{ file }`, `{ builtin }` or `{ missing: reason }`. */
export function resolveImport(specifier, fromFile, conditions) {
  if (isBuiltin(specifier)) return { builtin: specifier };
  const at = (folder, target, why) => {
    if (target === undefined) return { missing: why };
    if (!target.startsWith('.')) return resolveImport(target, fromFile, conditions);
    const file = resolvePath(folder, target);
    return isFile(file) ? { file } : { missing: `${file} does not exist` };
  };
  if (/^\.{0,2}\//.test(specifier)) return at(dirname(fromFile), specifier.startsWith('/') ? `.${specifier}` : specifier);
  if (specifier.startsWith('#')) {
    const folder = packageFolderOf(fromFile);
    return at(folder, lookUp(readManifest(folder).imports ?? {}, specifier, conditions), `${specifier} is not in imports`);
  }
  const [name, ...rest] = specifier.startsWith('@')
    ? [specifier.split('/').slice(0, 2).join('/'), ...specifier.split('/').slice(2)]
    : specifier.split('/');
  for (let folder = dirname(fromFile); ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) {
      const manifest = readManifest(found);
      const subpath = rest.length === 0 ? '.' : `./${rest.join('/')}`;
      if (manifest.exports !== undefined) {
        return at(found, lookUp(fullMap(manifest.exports), subpath, conditions), `${subpath} is not in the exports of ${name}`);
      }
      // Bundlers prefer the ES modules of a package from before `exports`.
      const main = (conditions.includes('module') ? manifest.module : undefined) ?? manifest.main ?? 'index.js';
      return at(found, subpath === '.' ? `./${main.replace(/^\.\//, '')}` : subpath);
    }
    if (folder === dirname(folder)) return { missing: `no package ${name}`, package: name };
  }
}
