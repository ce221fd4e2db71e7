import { NetcodeError } from './errors.ts';

/**
 * Where a client, a server or a transport writes its log lines. A missing function means that level is off and its text is never built.
 * `console` and a pino logger fit. Lines never contain keys, tokens or user data.
 */
export interface Logger {
  error?(text: string): void;
  warn?(text: string): void;
  info?(text: string): void;
  debug?(text: string): void;
}

/** How much a logger of {@link createLogger} prints; each level includes those before it. */
export type LogLevel = 'none' | 'error' | 'info' | 'debug';

/** The levels as the numbers that native implementations use (protocol section 2). */
export const LOG_LEVEL_CODES: Readonly<Record<LogLevel, number>> = Object.freeze({ none: 0, error: 1, info: 2, debug: 3 });

/**
 * Makes a logger in the form of the native libraries: a level and a print function.
 *
 * @param level - the most talkative level that is printed; warnings count as `error`.
 * @param print - called with one line of text, without a line end.
 * @throws {@link NetcodeError} `INVALID_OPTION` for a level that there is not.
 */
export function createLogger(level: LogLevel, print: (line: string) => void): Logger {
  const limit = (LOG_LEVEL_CODES as Partial<Record<string, number>>)[level];
  if (limit === undefined) {
    const expected = Object.keys(LOG_LEVEL_CODES).join(', ');
    throw new NetcodeError('invalidOption', `level: expected one of ${expected}, got ${JSON.stringify(level)}`, { field: 'level' });
  }
  const logger: Logger = {};
  if (limit >= LOG_LEVEL_CODES.error) {
    logger.error = (text) => print(`error: ${text}`);
    logger.warn = (text) => print(`warning: ${text}`);
  }
  if (limit >= LOG_LEVEL_CODES.info) logger.info = (text) => print(text);
  if (limit >= LOG_LEVEL_CODES.debug) logger.debug = (text) => print(text);
  return logger;
}
