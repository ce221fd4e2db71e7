import { FINGERPRINT_BYTES } from './catalogue.ts';
import { DELTA_LOW, DELTA_SELECTOR_BITS, DELTA_TOP, DELTA_VALUE_BITS } from './id-delta.ts';
import { checkByteRange } from './internal/check.ts';
import { ViewCache } from './internal/view-cache.ts';
import type { MalformedKind } from './malformed.ts';
import type { PacketLayout } from './packet-layout.ts';
import { WIRE_VERSION } from './wire-constants.ts';

const KIND_BITS = 2;
const ID_BITS = 16;
/** Bits that one load is sure to give, wherever in a byte it starts. */
const LOAD_BITS = 25;
const SELECTOR_MASK = (1 << DELTA_SELECTOR_BITS) - 1;
const FIRST_CAPACITY = 64;

/** Where a read was refused for want of bits. */
const SHORT = -1;

/**
 * Reads connection packets (the layout and the reject rules are at the head of `message-packet.ts`). A packet is validated as a whole before the
 * result says `ok`, so nothing of a bad one is acted upon. Never throws on content; makes no garbage once its arrays have grown to the usual packets.
 *
 * The arrays are reused: valid until the next {@link decode}, and only after `ok`. `messageOffset` counts from the start of the array that was
 * decoded, not of its range. Messages stand in wire order, those of section 0 first.
 */
export class PacketDecoder {
  /** True when the packet begins with a hello; also after `mismatch`. */
  hasHello: boolean = false;
  /** u16, when there is a hello. */
  helloWireVersion: number = 0;
  /** 16 wire bytes, when there is a hello. */
  readonly helloFingerprint: Uint8Array = new Uint8Array(FINGERPRINT_BYTES);
  sectionCount: number = 0;
  /** For each section its channel. */
  readonly sectionChannel: Uint8Array;
  /** For each section the number of its messages. */
  readonly sectionMessages: Uint16Array;
  messageCount: number = 0;
  /** For each message its id; 0 on unreliable channels. */
  messageId: Uint16Array = new Uint16Array(FIRST_CAPACITY);
  /** For each message its event. */
  messageEvent: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  /** For each message the index of its payload. */
  messageOffset: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  /** For each message the length of its payload, bytes. */
  messageLength: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  readonly #layout: PacketLayout;
  readonly #views: ViewCache = new ViewCache();
  #bytes: Uint8Array = this.helloFingerprint;
  #view: DataView = this.#views.of(this.helloFingerprint);
  /** Position and end of the stream, bits from the start of the array. */
  #position: number = 0;
  #end: number = 0;

  constructor(layout: PacketLayout) {
    this.#layout = layout;
    this.sectionChannel = new Uint8Array(layout.channelCount);
    this.sectionMessages = new Uint16Array(layout.channelCount);
  }

  /**
   * Reads one packet.
   *
   * @param bytes - borrowed; `messageOffset` refers to it.
   * @returns `ok`; `mismatch` when the hello is not ours, whatever follows it; or the first reason to refuse.
   * @throws {@link ReliableError} `INVALID_RANGE` when the range is not inside the array.
   * Source: event layer section 4.
   */
  decode(bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): 'ok' | 'mismatch' | MalformedKind {
    checkByteRange(bytes, offset, length);
    this.#bytes = bytes;
    this.#view = this.#views.of(bytes);
    this.#position = 8 * offset;
    this.#end = 8 * (offset + length);
    this.hasHello = false;
    this.sectionCount = 0;
    this.messageCount = 0;
    const result = this.#packet();
    if (result !== 'ok') {
      this.sectionCount = 0;
      this.messageCount = 0;
    }
    return result;
  }

