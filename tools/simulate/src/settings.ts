import { parseArgs } from 'node:util';

/** What is simulated. */
export interface Settings {
  /** One-way delay, seconds. */
  readonly latency: number;
  /** Extra delay, uniform in [0, jitter) seconds. */
  readonly jitter: number;
  /** Probability that a datagram is dropped. */
  readonly loss: number;
  /** Probability that a second copy is delivered. */
  readonly duplicate: number;
  /** Number of events that b sends to a. */
  readonly events: number;
  /** Bytes of each event, 4 or more. */
  readonly payload: number;
  /** u64. */
  readonly seed: bigint;
}

/** The documented run. */
export const DEFAULT_SETTINGS: Settings = Object.freeze({
  latency: 0.03,
  jitter: 0,
  loss: 0.2,
  duplicate: 0,
  events: 500,
  payload: 200,
  seed: 7n,
});

/** What a command line asks for. */
export interface Request {
  readonly settings: Settings;
  readonly htmlFile: string | undefined;
  readonly jsonFile: string | undefined;
}

const TEXT = { type: 'string' } as const;
const MOST_EVENTS = 1_000_000;
/** The index of an event takes 4 bytes. */
const LEAST_PAYLOAD = 4;
const MOST_PAYLOAD = 2 ** 24;
const SEEDS = 1n << 64n;

/**
 * Reads a command line.
 *
 * @throws Error that says which flag is wrong.
 */
export function readRequest(args: readonly string[]): Request {
  const options = {
    latency: TEXT,
    jitter: TEXT,
    loss: TEXT,
    duplicate: TEXT,
    events: TEXT,
    payload: TEXT,
    seed: TEXT,
    html: TEXT,
    json: TEXT,
  };
  const { values } = parseArgs({ args: [...args], options });
  const number = (flag: Exclude<keyof Settings, 'seed'>, range: Range): number =>
    values[flag] === undefined ? DEFAULT_SETTINGS[flag] : readNumber(flag, values[flag], range);
  const seconds: Range = { min: 0, max: 60, isWhole: false, unit: ' seconds' };
  const probability: Range = { min: 0, max: 1, isWhole: false, unit: '' };
  return {
    settings: {
      latency: number('latency', seconds),
      jitter: number('jitter', seconds),
      loss: number('loss', probability),
      duplicate: number('duplicate', probability),
      events: number('events', { min: 1, max: MOST_EVENTS, isWhole: true, unit: '' }),
      payload: number('payload', { min: LEAST_PAYLOAD, max: MOST_PAYLOAD, isWhole: true, unit: ' bytes' }),
      seed: values.seed === undefined ? DEFAULT_SETTINGS.seed : readSeed(values.seed),
    },
    htmlFile: values.html,
    jsonFile: values.json,
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  readonly unit: string;
}

function readNumber(flag: string, text: string, { min, max, isWhole, unit }: Range): number {
  const value = /^[0-9.]/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
  throw new Error(`--${flag}: expected a ${isWhole ? 'whole ' : ''}number in ${min} … ${max}${unit}, got ${text}`);
}

function readSeed(text: string): bigint {
  const seed = /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? BigInt(text) : SEEDS;
  if (seed < SEEDS) return seed;
  throw new Error(`--seed: expected a whole number below 2^64, got ${text}`);
}
