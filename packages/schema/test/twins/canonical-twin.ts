import type { CatalogueDeclaration } from '../support/declarations.ts';

/** An integer as little-endian bytes, by division. */
function little(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);
}

function text(value: string): number[] {
  return [...Buffer.from(value, 'ascii')];
}

/** Byte by byte comparison of two names; a proper prefix is smaller. */
function byteOrder(a: string, b: string): number {
  const [left, right] = [text(a), text(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}

/** The canonical encoding written from the declarations and the table of schema section 6.1 alone, one list per line of the table. */
export function canonicalTwin({ schemaVersion, maxMessagesPerPacket, channels, events }: CatalogueDeclaration): Uint8Array {
  const sorted = [...events].sort((a, b) => byteOrder(a.name, b.name));
  const largest = (id: number): number =>
    events.reduce((most, event) => (event.channel === id && event.maxPayload > most ? event.maxPayload : most), 0);
  return Uint8Array.from([
    ...[0x64, 0x72, 0x65, 0x61, 0x6d, 0x2d, 0x6e, 0x65, 0x74, 0x20, 0x73, 0x63, 0x68, 0x65, 0x6d, 0x61, 0x00],
    ...little(2, 2),
    ...little(schemaVersion, 4),
    ...little(maxMessagesPerPacket, 4),
    ...little(channels.length, 1),
    ...channels.flatMap(({ name, delivery, capacity }, id) => [
      ...little(name.length, 1),
      ...text(name),
      ...little(delivery === 'reliableOrdered' ? 0 : 1, 1),
      ...little(capacity ?? 1024, 2),
      ...little(largest(id), 4),
    ]),
    ...little(events.length, 4),
    ...sorted.flatMap(({ name, channel, maxPayload, codecVersion }, id) => [
      ...little(id, 4),
      ...little(name.length, 1),
      ...text(name),
      ...little(channel, 1),
      ...little(maxPayload, 4),
      ...little(codecVersion, 4),
    ]),
  ]);
}
