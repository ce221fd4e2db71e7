import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';

// Indices of counters.
const RECEIVED = 1;
const STALE = 3;
const INVALID = 4;
const TOO_LARGE = 6;
const FRAGMENTS_RECEIVED = 8;
const FRAGMENTS_INVALID = 9;
const DUPLICATE = 10;
const WATCHED = [RECEIVED, STALE, INVALID, TOO_LARGE, FRAGMENTS_RECEIVED, FRAGMENTS_INVALID, DUPLICATE];

/** Which of the watched counters a refusal moves, besides the one of fragments when the last fragment of a packet led to it. */
const EFFECTS: Readonly<Record<string, readonly number[]>> = {
  'datagram-too-large': [TOO_LARGE],
  'payload-too-large': [RECEIVED, TOO_LARGE],
  'packet-stale': [RECEIVED, STALE],
  'packet-duplicate': [RECEIVED, DUPLICATE],
  'packet-rejected': [RECEIVED],
  'ack-buffer-full': [RECEIVED],
  'fragment-packet-already-received': [],
  'fragment-duplicate': [],
};

/** What a received datagram did. */
export interface Reception {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly delivered: number;
  readonly isAccepted: boolean;
}

/**
 * Compares the refusal that a step names with what can be seen of it from outside: which counters moved, whether the packet was offered and
 * what was answered.
 */
export function expectRefusal(step: Fields, { before, after, delivered, isAccepted }: Reception): void {
  const refused = step.has('refused') ? step.text('refused') : undefined;
  const moved = WATCHED.filter((i) => after[i] !== before[i]);
  const isFragment = moved.includes(FRAGMENTS_RECEIVED);
  const isOffered = refused === undefined ? undefined : refused === 'packet-rejected' || refused === 'ack-buffer-full';
  if (isOffered !== undefined) expectSame(`${step.path}: offered after ${refused}`, delivered > 0, isOffered);
  if (delivered > 0) expectSame(`${step.path}: rejected`, !isAccepted, refused === 'packet-rejected');
  if (refused === undefined) {
    const refusals = [STALE, INVALID, TOO_LARGE, FRAGMENTS_INVALID, DUPLICATE];
    expectSame(`${step.path}: counters of refusals`, moved.filter((i) => refusals.includes(i)).join(), '');
    return;
  }
  const expected = EFFECTS[refused] ?? effectsByName(refused, before, after);
  if (expected === undefined) throw new Error(`${step.at('refused')}: ${refused} is unknown`);
  const all = isFragment ? [...expected, FRAGMENTS_RECEIVED] : expected;
  expectSame(`${step.path}: counters moved by ${refused}`, moved.join(), all.toSorted((x, y) => x - y).join());
}

/** Refusals of a header are those of a packet or of the header inside a fragment. */
function effectsByName(refused: string, before: readonly number[], after: readonly number[]): readonly number[] | undefined {
  if (refused.startsWith('fragment-')) return [FRAGMENTS_INVALID];
  if (!refused.startsWith('header-')) return undefined;
  return after[FRAGMENTS_INVALID] === before[FRAGMENTS_INVALID] ? [RECEIVED, INVALID] : [FRAGMENTS_INVALID];
}
