// The foreign program of tools/interop, for anchors in other languages: built once per process with cargo, where there is one.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../interop/rust', import.meta.url));
let built;

/** `{ program }`, or `{ unavailable }` with the reason. */
export function foreignProgram() {
  return (built ??= build());
}

function build() {
  if (spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status !== 0) return { unavailable: 'cargo is not on this machine' };
  const given = process.env.CARGO_TARGET_DIR;
  const target = given ? resolve(given) : join(folder, 'target');
  const { status } = spawnSync('cargo', ['build', '--release', '--quiet'], {
    cwd: folder,
    env: { ...process.env, CARGO_TARGET_DIR: target },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) return { unavailable: 'cargo could not build the foreign program' };
  return { program: join(target, 'release', process.platform === 'win32' ? 'x-interop.exe' : 'x-interop') };
}
