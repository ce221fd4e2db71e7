// Runs the tests of packages that belong to checks, with vitest's JSON reporter.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the tests of one package whose names have one of the ids.
 *
 * @param root - folder of the repository.
 * @param folder - of the package, below `packages`.
 * @returns the report, or undefined when the package is not there or has no tests.
 */
export function runTests(root, folder, ids) {
  const manifest = join(root, 'packages', folder, 'package.json');
  if (!existsSync(manifest) || !existsSync(join(root, 'packages', folder, 'test'))) return undefined;
  const { name } = JSON.parse(readFileSync(manifest, 'utf8'));
  const output = mkdtempSync(join(tmpdir(), 'acceptance-'));
  try {
    const file = join(output, 'report.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // vitest matches against the names of the groups and the test, with spaces between them.
    const pattern = `(^| )(${ids.join('|')}): `;
    const args = [vitest, 'run', '--project', name, '-t', pattern, '--reporter=json', `--outputFile=${file}`, '--passWithNoTests'];
    const { status, stderr, error } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (!existsSync(file)) throw new Error(`vitest wrote no report for ${name}: ${error?.message ?? stderr ?? `status ${status}`}`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
