// Which blocks of the watched files have run, from V8's precise coverage. Start it before the watched files are loaded.
import { Session } from 'node:inspector/promises';

/** Counts above 2^7 make no further difference. */
const MOST_BUCKETS = 7;

export class Coverage {
  #session = new Session();
  #watch;

  /** @param watch - a pattern of file addresses. */
  constructor(watch) {
    this.#watch = watch;
  }

  async start() {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Names of the blocks that ran since the last call, each with the order of magnitude of how often. */
  async collect() {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const blocks = [];
    for (const script of result) {
      if (!this.#watch.test(script.url)) continue;
      for (const { ranges } of script.functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          if (count > 0) blocks.push(`${script.url}:${startOffset}:${endOffset}:${Math.min(MOST_BUCKETS, Math.floor(Math.log2(count)))}`);
        }
      }
    }
    return blocks;
  }
}
