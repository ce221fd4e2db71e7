import { monotonicMilliseconds } from '../internal/globals.ts';
import type { Log } from '../internal/hooks.ts';

const INTERVAL_MILLISECONDS = 1000;

/** Logs socket errors: at most one line a second, with the number of those since the line before. */
export class ErrorLog {
  readonly #log: Log;
  readonly #now: () => number;
  #count: number = 0;
  #nextLineAt: number = -Infinity;

  constructor(log: Log, now: () => number = monotonicMilliseconds) {
    this.#log = log;
    this.#now = now;
  }

  /** @param action - `send` or `receive`. */
  note(action: string, error: unknown): void {
    this.#count++;
    const now = this.#now();
    if (now < this.#nextLineAt) return;
    this.#nextLineAt = now + INTERVAL_MILLISECONDS;
    const errors = this.#count === 1 ? '1 socket error' : `${this.#count} socket errors`;
    this.#count = 0;
    this.#log.warn(`udp: ${errors} since the last line, treated as loss; ${action}: ${systemCode(error) ?? 'unknown'}`);
  }
}

/** The system's code of an error, such as `EADDRINUSE`. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, info } = error as { code?: unknown; info?: { code?: unknown } | undefined };
  if (typeof info?.code === 'string') return info.code;
  return typeof code === 'string' ? code : undefined;
}
