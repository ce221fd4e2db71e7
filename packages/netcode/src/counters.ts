import { DROP_REASONS } from './drop-reason.ts';
import type { DropReason } from './drop-reason.ts';

/** A live view: how many datagrams were ignored for each reason, and how many requests and responses were answered with a denial (`denied`). */
export type NetcodeCounters = Readonly<Record<DropReason | 'denied', number>>;

/** The record behind {@link NetcodeCounters}. */
export type MutableCounters = Record<DropReason | 'denied', number>;

/** Makes a record with every counter at 0. */
export function createCounters(): MutableCounters {
  const counters = { denied: 0 } as MutableCounters;
  for (const reason of DROP_REASONS) counters[reason] = 0;
  return counters;
}
