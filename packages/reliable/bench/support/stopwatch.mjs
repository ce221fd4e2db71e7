// CPU time of this process, added up over the parts of a workload that are to be measured.

const CALIBRATION_PARTS = 20_000;

class Stopwatch {
  #microseconds = 0;
  #parts = 0;
  #begun = process.cpuUsage();

  start() {
    this.#begun = process.cpuUsage();
  }

  stop() {
    const { user, system } = process.cpuUsage();
    this.#microseconds += user - this.#begun.user + (system - this.#begun.system);
    this.#parts++;
  }

  /** What the parts took, less what timing them took. */
  nanoseconds(overhead) {
    return Math.max(0, this.#microseconds - this.#parts * overhead) * 1000;
  }

  perPart() {
    return this.#microseconds / this.#parts;
  }
}

/** Microseconds that an empty part takes. */
const overhead = (() => {
  for (let round = 0; ; round++) {
    const watch = new Stopwatch();
    for (let i = 0; i < CALIBRATION_PARTS; i++) {
      watch.start();
      watch.stop();
    }
    // The first round warms up.
    if (round === 1) return watch.perPart();
  }
})();

/** Plays a workload for a while and gives nanoseconds per unit. */
export function measureWindow(workload, milliseconds) {
  const watch = new Stopwatch();
  const deadline = performance.now() + milliseconds;
  let units = 0;
  do units += workload.play(watch);
  while (performance.now() < deadline);
  return watch.nanoseconds(overhead) / units;
}

/** For playing a workload without measuring it. */
export const NO_WATCH = { start() {}, stop() {} };
