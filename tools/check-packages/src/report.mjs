import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { root } from './workspace.mjs';

const kilobytes = (bytes) => (bytes === null || bytes === undefined ? '-' : `${(bytes / 1000).toFixed(1)} kB`);

/** One line per package and one per entry. */
export function printTable(packages, ledger) {
  const rows = [['package', 'packed', 'installed', 'dependencies', 'README programs', 'passed', 'failed']];
  for (const { name, packedBytes, installedBytes, dependencies, readmeBlocks } of packages) {
    const counts = [ledger.count('passed', name), ledger.count('failed', name)];
    rows.push([name, kilobytes(packedBytes), kilobytes(installedBytes), dependencies ?? '-', readmeBlocks, ...counts]);
  }
  printRows(rows);
  const entryRows = [['entry', 'import', 'require', 'types', 'browser bundle']];
  for (const { name, entries } of packages) {
    for (const { entry, import: imports, require, types, browserBundleBytes } of entries) {
      const marks = [imports, require, types].map((works) => (works ? 'ok' : 'FAILS'));
      entryRows.push([entry === '.' ? name : `${name}${entry.slice(1)}`, ...marks, kilobytes(browserBundleBytes)]);
    }
  }
  printRows(entryRows);
}

function printRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  console.log('');
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

/** Writes the object that other tools read. */
export function writeJson(file, startedAt, seconds, packages, ledger) {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const commit = status === 0 ? { commit: stdout.trim() } : { commit: null, reason: 'not a git checkout' };
  const common = { format: 'x-check:packages/1', ...commit, node: process.versions.node, startedAt: startedAt.toISOString(), seconds };
  const totals = { passed: ledger.count('passed'), failed: ledger.count('failed'), skipped: ledger.count('skipped') };
  writeFileSync(file, `${JSON.stringify({ ...common, ok: totals.failed === 0, packages, ...totals, checks: ledger.checks }, null, 2)}\n`);
}
