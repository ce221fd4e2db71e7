import type { Catalogue } from './catalogue.ts';
import { ReliableError } from './errors.ts';
import { PacketLayout } from './packet-layout.ts';
import { MAX_FRAGMENT_SIZE, MAX_UNFRAGMENTED_PACKET } from './wire-constants.ts';

const MAX_FRAGMENTS = 256;
const MAX_RING_SIZE = 32_768;
const IDS = 65_536;
/** Cost of two reorder slots: what a parked event needs besides its payload at least. */
const PARKED_SLACK = 64;

/** Local settings of a connection. They are not fingerprinted and need not match between peers, but for `fragmentSize`. */
export interface TransportConfig {
  /** Largest connection packet, bytes; at least `fragmentAbove`, at most 256 fragments. */
  readonly maxPacketSize: number;
  /** A packet of more bytes travels in fragments, 1 … 1191. */
  readonly fragmentAbove: number;
  /** Bytes of a fragment, 1 … 1186. **Must equal the peer's**: a mismatch is not noticed on the wire, it shows only in the endpoint counter `fragmentsInvalid`. */
  readonly fragmentSize: number;
  /** Most bytes that events are packed up to, 1 … `maxPacketSize`; an event that needs more travels alone. */
  readonly packetBudget: number;
  /** Most packets of one flush, 1 or more. */
  readonly maxPacketsPerFlush: number;
  /** Seconds until a silent peer fails the handshake, more than 0. */
  readonly handshakeTimeout: number;
  /** Seconds for which a host keeps sending its hello after a mismatch. */
  readonly mismatchLinger: number;
  /** Seconds without a packet after which an empty one is sent. */
  readonly idlePacketInterval: number;
  /** Most events of one connection in the inbox, 1 or more. */
  readonly maxPendingEvents: number;
  /** Most payload bytes of one connection in the inbox. */
  readonly maxPendingBytes: number;
  /** Most bytes held for reliable events that arrived ahead of a missing one. */
  readonly maxParkedBytes: number;
  /** Most bytes of spare payload buffers, for each channel. */
  readonly maxPooledBytes: number;
  /** Malformed packets that fail the connection, 1 or more. */
  readonly malformedLimit: number;
  /** Sent packets that can still be acknowledged, a power of two, 2 … 32768. Half of it bounds the packets in flight. */
  readonly sentPacketsBufferSize: number;
  /** Window in which late packets are taken, a power of two, 2 … 32768. */
  readonly receivedPacketsBufferSize: number;
  /** Window, in packets, in which fragments are put together, a power of two, 1 … 32768. */
  readonly fragmentReassemblyBufferSize: number;
  /** Round-trip samples kept, 1 or more. */
  readonly rttHistorySize: number;
  /** Weight of a new round-trip sample, above 0, at most 1. */
  readonly rttSmoothingFactor: number;
  /** Weight of a new loss figure, above 0, at most 1. */
  readonly packetLossSmoothingFactor: number;
  /** Weight of a new bandwidth figure, above 0, at most 1. */
  readonly bandwidthSmoothingFactor: number;
  /** Bytes that the layers below add to a packet; counted in the bandwidth figures only. */
  readonly packetHeaderSize: number;
}

/** The defaults of every field. Frozen. */
export const DEFAULT_TRANSPORT_CONFIG: TransportConfig = Object.freeze({
  maxPacketSize: 32_768,
  fragmentAbove: MAX_UNFRAGMENTED_PACKET,
  fragmentSize: MAX_FRAGMENT_SIZE,
  packetBudget: MAX_UNFRAGMENTED_PACKET,
  maxPacketsPerFlush: 64,
  handshakeTimeout: 5,
  mismatchLinger: 1,
  idlePacketInterval: 0.1,
  maxPendingEvents: 4096,
  maxPendingBytes: 4_194_304,
  maxParkedBytes: 1_048_576,
  maxPooledBytes: 65_536,
  malformedLimit: 1,
  sentPacketsBufferSize: 256,
  receivedPacketsBufferSize: 256,
  fragmentReassemblyBufferSize: 16,
  rttHistorySize: 128,
  rttSmoothingFactor: 0.0025,
  packetLossSmoothingFactor: 0.1,
  bandwidthSmoothingFactor: 0.1,
  packetHeaderSize: 28,
});

