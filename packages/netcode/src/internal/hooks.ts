import type { Logger } from '../logger.ts';

/** Told about errors that callbacks of the application threw: once per source, so that a hook that throws on every packet floods nothing. */
export class Hooks {
  /** The application's logger, guarded. */
  readonly log: Log;
  readonly #onError: ((error: unknown, source: string) => void) | undefined;
  readonly #reported: Set<string> = new Set();

  constructor(logger: Logger | undefined, onError: ((error: unknown, source: string) => void) | undefined) {
    this.log = new Log(logger, this);
    this.#onError = onError;
  }

  /** Reports what `source` threw, the first time; never throws. */
  report(error: unknown, source: string): void {
    if (this.#reported.has(source)) return;
    this.#reported.add(source);
    if (this.#onError === undefined) {
      this.log.error(`${source} threw: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    try {
      this.#onError(error, source);
    } catch {
      // The error route itself is broken; the frame goes on.
    }
  }
}

/** A logger that cannot throw. Test `isDebug` and `isInfo` before building a text. */
export class Log {
  readonly #logger: Logger;
  readonly #hooks: Hooks;

  constructor(logger: Logger | undefined, hooks: Hooks) {
    this.#logger = logger ?? {};
    this.#hooks = hooks;
  }

  get isDebug(): boolean {
    return this.#logger.debug !== undefined;
  }

  get isInfo(): boolean {
    return this.#logger.info !== undefined;
  }

  error(text: string): void {
    this.#write('error', text);
  }

  warn(text: string): void {
    this.#write('warn', text);
  }

  info(text: string): void {
    this.#write('info', text);
  }

  debug(text: string): void {
    this.#write('debug', text);
  }

  #write(level: keyof Logger, text: string): void {
    try {
      this.#logger[level]?.(text);
    } catch (error) {
      this.#hooks.report(error, 'logger');
    }
  }
}
