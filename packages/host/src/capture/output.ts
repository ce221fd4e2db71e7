/** Where a capture goes. A `Writable` of Node fits, so does anything with a `write`. */
export interface CaptureOutput {
  /**
   * Takes the next bytes, always: back-pressure is told by {@link CaptureOutput.writableNeedDrain}, or by returning `false` where there is no such
   * property and a `once`. A promise that is returned is waited for before the next bytes come.
   *
   * @param chunk - handed over: the writer does not touch it again.
   */
  write(chunk: Uint8Array): unknown;
  /** True while no more should be written. */
  readonly writableNeedDrain?: boolean | undefined;
  /** True when the output was closed from elsewhere: the capture then ends with an error. */
  readonly destroyed?: boolean | undefined;
  /** The error that it was closed with, if there was one. */
  readonly errored?: unknown;
  /** Tells once of the moment when more may be written, or of a failure. */
  once?(event: 'drain' | 'error', listener: (error?: unknown) => void): unknown;
  /** Ends the output. `done` is called when all is written, with an error if not. */
  end?(done: () => void): unknown;
}

/** The bytes of a capture in memory, for tests and small tools. It grows without a limit. */
export class MemoryOutput implements CaptureOutput {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** Keeps the bytes; they are not copied. */
  write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** A copy of everything written so far. A capture is complete once its writer has finished. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}