/** An event that no packet of a configuration can carry. Its kind is `eventTooLarge`. */
export class EventTooLargeError extends ReliableError {
  /** Name of the event. */
  readonly event: string;
  /** What it declares, bytes. */
  readonly maxPayload: number;
  /** The largest payload that fits, bytes. */
  readonly limit: number;

  constructor(event: string, maxPayload: number, limit: number) {
    super('eventTooLarge', `event "${event}" allows ${maxPayload} byte payloads, but at most ${limit} fit`, { field: 'maxPacketSize' });
    this.event = event;
    this.maxPayload = maxPayload;
    this.limit = limit;
  }
}

/** Some fields of a configuration; `undefined` stands for a field that is left out. */
export type TransportOptions = { readonly [K in keyof TransportConfig]?: TransportConfig[K] | undefined };

/**
 * Completes a configuration from the defaults.
 *
 * @param partial - fields that are left out or `undefined` are the default's.
 * @returns a frozen object; not validated.
 */
export function transportConfig(partial: TransportOptions = {}): TransportConfig {
  const config: { -readonly [K in keyof TransportConfig]: TransportConfig[K] } = { ...DEFAULT_TRANSPORT_CONFIG };
  for (const field of Object.keys(config) as (keyof TransportConfig)[]) config[field] = partial[field] ?? config[field];
  return Object.freeze(config);
}

/** Fragments of the largest packet. */
export function maxFragmentsOf(config: TransportConfig): number {
  return Math.ceil(config.maxPacketSize / Math.max(config.fragmentSize, 1));
}

/**
 * Checks a complete configuration on its own.
 *
 * @throws {@link ReliableError} `TRANSPORT` with the text of the first rule that is broken, in the order of the specification.
 * Source: event layer section 11, `validate`.
 */
export function validateTransportConfig(config: TransportConfig): void {
  const c = config;
  if (!isCount(c.fragmentSize, 1, MAX_FRAGMENT_SIZE)) refuse('fragmentSize', 'fragment_size must be in [1, MAX_FRAGMENT_SIZE]');
  if (!isCount(c.fragmentAbove, 1, MAX_UNFRAGMENTED_PACKET)) {
    refuse('fragmentAbove', 'fragment_above must be in [1, MAX_UNFRAGMENTED_PACKET]');
  }
  if (!isCount(c.maxPacketSize, c.fragmentAbove)) refuse('maxPacketSize', 'max_packet_size must be at least fragment_above');
  if (maxFragmentsOf(c) > MAX_FRAGMENTS) refuse('maxPacketSize', 'max_packet_size needs more than 256 fragments');
  if (!isCount(c.packetBudget, 1, c.maxPacketSize)) refuse('packetBudget', 'packet_budget must be in [1, max_packet_size]');
  if (!isCount(c.maxPacketsPerFlush, 1)) refuse('maxPacketsPerFlush', 'max_packets_per_flush must be at least 1');
  if (!(isSeconds(c.handshakeTimeout) && c.handshakeTimeout > 0)) {
    refuse('handshakeTimeout', 'handshake_timeout must be a positive number of seconds');
  }
  if (!isSeconds(c.mismatchLinger)) refuse('mismatchLinger', 'mismatch_linger must be a non-negative number of seconds');
  if (!isSeconds(c.idlePacketInterval)) refuse('idlePacketInterval', 'idle_packet_interval must be a non-negative number of seconds');
  if (!isCount(c.maxPendingEvents, 1)) refuse('maxPendingEvents', 'max_pending_events must be at least 1');
  if (!isCount(c.malformedLimit, 1)) refuse('malformedLimit', 'malformed_limit must be at least 1');
  if (!isRingSize(c.sentPacketsBufferSize, 2)) {
    refuse('sentPacketsBufferSize', 'sent_packets_buffer_size must be a power of two <= 32768');
  }
  if (!isRingSize(c.receivedPacketsBufferSize, 2)) {
    refuse('receivedPacketsBufferSize', 'received_packets_buffer_size must be a power of two <= 32768');
  }
  if (!isCount(c.rttHistorySize, 1)) refuse('rttHistorySize', 'rtt_history_size must be at least 1');
  if (!isCount(c.fragmentReassemblyBufferSize, 1)) {
    refuse('fragmentReassemblyBufferSize', 'fragment_reassembly_buffer_size must be at least 1');
  }
  if (!isRingSize(c.fragmentReassemblyBufferSize, 1)) {
    refuse('fragmentReassemblyBufferSize', 'fragment_reassembly_buffer_size must be a power of two <= 32768');
  }
  for (const field of ['rttSmoothingFactor', 'packetLossSmoothingFactor', 'bandwidthSmoothingFactor'] as const) {
    if (!(typeof c[field] === 'number' && Math.fround(c[field]) > 0 && c[field] <= 1)) refuse(field, 'smoothing factors must be in (0, 1]');
  }
  // Fields without a rule of their own still count whole bytes.
  for (const field of ['maxPendingBytes', 'maxParkedBytes', 'maxPooledBytes', 'packetHeaderSize'] as const) {
    if (!isCount(c[field], 0)) refuse(field, `${snakeCase(field)} must be a whole number of bytes`);
  }
}

