// Races between our workloads and those of the foreign program.
//
//   Workload  { play(watch), work? }
//
// `play` does a while's work, times with the watch what belongs to the measurement, throws when the work was done wrong, and returns the number of its
// units. `work`, once it has been played for the first time, is a figure that the foreign program must agree on.
import { foreignProgram } from '@x/bench/foreign';
import { startProcess } from '@x/bench/process';
import { measureWindow, NO_WATCH } from './stopwatch.mjs';

const WINDOW_MILLISECONDS = 50;
/** How long a workload of ours is played before it is measured, besides the warm-up rounds: until the optimising compiler is done with it. */
const WARM_UP_MILLISECONDS = 300;
/** What one unit of a race's unit is, nanoseconds. */
const NANOSECONDS = { ns: 1, µs: 1000 };

/**
 * @param {string} name
 * @param {'ns' | 'µs'} unit
 * @param {object[]} entries the contenders: `{ name, make, ratios?, floor?, aim? }` for ours, `{ name, foreign, agrees, ratios? }` for those of the foreign
 * program, where `foreign` is its name of the case and `agrees` the entry of ours that its work is compared with.
 * @param {{ report?: () => void }} [options] `report` is called when everything was measured.
 */
export function eventRace(name, unit, entries, { report } = {}) {
  const stops = [];
  const works = new Map();
  const contenders = entries.map((entry) => {
    const isForeign = entry.foreign !== undefined;
    const run = isForeign ? foreign(entry, works, stops) : ours(entry, works, stops);
    const { name: own, ratios, floor, aim } = entry;
    return { name: own, ratios, floor, aim, ...run, measure: async () => (await run.measure()) / NANOSECONDS[unit] };
  });
  const tearDown = async () => {
    for (const stop of stops.splice(0)) await stop();
    report?.();
  };
  return { name, unit, contenders, tearDown };
}

function ours({ name, make }, works, stops) {
  let workload;
  return {
    check() {
      workload = make();
      stops.push(() => (workload = undefined));
      workload.play(NO_WATCH);
      works.set(name, workload.work);
      measureWindow(workload, WARM_UP_MILLISECONDS);
    },
    measure: () => measureWindow(workload, WINDOW_MILLISECONDS),
  };
}

function foreign({ name, foreign: caseName, agrees }, works, stops) {
  const { program, unavailable } = foreignProgram();
  let child;
  return {
    ...(unavailable === undefined ? {} : { unavailable }),
    async check() {
      const words = ['bench-events', '--case', caseName, '--milliseconds', String(WINDOW_MILLISECONDS)];
      child = startProcess(program, words);
      stops.push(() => child.stop());
      const { work } = await child.nextLine();
      const own = works.get(agrees);
      if (own !== undefined && own !== work) throw new Error(`${caseName}: ours came to ${own}, ${name} to ${work}`);
    },
    measure: async () => (await child.request({})).nanosecondsPerUnit,
  };
}

/** The usual race: ours against the same case of `dream-net`, and the other entries, `{ name, make }`, if any. */
export function againstDreamNet(name, unit, make, { floor, aim, others = [] } = {}) {
  return eventRace(name, unit, [
    { name: 'ours', make, ratios: ['dream-net', ...others.map((other) => other.name)], floor, aim },
    ...others,
    { name: 'dream-net', foreign: name, agrees: 'ours' },
  ]);
}
