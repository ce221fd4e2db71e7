import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Peer } from './expectations.ts';

/** Folder of the foreign program's sources. */
const FOLDER = resolve(import.meta.dirname, '../rust');

/** Exact versions of the peers, as the manifest of the foreign program pins them. */
export function pinnedVersions(manifest: string = readFileSync(join(FOLDER, 'Cargo.toml'), 'utf8')): Record<Peer, string> {
  const pinned = (peer: Peer): string => {
    const version = new RegExp(`^${peer} = "=([^"]+)"$`, 'm').exec(manifest)?.[1];
    if (version === undefined) throw new Error(`Cargo.toml does not pin ${peer} to one version`);
    return version;
  };
  return { 'netcode-official': pinned('netcode-official'), renetcode: pinned('renetcode') };
}

/** The built program, or why there is none: `missing` where the machine lacks cargo, `broken` where the build fails. */
export type Build = { readonly program: string } | { readonly missing: string } | { readonly broken: string };

/** Builds the foreign program. The target folder is CARGO_TARGET_DIR (relative to `folder`) or rust/target. */
export function buildProgram(folder: string): Build {
  const probe = spawnSync('cargo', ['--version'], { stdio: 'ignore' });
  if (probe.status !== 0) return { missing: `cargo does not run here: ${probe.error?.message ?? `status ${String(probe.status)}`}` };
  const given = process.env['CARGO_TARGET_DIR'];
  const target = given === undefined || given === '' ? join(FOLDER, 'target') : resolve(folder, given);
  const { status } = spawnSync('cargo', ['build', '--release', '--quiet'], {
    cwd: FOLDER,
    env: { ...process.env, CARGO_TARGET_DIR: target },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) return { broken: 'cargo build failed' };
  return { program: join(target, 'release', process.platform === 'win32' ? 'x-interop.exe' : 'x-interop') };
}
