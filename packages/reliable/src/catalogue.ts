import { ReliableError } from './errors.ts';
import { describe } from './internal/check.ts';

/** Bytes of a fingerprint. */
export const FINGERPRINT_BYTES = 16;
/** Most channels of one catalogue. */
export const MAX_CHANNELS = 64;
/** Most event types of one catalogue. */
export const MAX_EVENT_TYPES: number = 2 ** 20;
/** Largest payload that an event may declare, bytes. */
export const MAX_EVENT_PAYLOAD: number = 2 ** 24;
/** Most messages of one section. */
export const MAX_MESSAGES_PER_PACKET = 4096;
/** Largest capacity of a reliable channel. */
export const MAX_RELIABLE_WINDOW = 32_768;
const MAX_UNRELIABLE_CAPACITY = 0xffff;
const DELIVERIES: readonly string[] = ['reliableOrdered', 'unreliableUnordered'];
const OVERFLOWS: readonly string[] = ['fail', 'dropOldest', 'dropNewest'];

/** What this package reads of a channel declaration. */
export interface CatalogueChannel {
  readonly delivery: 'reliableOrdered' | 'unreliableUnordered';
  /** Reliable: window of sender and receiver, 1 … 32768 events. Unreliable: length of the send queue, 1 … 65535 events. */
  readonly capacity: number;
  /** What `trySend` does on a full unreliable queue. */
  readonly overflow: 'fail' | 'dropOldest' | 'dropNewest';
  /** Most bytes that the channel takes of one packet; `undefined`: no limit. */
  readonly packetBudget: number | undefined;
  /** Seconds until an unacknowledged reliable event is written again. */
  readonly resendInterval: number;
  /** Largest `maxPayload` of the channel's events, bytes. */
  readonly maxPayload: number;
}

/** What this package reads of an event declaration. */
export interface CatalogueEvent {
  readonly name: string;
  /** Id of the channel that carries it. */
  readonly channel: number;
  /** Largest payload, bytes. */
  readonly maxPayload: number;
}

/** What this package reads of a catalogue; `Schema` of `@x/schema` fits it. The index of a channel or an event is its id. */
export interface Catalogue {
  /** Most messages of one section, 1 … 4096. */
  readonly maxMessagesPerPacket: number;
  /** The 16 digest bytes, in wire order. */
  readonly fingerprint: { readonly bytes: Uint8Array };
  readonly channels: readonly CatalogueChannel[];
  readonly events: readonly CatalogueEvent[];
}

/**
 * Refuses what a schema builder cannot have made, so that the tables computed from a catalogue never lie.
 *
 * @throws {@link ReliableError} `INVALID_OPTION` that names the first field at fault.
 */
export function checkCatalogue(catalogue: Catalogue): void {
  const { channels, events } = catalogue;
  checkWhole(catalogue.maxMessagesPerPacket, 'maxMessagesPerPacket', 1, MAX_MESSAGES_PER_PACKET);
  const digest: unknown = catalogue.fingerprint.bytes;
  if (!(digest instanceof Uint8Array && digest.length === FINGERPRINT_BYTES)) {
    refuse('fingerprint', `${FINGERPRINT_BYTES} bytes`, digest);
  }
  checkWhole(channels.length, 'channels', 0, MAX_CHANNELS);
  checkWhole(events.length, 'events', 0, MAX_EVENT_TYPES);
  const largest = new Array<number>(channels.length).fill(0);
  for (const event of events) {
    checkWhole(event.channel, 'channel', 0, channels.length - 1);
    checkWhole(event.maxPayload, 'maxPayload', 0, MAX_EVENT_PAYLOAD);
    largest[event.channel] = Math.max(largest[event.channel]!, event.maxPayload);
  }
  for (const [id, channel] of channels.entries()) {
    const isReliable = channel.delivery === 'reliableOrdered';
    if (!DELIVERIES.includes(channel.delivery)) refuse('delivery', 'a delivery class', channel.delivery);
    if (!OVERFLOWS.includes(channel.overflow)) refuse('overflow', 'an overflow policy', channel.overflow);
    checkWhole(channel.capacity, 'capacity', 1, isReliable ? MAX_RELIABLE_WINDOW : MAX_UNRELIABLE_CAPACITY);
    checkWhole(channel.maxPayload, 'maxPayload', largest[id]!, largest[id]!);
    if (channel.packetBudget !== undefined) checkWhole(channel.packetBudget, 'packetBudget', 0, Number.MAX_SAFE_INTEGER);
    if (!(channel.resendInterval >= 0 && channel.resendInterval < Infinity)) {
      refuse('resendInterval', 'a finite number of seconds, 0 or more', channel.resendInterval);
    }
  }
}

function checkWhole(value: number, field: string, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) refuse(field, `a whole number in ${min} … ${max}`, value);
}

function refuse(field: string, expected: string, value: unknown): never {
  throw new ReliableError('invalidOption', `${field}: expected ${expected}, got ${describe(value)}`, { field });
}
