import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChannelConfig, MAX_NAME_BYTES, Schema, SchemaBuilder } from '../src/index.ts';
import { NAME_CHARACTERS } from './support/declarations.ts';
import { assertProperty } from './support/properties.ts';
import { thrownBy } from './support/thrown.ts';

const { reliableOrdered, unreliableUnordered } = ChannelConfig;

/** A builder with the channels `c0` … and the event `E` on the first. */
function builderWith(channels: number): SchemaBuilder {
  const builder = new SchemaBuilder(1);
  for (let i = 0; i < channels; i++) builder.channel(unreliableUnordered(`c${i}`));
  if (channels > 0) builder.event('E', 0, 1);
  return builder;
}

describe('names', () => {
  test('when a name has any single character, then exactly those of the alphabet are accepted', () => {
    for (let code = 0; code < 0x250; code++) {
      const name = String.fromCharCode(code);
      const declare = (): unknown => new SchemaBuilder(1).channel(reliableOrdered(name));
      if (NAME_CHARACTERS.includes(name)) expect(declare()).toBe(0);
      else expect(thrownBy(declare).kind).toBe('invalidName');
    }
  });

  test.each(['', 'a'.repeat(MAX_NAME_BYTES + 1), 'a\n', '\na', '\u212a', '\u017f', 'é', '😀'])(
    'when the name is %j, then it is refused',
    (name) => {
      expect(thrownBy(() => new SchemaBuilder(1).channel(reliableOrdered(name))).kind).toBe('invalidName');
      expect(thrownBy(() => builderWith(1).event(name, 0, 1)).kind).toBe('invalidName');
    },
  );

  test('when a name has 255 characters, then it is accepted', () => {
    expect(builderWith(1).event('a'.repeat(MAX_NAME_BYTES), 0, 1).build().eventId('a'.repeat(MAX_NAME_BYTES))).toBe(1);
  });

  test('when a channel and an event share a name, then both are kept', () => {
    const schema = builderWith(1).event('c0', 0, 1).build();
    expect([schema.channelId('c0'), schema.eventId('c0')]).toEqual([0, 1]);
  });

  test('when names differ in case only, then they are two', () => {
    expect(
      builderWith(1)
        .event('e', 0, 1)
        .build()
        .events.map(({ name }) => name),
    ).toEqual(['E', 'e']);
  });

  test('when any text is a name, then it is accepted or refused as the alphabet says', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const fits =
          name.length >= 1 && name.length <= MAX_NAME_BYTES && Array.from(name).every((character) => NAME_CHARACTERS.includes(character));
        const declare = (): unknown => new SchemaBuilder(1).channel(reliableOrdered(name));
        if (fits) expect(declare()).toBe(0);
        else expect(thrownBy(declare).kind).toBe('invalidName');
      }),
    );
  });
});

describe('order of the checks of a channel: a declaration with every fault from some point on', () => {
  const faults = [
    ['invalidOption', 0, { name: 'c 0', overflow: 'x', resendInterval: -1 }],
    ['invalidCapacity', 0, { name: 'c 0', capacity: 65_536, overflow: 'dropOldest', resendInterval: -1 }],
    ['invalidName', 64, { name: 'c 0', capacity: 0, overflow: 'dropOldest', resendInterval: -1 }],
    ['duplicateChannel', 64, { name: 'c0', capacity: 0, overflow: 'dropOldest', resendInterval: -1 }],
    ['tooManyChannels', 64, { name: 'new', capacity: 0, overflow: 'dropOldest', resendInterval: -1 }],
    ['invalidCapacity', 63, { name: 'new', capacity: 0, overflow: 'dropOldest', resendInterval: -1 }],
    ['invalidCapacity', 63, { name: 'new', capacity: 32_769, overflow: 'dropOldest', resendInterval: -1 }],
    ['reliableOverflowPolicy', 63, { name: 'new', capacity: 32_768, overflow: 'dropNewest', resendInterval: -1 }],
    ['invalidResendInterval', 63, { name: 'new', capacity: 32_768, overflow: 'fail', resendInterval: -1 }],
  ] as const;

  test.each(faults)('when the first fault is %s with %i channels, then it is reported and nothing changes', (kind, channels, config) => {
    const builder = builderWith(channels);
    const before = String(builder.build().fingerprint);
    expect(thrownBy(() => builder.channel({ delivery: 'reliableOrdered', ...config } as ChannelConfig)).kind).toBe(kind);
    expect(String(builder.build().fingerprint)).toBe(before);
  });
});

describe('order of the checks of an event: a declaration with every fault from some point on', () => {
  const faults = [
    ['invalidOption', 'E E', 9, -1, 0],
    ['invalidOption', 'E E', 9, 16_777_217, -1],
    ['invalidName', 'E E', 9, 16_777_217, 0],
    ['unknownChannel', 'E', 9, 16_777_217, 0],
    ['eventTooLarge', 'E', 0, 16_777_217, 0],
    ['duplicateEvent', 'E', 0, 16_777_216, 0],
  ] as const;

  test.each(faults)(
    'when the first fault is %s, then it is reported and nothing changes',
    (kind, name, channel, maxPayload, codecVersion) => {
      const builder = builderWith(1);
      const before = String(builder.build().fingerprint);
      expect(thrownBy(() => builder.event(name, channel, maxPayload, codecVersion)).kind).toBe(kind);
      expect(String(builder.build().fingerprint)).toBe(before);
    },
  );

  test('when a refused name is declared rightly afterwards, then it is accepted', () => {
    const builder = builderWith(1);
    expect(thrownBy(() => builder.event('Later', 0, 16_777_217)).kind).toBe('eventTooLarge');
    expect(thrownBy(() => builder.channel(reliableOrdered('later', { capacity: 0 }))).kind).toBe('invalidCapacity');
    expect(builder.channel(reliableOrdered('later'))).toBe(1);
    expect(builder.event('Later', 1, 1).build().event(1)).toMatchObject({ name: 'Later', channel: 1 });
  });
});

