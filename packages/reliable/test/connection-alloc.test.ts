import { expect, test } from 'vitest';
import { BuiltPackage } from './support/built.ts';

interface Figures {
  readonly heap: number;
  readonly external: number;
}

/** What the doubles that a link is handed cost; the connections on it make no garbage. */
const LINK_BYTES = 512;

test('when warm connections work, then they allocate nothing', { timeout: 300_000 }, async () => {
  using built = new BuiltPackage();
  const output = await built.run('connection-alloc.mjs', ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128']);
  const results = Object.entries(JSON.parse(output) as Record<string, Figures>);
  expect(results.length).toBe(9);
  for (const [workload, { heap, external }] of results) {
    expect.soft(external, `${workload}: off the heap`).toBeLessThanOrEqual(0);
    expect.soft(heap, `${workload}: on the heap`).toBeLessThanOrEqual(workload.includes('link') ? LINK_BYTES : 2);
  }
});
