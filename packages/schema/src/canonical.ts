import type { Catalogue, Channel, EventType } from './catalogue.ts';
import type { Delivery } from './channel-config.ts';
import { WIRE_VERSION } from './constants.ts';

// The canonical encoding of a catalogue, whose SHA-256 gives the fingerprint (schema section 6.1). Little-endian, nothing between the fields. It is
// written and never read, so nothing is refused here; the ranges are what the declarations were checked for.
//
// | offset | bytes | type  | meaning                                                             | range      |
// | ------ | ----- | ----- | ------------------------------------------------------------------- | ---------- |
// | 0      | 17    | bytes | domain tag: `dream-net schema` in ASCII and one zero byte           |            |
// | 17     | 2     | u16   | wire version                                                        | 2          |
// | 19     | 4     | u32   | schema version                                                      |            |
// | 23     | 4     | u32   | max messages per packet                                             | 1 … 4096   |
// | 27     | 1     | u8    | number of channels                                                  | 0 … 64     |
// | 28     |       |       | each channel, in the order of the ids                               |            |
// |        | 4     | u32   | number of events                                                    | 0 … 2^20   |
// |        |       |       | each event, in the order of the ids                                 |            |
//
// A channel, 8 bytes and its name:
//
// | offset | bytes | type  | meaning                                                             | range      |
// | ------ | ----- | ----- | ------------------------------------------------------------------- | ---------- |
// | 0      | 1     | u8    | n, length of the name                                               | 1 … 255    |
// | 1      | n     | bytes | name in ASCII                                                       |            |
// | 1 + n  | 1     | u8    | delivery: 0 reliable ordered, 1 unreliable unordered                |            |
// | 2 + n  | 2     | u16   | capacity                                                            | 1 … 65 535 |
// | 4 + n  | 4     | u32   | largest `maxPayload` of its events, 0 without events                | 0 … 2^24   |
//
// An event, 14 bytes and its name:
//
// | offset | bytes | type  | meaning                                                             | range      |
// | ------ | ----- | ----- | ------------------------------------------------------------------- | ---------- |
// | 0      | 4     | u32   | id, which is its place in the list                                  |            |
// | 4      | 1     | u8    | n, length of the name                                               | 1 … 255    |
// | 5      | n     | bytes | name in ASCII                                                       |            |
// | 5 + n  | 1     | u8    | id of its channel                                                   | 0 … 63     |
// | 6 + n  | 4     | u32   | `maxPayload`                                                        | 0 … 2^24   |
// | 10 + n | 4     | u32   | codec version                                                       |            |

const DOMAIN_TAG = 'dream-net schema\0';
const HEAD_AND_COUNTS_BYTES = 32;
const CHANNEL_BYTES = 8;
const EVENT_BYTES = 14;
const DELIVERY_TAGS: Readonly<Record<Delivery, number>> = { reliableOrdered: 0, unreliableUnordered: 1 };

/** Writes the fields one after the other into memory of the final size. */
class CanonicalWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  u8(value: number): void {
    this.#view.setUint8(this.#offset, value);
    this.#offset += 1;
  }

  u16(value: number): void {
    this.#view.setUint16(this.#offset, value, true);
    this.#offset += 2;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#offset, value, true);
    this.#offset += 4;
  }

  ascii(text: string): void {
    for (let i = 0; i < text.length; i++) this.bytes[this.#offset + i] = text.charCodeAt(i);
    this.#offset += text.length;
  }

  name(name: string): void {
    this.u8(name.length);
    this.ascii(name);
  }
}

/** Lays out a catalogue as the bytes that are hashed; fresh memory, at most about 282 MB for the largest catalogue there can be. */
export function encodeCatalogue({ schemaVersion, maxMessagesPerPacket, channels, events }: Catalogue): Uint8Array {
  const writer = new CanonicalWriter(HEAD_AND_COUNTS_BYTES + lengthOf(channels, CHANNEL_BYTES) + lengthOf(events, EVENT_BYTES));
  writer.ascii(DOMAIN_TAG);
  writer.u16(WIRE_VERSION);
  writer.u32(schemaVersion);
  writer.u32(maxMessagesPerPacket);
  writer.u8(channels.length);
  for (const channel of channels) writeChannel(writer, channel);
  writer.u32(events.length);
  for (const event of events) writeEvent(writer, event);
  return writer.bytes;
}

function lengthOf(entries: readonly { readonly name: string }[], fixedBytes: number): number {
  return entries.reduce((sum, { name }) => sum + fixedBytes + name.length, 0);
}

function writeChannel(writer: CanonicalWriter, { name, delivery, capacity, maxPayload }: Channel): void {
  writer.name(name);
  writer.u8(DELIVERY_TAGS[delivery]);
  writer.u16(capacity);
  writer.u32(maxPayload);
}

function writeEvent(writer: CanonicalWriter, { id, name, channel, maxPayload, codecVersion }: EventType): void {
  writer.u32(id);
  writer.name(name);
  writer.u8(channel);
  writer.u32(maxPayload);
  writer.u32(codecVersion);
}
