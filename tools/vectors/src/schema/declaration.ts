import { Schema } from '@x/schema';
import type { ChannelConfig, SchemaBuilder } from '@x/schema';
import type { Fields } from '../fields.ts';

/** A catalogue as a vector case declares it, in the order of declaration. */
export interface Declaration {
  readonly schemaVersion: number;
  readonly maxMessagesPerPacket: number | undefined;
  readonly channels: readonly ChannelConfig[];
  readonly events: readonly EventDeclaration[];
}

/** An event as a vector case declares it. */
export interface EventDeclaration {
  readonly name: string;
  readonly channel: number;
  readonly maxPayload: number;
  readonly codecVersion: number | undefined;
}

export function readDeclaration(fields: Fields): Declaration {
  return {
    schemaVersion: fields.anyNumber('schemaVersion'),
    maxMessagesPerPacket: optionalNumber(fields, 'maxMessagesPerPacket'),
    channels: fields.each('channels', readChannel),
    events: fields.each('events', readEvent),
  };
}

/** Reads a channel. Deliveries and policies are passed on as they are: the builder judges them. */
export function readChannel(fields: Fields): ChannelConfig {
  return {
    name: fields.text('name'),
    delivery: fields.text('delivery') as ChannelConfig['delivery'],
    capacity: optionalNumber(fields, 'capacity'),
    overflow: fields.has('overflow') ? (fields.text('overflow') as ChannelConfig['overflow']) : undefined,
    packetBudget: optionalNumber(fields, 'packetBudget'),
    resendInterval: optionalNumber(fields, 'resendInterval'),
  };
}

export function readEvent(fields: Fields): EventDeclaration {
  return {
    name: fields.text('name'),
    channel: fields.anyNumber('channel'),
    maxPayload: fields.anyNumber('maxPayload'),
    codecVersion: optionalNumber(fields, 'codecVersion'),
  };
}

export function declareEvent(builder: SchemaBuilder, { name, channel, maxPayload, codecVersion }: EventDeclaration): void {
  builder.event(name, channel, maxPayload, codecVersion);
}

/** Builds a catalogue, with its events in this order. */
export function buildSchema(declaration: Declaration, events: readonly EventDeclaration[] = declaration.events): Schema {
  const { schemaVersion, maxMessagesPerPacket, channels } = declaration;
  const builder = Schema.builder(schemaVersion);
  if (maxMessagesPerPacket !== undefined) builder.maxMessagesPerPacket(maxMessagesPerPacket);
  for (const channel of channels) builder.channel(channel);
  for (const event of events) declareEvent(builder, event);
  return builder.build();
}

function optionalNumber(fields: Fields, key: string): number | undefined {
  return fields.has(key) ? fields.anyNumber(key) : undefined;
}
