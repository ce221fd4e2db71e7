// A race: contenders that do the same work, measured in turn, round after round in one run, so that what disturbs the machine disturbs them all.
//
// A bench file (`packages/*/bench/*.bench.mjs`) exports `races(): Race[]`:
//
//   Race       { name, unit, better?: 'lower' | 'higher', contenders, rounds?, setUp?, tearDown? }
//   Contender  { name, measure, check?, ratios?, floor?, aim?, unavailable? }
//
// `measure()` gives one number in the race's unit (a promise of it is fine); `check()` runs once before anything is timed and throws when the work is
// done wrong; `ratios` names the contenders that this one is compared with; `floor` and `aim` are largest ratios to the first of them (smallest, where
// higher is better). `unavailable` says why a contender cannot run here.

const WARM_UP_ROUNDS = 2;
const ROUNDS = 7;

/** The middle of the values, the mean of the middle two for an even number. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs a race and gives its cases in the form of the `--json` file. */
export async function runRace(race, { rounds = race.rounds ?? ROUNDS } = {}) {
  const running = race.contenders.filter((contender) => contender.unavailable === undefined);
  const correct = new Map();
  const samples = new Map(running.map((contender) => [contender.name, []]));
  try {
    await race.setUp?.();
    for (const contender of running) {
      await contender.check?.();
      correct.set(contender.name, true);
    }
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      // The order turns around each round: whoever comes first has no lasting advantage.
      const order = round % 2 === 0 ? running : [...running].reverse();
      for (const contender of order) {
        const value = await contender.measure();
        if (round >= 0) samples.get(contender.name).push(value);
      }
    }
  } finally {
    await race.tearDown?.();
  }
  return race.contenders.map((contender) => caseOf(race, contender, samples, correct));
}

function caseOf(race, contender, samples, correct) {
  const common = { name: `${race.name}/${contender.name}`, unit: race.unit, floor: contender.floor ?? null, aim: contender.aim ?? null };
  const better = race.better === 'higher' ? { better: 'higher' } : {};
  if (contender.unavailable !== undefined) {
    const ratios = Object.fromEntries((contender.ratios ?? []).map((anchor) => [anchor, null]));
    return { ...common, ...better, value: null, spread: null, ratios, correct: false, reason: contender.unavailable };
  }
  const own = samples.get(contender.name);
  const value = median(own);
  const missing = [];
  const ratios = Object.fromEntries(
    (contender.ratios ?? []).map((anchor) => {
      const theirs = samples.get(anchor);
      if (theirs === undefined) missing.push(race.contenders.find(({ name }) => name === anchor)?.unavailable ?? `${anchor} is not there`);
      return [anchor, theirs === undefined ? null : median(own.map((sample, round) => sample / theirs[round]))];
    }),
  );
  const spread = (Math.max(...own) - Math.min(...own)) / value;
  const reason = missing.length > 0 ? { reason: missing.join('; ') } : {};
  return { ...common, ...better, value, spread, ratios, correct: correct.get(contender.name) === true, ...reason };
}

/** Whether the first ratio of a case keeps within a limit; `undefined` when there is no limit or no ratio. */
export function keeps(entry, limit) {
  const ratio = Object.values(entry.ratios)[0];
  if (limit === null || ratio === undefined || ratio === null) return undefined;
  return entry.better === 'higher' ? ratio >= limit : ratio <= limit;
}

/** Nanoseconds of CPU per call of `work(calls)`, user and system. */
export function cpuPerCall(work, calls) {
  const before = process.cpuUsage();
  work(calls);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / calls;
}
