import { createHash } from 'node:crypto';
import { canonicalBytes, Fingerprint } from '@x/schema';
import type { Schema } from '@x/schema';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { buildSchema, readDeclaration } from './declaration.ts';
import type { Declaration } from './declaration.ts';
import { expectLayout } from './layout.ts';

const DEFAULT_CAPACITY = 1024;
const DEFAULT_MAX_MESSAGES = 64;

/** One catalogue: its ids, its canonical bytes, its fingerprint in every form, and the packet widths that follow from it. */
export const replaySchema: CaseReplayer = objectCase((fields) => {
  fields.describe('name', 'source');
  const declaration = fields.object('declare', readDeclaration);
  const schema = buildSchema(declaration);
  expectFingerprint(schema, fields);
  expectCanonicalBytes(schema, fields);
  expectContents(schema, declaration);
  fields.object('eventIds', (ids) => {
    expectIds(schema, declaration, ids);
  });
  fields.object('layout', (layout) => {
    expectLayout(schema, layout);
  });
  const reversed = buildSchema(declaration, declaration.events.toReversed());
  expectSame('fingerprint with the events declared in reverse', String(reversed.fingerprint), String(schema.fingerprint));
});

function expectFingerprint({ fingerprint }: Schema, fields: Fields): void {
  fields.expectText('fingerprint', String(fingerprint));
  fields.expectBytes('fingerprintWireBytes', fingerprint.bytes);
  const text = fields.text('fingerprint');
  const [high, low] = fingerprint.halves();
  expectSame('value', fingerprint.value, BigInt(`0x${text}`));
  expectSame('halves', ((high << 64n) | low).toString(16).padStart(32, '0'), text);
  expectSame('equality with the parsed text', Fingerprint.parse(text).equals(fingerprint), true);
  expectSame('text of the wire bytes', String(Fingerprint.fromBytes(fields.bytes('fingerprintWireBytes'))), text);
}

function expectCanonicalBytes(schema: Schema, fields: Fields): void {
  const bytes = canonicalBytes(schema);
  fields.expectNumber('canonicalBytes', bytes.length);
  if (fields.has('canonicalHex')) fields.expectBytes('canonicalHex', bytes);
  fields.expectText('sha256', createHash('sha256').update(bytes).digest('hex'));
}

function expectContents(schema: Schema, { schemaVersion, maxMessagesPerPacket, channels, events }: Declaration): void {
  expectSame('schemaVersion', schema.schemaVersion, schemaVersion);
  expectSame('maxMessagesPerPacket', schema.maxMessagesPerPacket, maxMessagesPerPacket ?? DEFAULT_MAX_MESSAGES);
  expectSame('number of channels', schema.channels.length, channels.length);
  expectSame('number of events', schema.events.length, events.length);
  for (const [id, { name, delivery, capacity }] of channels.entries()) {
    const channel = schema.channel(id);
    const own = events.filter((event) => event.channel === id);
    expectSame(`id of channel ${name}`, schema.channelId(name), id);
    expectSame(`name of channel ${id}`, channel?.name, name);
    expectSame(`delivery of channel ${id}`, channel?.delivery, delivery);
    expectSame(`capacity of channel ${id}`, channel?.capacity, capacity ?? DEFAULT_CAPACITY);
    expectSame(`maxPayload of channel ${id}`, channel?.maxPayload, Math.max(0, ...own.map(({ maxPayload }) => maxPayload)));
    const actual = channel?.events.map((event) => schema.event(event)?.name).join(' ');
    const expected = own.map((event) => event.name).sort();
    expectSame(`events of channel ${id}`, actual, expected.join(' '));
  }
}

function expectIds(schema: Schema, { events }: Declaration, ids: Fields): void {
  for (const { name, channel, maxPayload, codecVersion } of events) {
    const id = schema.eventId(name);
    if (id === undefined) throw new Error(`${ids.at(name)}: the schema has no such event`);
    ids.expectNumber(name, id);
    const event = schema.event(id);
    expectSame(`name of ${name}`, event?.name, name);
    expectSame(`channel of ${name}`, event?.channel, channel);
    expectSame(`maxPayload of ${name}`, event?.maxPayload, maxPayload);
    expectSame(`codecVersion of ${name}`, event?.codecVersion, codecVersion ?? 0);
  }
}
