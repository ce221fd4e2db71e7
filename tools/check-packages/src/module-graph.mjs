// What a module loads: read from the text of the installed files, nothing is run.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';
import { resolveImport } from './resolve.mjs';

/** The imports of a JavaScript module: static ones (import, export from) and dynamic ones with a literal argument. */
function importsOf(text) {
  const found = [];
  const add = (node, isDynamic) => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.push({ specifier: node.text, isDynamic });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], true);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS));
  return found;
}

/**
 * Walks from files along static imports. Dynamic imports are followed only when `followsDynamic(file)` says so; those that are not followed
 * are still listed.
 */
export function walk(startFiles, conditions, followsDynamic = () => false) {
  const files = new Set();
  const builtins = [];
  const missing = [];
  const dynamic = [];
  const queue = [...startFiles];
  while (queue.length > 0) {
    const file = queue.pop();
    if (files.has(file)) continue;
    files.add(file);
    if (!/\.m?js$/.test(file)) continue;
    for (const { specifier, isDynamic } of importsOf(readFileSync(file, 'utf8'))) {
      if (isDynamic) dynamic.push({ file, specifier });
      if (isDynamic && !followsDynamic(file)) continue;
      const result = resolveImport(specifier, file, conditions);
      if (result.builtin !== undefined) builtins.push({ file, specifier });
      else if (result.missing !== undefined) missing.push({ file, specifier, reason: result.missing });
      else queue.push(result.file);
    }
  }
  return { files: [...files], builtins, missing, dynamic };
}

/** A short name for an installed file: relative to `node_modules` of its project. */
export function shortName(file, projectFolder) {
  return relative(`${projectFolder}/node_modules`, file).replaceAll('\\', '/');
}
