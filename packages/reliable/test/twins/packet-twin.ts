import type { Catalogue, MalformedKind } from '../../src/index.ts';
import type { PacketSpec } from '../../src/wire.ts';

// The packet codec a second time, bit by bit, written from the tables of the specification and from nothing else.

const LOW = [1, 2, 7, 24, 281, 4378];
const TOP = [1, 6, 23, 280, 4377, 69_914];
const VALUE_BITS = [0, 3, 5, 9, 13, 17];

/** Bits that tell the values of a..b apart. */
export function width(a: number, b: number): number {
  let bits = 0;
  while (b - a >= 2 ** bits) bits++;
  return bits;
}

/** Bits of an id delta. */
export function deltaWidth(delta: number): number {
  const tier = TOP.findIndex((top) => delta <= top);
  return tier + 1 + VALUE_BITS[tier]!;
}

/** Encodes a packet that the catalogue can hold. */
export function encodeSlowly(catalogue: Catalogue, packet: PacketSpec): Uint8Array {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let i = 0; i < count; i++) bits.push(Math.floor(value / 2 ** i) % 2);
  };
  const align = (): void => {
    while (bits.length % 8 !== 0) bits.push(0);
  };
  const { channels, events, maxMessagesPerPacket } = catalogue;
  put(0, 2);
  put(packet.hello ? 1 : 0, 1);
  if (packet.hello) {
    put(2, 16);
    for (const byte of catalogue.fingerprint.bytes) put(byte, 8);
  }
  put(packet.sections.length, width(0, channels.length));
  for (const { channel, messages } of packet.sections) {
    const { delivery, maxPayload } = channels[channel]!;
    put(channel, width(0, Math.max(channels.length - 1, 0)));
    put(messages.length - 1, width(1, maxMessagesPerPacket));
    if (delivery === 'reliableOrdered') put(messages[0]!.id, 16);
    for (const [i, message] of messages.entries()) {
      if (i > 0 && delivery === 'reliableOrdered') {
        const delta = (message.id - messages[i - 1]!.id + 65_536) % 65_536;
        const tier = TOP.findIndex((top) => delta <= top);
        put(2 ** tier, tier + 1);
        put(delta - LOW[tier]!, VALUE_BITS[tier]!);
      }
      put(message.event, width(0, Math.max(events.length - 1, 0)));
      put(message.payload.length, width(0, maxPayload));
      align();
      for (const byte of message.payload) put(byte, 8);
    }
  }
  align();
  const bytes = new Uint8Array(bits.length / 8);
  for (const [i, bit] of bits.entries()) bytes[Math.floor(i / 8)]! += bit * 2 ** (i % 8);
  return bytes;
}

class Refusal extends Error {
  readonly result: MalformedKind | 'mismatch';

  constructor(result: MalformedKind | 'mismatch') {
    super(result);
    this.result = result;
  }
}

/** What a packet holds, or why it is refused. */
export type Decoded = { result: 'ok'; packet: PacketSpec } | { result: MalformedKind | 'mismatch' };

/** Decodes a packet in the order of the decoder's table. */
export function decodeSlowly(catalogue: Catalogue, bytes: Uint8Array): Decoded {
  try {
    return { result: 'ok', packet: read(catalogue, bytes) };
  } catch (error) {
    if (error instanceof Refusal) return { result: error.result };
    throw error;
  }
}

function read(catalogue: Catalogue, bytes: Uint8Array): PacketSpec {
  const { channels, events, maxMessagesPerPacket } = catalogue;
  const end = 8 * bytes.length;
  let at = 0;
  const take = (count: number): number => {
    if (end - at < count) throw new Refusal('truncated');
    let value = 0;
    for (let i = 0; i < count; i++, at++) value += (Math.floor(bytes[Math.floor(at / 8)]! / 2 ** (at % 8)) % 2) * 2 ** i;
    return value;
  };
  const align = (): void => {
    while (at % 8 !== 0) if (take(1) !== 0) throw new Refusal('nonzeroPadding');
  };
  const check = (good: boolean, kind: MalformedKind): void => {
    if (!good) throw new Refusal(kind);
  };
  check(take(2) === 0, 'reservedKind');
  const hello = take(1) === 1;
  if (hello) {
    const version = take(16);
    const fingerprint = catalogue.fingerprint.bytes.map(() => take(8));
    if (version !== 2 || fingerprint.some((byte, i) => byte !== catalogue.fingerprint.bytes[i])) throw new Refusal('mismatch');
  }
  const sectionCount = take(width(0, channels.length));
  check(sectionCount <= channels.length, 'valueOutOfRange');
  const sections: { channel: number; messages: { id: number; event: number; payload: Uint8Array }[] }[] = [];
  for (let s = 0; s < sectionCount; s++) {
    const channel = take(width(0, Math.max(channels.length - 1, 0)));
    check(channel < channels.length, 'valueOutOfRange');
    check(!sections.some((section) => section.channel === channel), 'duplicateChannel');
    const { delivery, capacity, maxPayload } = channels[channel]!;
    const isReliable = delivery === 'reliableOrdered';
    const count = take(width(1, maxMessagesPerPacket)) + 1;
    check(count <= maxMessagesPerPacket, 'valueOutOfRange');
    const first = isReliable ? take(16) : 0;
    let running = first;
    const messages = [];
    for (let m = 0; m < count; m++) {
      if (isReliable && m > 0) {
        let tier = 0;
        while (tier < 6 && take(1) === 0) tier++;
        check(tier < 6, 'nonCanonical');
        const delta = LOW[tier]! + take(VALUE_BITS[tier]!);
        check(delta <= TOP[tier]!, 'valueOutOfRange');
        running += delta;
        check(running - first < capacity, 'idSpanExceedsWindow');
      }
      const event = take(width(0, Math.max(events.length - 1, 0)));
      check(event < events.length, 'valueOutOfRange');
      check(events[event]!.channel === channel, 'eventOnWrongChannel');
      const length = take(width(0, maxPayload));
      check(length <= maxPayload, 'valueOutOfRange');
      check(length <= events[event]!.maxPayload, 'payloadTooLarge');
      align();
      check(8 * length <= end - at, 'truncated');
      messages.push({ id: running % 65_536, event, payload: Uint8Array.from({ length }, () => take(8)) });
    }
    sections.push({ channel, messages });
  }
  align();
  check(at === end, 'trailingBytes');
  return { hello, sections };
}
