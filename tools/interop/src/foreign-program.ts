import { execFile, spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** One line of the foreign program. */
export type ForeignEvent = Readonly<Record<string, unknown>> & { readonly event: string };

/** How long a program may take to say `ready`, and to end after `stop`. */
const PATIENCE_MILLISECONDS = 10_000;

/** Reads one line. */
export function parseEvent(line: string): ForeignEvent {
  const event: unknown = JSON.parse(line);
  if (typeof event !== 'object' || event === null || !('event' in event) || typeof event.event !== 'string') {
    throw new Error(`the foreign program said: ${line}`);
  }
  return event as ForeignEvent;
}

/** A text member of an event. */
export function textOf(event: ForeignEvent, name: string): string {
  const value = event[name];
  if (typeof value !== 'string') throw new Error(`${event.event}: ${name} is not a text`);
  return value;
}

/** A number member of an event; undefined where it says null. */
export function numberOf(event: ForeignEvent, name: string): number | undefined {
  const value = event[name];
  if (value === null) return undefined;
  if (typeof value !== 'number') throw new Error(`${event.event}: ${name} is not a number`);
  return value;
}

/** Runs the program once and gives the only event it tells. */
export async function callForeign(program: string, args: readonly string[]): Promise<ForeignEvent> {
  const { stdout } = await promisify(execFile)(program, args, { timeout: PATIENCE_MILLISECONDS });
  return parseEvent(stdout.trimEnd());
}

/** A running foreign program: events come in as lines, commands go out as lines. It ends when its stdin is closed, so with this process. */
export class ForeignProgram {
  /** Why it broke down. */
  failure: string | undefined;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<void>;
  #isStopping = false;

  private constructor(program: string, args: readonly string[], onEvent: (event: ForeignEvent) => void) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let complaint = '';
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    // A write to a program that has just ended is told by its end.
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      try {
        onEvent(parseEvent(line));
      } catch (error) {
        this.failure ??= String(error);
      }
    });
    this.#closed = new Promise((resolve) => {
      this.#child.on('error', (error) => (this.failure ??= error.message));
      this.#child.on('close', (code, signal) => {
        if (!this.#isStopping) this.failure ??= `the foreign program ended (${signal ?? String(code)}): ${complaint.trim()}`;
        resolve();
      });
    });
  }

  /** Starts the program and waits until it is ready. */
  static async start(
    program: string,
    args: readonly string[],
    onEvent: (event: ForeignEvent) => void,
  ): Promise<{ running: ForeignProgram; ready: ForeignEvent }> {
    return new Promise((resolve, reject) => {
      const running = new ForeignProgram(program, args, (event) => {
        if (event.event !== 'ready') {
          onEvent(event);
          return;
        }
        clearTimeout(timer);
        resolve({ running, ready: event });
      });
      const timer = setTimeout(() => {
        running.failure = 'the foreign program does not become ready';
        void running.stop();
      }, PATIENCE_MILLISECONDS);
      void running.#closed.then(() => {
        clearTimeout(timer);
        reject(new Error(running.failure));
      });
    });
  }

  /** Sends a command. */
  command(command: string, members: Readonly<Record<string, string>> = {}): void {
    this.#child.stdin.write(`${JSON.stringify({ command, ...members })}\n`);
  }

  /** Ends the program: gently, then by force. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MILLISECONDS);
    await this.#closed;
    clearTimeout(timer);
  }
}
