import fc from 'fast-check';

const DEFAULT_RUNS = 100;

/** Checks a property: with more inputs through PROPERTY_RUNS, with those of a failure again through the SEED that it printed. */
export function assertProperty<T>(property: fc.IProperty<T>, runs: number = DEFAULT_RUNS): void {
  const { SEED: seed, PROPERTY_RUNS: wanted } = process.env;
  const numRuns = wanted === undefined ? runs : Number(wanted);
  fc.assert(property, seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) });
}

/** The same for a property that waits for something. */
export async function assertPropertyAsync<T>(property: fc.IAsyncProperty<T>, runs: number = DEFAULT_RUNS): Promise<void> {
  const { SEED: seed, PROPERTY_RUNS: wanted } = process.env;
  const numRuns = wanted === undefined ? runs : Number(wanted);
  await fc.assert(property, seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) });
}
