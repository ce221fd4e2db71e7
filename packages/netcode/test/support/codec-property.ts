/** A synchronous property cannot be stopped from outside: it ends itself before the runner's limit of 60 seconds. */
const LONGEST_MILLISECONDS = 45_000;

/** Options of one property: few runs in CI, `FC_RUNS` of them in long runs; `SEED` replays the seed that a failure printed. */
export function propertyOptions(ciRuns: number): { numRuns: number; interruptAfterTimeLimit: number; seed?: number } {
  const wanted = Number(process.env['FC_RUNS'] ?? ciRuns);
  const limits = { numRuns: Math.max(ciRuns, wanted), interruptAfterTimeLimit: LONGEST_MILLISECONDS };
  const seed = process.env['SEED'];
  return seed === undefined ? limits : { ...limits, seed: Number(seed) };
}
