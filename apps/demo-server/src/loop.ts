import { setTimeout as delay } from 'node:timers/promises';
import { monotonicSeconds } from '@x/netcode';

/** Where time comes from; replaced in tests. */
export interface Clock {
  /** Monotonic seconds. */
  now(): number;
  /** Waits; may come back a little late. */
  sleep(seconds: number): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: monotonicSeconds,
  // Timers count in whole milliseconds: rounding up is late by less than one, rounding down would wake and wait again.
  sleep: (seconds) => delay(Math.ceil(seconds * 1000)),
};

/** What a loop is made of. */
export interface LoopOptions {
  /** Ticks per second. */
  readonly hz: number;
  readonly clock: Clock;
  /** One tick, told the time at which it began. Returns false to end the loop. */
  readonly onTick: (time: number) => boolean;
}

/** What a loop has done. */
export interface LoopCounts {
  readonly ticks: number;
  /** Ticks whose time had passed before they could begin. */
  readonly skipped: number;
}

/**
 * Ticks at a fixed rate until `onTick` returns false. Due times are counted from the start, so a late tick does not delay the ones after it; after a
 * stall the missed ticks are skipped, not bunched.
 */
export async function runLoop({ hz, clock, onTick }: LoopOptions): Promise<LoopCounts> {
  const start = clock.now();
  let ticks = 0;
  let skipped = 0;
  for (let next = 0; ;) {
    const due = start + next / hz;
    for (let now = clock.now(); now < due; now = clock.now()) await clock.sleep(due - now);
    ticks++;
    if (!onTick(clock.now())) return { ticks, skipped };
    const passed = Math.floor((clock.now() - start) * hz);
    skipped += Math.max(0, passed - next - 1);
    next = Math.max(next + 1, passed);
    // A tick that is already due still lets the sockets be read first.
    if (start + next / hz <= clock.now()) await clock.sleep(0);
  }
}
