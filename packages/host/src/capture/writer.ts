import type { Schema } from '@x/schema';
import { HostError } from '../errors.ts';
import { checkFlag, checkMethod, checkObject, checkUnsigned } from '../internal/check.ts';
import { encodeHeader, payloadsOf } from './header.ts';
import { OutputQueue } from './output-queue.ts';
import type { CaptureOutput } from './output.ts';
import { encodeRecord, recordBytes } from './record-encoder.ts';
import type { CaptureHeader, CaptureRecord, CaptureSink } from './records.ts';

/** Records are small: they are collected into chunks of so many bytes. */
const CHUNK_BYTES = 65_536;
const DEFAULT_MAX_PENDING_BYTES = 67_108_864;
const NOTHING = new Uint8Array(0);

/** What a {@link CaptureWriter} may be told. */
export interface CaptureWriterOptions {
  /** Whether payloads are stored, or only their lengths. Default: what the header of another capture says, else true. */
  readonly payloads?: boolean | undefined;
  /** Most bytes kept for an output that is busy; a record that would need more ends the capture. Default 64 MiB. */
  readonly maxPendingBytes?: number | undefined;
}

/**
 * Writes a capture: the header on construction, then one record per call. It never blocks and never throws because of its output. The first failure
 * is remembered in {@link CaptureWriter.error}; after it nothing is recorded. Source: hosts section 11.4.
 */
export class CaptureWriter implements CaptureSink {
  readonly #queue: OutputQueue;
  readonly #payloads: boolean;
  readonly #maxPendingBytes: number;
  readonly #chunkBytes: number;
  #chunk: Uint8Array = NOTHING;
  #view: DataView = new DataView(NOTHING.buffer);
  #used = 0;
  #overrun: HostError | undefined;
  #finished: Promise<void> | undefined;

  /**
   * @param header - the catalogue of the host; or the header of another capture, to write some of its records again.
   * @param output - gets the header at once and then chunks of about 64 KiB. Each chunk is handed over: it is not touched again.
   * @param options - see {@link CaptureWriterOptions}.
   * @throws {@link HostError} `INVALID_OPTION`, before anything is written.
   */
  constructor(header: Schema | CaptureHeader, output: CaptureOutput, options: CaptureWriterOptions = {}) {
    const payloads = payloadsOf(header);
    checkObject(output, 'output');
    checkMethod(output, 'write', 'output');
    checkObject(options, 'options');
    checkFlag(options.payloads, 'payloads');
    this.#payloads = options.payloads ?? payloads ?? true;
    this.#maxPendingBytes = options.maxPendingBytes ?? DEFAULT_MAX_PENDING_BYTES;
    checkUnsigned(this.#maxPendingBytes, 'maxPendingBytes', Number.MAX_SAFE_INTEGER);
    this.#chunkBytes = Math.min(CHUNK_BYTES, this.#maxPendingBytes);
    const bytes = encodeHeader(header, this.#payloads);
    this.#queue = new OutputQueue(output);
    this.#queue.push(bytes);
  }

  /**
   * What ended the capture before its time: the error of the output, or a {@link HostError}: `OVERRUN` when the output was busy for too long,
   * `CLOSED` when it was destroyed. `undefined` while all is well.
   */
  get error(): unknown {
    return this.#overrun ?? this.#queue.error;
  }

  /**
   * Adds a record; does nothing once {@link CaptureWriter.error} is set.
   *
   * @param record - copied. With payloads stored, `length` is not looked at: the length of the payload is written. Without, the payload is not.
   * @throws {@link HostError} `INVALID_OPTION` for a record that could not be read back as it is, such as a client id that is a number; the capture
   * goes on without it. `CLOSED` after {@link CaptureWriter.finish}.
   */
  record(record: CaptureRecord): void {
    if (this.#finished !== undefined) throw new HostError('closed', 'the capture is finished');
    if (this.error !== undefined) return;
    const size = recordBytes(record, this.#payloads);
    if (!this.#makeRoom(size)) return;
    encodeRecord(record, this.#payloads, this.#chunk, this.#view, this.#used);
    this.#used += size;
    if (this.#used >= this.#chunkBytes) this.#handOver();
  }

  /**
   * Writes what was collected and ends the output. Calling it again gives the same promise.
   *
   * @returns when the output has ended; for one without `end`, when it has been given everything.
   * Rejects with {@link CaptureWriter.error} when the capture is not complete. What was written before an `OVERRUN` is a valid capture.
   */
  finish(): Promise<void> {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  async #finish(): Promise<void> {
    this.#handOver();
    await this.#queue.finish();
    const error = this.#overrun ?? this.#queue.error;
    if (error !== undefined) throw error;
  }

  /** Makes sure that a record fits the current chunk; false when too much waits for the output. */
  #makeRoom(size: number): boolean {
    if (this.#used + size > this.#chunk.length) this.#handOver();
    const pending = this.#queue.pendingBytes + this.#used + size;
    if (pending > this.#maxPendingBytes && this.#queue.isBusy()) {
      const text = `maxPendingBytes: ${pending} bytes would wait for the output, ${this.#maxPendingBytes} may`;
      this.#overrun = new HostError('overrun', text, { field: 'maxPendingBytes' });
      return false;
    }
    if (this.#chunk.length === 0) {
      this.#chunk = new Uint8Array(Math.max(this.#chunkBytes, size));
      this.#view = new DataView(this.#chunk.buffer);
    }
    return true;
  }

  #handOver(): void {
    this.#queue.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = NOTHING;
    this.#used = 0;
  }
}
