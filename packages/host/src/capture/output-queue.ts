import { HostError } from '../errors.ts';
import type { CaptureOutput } from './output.ts';

/**
 * Chunks on their way to an output that may be busy. Nothing of it throws or waits: what fails is remembered, and then nothing more is written.
 * How much may wait is the business of the caller.
 */
export class OutputQueue {
  readonly #output: CaptureOutput;
  readonly #chunks: Uint8Array[] = [];
  #pendingBytes = 0;
  #error: Error | undefined;
  /** The promise of the last write, until it is settled. */
  #inFlight: Promise<void> | undefined;
  /** The output returned `false` and has no property that says when that is over. */
  #isFull = false;
  #awaitsDrain = false;
  #isEnding = false;
  #onFailure: (() => void) | undefined;

  constructor(output: CaptureOutput) {
    this.#output = output;
    this.#guard(() => output.once?.('error', (error) => this.#fail(error)));
  }

  /** Bytes that wait for the output. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** What failed first, with anything but an `Error` as the cause of one; `undefined` while all is well. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Whether the output takes nothing now. */
  isBusy(): boolean {
    this.#pump();
    return this.#pendingBytes > 0 || this.#isBlocked();
  }

  /** Hands a chunk over, at once or when the output is ready again. */
  push(chunk: Uint8Array): void {
    if (this.#hasFailed() || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#pendingBytes += chunk.length;
    this.#pump();
  }

  /** Writes what waits, also to an output that would rather have a pause, and ends the output. What fails is remembered here too. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    this.#pump();
    while (this.#inFlight !== undefined) await this.#inFlight;
    this.#checkOpen();
    await this.#end();
  }

  #pump(): void {
    while (this.#chunks.length > 0 && !this.#isBlocked()) {
      const chunk = this.#chunks.shift()!;
      this.#pendingBytes -= chunk.length;
      this.#guard(() => this.#watch(this.#output.write(chunk)));
    }
  }

  /** A stream that was destroyed without an error takes bytes, loses them and says nothing. */
  #checkOpen(): void {
    this.#guard(() => {
      if (this.#output.destroyed !== true) return;
      this.#fail(
        this.#output.errored ?? new HostError('closed', 'the output was closed before the capture was finished', { field: 'output' }),
      );
    });
  }

  /** Looks at what a write returned: a promise, `false`, or nothing that matters. */
  #watch(result: unknown): void {
    if (isThenable(result)) {
      this.#inFlight = Promise.resolve(result)
        .then(undefined, (error: unknown) => this.#fail(error))
        .then(() => {
          this.#inFlight = undefined;
          this.#pump();
        });
    } else if (result === false) {
      this.#isFull = this.#output.once !== undefined && this.#output.writableNeedDrain === undefined;
    }
  }

  #isBlocked(): boolean {
    this.#checkOpen();
    if (this.#inFlight !== undefined || this.#hasFailed()) return true;
    return !this.#isEnding && this.#needsDrain();
  }

  #needsDrain(): boolean {
    try {
      if (!this.#isFull && this.#output.writableNeedDrain !== true) return false;
      if (!this.#awaitsDrain) {
        this.#awaitsDrain = true;
        this.#output.once?.('drain', () => this.#drained());
      }
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #drained(): void {
    this.#awaitsDrain = false;
    this.#isFull = false;
    this.#pump();
  }

  /** Ends the output and waits for it, unless it has failed: then it may never answer. */
  async #end(): Promise<void> {
    if (this.#output.end === undefined) return;
    await new Promise<void>((resolve) => {
      this.#onFailure = resolve;
      const done = (error?: unknown): void => {
        if (error !== undefined && error !== null) this.#fail(error);
        resolve();
      };
      if (this.#hasFailed()) resolve();
      this.#guard(() => this.#output.end?.(done));
    });
  }

  #hasFailed(): boolean {
    return this.#error !== undefined;
  }

  #guard(action: () => unknown): void {
    try {
      action();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error ??= error instanceof Error ? error : new Error('the output failed', { cause: error });
    this.#chunks.length = 0;
    this.#pendingBytes = 0;
    this.#onFailure?.();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
