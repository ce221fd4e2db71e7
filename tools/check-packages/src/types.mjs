// Type-checks a program that imports the installed entries, with both compilers and every way of resolving modules.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { specifierOf } from './exports-map.mjs';
import { mustBeEmpty, run } from './process.mjs';
import { binOf } from './tarball.mjs';
import { root } from './workspace.mjs';

export const compilers = [
  { title: 'TypeScript 6', bin: () => binOf('typescript', 'tsc6') },
  { title: 'TypeScript 7', bin: () => binOf('typescript7', 'tsc') },
];
const resolutions = [
  { title: 'nodenext', options: { module: 'nodenext', moduleResolution: 'nodenext' }, canRequire: true },
  { title: 'node16', options: { module: 'node16', moduleResolution: 'node16' }, canRequire: false },
  { title: 'bundler', options: { module: 'esnext', moduleResolution: 'bundler' }, canRequire: false },
];
const strictOptions = { target: 'es2023', lib: ['es2023'], strict: true, skipLibCheck: false, noEmit: true };

/** Runs one compiler on a folder with the given files and options; its complaints, empty when there are none. */
export function compile(compiler, folder, name, files, options) {
  const types = options.types.length > 0 ? { typeRoots: [join(root, 'node_modules/@types')] } : {};
  const config = { compilerOptions: { ...strictOptions, ...types, ...options }, files: Object.keys(files) };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  writeFileSync(join(folder, name), JSON.stringify(config));
  const { ok, output } = run(process.execPath, [compiler.bin(), '--pretty', 'false', '-p', name], { cwd: folder });
  return ok ? '' : output.split('\n').slice(0, 20).join('\n');
}

/** The programs of a stranger: each entry as a namespace, as a promise and, where the resolution allows it, by require. */
function consumers(specifiers, canRequire) {
  const imports = specifiers.map((name, index) => `import * as entry${index} from '${name}';`);
  const loaded = specifiers.map((name, index) => `  [entry${index}, import('${name}')],`);
  const files = {
    'consumer.ts': `${imports.join('\n')}\nexport const entries: readonly (readonly [object, Promise<object>])[] = [\n${loaded.join('\n')}\n];\n`,
  };
  if (canRequire) {
    const required = specifiers.map((name, index) => `import entry${index} = require('${name}');`);
    files['consumer.cts'] =
      `${required.join('\n')}\nexport const entries: readonly object[] = [${specifiers.map((_, index) => `entry${index}`).join(', ')}];\n`;
  }
  return files;
}

/** Checks entries under every combination; `types` is empty for pure entries and names Node for the others. */
export function checkTypes(member, entries, folder, types) {
  const specifiers = entries.map((entry) => specifierOf(member.name, entry));
  const complaints = [];
  for (const { title, options, canRequire } of resolutions) {
    for (const compiler of compilers) {
      const found = compile(compiler, folder, 'tsconfig.consumer.json', consumers(specifiers, canRequire), { ...options, types });
      if (found !== '') complaints.push(`${compiler.title}, ${title}, types [${types.join()}]:\n${found}`);
    }
  }
  mustBeEmpty(complaints);
}
