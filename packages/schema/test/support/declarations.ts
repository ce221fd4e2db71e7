import fc from 'fast-check';
import { Schema } from '../../src/index.ts';
import type { ChannelConfig } from '../../src/index.ts';

export interface EventDeclaration {
  readonly name: string;
  readonly channel: number;
  readonly maxPayload: number;
  readonly codecVersion: number;
}

/** Everything a schema is made of, in the order of declaration. */
export interface CatalogueDeclaration {
  readonly schemaVersion: number;
  readonly maxMessagesPerPacket: number;
  readonly channels: readonly ChannelConfig[];
  readonly events: readonly EventDeclaration[];
}

export const NAME_CHARACTERS = '-./0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

const u32 = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff), fc.nat());

const nameCharacter = fc.nat({ max: NAME_CHARACTERS.length - 1 }).map((i) => NAME_CHARACTERS.charAt(i));

/** Names with few different characters, so that prefixes and near misses are common, and some long ones. */
export const validName: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', '-', '_', '.'), minLength: 1, maxLength: 4 }),
  fc.string({ unit: nameCharacter, minLength: 1, maxLength: 30 }),
  fc.string({ unit: nameCharacter, minLength: 250, maxLength: 255 }),
);

const channel: fc.Arbitrary<ChannelConfig> = fc.oneof(
  fc.record(
    {
      name: validName,
      delivery: fc.constant('reliableOrdered' as const),
      capacity: fc.integer({ min: 1, max: 32_768 }),
      resendInterval: fc.double({ min: 0, max: 60, noNaN: true }),
      packetBudget: fc.nat(),
    },
    { requiredKeys: ['name', 'delivery'] },
  ),
  fc.record(
    {
      name: validName,
      delivery: fc.constant('unreliableUnordered' as const),
      capacity: fc.integer({ min: 1, max: 65_535 }),
      overflow: fc.constantFrom('fail' as const, 'dropOldest' as const, 'dropNewest' as const),
    },
    { requiredKeys: ['name', 'delivery'] },
  ),
);

/** Catalogues that the builder accepts. */
export const catalogues: fc.Arbitrary<CatalogueDeclaration> = fc
  .uniqueArray(channel, { maxLength: 64, selector: ({ name }) => name, size: '+1' })
  .chain((channels) => {
    const event = fc.record({
      name: validName,
      channel: fc.nat({ max: Math.max(channels.length - 1, 0) }),
      maxPayload: fc.oneof(fc.integer({ min: 0, max: 1200 }), fc.integer({ min: 0, max: 16_777_216 })),
      codecVersion: u32,
    });
    return fc.record({
      schemaVersion: u32,
      maxMessagesPerPacket: fc.integer({ min: 1, max: 4096 }),
      channels: fc.constant(channels),
      events: fc.uniqueArray(event, { maxLength: channels.length === 0 ? 0 : 60, selector: ({ name }) => name, size: '+1' }),
    });
  });

export function buildSchema({ schemaVersion, maxMessagesPerPacket, channels, events }: CatalogueDeclaration): Schema {
  const builder = Schema.builder(schemaVersion).maxMessagesPerPacket(maxMessagesPerPacket);
  for (const config of channels) builder.channel(config);
  for (const { name, channel: id, maxPayload, codecVersion } of events) builder.event(name, id, maxPayload, codecVersion);
  return builder.build();
}
