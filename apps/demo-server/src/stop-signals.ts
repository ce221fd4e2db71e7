import { firstLine } from './cipher.ts';

/** Whoever sent a signal is promised an end within three seconds. */
const STOP_WITHIN_MILLISECONDS = 2800;

/**
 * Stops gracefully on the signals that ask for it and when nobody reads the output any more. The same signal may come several times, from the terminal and
 * from npm: that changes nothing. What does not stop in time is ended with status 1, and so is a program error, in one line.
 *
 * @param stop - aborted with the name of the signal as its reason.
 */
export function stopOnSignals(process: NodeJS.Process, stop: AbortController): void {
  const stopBecauseOf = (reason: string): void => {
    if (stop.signal.aborted) return;
    stop.abort(reason);
    setTimeout(() => process.exit(1), STOP_WITHIN_MILLISECONDS).unref();
  };
  // Not those of crashes: a handler in JavaScript would return to the instruction that crashed, for ever.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopBecauseOf(signal));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stopBecauseOf('closed output'));
  process.on('uncaughtException', (error) => {
    console.error(`demo: ${firstLine(error)}`);
    process.exit(1);
  });
}