  #packet(): 'ok' | 'mismatch' | MalformedKind {
    const layout = this.#layout;
    const kind = this.#take(KIND_BITS);
    if (kind !== 0) return kind === SHORT ? 'truncated' : 'reservedKind';
    const hasHello = this.#take(1);
    if (hasHello === SHORT) return 'truncated';
    if (hasHello === 1) {
      if (!this.#hello()) return 'truncated';
      if (!this.#isOurHello()) return 'mismatch';
    }
    const sectionCount = this.#take(layout.sectionCountBits);
    if (sectionCount === SHORT) return 'truncated';
    if (sectionCount > layout.channelCount) return 'valueOutOfRange';
    let seenLow = 0;
    let seenHigh = 0;
    for (let section = 0; section < sectionCount; section++) {
      const channel = this.#take(layout.channelBits);
      if (channel === SHORT) return 'truncated';
      if (channel >= layout.channelCount) return 'valueOutOfRange';
      const bit = 1 << (channel & 31);
      if (((channel < 32 ? seenLow : seenHigh) & bit) !== 0) return 'duplicateChannel';
      if (channel < 32) seenLow |= bit;
      else seenHigh |= bit;
      const rest = this.#take(layout.countBits);
      if (rest === SHORT) return 'truncated';
      if (rest >= layout.maxMessages) return 'valueOutOfRange';
      const refusal = this.#messages(channel, rest + 1);
      if (refusal !== undefined) return refusal;
      this.sectionChannel[section] = channel;
      this.sectionMessages[section] = rest + 1;
    }
    this.sectionCount = sectionCount;
    if (!this.#alignsWithZeros()) return 'nonzeroPadding';
    return this.#position < this.#end ? 'trailingBytes' : 'ok';
  }

  #messages(channel: number, count: number): MalformedKind | undefined {
    const { eventBits, eventCount, channelLengthBits, channelMaxPayload, eventChannel, eventMaxPayload } = this.#layout;
    const isReliable = this.#layout.channelReliable[channel] === 1;
    const window = this.#layout.channelCapacity[channel]!;
    const lengthBits = channelLengthBits[channel]!;
    const eventMask = (1 << eventBits) - 1;
    const lengthMask = (1 << lengthBits) - 1;
    const fieldBits = eventBits + lengthBits;
    const end = this.#end;
    const first = this.messageCount;
    let firstId = 0;
    let span = 0;
    if (isReliable) {
      firstId = this.#take(ID_BITS);
      if (firstId === SHORT) return 'truncated';
    }
    const maxPayload = channelMaxPayload[channel]!;
    const bytes = this.#bytes;
    let ids = this.messageId;
    let events = this.messageEvent;
    let offsets = this.messageOffset;
    let lengths = this.messageLength;
    let position = this.#position;
    for (let i = 0; i < count; i++) {
      // A word holds the stream's next bits from its lowest; 25 of them at least, and zeros for those past the end.
      let word = this.#load(position);
      let used = 0;
      if (isReliable && i > 0) {
        let step = 1;
        if ((word & 1) === 0) {
          const selector = word & SELECTOR_MASK;
          if (selector === 0) return end - position < DELTA_SELECTOR_BITS ? 'truncated' : 'nonCanonical';
          const tier = 31 - Math.clz32(selector & -selector);
          const valueBits = DELTA_VALUE_BITS[tier]!;
          used = tier + valueBits;
          if (end - position <= used) return 'truncated';
          const value = (word >>> (tier + 1)) & ((1 << valueBits) - 1);
          if (value > DELTA_TOP[tier]!) return 'valueOutOfRange';
          step = DELTA_LOW[tier]! + value;
        } else if (end === position) {
          return 'truncated';
        }
        used++;
        span += step;
        if (span >= window) return 'idSpanExceedsWindow';
        position += used;
        if (used + fieldBits > LOAD_BITS) {
          word = this.#load(position);
          used = 0;
        }
      }
      if (end - position < eventBits) return 'truncated';
      const event = (word >>> used) & eventMask;
      if (event >= eventCount) return 'valueOutOfRange';
      if (eventChannel[event] !== channel) return 'eventOnWrongChannel';
      position += eventBits;
      used += eventBits;
      if (used + lengthBits > LOAD_BITS) {
        word = this.#load(position);
        used = 0;
      }
      if (end - position < lengthBits) return 'truncated';
      const length = (word >>> used) & lengthMask;
      if (length > maxPayload) return 'valueOutOfRange';
      if (length > eventMaxPayload[event]!) return 'payloadTooLarge';
      position += lengthBits;
      if ((position & 7) !== 0) {
        if (bytes[position >>> 3]! >>> (position & 7) !== 0) return 'nonzeroPadding';
        position = (position + 7) & ~7;
      }
      if (end - position < 8 * length) return 'truncated';
      const index = first + i;
      if (index === ids.length) {
        this.#grow();
        ids = this.messageId;
        events = this.messageEvent;
        offsets = this.messageOffset;
        lengths = this.messageLength;
      }
      ids[index] = firstId + span;
      events[index] = event;
      offsets[index] = position >>> 3;
      lengths[index] = length;
      position += 8 * length;
    }
    this.#position = position;
    this.messageCount = first + count;
    return undefined;
  }

  #hello(): boolean {
    const { helloFingerprint } = this;
    const version = this.#take(16);
    if (version === SHORT) return false;
    for (let i = 0; i < helloFingerprint.length; i += 2) {
      const pair = this.#take(16);
      if (pair === SHORT) return false;
      helloFingerprint[i] = pair;
      helloFingerprint[i + 1] = pair >>> 8;
    }
    this.hasHello = true;
    this.helloWireVersion = version;
    return true;
  }

  #isOurHello(): boolean {
    if (this.helloWireVersion !== WIRE_VERSION) return false;
    const ours = this.#layout.fingerprint;
    for (let i = 0; i < ours.length; i++) if (this.helloFingerprint[i] !== ours[i]) return false;
    return true;
  }

  /** The next 0 … 25 bits, or {@link SHORT} when fewer are left. */
  #take(bits: number): number {
    const position = this.#position;
    if (this.#end - position < bits) return SHORT;
    this.#position = position + bits;
    return this.#load(position) & ((1 << bits) - 1);
  }

  /** The stream from a position on, first bit lowest: at least 25 bits, zeros past the end. */
  #load(position: number): number {
    const at = position >>> 3;
    const end = this.#end >>> 3;
    if (at + 4 <= end) return (this.#view.getInt32(at, true) >>> (position & 7)) | 0;
    let word = 0;
    for (let i = at; i < end; i++) word |= this.#bytes[i]! << (8 * (i - at));
    return (word >>> (position & 7)) | 0;
  }

  /** Moves to the next byte; false when a skipped bit is set. The stream has whole bytes, so none is missing. */
  #alignsWithZeros(): boolean {
    const position = this.#position;
    if ((position & 7) === 0) return true;
    this.#position = (position + 7) & ~7;
    return this.#bytes[position >>> 3]! >>> (position & 7) === 0;
  }

  /** Doubles the room for messages; called for a message that has been read, so a claim in the packet costs nothing. */
  #grow(): void {
    const capacity = 2 * this.messageId.length;
    this.messageId = enlarged(this.messageId, new Uint16Array(capacity));
    this.messageEvent = enlarged(this.messageEvent, new Uint32Array(capacity));
    this.messageOffset = enlarged(this.messageOffset, new Uint32Array(capacity));
    this.messageLength = enlarged(this.messageLength, new Uint32Array(capacity));
  }
}

function enlarged<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