describe('arguments of a wrong type', () => {
  test.each([-1, 1.5, Number.NaN, 4_294_967_296, '1', 1n, undefined, null])(
    'when the schema version is %s, then INVALID_OPTION',
    (value) => {
      for (const make of [() => new SchemaBuilder(value as number), () => Schema.builder(value as number)]) {
        expect(thrownBy(make)).toMatchObject({ code: 'INVALID_OPTION', field: 'schemaVersion' });
      }
    },
  );

  test.each([-1, 1.5, Number.NaN, Infinity, 4_294_967_296, '1', 1n, null])('when a u32 of an event is %s, then INVALID_OPTION', (value) => {
    const builder = builderWith(1);
    expect(thrownBy(() => builder.event('F', 0, value as number))).toMatchObject({ code: 'INVALID_OPTION', field: 'maxPayload' });
    expect(thrownBy(() => builder.event('F', 0, 1, value as number))).toMatchObject({ code: 'INVALID_OPTION', field: 'codecVersion' });
  });

  test.each([-1, 0.5, 1, Number.NaN, Infinity, 256])('when the channel is the number %d, then it is unknown', (id) => {
    expect(thrownBy(() => builderWith(1).event('F', id, 1))).toMatchObject({ code: 'UNKNOWN_CHANNEL', message: `unknown channel ${id}` });
  });

  test.each(['0', 'c0', undefined, 0n, { name: 'c0' }])('when the channel is no number (%s), then INVALID_OPTION', (id) => {
    expect(thrownBy(() => builderWith(1).event('F', id as never, 1))).toMatchObject({ code: 'INVALID_OPTION', field: 'channel' });
  });

  test('when the name is no text, then INVALID_OPTION', () => {
    expect(thrownBy(() => builderWith(1).event(5 as never, 0, 1))).toMatchObject({ code: 'INVALID_OPTION', field: 'name' });
  });

  test('when integers are negative zero, then the schema holds zero', () => {
    const builder = new SchemaBuilder(-0);
    builder.channel(unreliableUnordered('c'));
    const schema = builder.event('E', -0, -0, -0).build();
    const { channel, maxPayload, codecVersion } = schema.event(0)!;
    for (const value of [schema.schemaVersion, channel, maxPayload, codecVersion]) expect(Object.is(value, 0)).toBe(true);
  });
});

describe('maxMessagesPerPacket', () => {
  test.each([0, -1, 4097, 1.5, Number.NaN, Infinity])('when it is %d, then only build refuses, and a right number mends it', (count) => {
    const builder = builderWith(1);
    const expected = String(builder.build().fingerprint);
    expect(builder.maxMessagesPerPacket(count)).toBe(builder);
    expect(thrownBy(() => builder.build())).toMatchObject({
      code: 'INVALID_MAX_MESSAGES_PER_PACKET',
      message: `max messages per packet ${count} is outside [1, 4096]`,
    });
    expect(String(builder.maxMessagesPerPacket(64).build().fingerprint)).toBe(expected);
  });

  test.each(['64', 64n, undefined, null])('when it is no number (%s), then build refuses', (count) => {
    expect(
      thrownBy(() =>
        builderWith(1)
          .maxMessagesPerPacket(count as never)
          .build(),
      ).kind,
    ).toBe('invalidMaxMessagesPerPacket');
  });

  test.each([1, 4096])('when it is %i, then build accepts', (count) => {
    expect(builderWith(1).maxMessagesPerPacket(count).build().maxMessagesPerPacket).toBe(count);
  });
});

describe('building', () => {
  test('when calls are chained, then event and setter return the builder', () => {
    const builder = builderWith(1);
    expect(builder.event('F', 0, 0)).toBe(builder);
    expect(builder.maxMessagesPerPacket(1)).toBe(builder);
  });

  test('when channels are declared, then their ids count from 0 to 63', () => {
    const builder = new SchemaBuilder(1);
    const ids = Array.from({ length: 64 }, (_, i) => builder.channel(unreliableUnordered(`c${i}`)));
    expect(ids).toEqual(Array.from({ length: 64 }, (_, i) => i));
  });

  test('when the builder goes on after build, then the built schema stays and the next has more', () => {
    const builder = builderWith(1);
    const first = builder.build();
    const text = String(first.fingerprint);
    builder.event('A', 0, 500).maxMessagesPerPacket(9).channel(reliableOrdered('late'));
    const second = builder.build();
    expect([first.events.length, first.channels.length, first.maxMessagesPerPacket, first.channels[0]?.maxPayload]).toEqual([1, 1, 64, 1]);
    expect(String(first.fingerprint)).toBe(text);
    expect([second.events.length, second.channels.length, second.maxMessagesPerPacket, second.channels[0]?.maxPayload]).toEqual([
      2, 2, 9, 500,
    ]);
  });

  test('when a getter of a declaration declares another channel, then both are kept apart', () => {
    const builder = new SchemaBuilder(1);
    const outer = {
      name: 'outer',
      delivery: 'reliableOrdered',
      get capacity() {
        builder.channel(reliableOrdered('inner'));
        return 5;
      },
    } as const;
    expect(builder.channel(outer)).toBe(1);
    expect(builder.build().channels.map(({ id, name }) => [id, name])).toEqual([
      [0, 'inner'],
      [1, 'outer'],
    ]);
  });
});