/**
 * Checks a complete configuration, and that it can carry a catalogue.
 *
 * @throws {@link ReliableError} `TRANSPORT` or `EVENT_TOO_LARGE` ({@link EventTooLargeError}) for the first rule that is broken; `INVALID_OPTION`
 * for a catalogue that no schema builder makes.
 * Source: event layer section 11, `validateFor`.
 */
export function validateTransportConfigFor(config: TransportConfig, catalogue: Catalogue): void {
  validateTransportConfig(config);
  validateForLayout(config, catalogue, new PacketLayout(catalogue));
}

/** The second half of {@link validateTransportConfigFor}, for callers that have the layout already. */
export function validateForLayout(config: TransportConfig, catalogue: Catalogue, layout: PacketLayout): void {
  const limit = layout.largestPayload(config.maxPacketSize);
  for (const event of catalogue.events) {
    if (event.maxPayload > limit) throw new EventTooLargeError(event.name, event.maxPayload, limit);
  }
  const reliable = catalogue.channels.filter((channel) => channel.delivery === 'reliableOrdered');
  const window = Math.max(0, ...reliable.map((channel) => channel.capacity));
  if (config.receivedPacketsBufferSize * catalogue.maxMessagesPerPacket + 2 * window > IDS) {
    refuse(
      'receivedPacketsBufferSize',
      'received_packets_buffer_size * max_messages_per_packet + 2 * the largest reliable window must not exceed 65536',
    );
  }
  const largest = Math.max(0, ...catalogue.channels.map((channel) => channel.maxPayload));
  if (config.maxPendingBytes < largest) refuse('maxPendingBytes', 'max_pending_bytes is smaller than the largest event payload');
  const largestReliable = Math.max(0, ...reliable.map((channel) => channel.maxPayload));
  if (reliable.length > 0 && config.maxParkedBytes < largestReliable + PARKED_SLACK) {
    refuse('maxParkedBytes', 'max_parked_bytes cannot hold the largest reliable event payload');
  }
}

function refuse(field: string, what: string): never {
  throw new ReliableError('transport', `invalid transport configuration: ${what}`, { field });
}

function isCount(value: number, min: number, max: number = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

function isRingSize(value: number, min: number): boolean {
  return isCount(value, min, MAX_RING_SIZE) && (value & (value - 1)) === 0;
}

function isSeconds(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
