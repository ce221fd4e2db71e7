// What the targets of the event layer share: the catalogue and configuration of the fuzz targets, packets around bodies, and inputs read as choices.
import { Connection, ConnectionShared, Inbox, PeerId } from '@x/reliable';
import { PacketDecoder, PacketLayout, encodePacket, writePacketHeader } from '@x/reliable/wire';
import { Schema } from '@x/schema';
import { assert } from '../../check.mjs';

const builder = Schema.builder(3).maxMessagesPerPacket(16);
const reliable = builder.channel({ name: 'reliable', delivery: 'reliableOrdered', capacity: 32 });
const state = builder.channel({ name: 'state', delivery: 'unreliableUnordered', capacity: 32 });
const tiny = builder.channel({ name: 'tiny', delivery: 'reliableOrdered', capacity: 4 });

/** The schema `hostile` of the golden data. */
export const HOSTILE = builder
  .event('A', reliable, 64)
  .event('B', reliable, 3000)
  .event('C', state, 32)
  .event('D', state, 0)
  .event('E', tiny, 16)
  .build();
export const [A, B, C, D, E] = [0, 1, 2, 3, 4];
assert(String(HOSTILE.fingerprint) === 'a3064d1f8b65a44f2a79a4a2e7d77190', 'the catalogue is another one than that of the golden data');

export const FUZZ_CONFIG = { maxPendingEvents: 64, maxPendingBytes: 16_384, maxParkedBytes: 8192, malformedLimit: 0xffff_ffff };
export const PEER = PeerId.of(0, 1);
export const LAYOUT = new PacketLayout(HOSTILE);
/** Bytes of the largest packet. */
export const MAX_PACKET = 32_768;

const scratch = new Uint8Array(MAX_PACKET + 64);

/** The bytes of a packet. */
export function encoded(packet) {
  return scratch.slice(0, encodePacket(LAYOUT, packet, scratch));
}

/** What a decoder read last from `bytes`, as something to encode. */
export function specOf(decoder, bytes) {
  let next = 0;
  const sections = Array.from({ length: decoder.sectionCount }, (_, section) => {
    const messages = Array.from({ length: decoder.sectionMessages[section] }, () => {
      const at = next++;
      const offset = decoder.messageOffset[at];
      const payload = bytes.slice(offset, offset + decoder.messageLength[at]);
      return { id: decoder.messageId[at], event: decoder.messageEvent[at], payload };
    });
    return { channel: decoder.sectionChannel[section], messages };
  });
  assert(next === decoder.messageCount, 'the sections have another number of messages than the packet');
  return { hello: decoder.hasHello, sections };
}

/** A datagram that carries a whole packet. Nothing is acknowledged unless `ack` and `ackBits` say so. */
export function datagram(sequence, body, ack = 0xffff, ackBits = 0) {
  const bytes = new Uint8Array(9 + body.length);
  const header = writePacketHeader(bytes, 0, sequence & 0xffff, ack, ackBits);
  bytes.set(body, header);
  return bytes.slice(0, header + body.length);
}

/** The hello of a peer with our catalogue. */
export const HELLO = encoded({ hello: true, sections: [] });

/** What connections of the hostile catalogue have in common. */
export function sharedWith(config) {
  return ConnectionShared.create(HOSTILE, config);
}

/** A connection on its own, its inbox, and what it transmits. */
export function lone(shared) {
  const connection = new Connection(shared, PEER, 0);
  const inbox = new Inbox(1);
  inbox.openSlot(PEER);
  const out = [];
  const transmit = (bytes, offset, length) => out.push(bytes.slice(offset, offset + length));
  return { connection, inbox, out, transmit, receive: (bytes) => connection.receive(bytes, inbox, transmit) };
}

/** Whether a decoder on its own takes a body. */
export function judge(body) {
  return new PacketDecoder(LAYOUT).decode(body);
}

/** An input read as choices; past its end everything is 0. */
export class Choices {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get isOver() {
    return this.#at >= this.#bytes.length;
  }

  u8() {
    return this.#bytes[this.#at++] ?? 0;
  }

  u16() {
    return this.u8() | (this.u8() << 8);
  }

  /** The next bytes, at most `count`. */
  bytes(count) {
    const taken = this.#bytes.slice(this.#at, this.#at + count);
    this.#at += count;
    return taken;
  }

  rest() {
    return this.bytes(this.#bytes.length);
  }
}
