import { PACKET_QUEUE_SIZE } from './constants.ts';

/** A payload that was received, with the sequence of the packet that carried it. */
export interface Received {
  /** 1 … 1200 bytes, the caller's own. */
  readonly data: Uint8Array;
  /** u64. */
  readonly sequence: bigint;
}

/** Most bytes that a pool keeps for reuse. */
const POOL_BYTES = 1 << 20;

/** Recycles payload buffers by exact length, so that queueing and taking payloads of usual sizes allocates nothing. Keeps at most 1 MiB. */
export class PayloadPool {
  readonly #free: (Uint8Array[] | undefined)[] = [];
  #bytes: number = 0;

  /** A buffer of exactly `length` bytes with any content. */
  take(length: number): Uint8Array {
    const buffer = this.#free[length]?.pop();
    if (buffer === undefined) return new Uint8Array(length);
    this.#bytes -= length;
    return buffer;
  }

  /** Takes a buffer back. */
  give(buffer: Uint8Array): void {
    if (this.#bytes + buffer.length > POOL_BYTES) return;
    this.#bytes += buffer.length;
    (this.#free[buffer.length] ??= []).push(buffer);
  }
}

class ReceivedPayload implements Received {
  readonly data: Uint8Array;
  readonly #hi: number;
  readonly #lo: number;

  constructor(data: Uint8Array, hi: number, lo: number) {
    this.data = data;
    this.#hi = hi;
    this.#lo = lo;
  }

  get sequence(): bigint {
    return (BigInt(this.#hi) << 32n) | BigInt(this.#lo);
  }
}

/** The payloads that wait for the application, in order of arrival: at most 256. */
export class PayloadQueue {
  readonly #pool: PayloadPool;
  readonly #payloads: (Uint8Array | undefined)[] = new Array<Uint8Array | undefined>(PACKET_QUEUE_SIZE).fill(undefined);
  readonly #hi: Uint32Array = new Uint32Array(PACKET_QUEUE_SIZE);
  readonly #lo: Uint32Array = new Uint32Array(PACKET_QUEUE_SIZE);
  #first: number = 0;
  #length: number = 0;

  constructor(pool: PayloadPool) {
    this.#pool = pool;
  }

  get length(): number {
    return this.#length;
  }

  /** Length of the oldest payload in bytes; 0 when there is none. */
  get firstLength(): number {
    return this.#length === 0 ? 0 : this.#payloads[this.#first]!.length;
  }

  /** Copies a whole array in; false, and nothing happens, when 256 payloads wait. */
  push(payload: Uint8Array, sequenceHi: number, sequenceLo: number): boolean {
    if (this.#length === PACKET_QUEUE_SIZE) return false;
    const i = (this.#first + this.#length) % PACKET_QUEUE_SIZE;
    const buffer = this.#pool.take(payload.length);
    buffer.set(payload);
    this.#payloads[i] = buffer;
    this.#hi[i] = sequenceHi;
    this.#lo[i] = sequenceLo;
    this.#length++;
    return true;
  }

  /** Takes the oldest payload out and gives it away. */
  pop(): Received | undefined {
    if (this.#length === 0) return undefined;
    const i = this.#first;
    const data = this.#removeFirst();
    return new ReceivedPayload(data, this.#hi[i]!, this.#lo[i]!);
  }

  /** Copies the oldest payload to the start of `out`, which has room for it, and returns its length; 0 when there is none. */
  popInto(out: Uint8Array): number {
    if (this.#length === 0) return 0;
    const data = this.#removeFirst();
    out.set(data);
    this.#pool.give(data);
    return data.length;
  }

  clear(): void {
    while (this.#length > 0) this.#pool.give(this.#removeFirst());
    this.#first = 0;
  }

  #removeFirst(): Uint8Array {
    const i = this.#first;
    const data = this.#payloads[i]!;
    this.#payloads[i] = undefined;
    this.#first = (i + 1) % PACKET_QUEUE_SIZE;
    this.#length--;
    return data;
  }
}

/** Exact-length views of the start of one buffer, made once per length, so that a prefix can be copied without making a view each time. */
export class PrefixViews {
  readonly #bytes: Uint8Array;
  readonly #views: (Uint8Array | undefined)[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The first `length` bytes; borrowed from the buffer. */
  of(length: number): Uint8Array {
    return (this.#views[length] ??= this.#bytes.subarray(0, length));
  }
}
