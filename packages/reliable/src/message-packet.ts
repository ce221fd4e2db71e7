import { ReliableError } from './errors.ts';
import { MAX_ID_DELTA } from './id-delta.ts';
import { checkRange } from './internal/check.ts';
import type { PacketLayout } from './packet-layout.ts';
import { PacketWriter } from './packet-writer.ts';
import { sequencesSince } from './sequence.ts';

// The packet above the ack header, wire format 2 (event layer section 3). A stream of bits: bit i is bit i mod 8, 0 the least significant, of byte
// i div 8; fields are written least significant bit first. C channels, E events, M messages at most, P the channel's largest payload.
// `bits(n)` is the bit length of n. Where a field is short of bits the packet is `truncated`; the rules stand in the order in which they are tried.
//
// | field             | bits            | meaning                                                 | reject                                            |
// | ----------------- | --------------- | ------------------------------------------------------- | ------------------------------------------------- |
// | kind              | 2               | 0                                                       | not 0: `reservedKind`                             |
// | hasHello          | 1               | 1: the hello follows                                    |                                                   |
// | wireVersion       | 16              | hello: 2                                                | either not ours: `mismatch`, once the hello is    |
// | fingerprint       | 128             | hello: the 16 digest bytes, first byte first            | complete, whatever follows                        |
// | sectionCount      | bits(C)         |                                                         | above C: `valueOutOfRange`                        |
// | section           |                 | sectionCount times:                                     |                                                   |
// |   channel         | bits(C − 1)     |                                                         | C or above: `valueOutOfRange`; seen before:       |
// |                   |                 |                                                         | `duplicateChannel`                                |
// |   count           | bits(M − 1)     | number of messages − 1                                  | above M: `valueOutOfRange`                        |
// |   firstId         | 16              | reliable: id of message 0                               |                                                   |
// |   message         |                 | count times:                                            |                                                   |
// |     idDelta       | 1 … 23          | reliable, not message 0: id − id before (`id-delta.ts`) | absolute tier: `nonCanonical`; above its tier's   |
// |                   |                 |                                                         | top: `valueOutOfRange`; id − firstId at the       |
// |                   |                 |                                                         | window or above: `idSpanExceedsWindow`            |
// |     event         | bits(E − 1)     |                                                         | E or above: `valueOutOfRange`; not of this        |
// |                   |                 |                                                         | channel: `eventOnWrongChannel`                    |
// |     length        | bits(P)         | bytes of the payload                                    | above P: `valueOutOfRange`; above the event's     |
// |                   |                 |                                                         | maximum: `payloadTooLarge`                        |
// |     align         | 0 … 7           | zeros up to the next byte                               | a set bit: `nonzeroPadding`                       |
// |     payload       | 8 * length      |                                                         |                                                   |
// | align             | 0 … 7           | zeros up to the next byte                               | a set bit: `nonzeroPadding`                       |
// |                   |                 | end of the packet                                       | more bytes: `trailingBytes`                       |
//
// Every accepted packet encodes to the same bytes again.

/** One message of a {@link PacketSpec}. */
export interface MessageSpec {
  /** u16 on reliable channels; ignored on others. */
  readonly id: number;
  readonly event: number;
  readonly payload: Uint8Array;
}

/** What a packet holds. */
export interface PacketSpec {
  /** True: with our hello. */
  readonly hello: boolean;
  readonly sections: readonly { readonly channel: number; readonly messages: readonly MessageSpec[] }[];
}

/**
 * Encodes one packet, for tools and tests; a connection packs its own.
 *
 * @param out - receives the packet from offset 0.
 * @returns the bytes written.
 * @throws {@link ReliableError} `INVALID_RANGE` for what no packet of this catalogue can hold; `BUFFER_TOO_SMALL` when it is longer than `out`.
 * Source: event layer section 3.
 */
export function encodePacket(layout: PacketLayout, packet: PacketSpec, out: Uint8Array): number {
  let bits = layout.headerBits(packet.hello);
  const seen = new Set<number>();
  for (const { channel, messages } of packet.sections) {
    checkRange(channel, 'channel', 0, layout.channelCount - 1);
    if (seen.has(channel)) throw new ReliableError('invalidRange', `channel: ${channel} has a section already`, { field: 'channel' });
    seen.add(channel);
    checkRange(messages.length, 'messages', 1, layout.maxMessages);
    bits += layout.sectionBits(channel);
    for (const message of messages) {
      checkMessage(layout, channel, message);
      bits += layout.messageBits(channel, message.payload.length) + 32;
    }
    if (layout.channelReliable[channel] === 1) checkIds(layout.channelCapacity[channel]!, messages);
  }
  const writer = new PacketWriter(layout, Math.ceil(bits / 8));
  writer.begin(packet.hello);
  for (const { channel, messages } of packet.sections) {
    const isReliable = layout.channelReliable[channel] === 1;
    let previous = messages[0]!.id;
    writer.section(channel, previous);
    for (const { id, event, payload } of messages) {
      writer.message(channel, isReliable ? sequencesSince(id, previous) : 0, event, payload);
      previous = id;
    }
    writer.endSection(messages.length);
  }
  const length = writer.finish(packet.sections.length);
  if (length > out.length) {
    throw new ReliableError('bufferTooSmall', `out: expected at least ${length} bytes, got ${out.length}`, { field: 'out' });
  }
  out.set(writer.bytes.subarray(0, length));
  return length;
}

function checkMessage(layout: PacketLayout, channel: number, { event, payload }: MessageSpec): void {
  checkRange(event, 'event', 0, layout.eventCount - 1);
  if (layout.eventChannel[event] !== channel) {
    throw new ReliableError('invalidRange', `event: ${event} is not on channel ${channel}`, { field: 'event' });
  }
  checkRange(payload.length, 'payload', 0, layout.eventMaxPayload[event]!);
}

function checkIds(window: number, messages: readonly MessageSpec[]): void {
  let span = 0;
  for (const [i, { id }] of messages.entries()) {
    checkRange(id, 'id', 0, 0xffff);
    if (i === 0) continue;
    const delta = sequencesSince(id, messages[i - 1]!.id);
    checkRange(delta, 'id delta', 1, MAX_ID_DELTA);
    span += delta;
    checkRange(span, 'id span', 1, window - 1);
  }
}
