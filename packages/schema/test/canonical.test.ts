import { fromHex, toHex } from '@x/testkit';
import { expect, test } from 'vitest';
import { canonicalBytes, ChannelConfig, Schema } from '../src/index.ts';

const EXAMPLE_A = `
64 72 65 61 6d 2d 6e 65 74 20 73 63 68 65 6d 61 00
02 00
01 00 00 00
40 00 00 00
01
08 72 65 6c 69 61 62 6c 65  00  00 04  00 01 00 00
01 00 00 00
00 00 00 00  04 43 68 61 74  00  00 01 00 00  00 00 00 00`;

function chat(schemaVersion: number): Schema {
  const builder = Schema.builder(schemaVersion);
  return builder.event('Chat', builder.channel(ChannelConfig.reliableOrdered('reliable')), 256).build();
}

test('when example A is encoded, then the bytes are those of the specification', () => {
  const expected = fromHex(EXAMPLE_A.replaceAll(/\s/g, ''));
  expect(toHex(canonicalBytes(chat(1)))).toBe(toHex(expected));
  expect(expected).toHaveLength(66);
});

test('when a catalogue is empty, then the encoding has its 32 fixed bytes', () => {
  const bytes = canonicalBytes(Schema.builder(0xffff_ffff).maxMessagesPerPacket(4096).build());
  expect(toHex(bytes)).toBe('647265616d2d6e657420736368656d61000200ffffffff001000000000000000');
});

test('when the result is edited, then the next one is not', () => {
  const schema = chat(1);
  canonicalBytes(schema).fill(0);
  expect(toHex(canonicalBytes(schema))).toBe(EXAMPLE_A.replaceAll(/\s/g, ''));
});

test('when both names have 255 characters, then the length byte is ff', () => {
  const builder = Schema.builder(1);
  const channel = builder.channel(ChannelConfig.unreliableUnordered('c'.repeat(255), { capacity: 65_535 }));
  const bytes = canonicalBytes(builder.event('e'.repeat(255), channel, 16_777_216, 0xffff_ffff).build());
  expect(bytes).toHaveLength(32 + 8 + 255 + 14 + 255);
  expect(toHex(bytes, 28, 2)).toBe('ff63');
  expect(toHex(bytes, 28 + 256, 7)).toBe('01ffff00000001');
  expect(toHex(bytes, bytes.length - 9)).toBe('0000000001ffffffff');
});
