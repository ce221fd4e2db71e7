import { bitsRequired } from './bits/fields.ts';
import { FINGERPRINT_BYTES, checkCatalogue } from './catalogue.ts';
import type { Catalogue } from './catalogue.ts';
import { WIRE_VERSION } from './wire-constants.ts';

/** kind and hasHello. */
const FLAG_BITS = 3;
/** wireVersion and fingerprint. */
const HELLO_BITS = 144;
const ID_BITS = 16;
/** Alignment is charged at its worst. */
const ALIGN_BITS = 7;

/**
 * The field widths of a catalogue's packets (event layer section 3.2) and the tables that codec and packer look things up in, computed once and
 * shared by all connections. Keeps nothing of the catalogue but numbers and the fingerprint, both copied.
 */
export class PacketLayout {
  /** Width of `sectionCount`, bits. */
  readonly sectionCountBits: number;
  /** Width of `channel`, bits. */
  readonly channelBits: number;
  /** Width of `count`, bits. */
  readonly countBits: number;
  /** Width of `event`, bits. */
  readonly eventBits: number;
  /** What a packet with our hello and a single message needs besides the payload at most, bytes. */
  readonly overheadBytes: number;
  /** Number of channels. */
  readonly channelCount: number;
  /** Number of event types. */
  readonly eventCount: number;
  /** Most messages of one section. */
  readonly maxMessages: number;
  /** For each channel 1 when it is reliable. Like every table here: not to be written. */
  readonly channelReliable: Uint8Array;
  /** For each channel its capacity. */
  readonly channelCapacity: Uint32Array;
  /** For each channel the width of `length`, bits. */
  readonly channelLengthBits: Uint8Array;
  /** For each channel the largest payload, bytes. */
  readonly channelMaxPayload: Uint32Array;
  /** For each event its channel. */
  readonly eventChannel: Uint8Array;
  /** For each event its largest payload, bytes. */
  readonly eventMaxPayload: Uint32Array;
  /** Our fingerprint, 16 wire bytes. */
  readonly fingerprint: Uint8Array;
  /** The first 147 bits of a packet with our hello, in 19 bytes. */
  readonly helloPrefix: Uint8Array;

  /**
   * @param catalogue - read now; later changes of it have no effect.
   * @throws {@link ReliableError} `INVALID_OPTION` for a catalogue that no schema builder makes.
   */
  constructor(catalogue: Catalogue) {
    checkCatalogue(catalogue);
    const { channels, events } = catalogue;
    this.channelCount = channels.length;
    this.eventCount = events.length;
    this.maxMessages = catalogue.maxMessagesPerPacket;
    this.sectionCountBits = bitsRequired(0, channels.length);
    this.channelBits = bitsRequired(0, Math.max(channels.length - 1, 0));
    this.countBits = bitsRequired(1, catalogue.maxMessagesPerPacket);
    this.eventBits = bitsRequired(0, Math.max(events.length - 1, 0));
    this.channelReliable = Uint8Array.from(channels, (channel) => (channel.delivery === 'reliableOrdered' ? 1 : 0));
    this.channelCapacity = Uint32Array.from(channels, (channel) => channel.capacity);
    this.channelMaxPayload = Uint32Array.from(channels, (channel) => channel.maxPayload);
    this.channelLengthBits = Uint8Array.from(channels, (channel) => bitsRequired(0, channel.maxPayload));
    this.eventChannel = Uint8Array.from(events, (event) => event.channel);
    this.eventMaxPayload = Uint32Array.from(events, (event) => event.maxPayload);
    this.fingerprint = catalogue.fingerprint.bytes.slice();
    this.helloPrefix = helloPrefix(this.fingerprint);
    const widestLength = Math.max(0, ...this.channelLengthBits);
    const message = this.channelBits + this.countBits + ID_BITS + this.eventBits + widestLength + ALIGN_BITS;
    this.overheadBytes = Math.ceil((this.headerBits(true) + message) / 8);
  }

  /** Width of `length` on a channel, bits. */
  lengthBits(channel: number): number {
    return this.channelLengthBits[channel] ?? 0;
  }

  /** Bits ahead of the first section. */
  headerBits(hello: boolean): number {
    return FLAG_BITS + this.sectionCountBits + (hello ? HELLO_BITS : 0);
  }

  /** Bits of a section besides its messages. */
  sectionBits(channel: number): number {
    return this.channelBits + this.countBits + (this.channelReliable[channel] === 1 ? ID_BITS : 0);
  }

  /** Most bits that a message of `length` bytes takes, without the id delta. */
  messageBits(channel: number, length: number): number {
    return this.eventBits + this.lengthBits(channel) + ALIGN_BITS + 8 * length;
  }

  /** The largest payload that an event may declare when packets have at most `maxPacketSize` bytes; never below 0. */
  largestPayload(maxPacketSize: number): number {
    return Math.max(maxPacketSize - this.overheadBytes, 0);
  }
}

/** kind 0, hasHello 1, the version and the digest, laid out from bit 0. */
function helloPrefix(fingerprint: Uint8Array): Uint8Array {
  const fields = new Uint8Array(2 + FINGERPRINT_BYTES);
  fields[0] = WIRE_VERSION & 0xff;
  fields[1] = WIRE_VERSION >>> 8;
  fields.set(fingerprint, 2);
  const prefix = new Uint8Array(fields.length + 1);
  prefix[0] = 1 << (FLAG_BITS - 1);
  for (const [i, byte] of fields.entries()) {
    prefix[i]! |= byte << FLAG_BITS;
    prefix[i + 1]! |= byte >>> (8 - FLAG_BITS);
  }
  return prefix;
}
