import { expect, test } from 'vitest';
import { BuiltPackage } from './support/built.ts';

const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128'];

test('calls on warm endpoints allocate nothing', async () => {
  using built = new BuiltPackage();
  const results = JSON.parse(await built.run('endpoint-alloc.mjs', FLAGS)) as Record<
    string,
    { heap: number; external: number; collections: number }
  >;
  expect(Object.keys(results)).toHaveLength(5);
  for (const [workload, { heap, external, collections }] of Object.entries(results)) {
    expect(heap, `${workload}: bytes per call`).toBeLessThanOrEqual(2);
    expect(external, `${workload}: bytes off the heap per call`).toBeLessThanOrEqual(0);
    expect(collections, `${workload}: collections while measuring`).toBe(0);
  }
});
