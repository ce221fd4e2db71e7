import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Growth {
  name: string;
  /** Bytes per call. */
  heap: number;
  buffers: number;
}

interface Results {
  /** The machines above a cipher that does next to nothing. */
  fake: Growth[];
  /** The machines with libsodium. */
  sodium: Growth[];
  /** The two ciphers alone. */
  ciphers: Growth[];
}

const BYTES_PER_CALL = 2;
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128'];

function measure(): Results {
  if (!existsSync(new URL('../dist/index.js', import.meta.url))) throw new Error('the package is not built: npm run build');
  const child = fileURLToPath(new URL('alloc/child.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [...FLAGS, child], { encoding: 'utf8', env: {} })) as Results;
}

function table(results: Results): string {
  const row = ({ name, heap, buffers }: Growth) => `${name.padEnd(48)}${heap.toFixed(1).padStart(10)}${buffers.toFixed(1).padStart(10)}`;
  const section = (title: string, rows: Growth[]) => [title.padEnd(48) + '      heap  off-heap', ...rows.map(row)].join('\n');
  return [
    section('bytes per call, above the cipher', results.fake),
    section('with libsodium', results.sodium),
    section('ciphers alone', results.ciphers),
  ].join('\n');
}

test('when packets are sent, received and refused, then nothing is allocated above the cipher, nor in libsodium', () => {
  const results = measure();
  console.log(table(results));
  const [noble, sodium] = ['noble', 'libsodium'].map((name) => results.ciphers.filter((row) => row.name.startsWith(name)));
  const clean = [...results.fake, ...results.sodium, ...sodium!];
  expect(sodium!.length).toBe(2);
  expect(clean.filter(({ heap, buffers }) => heap > BYTES_PER_CALL || buffers > 0)).toEqual([]);
  expect(noble!.every(({ heap }) => heap < 20_000)).toBe(true);
}, 180_000);
