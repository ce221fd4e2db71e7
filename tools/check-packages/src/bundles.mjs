// Bundles what was installed: for browsers to know the size, for Node to know that bundled servers work.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { specifierOf } from './exports-map.mjs';
import { CheckFailure, CheckSkipped, mustBeEmpty, mustRun } from './process.mjs';
import { resolveImport } from './resolve.mjs';

const BUNDLE_TIMEOUT_MILLISECONDS = 30_000;
const NODE_CONDITIONS = ['node', 'import', 'module', 'default'];
const fixtures = join(dirname(fileURLToPath(import.meta.url)), '../fixtures');
const require = createRequire(import.meta.url);

async function load(bundler) {
  let path;
  try {
    path = require.resolve(bundler);
  } catch {
    throw new CheckSkipped(`${bundler} is not installed`);
  }
  const loaded = await import(pathToFileURL(path).href);
  return loaded.default ?? loaded;
}

/** Bundlers throw errors of their own: the package is at fault, and the message says it all. */
async function bundling(action) {
  try {
    return await action();
  } catch (error) {
    throw error instanceof CheckSkipped ? error : new CheckFailure(error.message);
  }
}

/** Bytes of a minified browser bundle with everything that an entry exports. */
export async function browserBundleBytes(member, entry, folder) {
  const esbuild = await load('esbuild');
  const { outputFiles } = await bundling(() =>
    esbuild.build({
      stdin: { contents: `export * from '${specifierOf(member.name, entry)}';`, resolveDir: folder },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
      external: Object.keys(member.manifest.peerDependencies ?? {}),
    }),
  );
  return outputFiles[0].contents.length;
}

/** Writes the program to bundle: it uses every entry, and plays the package's own scene when there is a fixture of that name. */
function writeProgram(member, entries, folder) {
  const scene = join(fixtures, `${basename(member.name)}.mjs`);
  const imports = entries.map((entry, index) => `import * as entry${index} from '${specifierOf(member.name, entry)}';`);
  const uses = entries.map((_, index) => `Object.keys(entry${index}).length`);
  const lines = [
    ...imports,
    `const counts = [${uses.join(', ')}];`,
    `if (counts.some((count) => count === 0)) throw new Error('exports nothing');`,
  ];
  if (existsSync(scene)) {
    writeFileSync(join(folder, 'scene.mjs'), readFileSync(scene));
    lines.push(
      `import { play } from './scene.mjs';`,
      `play().then(() => console.log('ok'), (error) => { console.error(error); process.exit(1); });`,
    );
  } else lines.push(`console.log('ok');`);
  const path = join(folder, 'program.mjs');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Each builds into `folder` and returns the bundle's file and the names of the modules in it. */
const bundlers = {
  esbuild: async (program, format, folder) => {
    const esbuild = await load('esbuild');
    const outfile = join(folder, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
    const { metafile } = await esbuild.build({
      entryPoints: [program],
      bundle: true,
      platform: 'node',
      format,
      outfile,
      metafile: true,
      logLevel: 'silent',
    });
    return { file: outfile, inputs: Object.keys(metafile.inputs) };
  },
  rollup: async (program, format, folder) => {
    const { rollup } = await load('rollup');
    // rollup itself knows only paths: this is the resolution that its usual plug-in adds.
    const packages = {
      name: 'packages',
      resolveId(specifier, from) {
        if (from === undefined) return null;
        const { file, builtin } = resolveImport(specifier, from, NODE_CONDITIONS);
        return builtin === undefined ? (file ?? null) : { id: builtin, external: true };
      },
    };
    const problems = [];
    const bundle = await rollup({
      input: program,
      plugins: [packages],
      onwarn: (warning) => warning.code === 'UNRESOLVED_IMPORT' && problems.push(warning.message),
    });
    const extension = format === 'esm' ? 'mjs' : 'cjs';
    const names = { entryFileNames: `bundle.${extension}`, chunkFileNames: `[name].${extension}` };
    const { output } = await bundle.write({ dir: folder, format: format === 'esm' ? 'es' : 'cjs', ...names });
    await bundle.close();
    mustBeEmpty(problems);
    return { file: join(folder, `bundle.${extension}`), inputs: output.flatMap((chunk) => chunk.moduleIds ?? []) };
  },
};

/** Bundles the program and runs the bundle alone in an empty folder. */
export async function bundleAndRun(member, entries, folder, bundler, format) {
  const out = join(dirname(folder), 'bundles', `${bundler}-${format}`);
  mkdirSync(out, { recursive: true });
  const { file, inputs } = await bundling(() => bundlers[bundler](writeProgram(member, entries, folder), format, out));
  mustBeEmpty(
    inputs.filter((name) => /@x[\\/](testkit|[^\\/]+[\\/](test|bench))[\\/]/.test(name)).map((name) => `${name}: test code in the bundle`),
  );
  mustRun('the bundle', process.execPath, [file], { cwd: out, timeoutMilliseconds: BUNDLE_TIMEOUT_MILLISECONDS });
}
