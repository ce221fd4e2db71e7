// Takes a README at its word: every `ts` block is type-checked and run as a program of its own, next to the installed package.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { mustBeEmpty, mustRun, CheckFailure } from './process.mjs';
import { codeBlocks } from './readme.mjs';
import { compile, compilers } from './types.mjs';

const BLOCK_TIMEOUT_MILLISECONDS = 30_000;

export function readmeOf(member) {
  const path = join(member.folder, 'README.md');
  if (!existsSync(path)) throw new CheckFailure('README.md is missing');
  return readFileSync(path, 'utf8');
}

export const runnableBlocks = (markdown) => codeBlocks(markdown).filter(({ language }) => language === 'ts');

/** Type-checks all blocks together, each as a module. */
export function typeCheckBlocks(blocks, folder) {
  const files = Object.fromEntries(blocks.map(({ code, line }) => [`readme-line-${line}.ts`, `${code}\nexport {};\n`]));
  const options = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023', 'esnext.disposable'], types: ['node'] };
  mustBeEmpty(
    compilers.flatMap((compiler) => {
      const found = compile(compiler, folder, 'tsconfig.readme.json', files, options);
      return found === '' ? [] : [`${compiler.title}:\n${found}`];
    }),
  );
}

/** Runs one block; it must end by itself with status 0. */
export function runBlock({ code, line }, folder) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const file = `readme-line-${line}.mjs`;
  writeFileSync(join(folder, file), ts.transpileModule(code, { compilerOptions }).outputText);
  mustRun(`the program at line ${line} of README.md`, process.execPath, [file], {
    cwd: folder,
    timeoutMilliseconds: BLOCK_TIMEOUT_MILLISECONDS,
  });
}
