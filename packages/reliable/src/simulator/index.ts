// Entry `@x/reliable/simulator`: two connections joined by deterministic links, for tests and benchmarks.
export { SplitMix64 } from './split-mix64.ts';
export { Link, PERFECT, latency } from './link.ts';
export type { LinkConfig, LinkCounters } from './link.ts';
export { Pair } from './pair.ts';
export type { PairOptions } from './pair.ts';
