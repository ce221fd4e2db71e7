import type { PlanEntry } from './plan.ts';

/** How one pairing went. */
export interface Outcome {
  readonly entry: PlanEntry;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason?: string;
  readonly seconds: number;
}

/** How the plan is played. */
export interface RunnerOptions {
  /** Plays one pairing; rejects with what is wrong. */
  readonly play: (entry: PlanEntry) => Promise<void>;
  /** Why a pairing cannot be played here; undefined: it can. */
  readonly skipReason: (entry: PlanEntry) => string | undefined;
  /** A pairing that cannot be played is a failure. */
  readonly requireAll: boolean;
  /** How many are played at the same time: most of them mainly wait. */
  readonly lanes: number;
  /** Told of each outcome, in the order of the plan. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Plays the plan and gives the outcomes in its order. */
export async function runPlan(plan: readonly PlanEntry[], options: RunnerOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const finished = new Map<number, Outcome>();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < plan.length; index = next++) {
      const entry = plan[index];
      if (entry === undefined) return;
      finished.set(index, await outcomeOf(entry, options));
      for (let told = finished.get(outcomes.length); told !== undefined; told = finished.get(outcomes.length)) {
        outcomes.push(told);
        options.onOutcome(told);
      }
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, lane));
  return outcomes;
}

async function outcomeOf(entry: PlanEntry, { play, skipReason, requireAll }: RunnerOptions): Promise<Outcome> {
  const skipped = skipReason(entry);
  if (skipped !== undefined) return { entry, result: requireAll ? 'failed' : 'skipped', reason: skipped, seconds: 0 };
  const begun = performance.now();
  const seconds = (): number => Math.round(performance.now() - begun) / 1000;
  try {
    await play(entry);
    return { entry, result: 'passed', seconds: seconds() };
  } catch (error) {
    return { entry, result: 'failed', reason: error instanceof Error ? error.message : String(error), seconds: seconds() };
  }
}
