import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChannelConfig, formatChannelId, formatEventTypeId, Schema } from '../src/index.ts';
import { buildSchema, catalogues } from './support/declarations.ts';
import { assertProperty } from './support/properties.ts';

function sample(): Schema {
  const builder = Schema.builder(7);
  const chat = builder.channel(ChannelConfig.reliableOrdered('chat', { capacity: 64, resendInterval: 0.25 }));
  const state = builder.channel(ChannelConfig.unreliableUnordered('state', { overflow: 'dropOldest', packetBudget: 600 }));
  builder.channel(ChannelConfig.reliableOrdered('idle'));
  return builder.event('Say', chat, 256).event('Move', state, 64, 3).event('Ping', state, 0).event('Emote', chat, 16).build();
}

describe('contents', () => {
  test('when a schema is built, then everything declared is in it', () => {
    const schema = sample();
    expect([schema.schemaVersion, schema.maxMessagesPerPacket]).toEqual([7, 64]);
    expect(schema.channels).toStrictEqual([
      {
        id: 0,
        name: 'chat',
        delivery: 'reliableOrdered',
        capacity: 64,
        overflow: 'fail',
        packetBudget: undefined,
        resendInterval: 0.25,
        maxPayload: 256,
        events: [0, 3],
      },
      {
        id: 1,
        name: 'state',
        delivery: 'unreliableUnordered',
        capacity: 1024,
        overflow: 'dropOldest',
        packetBudget: 600,
        resendInterval: 0,
        maxPayload: 64,
        events: [1, 2],
      },
      {
        id: 2,
        name: 'idle',
        delivery: 'reliableOrdered',
        capacity: 1024,
        overflow: 'fail',
        packetBudget: undefined,
        resendInterval: 0.1,
        maxPayload: 0,
        events: [],
      },
    ]);
    expect(schema.events).toStrictEqual([
      { id: 0, name: 'Emote', channel: 0, maxPayload: 16, codecVersion: 0 },
      { id: 1, name: 'Move', channel: 1, maxPayload: 64, codecVersion: 3 },
      { id: 2, name: 'Ping', channel: 1, maxPayload: 0, codecVersion: 0 },
      { id: 3, name: 'Say', channel: 0, maxPayload: 256, codecVersion: 0 },
    ]);
  });

  test('when names need byte order, then ids follow it', () => {
    const builder = Schema.builder(1);
    const channel = builder.channel(ChannelConfig.reliableOrdered('c'));
    const inOrder = ['-', '.', '/', '0', '9', ':', 'A', 'Z', '_', 'a', 'a-', 'a.', 'a/', 'aB', 'a_', 'aa', 'ab', 'z'];
    for (const name of inOrder.toReversed()) builder.event(name, channel, 1);
    expect(builder.build().events.map(({ name }) => name)).toEqual(inOrder);
  });
});

describe('look-ups', () => {
  const schema = sample();

  test('when an id or name is known, then the entry is found', () => {
    for (const channel of schema.channels) {
      expect(schema.channel(channel.id)).toBe(channel);
      expect(schema.channelId(channel.name)).toBe(channel.id);
    }
    for (const event of schema.events) {
      expect(schema.event(event.id)).toBe(event);
      expect(schema.eventId(event.name)).toBe(event.id);
    }
  });

  test.each([-1, 4, 0.5, Number.NaN, Infinity, 2 ** 32, 'length', '0', undefined, null])('when the id is %s, then there is none', (id) => {
    expect(schema.channel(id as number)).toBeUndefined();
    expect(schema.event(id as number)).toBeUndefined();
  });

  test.each(['', 'say', 'Say ', 'chat/', '__proto__', 'constructor', 0, undefined])('when the name is %s, then there is none', (name) => {
    expect(schema.channelId(name as string)).toBeUndefined();
    expect(schema.eventId(name as string)).toBeUndefined();
  });

  test('when any catalogue is built, then look-ups agree with the lists and every event is on one channel', () => {
    assertProperty(
      fc.property(catalogues, (declaration) => {
        const built = buildSchema(declaration);
        for (const { name, channel, maxPayload, codecVersion } of declaration.events) {
          const id = built.eventId(name)!;
          expect(built.event(id)).toStrictEqual({ id, name, channel, maxPayload, codecVersion });
          expect(built.channel(channel)?.events).toContain(id);
        }
        const ids = built.channels.flatMap(({ events }) => events);
        expect(ids.toSorted((a, b) => a - b)).toEqual(built.events.map(({ id }) => id));
        for (const { events } of built.channels) expect(events).toEqual(events.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('frozen', () => {
  test('when anything of a schema is edited, then it throws', () => {
    const schema = sample();
    const parts: readonly object[] = [
      schema,
      schema.channels,
      schema.events,
      ...schema.channels,
      ...schema.events,
      ...schema.channels.map(({ events }) => events),
    ];
    for (const part of parts) {
      expect(Object.isFrozen(part)).toBe(true);
      expect(() => Object.assign(part, { extra: 1 })).toThrow(TypeError);
    }
  });
});

describe('texts of ids', () => {
  test('when ids are formatted, then they read as in messages', () => {
    const { channels, events } = sample();
    expect([formatChannelId(channels[1]!.id), formatEventTypeId(events[3]!.id)]).toEqual(['channel 1', 'event 3']);
  });
});
