import { MAX_MESSAGES_PER_PACKET, MAX_NAME_BYTES } from './constants.ts';
import { describe, quoted } from './internal/debug-text.ts';

/** What each kind of error knows besides its text. Names are as they were given. */
export interface ConfigErrorDetails {
  /** A name is empty, too long or has other characters than `A-Z a-z 0-9 _ . : / -`. */
  invalidName: { readonly name: string };
  /** A channel of that name exists. */
  duplicateChannel: { readonly channel: string };
  /** An event of that name exists. */
  duplicateEvent: { readonly event: string };
  /** The schema has as many channels as it may have. */
  tooManyChannels: { readonly limit: number };
  /** The schema has as many events as it may have. */
  tooManyEvents: { readonly limit: number };
  /** No channel with that id has been declared. */
  unknownChannel: { readonly id: number };
  /** A capacity is not a whole number, 0, or above the largest of its delivery class. */
  invalidCapacity: { readonly channel: string; readonly capacity: unknown };
  /** A reliable channel may not drop. */
  reliableOverflowPolicy: { readonly channel: string };
  /** A resend interval is negative, NaN or infinite. */
  invalidResendInterval: { readonly channel: string };
  /** `maxMessagesPerPacket` is not a whole number in 1 … 4096; reported by `build`. */
  invalidMaxMessagesPerPacket: { readonly count: unknown };
  /** The largest payload of an event, in bytes, is above the limit. */
  eventTooLarge: { readonly event: string; readonly maxPayload: number; readonly limit: number };
  /** An argument has a type or value that no schema can have. */
  invalidOption: { readonly field: string; readonly expected: string; readonly got: string };
}

/** What went wrong, as a closed choice. `code` of the error is the same word in UPPER_SNAKE. */
export type ConfigErrorKind = keyof ConfigErrorDetails;

/** A {@link ConfigError} of some kind, as a union: comparing `kind` also decides the type of `details`. */
export type AnyConfigError = { [K in ConfigErrorKind]: ConfigError<K> }[ConfigErrorKind];

/** The text of each kind (schema section 7). */
const TEXTS: { readonly [K in ConfigErrorKind]: (details: ConfigErrorDetails[K]) => string } = {
  invalidName: ({ name }) => `invalid name ${quoted(name)}: names are 1-${MAX_NAME_BYTES} bytes of [A-Za-z0-9_.:/-]`,
  duplicateChannel: ({ channel }) => `duplicate channel ${quoted(channel)}`,
  duplicateEvent: ({ event }) => `duplicate event ${quoted(event)}`,
  tooManyChannels: () => 'too many channels',
  tooManyEvents: () => 'too many events',
  unknownChannel: ({ id }) => `unknown channel ${id}`,
  invalidCapacity: ({ channel, capacity }) => `channel ${quoted(channel)} has invalid capacity ${describe(capacity)}`,
  reliableOverflowPolicy: ({ channel }) => `reliable channel ${quoted(channel)} must refuse on overflow, not drop`,
  invalidResendInterval: ({ channel }) => `channel ${quoted(channel)} has an invalid resend interval`,
  invalidMaxMessagesPerPacket: ({ count }) => `max messages per packet ${describe(count)} is outside [1, ${MAX_MESSAGES_PER_PACKET}]`,
  eventTooLarge: ({ event, maxPayload, limit }) => `event ${quoted(event)} allows ${maxPayload} byte payloads, but at most ${limit} fit`,
  invalidOption: ({ field, expected, got }) => `${field}: expected ${expected}, got ${got}`,
};

/** The argument at fault, by kind. */
const FIELDS: { readonly [K in ConfigErrorKind]: (details: ConfigErrorDetails[K]) => string | undefined } = {
  invalidName: () => 'name',
  duplicateChannel: () => 'name',
  duplicateEvent: () => 'name',
  tooManyChannels: () => undefined,
  tooManyEvents: () => undefined,
  unknownChannel: () => 'channel',
  invalidCapacity: () => 'capacity',
  reliableOverflowPolicy: () => 'overflow',
  invalidResendInterval: () => 'resendInterval',
  invalidMaxMessagesPerPacket: () => 'maxMessagesPerPacket',
  eventTooLarge: () => 'maxPayload',
  invalidOption: ({ field }) => field,
};

/**
 * What a schema that cannot be declared throws, before anything has changed. {@link ConfigError.is} narrows to a union in which `kind` decides
 * the type of `details`. Source: schema section 7.
 */
export class ConfigError<K extends ConfigErrorKind = ConfigErrorKind> extends Error {
  override readonly name = 'ConfigError';
  /** What went wrong. */
  readonly kind: K;
  /** `kind` in UPPER_SNAKE, such as `INVALID_NAME`. */
  readonly code: string;
  /** The argument or option at fault, where one is. */
  readonly field: string | undefined;
  /** The values that the text names. Frozen. */
  readonly details: ConfigErrorDetails[K];

  constructor(kind: K, details: ConfigErrorDetails[K]) {
    super(TEXTS[kind](details));
    this.kind = kind;
    this.code = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.field = FIELDS[kind](details);
    this.details = details;
    Object.freeze(details);
  }

  /** True for errors of any installed copy of this package (`instanceof` fails across copies). */
  static is(e: unknown): e is AnyConfigError {
    return e instanceof Error && e.name === 'ConfigError' && 'kind' in e && 'code' in e;
  }
}
