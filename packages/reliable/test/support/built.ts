import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PACKAGE = resolve(import.meta.dirname, '../..');

/** The package as it is published: compiled, in a folder of its own, so that no older build is measured. */
export class BuiltPackage {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'reliable-built-'));

  constructor() {
    const compiler = resolve(PACKAGE, '../../node_modules/.bin/tsc');
    const dist = join(this.folder, 'dist');
    try {
      execFileSync(compiler, ['-p', 'tsconfig.build.json', '--outDir', dist, '--tsBuildInfoFile', join(dist, '.tsbuildinfo')], {
        cwd: PACKAGE,
        stdio: 'pipe',
      });
    } catch (error) {
      // Type errors are found by the type check; files are written nevertheless.
      if (!existsSync(join(dist, 'index.js'))) throw error;
    }
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }');
  }

  /** Runs a script of the support folder with the compiled files; it gets their folder as its argument. Resolves to its output. */
  run(script: string, flags: readonly string[]): Promise<string> {
    const args = [...flags, join(import.meta.dirname, script), join(this.folder, 'dist')];
    return new Promise((done, fail) => {
      execFile(process.execPath, args, (error, stdout, stderr) => {
        if (error === null) done(stdout);
        else fail(new Error(`${script}: ${stderr}`, { cause: error }));
      });
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
