import { eachSeed, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { PacketDecoder, PacketLayout, encodePacket } from '../src/wire.ts';
import { TEST, golden, randomCatalogue } from './support/catalogues.ts';
import { decoded, randomPacket } from './support/packets.ts';
import { decodeSlowly, encodeSlowly } from './twins/packet-twin.ts';

const out = new Uint8Array(1 << 20);
const SCHEMAS = ['test', 'hostile', 'wide', 'single', 'empty', 'noEvents', 'channels64', 'maxima', 'chat1'];

describe('the packet codec against its slow twin', () => {
  test('when random packets of random catalogues are encoded, then the bytes are the twin’s and decode to the same', () => {
    eachSeed(150, (random) => {
      const catalogue = random.chance(0.5) ? randomCatalogue(random) : golden(random.pick(SCHEMAS));
      const layout = new PacketLayout(catalogue);
      const decoder = new PacketDecoder(layout);
      for (let i = 0; i < 4; i++) {
        const packet = randomPacket(random, catalogue);
        const expected = encodeSlowly(catalogue, packet);
        const length = encodePacket(layout, packet, out);
        expect(toHex(out, 0, length)).toBe(toHex(expected));
        const padding = random.below(9);
        const bytes = new Uint8Array(length + padding + random.below(9)).fill(0xff);
        bytes.set(expected, padding);
        expect(decoder.decode(bytes, padding, length)).toBe('ok');
        expect(decoded(decoder, catalogue, bytes)).toEqual(packet);
        for (let cut = 0; cut < length; cut += 1 + random.below(Math.ceil(length / 6))) {
          const result = decoder.decode(bytes, padding, cut);
          expect(result).not.toBe('ok');
          expect(result).toBe(decodeSlowly(catalogue, expected.subarray(0, cut)).result);
        }
      }
    });
  });

  test('when random packets are damaged, then the twin refuses them for the same reason or reads the same', () => {
    const results = new Set<string>();
    eachSeed(700, (random) => {
      const catalogue = random.chance(0.3) ? randomCatalogue(random) : golden(random.pick(SCHEMAS));
      const layout = new PacketLayout(catalogue);
      const decoder = new PacketDecoder(layout);
      const bytes = encodeSlowly(catalogue, randomPacket(random, catalogue));
      for (let i = 0; i < 8; i++) {
        const damaged = random.chance(0.2)
          ? Uint8Array.of(...bytes, random.below(2))
          : bytes.slice(0, random.chance(0.2) ? random.below(bytes.length + 1) : bytes.length);
        for (let flips = random.below(3); flips >= 0 && damaged.length > 0; flips--) {
          damaged[random.below(Math.min(damaged.length, 40))]! ^= 1 << random.below(8);
        }
        results.add(compare(decoder, layout, catalogue, damaged));
      }
    });
    expect([...results].sort()).toEqual(
      [
        'duplicateChannel',
        'eventOnWrongChannel',
        'idSpanExceedsWindow',
        'mismatch',
        'nonCanonical',
        'nonzeroPadding',
        'ok',
        'payloadTooLarge',
        'reservedKind',
        'trailingBytes',
        'truncated',
        'valueOutOfRange',
      ].sort(),
    );
  });

  test('when the input is random, then nothing throws, the twin agrees, and what is accepted encodes to the same bytes', () => {
    eachSeed(4000, (random) => {
      const catalogue = golden(random.pick(SCHEMAS));
      const layout = new PacketLayout(catalogue);
      const decoder = new PacketDecoder(layout);
      const bytes = random.bytes(random.below(64));
      if (bytes.length > 0 && random.chance(0.8)) bytes[0]! &= 0xf8;
      compare(decoder, layout, catalogue, bytes);
    });
  });

  test('when long random input is fed, then nothing throws and nothing grows beyond what the packet justifies', () => {
    const layout = new PacketLayout(TEST);
    const decoder = new PacketDecoder(layout);
    eachSeed(300, (random) => {
      const bytes = random.bytes(512);
      bytes[0]! &= 0xf8;
      decoder.decode(bytes);
    });
    expect(decoder.messageId.length).toBeLessThanOrEqual(4096);
  });

  test('when a packet claims the most messages and has none of them, then nothing is allocated for them', () => {
    const decoder = new PacketDecoder(new PacketLayout(golden('noEvents')));
    expect(decoder.decode(Uint8Array.of(0xf8, 0xff, 0, 0))).toBe('valueOutOfRange');
    expect(decoder.messageId.length).toBe(64);
  });
});

function compare(
  decoder: PacketDecoder,
  layout: PacketLayout,
  catalogue: typeof TEST | ReturnType<typeof randomCatalogue>,
  bytes: Uint8Array,
): string {
  const expected = decodeSlowly(catalogue, bytes);
  const result = decoder.decode(bytes);
  expect(result, toHex(bytes)).toBe(expected.result);
  if (expected.result !== 'ok') return result;
  const packet = decoded(decoder, catalogue, bytes);
  expect(packet).toEqual(expected.packet);
  const length = encodePacket(layout, packet, out);
  expect(toHex(out, 0, length)).toBe(toHex(bytes));
  return result;
}
