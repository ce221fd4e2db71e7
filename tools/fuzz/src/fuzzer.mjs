// The loop: change an input, run it, keep it when it reached code that nothing reached before.
import { mutate, Random } from './mutate.mjs';

/** Inputs run between two looks at the coverage: a look costs more than a run. */
const BATCH = 16;
const MAX_FINDINGS = 5;
const DEFAULT_MAX_BYTES = 4096;

/**
 * Fuzzes a target until the time is over or enough is found.
 *
 * @param target - see the README.
 * @param coverage - started before the target's code was loaded.
 * @param corpus - inputs that the repository keeps.
 * @returns counts, the inputs worth keeping, and what was found.
 */
export async function fuzz(target, coverage, corpus, { seconds, seed }) {
  const random = new Random(seed);
  const kept = [];
  const fresh = [];
  const findings = [];
  const single = new Set();
  const batches = new Set();
  let inputs = 0;

  const attempt = (input) => {
    inputs++;
    try {
      target.run(input.slice());
    } catch (error) {
      if (findings.length < MAX_FINDINGS) findings.push({ input: Buffer.from(input).toString('hex'), error: textOf(error) });
    }
  };
  /** Runs one input alone; true when it reached a block that no input alone had reached. */
  const explore = async (input) => {
    attempt(input);
    const blocks = (await coverage.collect()).filter((block) => !single.has(block));
    for (const block of blocks) single.add(block);
    return blocks.length > 0;
  };

  for (const input of [...corpus, ...target.seeds()].map((bytes) => Uint8Array.from(bytes))) {
    await explore(input);
    kept.push(input);
  }
  const base = single.size;
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end && findings.length < MAX_FINDINGS) {
    const batch = Array.from({ length: BATCH }, () => mutate(kept, random, target.maxBytes ?? DEFAULT_MAX_BYTES));
    for (const input of batch) attempt(input);
    const blocks = (await coverage.collect()).filter((block) => !batches.has(block));
    if (blocks.length === 0) continue;
    for (const block of blocks) batches.add(block);
    for (const input of batch) {
      if (!(await explore(input))) continue;
      kept.push(input);
      fresh.push(input);
    }
  }
  return { inputs, newCoverage: single.size - base, corpus: kept.length, fresh, findings };
}

function textOf(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
