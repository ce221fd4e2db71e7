import { ReliableError } from './errors.ts';
import { InboxArena } from './inbox-arena.ts';
import { checkByteRange, checkCount, checkRange, describe } from './internal/check.ts';
import { powerOfTwoFrom } from './internal/copy.ts';
import { PeerId } from './peer-id.ts';

/** A record of the host's own. */
export interface LifecycleRecord<L> {
  readonly type: 'lifecycle';
  readonly record: L;
}

/** An event that was received. */
export interface MessageRecord {
  readonly type: 'message';
  readonly peer: PeerId;
  readonly event: number;
  readonly channel: number;
  /** From `pop` exactly the payload; from `popInto` the caller's buffer. */
  readonly payload: Uint8Array;
  /** Length of the payload, bytes. */
  readonly length: number;
}

/** What an inbox hands out. */
export type InboxRecord<L> = LifecycleRecord<L> | MessageRecord;

const FIRST_RECORDS = 64;
/** Peer, lifecycle record, event, channel and length of a record. */
const RECORD_BYTES = 8 + 8 + 4 + 1 + 4;
/** Generation, events and bytes of a slot. */
const ACCOUNT_BYTES = 8 + 4 + 8;
const MAX_SLOTS = 65_536;
const NO_BYTES = new Uint8Array(0);
/** Stands in the reused record before the first message. */
const NO_PEER: PeerId = PeerId.of(0, 0);
/** Room that was not needed for this many calls of `compact` is let go. */
const SHRINK_AFTER = 256;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The received events of all connections of a host, and the host's own records between them, in order of arrival.
 *
 * Payloads are copied in. A connection's share is limited by asking {@link hasRoom} before pushing; its events count until they are popped. One
 * record object is reused: it and its payload are borrowed until the next call. A warm inbox makes no garbage.
 * Source: event layer section 9.
 */
export class Inbox<L> {
  readonly #slots: number;
  readonly #generations: Float64Array;
  readonly #waitingEvents: Uint32Array;
  readonly #waitingBytes: Float64Array;
  readonly #arena: InboxArena = new InboxArena();
  /** A ring; a record without a peer is a lifecycle record. Payloads lie in the arena in the same order. */
  #peers: (PeerId | undefined)[] = new Array<undefined>(FIRST_RECORDS).fill(undefined);
  #lifecycles: (L | undefined)[] = new Array<undefined>(FIRST_RECORDS).fill(undefined);
  #events: Uint32Array = new Uint32Array(FIRST_RECORDS);
  #channels: Uint8Array = new Uint8Array(FIRST_RECORDS);
  #lengths: Uint32Array = new Uint32Array(FIRST_RECORDS);
  #mask: number = FIRST_RECORDS - 1;
  #head: number = 0;
  #length: number = 0;
  #peakBytes: number = 0;
  #peakRecords: number = 0;
  #compactions: number = 0;
  readonly #message: Mutable<MessageRecord> = { type: 'message', peer: NO_PEER, event: 0, channel: 0, payload: NO_BYTES, length: 0 };
  readonly #lifecycle: { type: 'lifecycle'; record: L | undefined } = { type: 'lifecycle', record: undefined };

  /**
   * @param slots - number of accounts, 1 … 65536; peers have a slot below it.
   * @throws {@link ReliableError} `INVALID_OPTION` for another number.
   */
  constructor(slots: number) {
    checkCount(slots, 'slots', 1, MAX_SLOTS);
    this.#slots = slots;
    this.#generations = new Float64Array(slots);
    this.#waitingEvents = new Uint32Array(slots);
    this.#waitingBytes = new Float64Array(slots);
  }

  /** Number of records. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of the arena, the record slots and the accounts. */
  get memoryBytes(): number {
    return this.#arena.capacity + this.#lengths.length * RECORD_BYTES + this.#slots * ACCOUNT_BYTES;
  }

