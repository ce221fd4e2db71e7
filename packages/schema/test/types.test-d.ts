import { expectTypeOf } from 'vitest';
import { canonicalBytes, ChannelConfig, ConfigError, Fingerprint, Schema, SchemaBuilder } from '../src/index.ts';
import type { Channel, ChannelId, ChannelOptions, Delivery, EventType, EventTypeId, Overflow } from '../src/index.ts';

declare const schema: Schema;
declare const caught: unknown;

expectTypeOf<Delivery>().toEqualTypeOf<'reliableOrdered' | 'unreliableUnordered'>();
expectTypeOf<Overflow>().toEqualTypeOf<'fail' | 'dropOldest' | 'dropNewest'>();
expectTypeOf(Schema.builder(1)).toEqualTypeOf<SchemaBuilder>();
expectTypeOf(new SchemaBuilder(1).channel({ name: 'c', delivery: 'reliableOrdered' })).toEqualTypeOf<ChannelId>();
expectTypeOf(new SchemaBuilder(1).event('E', 0, 1).maxMessagesPerPacket(1).build()).toEqualTypeOf<Schema>();
expectTypeOf(ChannelConfig.reliableOrdered).toEqualTypeOf<(name: string, options?: ChannelOptions) => ChannelConfig>();
expectTypeOf(schema.channels).toEqualTypeOf<readonly Channel[]>();
expectTypeOf(schema.events).toEqualTypeOf<readonly EventType[]>();
expectTypeOf(schema.channelId('c')).toEqualTypeOf<ChannelId | undefined>();
expectTypeOf(schema.eventId('E')).toEqualTypeOf<EventTypeId | undefined>();
expectTypeOf(schema.event(0)?.channel).toEqualTypeOf<ChannelId | undefined>();
expectTypeOf(schema.fingerprint.halves()).toEqualTypeOf<readonly [high: bigint, low: bigint]>();
expectTypeOf(canonicalBytes).parameters.toEqualTypeOf<[schema: Schema]>();
expectTypeOf<ChannelId>().toExtend<number>();
expectTypeOf<number>().not.toExtend<ChannelId>();
expectTypeOf<EventTypeId>().not.toExtend<ChannelId>();

if (ConfigError.is(caught)) {
  expectTypeOf(caught).toExtend<ConfigError>();
  expectTypeOf(caught.code).toEqualTypeOf<string>();
  expectTypeOf(caught.field).toEqualTypeOf<string | undefined>();
  if (caught.kind === 'eventTooLarge') expectTypeOf(caught.details.limit).toEqualTypeOf<number>();
}

// @ts-expect-error - schemas come from a builder.
new Schema({});
// @ts-expect-error - fingerprints come from bytes, a text or a schema.
new Fingerprint(new Uint8Array(16));
// @ts-expect-error - a schema is not changed.
schema.schemaVersion = 2;
// @ts-expect-error - nor are its lists.
schema.events.length = 0;
// @ts-expect-error - a delivery class must be one of the two.
new SchemaBuilder(1).channel({ name: 'c', delivery: 'reliable' });
