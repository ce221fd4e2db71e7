import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCorpus } from '../src/corpus.mjs';
import { loadTarget, targetNames } from '../src/targets.mjs';

const cli = fileURLToPath(new URL('../src/cli.mjs', import.meta.url));

test('when targets are listed, then the four of netcode are among them', () => {
  for (const name of ['netcode-address', 'netcode-packet', 'netcode-private-token', 'netcode-token']) expect(targetNames).toContain(name);
});

describe.each(targetNames)('%s', (name) => {
  test('when the kept corpus and the seeds are replayed, then nothing is found', async () => {
    const target = await loadTarget(name);
    const inputs = [...readCorpus(name), ...target.seeds()];
    expect(inputs.length).toBeGreaterThan(2);
    for (const input of inputs) expect(() => target.run(input.slice())).not.toThrow();
  });

  test('when a fault is planted, then the fuzzer finds it', () => {
    const run = spawnSync(process.execPath, [cli, '--target', name, '--seconds', '50', '--seed', '1', '--plant'], { encoding: 'utf8' });
    expect(`${run.status} ${run.stdout}${run.stderr}`).toMatch(/^1 .*[1-9]\d* findings/s);
  });
});
