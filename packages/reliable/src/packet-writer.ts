import { idDeltaBits, idDeltaCode } from './id-delta.ts';
import { copyBytes } from './internal/copy.ts';
import type { PacketLayout } from './packet-layout.ts';

/** Every field is written as four bytes, of which those past its end are written again by the next. */
const SLACK_BYTES = 8;
const FLAG_BITS = 3;
/** Whole bytes of the hello; its last three bits follow. */
const HELLO_END = 18;
/** Views by length that are kept. */
const MAX_VIEWS = 2048;

/**
 * Writes connection packets (the layout is at the head of `message-packet.ts`) into a buffer of its own, with the fields of a message fused into
 * one store.
 *
 * Order of calls: `begin`, then for each section `section`, `message` at least once and `endSection`, then `finish`. The caller keeps to the
 * catalogue and to `capacity`: values are not checked here.
 */
export class PacketWriter {
  /** Holds the packet after {@link finish}, from offset 0. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #layout: PacketLayout;
  /** Next byte; the bits that wait for it are the lowest `n` of `rest`, n in 0 … 7. */
  #at: number = 0;
  #rest: number = 0;
  #n: number = 0;
  #sectionCountPosition: number = 0;
  readonly #views: Map<number, Uint8Array> = new Map<number, Uint8Array>();
  #lastView: Uint8Array | undefined = undefined;
  #countPosition: number = 0;

  /** @param capacity - longest packet that will be written, bytes. */
  constructor(layout: PacketLayout, capacity: number) {
    this.#layout = layout;
    this.bytes = new Uint8Array(capacity + SLACK_BYTES);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Starts a packet, with our hello or without. */
  begin(hello: boolean): void {
    const { helloPrefix, sectionCountBits } = this.#layout;
    if (hello) {
      this.bytes.set(helloPrefix);
      this.#at = HELLO_END;
      this.#rest = helloPrefix[HELLO_END]!;
    } else {
      this.#at = 0;
      this.#rest = 0;
    }
    this.#n = FLAG_BITS;
    this.#sectionCountPosition = 8 * this.#at + FLAG_BITS;
    this.#put(0, sectionCountBits);
  }

  /** Starts a section. `firstId` is ignored on an unreliable channel. */
  section(channel: number, firstId: number): void {
    const layout = this.#layout;
    this.#countPosition = 8 * this.#at + this.#n + layout.channelBits;
    this.#put(channel, layout.channelBits + layout.countBits);
    if (layout.channelReliable[channel] === 1) this.#put(firstId, 16);
  }

  /**
   * Writes a message and its payload.
   *
   * @param channel - of the section.
   * @param delta - distance of its id from the previous one; 0 for the first message of a section and on unreliable channels.
   * @param payload - copied whole.
   */
  message(channel: number, delta: number, event: number, payload: Uint8Array): void {
    const { eventBits, channelLengthBits } = this.#layout;
    const { length } = payload;
    const lengthBits = channelLengthBits[channel]!;
    const eventAt = delta === 0 ? this.#n : this.#n + idDeltaBits(delta);
    const total = eventAt + eventBits + lengthBits;
    if (total <= 32) {
      // A field of no bits is 0, so a shift by 32, which would be one by 0, moves nothing.
      const code = delta === 0 ? 0 : idDeltaCode(delta) << this.#n;
      this.#view.setInt32(this.#at, this.#rest | code | (event << eventAt) | (length << (eventAt + eventBits)), true);
      this.#at += (total + 7) >>> 3;
    } else {
      if (delta !== 0) this.#put(idDeltaCode(delta), idDeltaBits(delta));
      this.#put(event, eventBits);
      this.#put(length & 0xffff, Math.min(lengthBits, 16));
      if (lengthBits > 16) this.#put(length >>> 16, lengthBits - 16);
      if (this.#n > 0) this.bytes[this.#at++] = this.#rest;
    }
    this.#rest = 0;
    this.#n = 0;
    copyBytes(payload, 0, length, this.bytes, this.#at);
    this.#at += length;
  }

  /** Ends a section of `count` messages. */
  endSection(count: number): void {
    this.#patch(this.#countPosition, count - 1);
  }

  /** Ends the packet of `sectionCount` sections. Returns its length, bytes. */
  finish(sectionCount: number): number {
    if (this.#n > 0) {
      this.bytes[this.#at++] = this.#rest;
      this.#n = 0;
    }
    this.#patch(this.#sectionCountPosition, sectionCount);
    return this.#at;
  }

  /** The first `length` bytes of {@link bytes} as an array of exactly that length; borrowed until the next {@link begin}. Views are kept by length. */
  exact(length: number): Uint8Array {
    if (this.#lastView?.length === length) return this.#lastView;
    let view = this.#views.get(length);
    if (view === undefined) {
      if (this.#views.size === MAX_VIEWS) this.#views.clear();
      view = this.bytes.subarray(0, length);
      this.#views.set(length, view);
    }
    this.#lastView = view;
    return view;
  }

  /** Adds up to 24 bits. */
  #put(value: number, bits: number): void {
    const total = this.#n + bits;
    const rest = this.#rest | (value << this.#n);
    this.#view.setInt32(this.#at, rest, true);
    this.#at += total >>> 3;
    this.#rest = rest >>> (total & 24);
    this.#n = total & 7;
  }

  /** Sets up to 12 bits that were written as zeros and have left `rest`. */
  #patch(position: number, value: number): void {
    const { bytes } = this;
    const at = position >>> 3;
    const shifted = value << (position & 7);
    bytes[at]! |= shifted;
    bytes[at + 1]! |= shifted >>> 8;
    bytes[at + 2]! |= shifted >>> 16;
  }
}
