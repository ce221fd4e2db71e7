import { describe, expect, test } from 'vitest';
import * as schemaPackage from '../src/index.ts';
import { ChannelConfig, MAX_EVENT_TYPES, Schema } from '../src/index.ts';
import { thrownBy } from './support/thrown.ts';

test('when limits are read, then they have the values of schema section 2', () => {
  expect(schemaPackage).toMatchObject({
    MAX_CHANNELS: 64,
    MAX_EVENT_TYPES: 1_048_576,
    MAX_NAME_BYTES: 255,
    MAX_RELIABLE_WINDOW: 32_768,
    MAX_UNRELIABLE_CAPACITY: 65_535,
    MAX_EVENT_PAYLOAD: 16_777_216,
    MAX_MESSAGES_PER_PACKET: 4096,
    DEFAULT_MAX_MESSAGES_PER_PACKET: 64,
    DEFAULT_CHANNEL_CAPACITY: 1024,
    DEFAULT_RELIABLE_RESEND_INTERVAL: 0.1,
    DEFAULT_UNRELIABLE_RESEND_INTERVAL: 0,
    FINGERPRINT_BYTES: 16,
  });
});

describe('2^20 events, the most there may be', () => {
  const builder = Schema.builder(1);
  const channel = builder.channel(ChannelConfig.reliableOrdered('reliable'));
  for (let i = 0; i < MAX_EVENT_TYPES; i++) builder.event(`e${(i * 7919) % MAX_EVENT_TYPES}`, channel, 4);

  test('when one more is declared, then TOO_MANY_EVENTS, after the name and the channel and before the size', () => {
    const refusals = (name: string, id: number): string => thrownBy(() => builder.event(name, id, 16_777_217)).kind;
    expect(refusals('e 0', 9)).toBe('invalidName');
    expect(refusals('e0', 9)).toBe('unknownChannel');
    expect(refusals('e0', channel)).toBe('tooManyEvents');
    expect(thrownBy(() => builder.event('more', channel, 4))).toMatchObject({
      code: 'TOO_MANY_EVENTS',
      message: 'too many events',
      details: { limit: MAX_EVENT_TYPES },
      field: undefined,
    });
  });

  test('when they are built, then all are numbered in byte order', () => {
    const { events, channels } = builder.build();
    expect(events).toHaveLength(MAX_EVENT_TYPES);
    expect(channels[0]?.events).toHaveLength(MAX_EVENT_TYPES);
    const wrong = events.findIndex(({ id, name }, i) => id !== i || (i > 0 && events[i - 1]!.name >= name));
    expect(wrong).toBe(-1);
  });
});
