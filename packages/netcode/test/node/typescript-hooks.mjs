// Lets a process of plain Node load TypeScript sources: `node --import <this file> program.ts`.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import ts from 'typescript';

if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const text = await readFile(new URL(url), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  return { format: 'module', shortCircuit: true, source: ts.transpileModule(text, { compilerOptions }).outputText };
}
