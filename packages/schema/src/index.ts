export { formatChannelId, formatEventTypeId } from './catalogue.ts';
export type { Channel, ChannelId, EventType, EventTypeId } from './catalogue.ts';
export { CatalogueError } from './catalogue-error.ts';
export type { CatalogueErrorKind } from './catalogue-error.ts';
export { ChannelConfig } from './channel-config.ts';
export type { ChannelOptions, Delivery, Overflow } from './channel-config.ts';
export {
  DEFAULT_CHANNEL_CAPACITY,
  DEFAULT_MAX_MESSAGES_PER_PACKET,
  DEFAULT_RELIABLE_RESEND_INTERVAL,
  DEFAULT_UNRELIABLE_RESEND_INTERVAL,
  FINGERPRINT_BYTES,
  MAX_CHANNELS,
  MAX_EVENT_PAYLOAD,
  MAX_EVENT_TYPES,
  MAX_MESSAGES_PER_PACKET,
  MAX_NAME_BYTES,
  MAX_RELIABLE_WINDOW,
  MAX_UNRELIABLE_CAPACITY,
} from './constants.ts';
export { defineCatalogue } from './define-catalogue.ts';
export { ConfigError } from './errors.ts';
export type { AnyConfigError, ConfigErrorDetails, ConfigErrorKind } from './errors.ts';
export { Fingerprint } from './fingerprint.ts';
export { canonicalBytes, Schema, SchemaBuilder } from './schema.ts';
export type {
  CatalogueDefinition,
  CodecLike,
  Direction,
  EventDefinition,
  EventName,
  EventValue,
  KnownChannels,
  SentBy,
  TypedCatalogue,
} from './typed.ts';
