/** Buffers of one length that wait to be used again. */
interface Bucket {
  readonly length: number;
  readonly spare: Uint8Array[];
  /** Whether a buffer was taken since the last sweep. */
  isWarm: boolean;
}

const NO_BYTES = new Uint8Array(0);
const NO_BUCKET: Bucket = { length: -1, spare: [], isWarm: false };
/** A full pool is swept at most once in this many returned buffers. */
const SWEEP_INTERVAL = 256;
/** Most lengths that are told apart; past it everything is let go, so that a peer's choice of lengths costs no memory. */
const MAX_BUCKETS = 1024;

/**
 * Recycles payload buffers by exact length, so that queueing payloads of usual sizes makes no garbage and copying them out needs no view.
 *
 * Holds at most `maxBuffers` buffers and `maxBytes` bytes. When it is full, lengths that nobody asked for lately make room: one burst of large
 * payloads must not keep the small ones of every day out.
 */
export class PayloadPool {
  readonly #maxBuffers: number;
  readonly #maxBytes: number;
  readonly #buckets: Map<number, Bucket> = new Map<number, Bucket>();
  #last: Bucket = NO_BUCKET;
  #buffers: number = 0;
  #bytes: number = 0;
  #untilSweep: number = 0;

  constructor(maxBuffers: number, maxBytes: number) {
    this.#maxBuffers = maxBuffers;
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the buffers that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A buffer of exactly `length` bytes with any content, owned by the caller until it is given back. */
  take(length: number): Uint8Array {
    if (length === 0) return NO_BYTES;
    const bucket = this.#bucketOf(length);
    bucket.isWarm = true;
    const buffer = bucket.spare.pop();
    if (buffer === undefined) return new Uint8Array(length);
    this.#buffers--;
    this.#bytes -= length;
    return buffer;
  }

  /** Takes a buffer back, or lets it go when the pool is full. */
  give(buffer: Uint8Array): void {
    const { length } = buffer;
    if (length === 0) return;
    if (!this.#hasRoom(length)) {
      if (this.#untilSweep-- > 0) return;
      this.#untilSweep = SWEEP_INTERVAL;
      this.#sweep();
      if (!this.#hasRoom(length)) return;
    }
    this.#bucketOf(length).spare.push(buffer);
    this.#buffers++;
    this.#bytes += length;
  }

  #hasRoom(length: number): boolean {
    return this.#buffers < this.#maxBuffers && this.#bytes + length <= this.#maxBytes;
  }

  #bucketOf(length: number): Bucket {
    if (this.#last.length === length) return this.#last;
    let bucket = this.#buckets.get(length);
    if (bucket === undefined) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#clear();
      bucket = { length, spare: [], isWarm: false };
      this.#buckets.set(length, bucket);
    }
    this.#last = bucket;
    return bucket;
  }

  #clear(): void {
    this.#buckets.clear();
    this.#last = NO_BUCKET;
    this.#buffers = 0;
    this.#bytes = 0;
  }

  #sweep(): void {
    for (const bucket of this.#buckets.values()) {
      if (!bucket.isWarm) {
        this.#buffers -= bucket.spare.length;
        this.#bytes -= bucket.spare.length * bucket.length;
        this.#buckets.delete(bucket.length);
        if (this.#last === bucket) this.#last = NO_BUCKET;
      }
      bucket.isWarm = false;
    }
  }
}
