import type { PlanEntry } from './plan.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { Stage } from './stage.ts';

/** No scenario needs longer, however busy the machine. */
const LIMIT_SECONDS = 45;

/** Plays one pairing on a stage of its own; rejects with what is wrong. */
export async function playEntry(entry: PlanEntry, program: string, seed: number): Promise<void> {
  const scenario = SCENARIOS[entry.scenario];
  if (scenario === undefined) throw new Error(`no scenario ${entry.scenario}`);
  const stage = new Stage({ ...entry, program, seed });
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${LIMIT_SECONDS} s`)), LIMIT_SECONDS * 1000);
  });
  try {
    await Promise.race([scenario(stage), limit]);
  } finally {
    clearTimeout(timer);
    await stage.close();
  }
}