  /** Starts the account of a slot anew. Records of earlier peers of the slot stay, but no longer count. */
  openSlot(peer: PeerId): void {
    const slot = this.#slotOf(peer);
    this.#generations[slot] = peer.generation;
    this.#waitingEvents[slot] = 0;
    this.#waitingBytes[slot] = 0;
  }

  /** What waits of a peer; nothing once its slot was opened for another. */
  pending(peer: PeerId): { events: number; bytes: number } {
    const slot = this.#slotOf(peer);
    if (this.#generations[slot] !== peer.generation) return { events: 0, bytes: 0 };
    return { events: this.#waitingEvents[slot]!, bytes: this.#waitingBytes[slot]! };
  }

  /** Whether the account of a peer's slot allows one more event of `length` bytes. */
  hasRoom(peer: PeerId, length: number, maxEvents: number, maxBytes: number): boolean {
    const slot = this.#slotOf(peer);
    return this.#waitingEvents[slot]! < maxEvents && this.#waitingBytes[slot]! + length <= maxBytes;
  }

  /** Adds an event. The payload is copied; limits are not looked at. */
  pushMessage(peer: PeerId, event: number, channel: number, bytes: Uint8Array, offset: number, length: number): void {
    const slot = this.#slotOf(peer);
    checkByteRange(bytes, offset, length);
    const at = this.#append();
    this.#arena.append(bytes, offset, length);
    this.#waitingEvents[slot]!++;
    this.#waitingBytes[slot]! += length;
    this.#peers[at] = peer;
    this.#events[at] = event;
    this.#channels[at] = channel;
    this.#lengths[at] = length;
  }

  /** Adds a record of the host. These are never limited and never counted. */
  pushLifecycle(record: L): void {
    const at = this.#append();
    this.#peers[at] = undefined;
    this.#lifecycles[at] = record;
    this.#lengths[at] = 0;
  }

  /**
   * Adds a record of the host ahead of those at and after a position.
   *
   * @param position - 0 … `length`, counted from the record that is popped next.
   * @throws {@link ReliableError} `INVALID_RANGE` for another position.
   */
  insertLifecycle(position: number, record: L): void {
    checkRange(position, 'position', 0, this.#length);
    this.pushLifecycle(record);
    for (let i = this.#length - 1; i > position; i--) {
      const to = (this.#head + i) & this.#mask;
      const from = (this.#head + i - 1) & this.#mask;
      this.#peers[to] = this.#peers[from];
      this.#lifecycles[to] = this.#lifecycles[from];
      this.#events[to] = this.#events[from]!;
      this.#channels[to] = this.#channels[from]!;
      this.#lengths[to] = this.#lengths[from]!;
    }
    const at = (this.#head + position) & this.#mask;
    this.#peers[at] = undefined;
    this.#lifecycles[at] = record;
    this.#lengths[at] = 0;
  }

  /** Takes the first record out. It and its payload are valid until the next call. */
  pop(): InboxRecord<L> | undefined {
    if (this.#length === 0) return undefined;
    const at = this.#head;
    if (this.#peers[at] === undefined) return this.#popLifecycle(at);
    const message = this.#popMessage(at);
    message.payload = this.#arena.take(message.length);
    if (this.#length === 0) this.#clearArena();
    return message;
  }

  /** Length of the payload when the first record is an event, else `undefined`. */
  peekLength(): number | undefined {
    if (this.#length === 0 || this.#peers[this.#head] === undefined) return undefined;
    return this.#lengths[this.#head]!;
  }

  /**
   * Takes the first record out, a payload into the start of `buffer`, which then is the record's `payload`.
   *
   * @throws {@link ReliableError} `BUFFER_TOO_SMALL` when the payload is longer than `buffer`; nothing is taken then.
   */
  popInto(buffer: Uint8Array): InboxRecord<L> | undefined {
    if (this.#length === 0) return undefined;
    const at = this.#head;
    if (this.#peers[at] === undefined) return this.#popLifecycle(at);
    const length = this.#lengths[at]!;
    if (length > buffer.length) {
      throw new ReliableError('bufferTooSmall', `buffer too small: the next payload is ${length} bytes`, { field: 'buffer' });
    }
    const message = this.#popMessage(at);
    this.#arena.takeInto(length, buffer);
    message.payload = buffer;
    if (this.#length === 0) this.#clearArena();
    return message;
  }

  /** Makes the room of what was taken usable again. Call it at the start of each update. */
  compact(): void {
    if (this.#length > 0) {
      this.#arena.compact();
      return;
    }
    this.#clearArena();
    if (++this.#compactions < SHRINK_AFTER) return;
    this.#shrink();
    this.#compactions = 0;
    this.#peakBytes = 0;
    this.#peakRecords = 0;
  }

  #slotOf(peer: PeerId): number {
    const { slot } = peer;
    if (slot < this.#slots) return slot;
    throw new ReliableError('invalidOption', `peer: expected a slot below ${this.#slots}, got ${describe(slot)}`, { field: 'peer' });
  }

  #popLifecycle(at: number): LifecycleRecord<L> {
    this.#lifecycle.record = this.#lifecycles[at];
    this.#lifecycles[at] = undefined;
    this.#dropFront();
    return this.#lifecycle as LifecycleRecord<L>;
  }

  #popMessage(at: number): Mutable<MessageRecord> {
    const message = this.#message;
    const peer = this.#peers[at]!;
    const length = this.#lengths[at]!;
    message.peer = peer;
    message.event = this.#events[at]!;
    message.channel = this.#channels[at]!;
    message.length = length;
    this.#peers[at] = undefined;
    this.#dropFront();
    if (this.#generations[peer.slot] === peer.generation) {
      this.#waitingEvents[peer.slot]!--;
      this.#waitingBytes[peer.slot]! -= length;
    }
    return message;
  }

  #dropFront(): void {
    if (this.#length > this.#peakRecords) this.#peakRecords = this.#length;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length--;
  }

  /** What was handed out last stays readable: nothing is overwritten before the next push. */
  #clearArena(): void {
    if (this.#arena.used > this.#peakBytes) this.#peakBytes = this.#arena.used;
    this.#arena.clear();
  }

  /** Index of a record added at the end. */
  #append(): number {
    if (this.#length > this.#mask) this.#resize(2 * this.#lengths.length);
    const at = (this.#head + this.#length) & this.#mask;
    this.#length++;
    return at;
  }

  #resize(size: number): void {
    const peers = new Array<PeerId | undefined>(size).fill(undefined);
    const lifecycles = new Array<L | undefined>(size).fill(undefined);
    const events = new Uint32Array(size);
    const channels = new Uint8Array(size);
    const lengths = new Uint32Array(size);
    for (let i = 0; i < this.#length; i++) {
      const from = (this.#head + i) & this.#mask;
      peers[i] = this.#peers[from];
      lifecycles[i] = this.#lifecycles[from];
      events[i] = this.#events[from]!;
      channels[i] = this.#channels[from]!;
      lengths[i] = this.#lengths[from]!;
    }
    this.#peers = peers;
    this.#lifecycles = lifecycles;
    this.#events = events;
    this.#channels = channels;
    this.#lengths = lengths;
    this.#head = 0;
    this.#mask = size - 1;
  }

  /** Gives memory of a burst back once less than a quarter of it is in use. */
  #shrink(): void {
    if (this.#peakBytes < this.#arena.capacity / 4) this.#arena.shrinkTo(powerOfTwoFrom(2 * this.#peakBytes));
    const records = Math.max(powerOfTwoFrom(2 * this.#peakRecords), FIRST_RECORDS);
    if (2 * records < this.#lengths.length) this.#resize(records);
  }
}
