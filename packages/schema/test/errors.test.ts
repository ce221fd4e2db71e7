import { describe, expect, test } from 'vitest';
import { ChannelConfig, ConfigError, MAX_EVENT_PAYLOAD, Schema } from '../src/index.ts';
import type { ConfigErrorDetails, ConfigErrorKind, SchemaBuilder } from '../src/index.ts';
import { thrownBy } from './support/thrown.ts';

const { reliableOrdered, unreliableUnordered } = ChannelConfig;

/** A builder with the reliable channel `r`, id 0, and the event `E`. */
function started(): SchemaBuilder {
  const builder = Schema.builder(1);
  return builder.event('E', builder.channel(reliableOrdered('r')), 1);
}

interface Expected<K extends ConfigErrorKind> {
  readonly code: string;
  readonly field: string | undefined;
  readonly message: string;
  readonly details: ConfigErrorDetails[K];
  readonly cause: () => unknown;
}

/** The type makes a kind without a row an error. `tooManyEvents` has a file of its own. */
const ROWS: { readonly [K in Exclude<ConfigErrorKind, 'tooManyEvents'>]: Expected<K> } = {
  invalidName: {
    code: 'INVALID_NAME',
    field: 'name',
    message: 'invalid name "a b": names are 1-255 bytes of [A-Za-z0-9_.:/-]',
    details: { name: 'a b' },
    cause: () => started().channel(reliableOrdered('a b')),
  },
  duplicateChannel: {
    code: 'DUPLICATE_CHANNEL',
    field: 'name',
    message: 'duplicate channel "r"',
    details: { channel: 'r' },
    cause: () => started().channel(unreliableUnordered('r')),
  },
  duplicateEvent: {
    code: 'DUPLICATE_EVENT',
    field: 'name',
    message: 'duplicate event "E"',
    details: { event: 'E' },
    cause: () => started().event('E', 0, 2),
  },
  tooManyChannels: {
    code: 'TOO_MANY_CHANNELS',
    field: undefined,
    message: 'too many channels',
    details: { limit: 64 },
    cause: () => {
      const builder = started();
      for (let i = 1; i <= 64; i++) builder.channel(reliableOrdered(`c${i}`));
    },
  },
  unknownChannel: {
    code: 'UNKNOWN_CHANNEL',
    field: 'channel',
    message: 'unknown channel 9',
    details: { id: 9 },
    cause: () => started().event('F', 9, 1),
  },
  invalidCapacity: {
    code: 'INVALID_CAPACITY',
    field: 'capacity',
    message: 'channel "chat" has invalid capacity 32769',
    details: { channel: 'chat', capacity: 32_769 },
    cause: () => started().channel(reliableOrdered('chat', { capacity: 32_769 })),
  },
  reliableOverflowPolicy: {
    code: 'RELIABLE_OVERFLOW_POLICY',
    field: 'overflow',
    message: 'reliable channel "chat" must refuse on overflow, not drop',
    details: { channel: 'chat' },
    cause: () => started().channel(reliableOrdered('chat', { overflow: 'dropOldest' })),
  },
  invalidResendInterval: {
    code: 'INVALID_RESEND_INTERVAL',
    field: 'resendInterval',
    message: 'channel "chat" has an invalid resend interval',
    details: { channel: 'chat' },
    cause: () => started().channel(reliableOrdered('chat', { resendInterval: -0.1 })),
  },
  invalidMaxMessagesPerPacket: {
    code: 'INVALID_MAX_MESSAGES_PER_PACKET',
    field: 'maxMessagesPerPacket',
    message: 'max messages per packet 4097 is outside [1, 4096]',
    details: { count: 4097 },
    cause: () => started().maxMessagesPerPacket(4097).build(),
  },
  eventTooLarge: {
    code: 'EVENT_TOO_LARGE',
    field: 'maxPayload',
    message: 'event "Big" allows 16777217 byte payloads, but at most 16777216 fit',
    details: { event: 'Big', maxPayload: 16_777_217, limit: MAX_EVENT_PAYLOAD },
    cause: () => started().event('Big', 0, 16_777_217),
  },
  invalidOption: {
    code: 'INVALID_OPTION',
    field: 'maxPayload',
    message: 'maxPayload: expected an integer in 0 … 4294967295, got -1',
    details: { field: 'maxPayload', expected: 'an integer in 0 … 4294967295', got: '-1' },
    cause: () => started().event('F', 0, -1),
  },
};

test.each(Object.entries(ROWS))('when the cause of %s is given, then code, field, text and details are exact', (kind, row) => {
  const error = thrownBy(row.cause);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ name: 'ConfigError', kind, code: row.code, message: row.message, details: row.details });
  expect(error.field).toBe(row.field);
  expect(Object.isFrozen(error.details)).toBe(true);
});

test('when the kind is compared, then the details have its type', () => {
  const error = thrownBy(ROWS.eventTooLarge.cause);
  if (error.kind !== 'eventTooLarge') throw new Error('another kind');
  expect(error.details.limit - error.details.maxPayload).toBe(-1);
});

describe('ConfigError.is', () => {
  test('when the error comes from another installed copy, then it is one', () => {
    const foreign = Object.assign(new Error('x'), { name: 'ConfigError', kind: 'invalidName', code: 'INVALID_NAME' });
    expect(ConfigError.is(foreign)).toBe(true);
    expect(ConfigError.is(new ConfigError('tooManyEvents', { limit: 1 }))).toBe(true);
  });

  test.each([
    new Error('x'),
    Object.assign(new Error('x'), { name: 'ConfigError' }),
    Object.assign(new Error('x'), { name: 'NetcodeError', kind: 'k', code: 'K' }),
    { name: 'ConfigError', kind: 'k', code: 'K' },
    undefined,
    'ConfigError',
  ])('when it is anything else, then it is not one', (value) => {
    expect(ConfigError.is(value)).toBe(false);
  });
});
