import { PacketDecoder, PacketLayout, encodePacket } from '@x/reliable/wire';
import type { PacketSpec } from '@x/reliable/wire';
import { toHex } from '@x/testkit';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { catalogueNamed } from './catalogue.ts';
import type { NamedCatalogue } from './catalogue.ts';

/** Longest packet of any case, bytes. */
const PACKET_BYTES = 65_536;

/** Packets: encoded, decoded, and encoded again from what was decoded. */
export const replayPacket: CaseReplayer = objectCase((fields, { file }) => {
  fields.describe('name', 'source');
  const catalogue = catalogueNamed(file, fields.text('schema'));
  const layout = new PacketLayout(catalogue);
  const spec: PacketSpec = {
    hello: fields.boolean('hello'),
    sections: fields.each('sections', (section) => readSection(section, catalogue)),
  };
  const out = new Uint8Array(PACKET_BYTES);
  const length = encodePacket(layout, spec, out);
  fields.expectBytes('hex', out.slice(0, length));
  fields.expectNumber('bytes', length);

  // Not at the start of its array, so that offsets are seen to be those of the array.
  const bytes = new Uint8Array(length + 5);
  bytes.set(fields.bytes('hex'), 3);
  const decoder = new PacketDecoder(layout);
  expectSame('result of the decoder', decoder.decode(bytes, 3, length), 'ok');
  const decoded = specOf(decoder, layout, bytes);
  expectSame('decoded packet', JSON.stringify(shape(decoded)), JSON.stringify(shape(spec)));
  const again = encodePacket(layout, decoded, out);
  fields.expectBytes('hex', out.slice(0, again));
});

function readSection(section: Fields, catalogue: NamedCatalogue): PacketSpec['sections'][number] {
  const channel = section.number('channel');
  const isReliable = catalogue.channels[channel]?.delivery === 'reliableOrdered';
  const messages = section.each('messages', (message) => {
    const event = catalogue.eventId(message.text('event'));
    message.expectNumber('eventId', event);
    return { id: isReliable ? message.number('id') : 0, event, payload: message.bytes('payload') };
  });
  return { channel, messages };
}

/** What a decoder read, as something to encode. */
export function specOf(decoder: PacketDecoder, layout: PacketLayout, bytes: Uint8Array): PacketSpec {
  expectSame('length of the hello', decoder.helloFingerprint.length, layout.fingerprint.length);
  let first = 0;
  const sections = Array.from({ length: decoder.sectionCount }, (_, section) => {
    const count = decoder.sectionMessages[section]!;
    const messages = Array.from({ length: count }, (_, i) => {
      const offset = decoder.messageOffset[first + i]!;
      return {
        id: decoder.messageId[first + i]!,
        event: decoder.messageEvent[first + i]!,
        payload: bytes.slice(offset, offset + decoder.messageLength[first + i]!),
      };
    });
    first += count;
    return { channel: decoder.sectionChannel[section]!, messages };
  });
  expectSame('messages of all sections', first, decoder.messageCount);
  return { hello: decoder.hasHello, sections };
}

function shape(spec: PacketSpec): unknown {
  return {
    hello: spec.hello,
    sections: spec.sections.map(({ channel, messages }) => ({
      channel,
      messages: messages.map(({ id, event, payload }) => [id, event, toHex(payload)]),
    })),
  };
}
