import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { staysOut } from './expectations.mjs';
import { shortName, walk } from './module-graph.mjs';
import { CheckFailure, mustBeEmpty } from './process.mjs';
import { lookUp } from './resolve.mjs';

const BROWSER_CONDITIONS = ['browser', 'import', 'module', 'default'];

/**
 * The modules that an entry loads in a browser, as short names. Fails when one of them is Node's, cannot be found, or is one that the entry
 * promises not to load. Own files may not import Node's modules later either; what others load on demand is their affair.
 */
export function checkPurity(member, entry, folder) {
  const home = join(folder, 'node_modules', member.name);
  const target = lookUp(member.packed.exports, entry, BROWSER_CONDITIONS);
  if (target === undefined) throw new CheckFailure(`${entry} has no file for browsers`);
  const start = join(home, target);
  if (!existsSync(start)) throw new CheckFailure(`${entry}: ${target} does not exist`);
  const now = walk([start], BROWSER_CONDITIONS);
  const later = now.dynamic.filter(({ file, specifier }) => file.startsWith(home) && specifier.startsWith('node:'));
  const modules = now.files.map((file) => shortName(file, folder)).sort();
  const forbidden = staysOut(member.name, entry);
  mustBeEmpty([
    ...[...now.builtins, ...later].map(({ file, specifier }) => `${shortName(file, folder)} imports ${specifier}`),
    ...now.missing.map(({ file, specifier, reason }) => `${shortName(file, folder)}: ${specifier}: ${reason}`),
    ...modules.filter((name) => name.startsWith(member.name) && forbidden?.test(name)).map((name) => `${entry} must not load ${name}`),
  ]);
  return modules;
}
