// An empty project outside the repository into which tarballs are installed, as somebody else would have it.
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './process.mjs';

/** Makes the folder and installs: tarballs in one command, since none of them is on a registry yet, and named packages. */
export function createProject(folder, tarballs, others = []) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', version: '1.0.0', private: true, type: 'module' }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  mustRun('npm install', 'npm', ['install', ...flags, ...tarballs, ...others], { cwd: folder, timeoutMilliseconds: 300_000 });
  return folder;
}

/** All files below a folder. */
export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name);
    return item.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Names of the installed packages, nested ones with their path. */
function installedPackages(nodeModules) {
  return readdirSync(nodeModules, { withFileTypes: true })
    .filter((item) => item.isDirectory() && !item.name.startsWith('.'))
    .flatMap((item) => {
      const path = join(nodeModules, item.name);
      return item.name.startsWith('@') ? readdirSync(path).map((name) => join(path, name)) : [path];
    })
    .flatMap((path) => [path, ...(readdirSync(path).includes('node_modules') ? installedPackages(join(path, 'node_modules')) : [])]);
}

/** Bytes of everything that arrived in node_modules and the number of packages besides the asked one; npm's own notes not counted. */
export function measure(folder) {
  const nodeModules = join(folder, 'node_modules');
  const packages = installedPackages(nodeModules);
  const files = filesBelow(nodeModules).filter((path) => !/[\\/]node_modules[\\/]\.(bin[\\/]|package-lock\.json$)/.test(path));
  return { installedBytes: files.reduce((sum, path) => sum + lstatSync(path).size, 0), dependencies: packages.length - 1 };
}
