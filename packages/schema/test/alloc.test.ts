import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Growth {
  readonly name: string;
  /** Bytes per call. */
  readonly heap: number;
  readonly buffers: number;
}

const BYTES_PER_CALL = 2;
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128'];

test('when values are written into a buffer and read into a value of before, then nothing is allocated', () => {
  if (!existsSync(new URL('../dist/codec/index.js', import.meta.url))) throw new Error('the package is not built: npm run build');
  const child = fileURLToPath(new URL('alloc/child.mjs', import.meta.url));
  const results = JSON.parse(execFileSync(process.execPath, [...FLAGS, child], { encoding: 'utf8', env: {} })) as Growth[];
  const rows = results.map(
    ({ name, heap, buffers }) => `${name.padEnd(40)}${heap.toFixed(1).padStart(8)}${buffers.toFixed(1).padStart(8)}`,
  );
  console.log([`${'bytes per call'.padEnd(40)}    heap off-heap`, ...rows].join('\n'));
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ heap, buffers }) => heap > BYTES_PER_CALL || buffers > 0)).toEqual([]);
}, 180_000);
