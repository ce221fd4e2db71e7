import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../type-cases/', import.meta.url));
const root = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const acceptance = createRequire(new URL('../../../../tools/acceptance/package.json', import.meta.url));

/** The oldest compiler that is promised, and those of the repository. */
const COMPILERS = {
  'TypeScript 5.4': () => acceptance.resolve('typescript-5.4/bin/tsc'),
  'TypeScript 6': () => join(root, 'typescript/bin/tsc6'),
  'TypeScript 7': () => join(root, 'typescript7/bin/tsc'),
};

/** Compiles the cases against the built declarations, as a stranger would, with everything strict; gives what the compiler complains of. */
function complaints(compiler: string, extra: object): string {
  const project = mkdtempSync(join(folder, '.check-'));
  try {
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
      ...extra,
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['../catalogue.test-d.ts', '../codecs.test-d.ts'] }),
    );
    execFileSync(process.execPath, [compiler, '-p', project, '--pretty', 'false'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  } finally {
    rmSync(project, { recursive: true });
  }
}

test.each(Object.entries(COMPILERS))(
  'C1: with %s every inference holds and every wrong line is refused, against the built declarations',
  (_, compiler) => {
    if (!existsSync(new URL('../../dist/codec/index.d.ts', import.meta.url))) throw new Error('the package is not built: npm run build');
    expect(complaints(compiler(), {})).toBe('');
  },
  120_000,
);

test('C1: a case that does not hold would be noticed', () => {
  expect(complaints(COMPILERS['TypeScript 6'](), { lib: ['es5'] })).toContain('error TS');
}, 120_000);
