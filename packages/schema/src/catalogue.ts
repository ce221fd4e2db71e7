import type { Delivery, Overflow } from './channel-config.ts';

/** Number of a channel in its schema: its place in the order of declaration, 0 … 63. */
export type ChannelId = number & { readonly __brand: 'ChannelId' };

/** Number of an event in its schema: its place in the byte order of the names, 0 … 2^20 - 1. */
export type EventTypeId = number & { readonly __brand: 'EventTypeId' };

/** A channel of a built schema. Frozen. */
export interface Channel {
  readonly id: ChannelId;
  readonly name: string;
  readonly delivery: Delivery;
  /** Events, 1 … 65 535. */
  readonly capacity: number;
  readonly overflow: Overflow;
  /** Bytes of one packet that the channel may fill; `undefined` for no limit. */
  readonly packetBudget: number | undefined;
  /** Seconds. */
  readonly resendInterval: number;
  /** Bytes: the largest `maxPayload` of its events, 0 when it has none. */
  readonly maxPayload: number;
  /** Its events in ascending order. Frozen. */
  readonly events: readonly EventTypeId[];
}

/** An event of a built schema. Frozen. */
export interface EventType {
  readonly id: EventTypeId;
  readonly name: string;
  readonly channel: ChannelId;
  /** Bytes, 0 … 2^24. */
  readonly maxPayload: number;
  /** u32; 0 for payloads without a version of their own. */
  readonly codecVersion: number;
}

/** Everything a schema says, before its fingerprint. All of it frozen; the index of a channel or event is its id. */
export interface Catalogue {
  /** u32. */
  readonly schemaVersion: number;
  /** 1 … 4096. */
  readonly maxMessagesPerPacket: number;
  readonly channels: readonly Channel[];
  readonly events: readonly EventType[];
}

/** The id as it reads in messages: `channel 3`. */
export function formatChannelId(id: ChannelId): string {
  return `channel ${id}`;
}

/** The id as it reads in messages: `event 3`. */
export function formatEventTypeId(id: EventTypeId): string {
  return `event ${id}`;
}
