// Connection packets: any bytes are taken or refused with a documented kind; what is taken keeps to the catalogue and encodes to the same bytes, and
// what the catalogue allows is taken.
import { MALFORMED_TEXTS } from '@x/reliable';
import { PacketDecoder, WIRE_VERSION } from '@x/reliable/wire';
import { assert, assertSame } from '../check.mjs';
import { A, B, C, Choices, D, E, HOSTILE, LAYOUT, encoded, specOf } from './support/hostile.mjs';

const KINDS = Object.keys(MALFORMED_TEXTS).filter((kind) => kind !== 'missingHello');
/** Bytes ahead of the packet and behind it, which must not matter. */
const AROUND = 3;

const decoder = new PacketDecoder(LAYOUT);

function decodeInside(packet) {
  const bytes = new Uint8Array(packet.length + 2 * AROUND).fill(0xa5);
  bytes.set(packet, AROUND);
  return { result: decoder.decode(bytes, AROUND, packet.length), bytes };
}

function checkAccepted(packet, bytes) {
  const spec = specOf(decoder, bytes);
  const channels = new Set();
  for (const { channel, messages } of spec.sections) {
    assert(channel < HOSTILE.channels.length && !channels.has(channel), `a second section of channel ${channel}`);
    channels.add(channel);
    const { delivery, capacity } = HOSTILE.channels[channel];
    assert(messages.length > 0 && messages.length <= HOSTILE.maxMessagesPerPacket, `${messages.length} messages in a section`);
    for (const { id, event, payload } of messages) {
      const declared = HOSTILE.events[event];
      assert(declared !== undefined && declared.channel === channel, `event ${event} on channel ${channel}`);
      assert(payload.length <= declared.maxPayload, `${payload.length} bytes of ${declared.name}`);
      const span = (id - messages[0].id) & 0xffff;
      assert(delivery === 'reliableOrdered' ? span < capacity : id === 0, `id ${id} after ${messages[0].id}`);
    }
  }
  assertSame(encoded(spec), packet, 'an accepted packet and the same packet encoded again');
}

/** Any bytes. */
function runRaw(packet) {
  const { result, bytes } = decodeInside(packet);
  if (result === 'ok') {
    checkAccepted(packet, bytes);
    return;
  }
  assert(decoder.sectionCount === 0 && decoder.messageCount === 0, 'a refused packet has content');
  if (result === 'mismatch') {
    const isOurs = Buffer.compare(decoder.helloFingerprint, LAYOUT.fingerprint) === 0 && decoder.helloWireVersion === WIRE_VERSION;
    assert(decoder.hasHello && !isOurs, 'our own hello is a mismatch');
  } else assert(KINDS.includes(result), `unexpected result: ${result}`);
}

/** A packet that the catalogue allows, built from the choices. */
function specFrom(choices) {
  const hello = choices.u8() % 2 === 1;
  const sections = [];
  for (const channel of [0, 1, 2]) {
    const count = choices.u8() % (HOSTILE.maxMessagesPerPacket + 1);
    const isReliable = HOSTILE.channels[channel].delivery === 'reliableOrdered';
    const events = HOSTILE.events.filter((event) => event.channel === channel);
    const first = isReliable ? choices.u16() : 0;
    const messages = [];
    for (
      let span = 0;
      messages.length < count && span < HOSTILE.channels[channel].capacity;
      span += isReliable ? 1 + (choices.u8() % 4) : 0
    ) {
      const { id: event, maxPayload } = events[choices.u8() % events.length];
      const payload = new Uint8Array(choices.u8() % (Math.min(maxPayload, 200) + 1)).fill(messages.length + 1);
      messages.push({ id: isReliable ? (first + span) & 0xffff : 0, event, payload });
    }
    if (messages.length > 0) sections.push({ channel, messages });
  }
  if (choices.u8() % 2 === 1) sections.reverse();
  return { hello, sections };
}

function runBuilt(input) {
  const packet = encoded(specFrom(new Choices(input)));
  const { result, bytes } = decodeInside(packet);
  assert(result === 'ok', `a packet that the catalogue allows is refused: ${result}`);
  checkAccepted(packet, bytes);
  const cut = input.length % packet.length;
  assert(decodeInside(packet.subarray(0, cut)).result === 'truncated', 'a part of a packet is not truncated');
}

const message = (event, id, length) => ({ event, id, payload: new Uint8Array(length).fill(7) });

export const target = {
  name: 'wire-decode',
  maxBytes: 512,
  seeds: () => [
    new Uint8Array(0),
    encoded({ hello: false, sections: [] }),
    encoded({ hello: true, sections: [] }),
    encoded({
      hello: true,
      sections: [
        { channel: 2, messages: [message(E, 65_533, 4), message(E, 0, 0)] },
        { channel: 1, messages: [message(D, 0, 0), message(C, 0, 3)] },
        { channel: 0, messages: [message(A, 31, 1), message(B, 62, 2)] },
      ],
    }),
    encoded({ hello: false, sections: [{ channel: 0, messages: [0, 1, 3, 10].map((id) => message(A, id, 5)) }] }),
    encoded({ hello: false, sections: [{ channel: 0, messages: [message(B, 9, 300)] }] }),
  ],
  run(input) {
    const before = input.slice();
    runRaw(input);
    // Kind 0 and no hello: the way into the sections.
    if (input.length > 0) runRaw(Uint8Array.of(input[0] & 0xf8, ...input.subarray(1)));
    runBuilt(input);
    assertSame(input, before, 'the input before and after');
  },
};
