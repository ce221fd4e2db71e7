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

  /** Reports what `source` threw, the first time; never throws, whatever the value. */
  report(error: unknown, source: string): void {
    if (this.#reported.has(source)) return;
    this.#reported.add(source);
    try {
      if (this.#onError !== undefined) this.#onError(error, source);
      else this.log.error(`${source} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    } catch {
      // The error route itself is broken, or the value has no text; the frame goes on.
    }
  }
}

/** A logger that cannot throw. Test `isDebug` and `isInfo` before building a text. */
export class Log {
  readonly #logger: Logger;
  readonly #hooks: Hooks;
  #isWriting: boolean = false;

  constructor(logger: Logger | undefined, hooks: Hooks) {
    this.#logger = logger ?? {};
    this.#hooks = hooks;
  }

  /** The logger is being called: nothing may be changed under the caller's feet. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  get isDebug(): boolean {
    return this.#has('debug');
  }

  get isInfo(): boolean {
    return this.#has('info');
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

  #has(level: keyof Logger): boolean {
    try {
      return this.#logger[level] !== undefined;
    } catch (error) {
      this.#hooks.report(error, 'logger');
      return false;
    }
  }

  #write(level: keyof Logger, text: string): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      this.#logger[level]?.(text);
    } catch (error) {
      this.#isWriting = false;
      this.#hooks.report(error, 'logger');
    } finally {
      this.#isWriting = false;
    }
  }
}
