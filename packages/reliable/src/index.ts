// Entry `@x/reliable`: nothing in here opens a socket, reads a clock or draws a random number.
export { ReliableError } from './errors.ts';
export type { ReliableErrorDetails, ReliableErrorKind } from './errors.ts';
export { Seq16 } from './sequence.ts';
export { ReliableEndpoint } from './endpoint.ts';
export type { EndpointHandlers } from './endpoint.ts';
export type { EndpointConfig } from './endpoint-config.ts';
export type { EndpointCounters, EndpointStats } from './endpoint-report.ts';
export type { Transmit } from './transmit.ts';
export type { Catalogue, CatalogueChannel, CatalogueEvent } from './catalogue.ts';
export {
  DEFAULT_TRANSPORT_CONFIG,
  EventTooLargeError,
  transportConfig,
  validateTransportConfig,
  validateTransportConfigFor,
} from './transport-config.ts';
export type { TransportConfig, TransportOptions } from './transport-config.ts';
export { PeerId } from './peer-id.ts';
export { ConnectionShared } from './connection-shared.ts';
export { Connection } from './connection.ts';
export type { SendRefusal } from './connection.ts';
export type { ConnectionEvent, ConnectionState, Failure } from './failure.ts';
export { MALFORMED_TEXTS } from './malformed.ts';
export type { MalformedKind } from './malformed.ts';
export type { ConnectionStats, Counters } from './stats.ts';
export type { MemoryUsage } from './memory.ts';
export { Inbox } from './inbox.ts';
export type { InboxRecord, LifecycleRecord, MessageRecord } from './inbox.ts';
