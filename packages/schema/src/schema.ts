import { Declarations } from './builder.ts';
import { encodeCatalogue } from './canonical.ts';
import type { Catalogue, Channel, ChannelId, EventType, EventTypeId } from './catalogue.ts';
import type { ChannelConfig } from './channel-config.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Fingerprint } from './fingerprint.ts';

/** Makes a schema; only the builder below calls it, as the constructor is private. */
let createSchema: (catalogue: Catalogue) => Schema;

/**
 * An immutable catalogue of channels and events, which both ends of a connection must declare alike. It knows names, sizes and versions, never
 * payloads. Made by {@link SchemaBuilder}. The schema and everything in it is frozen. Source: schema section 5.
 */
export class Schema {
  /** u32, chosen by the application. */
  readonly schemaVersion: number;
  /** Most events in one packet, 1 … 4096. */
  readonly maxMessagesPerPacket: number;
  /** Equal on both ends exactly when the catalogues can be spoken between them; see {@link canonicalBytes} for what it covers. */
  readonly fingerprint: Fingerprint;
  /** All channels; the index is the id. */
  readonly channels: readonly Channel[];
  /** All events in the byte order of their names; the index is the id. */
  readonly events: readonly EventType[];
  readonly #channelIds: ReadonlyMap<string, ChannelId>;
  readonly #eventIds: ReadonlyMap<string, EventTypeId>;

  static {
    createSchema = (catalogue) => new Schema(catalogue);
  }

  private constructor(catalogue: Catalogue) {
    this.schemaVersion = catalogue.schemaVersion;
    this.maxMessagesPerPacket = catalogue.maxMessagesPerPacket;
    this.fingerprint = fingerprintOf(encodeCatalogue(catalogue));
    this.channels = catalogue.channels;
    this.events = catalogue.events;
    this.#channelIds = new Map(catalogue.channels.map(({ name, id }) => [name, id]));
    this.#eventIds = new Map(catalogue.events.map(({ name, id }) => [name, id]));
    Object.freeze(this);
  }

  /** The same as `new SchemaBuilder(schemaVersion)`. */
  static builder(schemaVersion: number): SchemaBuilder {
    return new SchemaBuilder(schemaVersion);
  }

  /** The channel with this id; `undefined` when there is none. */
  channel(id: number): Channel | undefined {
    return Number.isInteger(id) ? this.channels[id] : undefined;
  }

  /** The event with this id; `undefined` when there is none. */
  event(id: number): EventType | undefined {
    return Number.isInteger(id) ? this.events[id] : undefined;
  }

  /** The id of the channel with this name; `undefined` when there is none. */
  channelId(name: string): ChannelId | undefined {
    return this.#channelIds.get(name);
  }

  /** The id of the event with this name; `undefined` when there is none. */
  eventId(name: string): EventTypeId | undefined {
    return this.#eventIds.get(name);
  }
}

/**
 * Declares channels and events and builds schemas from them. Each call copies what it is given; a call that throws {@link ConfigError} leaves the
 * builder unchanged. Building does not end it: what is declared afterwards reaches the next schema only. Source: schema sections 3 to 5.
 */
export class SchemaBuilder {
  readonly #declarations: Declarations;

  /**
   * @param schemaVersion - u32, chosen by the application; in the fingerprint.
   * @throws {@link ConfigError} `INVALID_OPTION`.
   */
  constructor(schemaVersion: number) {
    this.#declarations = new Declarations(schemaVersion);
  }

  /**
   * Declares a channel. The order of these calls decides the ids and is in the fingerprint.
   *
   * @param config - a channel made by `ChannelConfig`, or a plain object; members that are left out get the default of the delivery class. Copied.
   * @returns its id, counted from 0.
   * @throws {@link ConfigError} in this order: `INVALID_OPTION` (or `INVALID_CAPACITY`) for a member of a wrong type, `INVALID_NAME`,
   * `DUPLICATE_CHANNEL`, `TOO_MANY_CHANNELS` from the 65th on, `INVALID_CAPACITY`, `RELIABLE_OVERFLOW_POLICY`, `INVALID_RESEND_INTERVAL`.
   */
  channel(config: ChannelConfig): ChannelId {
    return this.#declarations.channel(config);
  }

  /**
   * Declares an event. Events may be declared in any order; their ids exist after {@link SchemaBuilder.build}.
   *
   * @param name - 1 to 255 characters of `A-Z a-z 0-9 _ . : / -`, unlike those of all other events.
   * @param channel - id of a channel declared before.
   * @param maxPayload - bytes, 0 … 2^24; 0 for an event that is only a signal.
   * @param codecVersion - u32, to be changed with the encoding of the payload.
   * @returns this builder.
   * @throws {@link ConfigError} in this order: `INVALID_OPTION` for an argument of a wrong type, `INVALID_NAME`, `UNKNOWN_CHANNEL`,
   * `TOO_MANY_EVENTS` above 2^20, `EVENT_TOO_LARGE`, `DUPLICATE_EVENT`.
   */
  event(name: string, channel: number, maxPayload: number, codecVersion = 0): this {
    this.#declarations.event(name, channel, maxPayload, codecVersion);
    return this;
  }

  /**
   * Sets the most events in one packet. Never throws: {@link SchemaBuilder.build} checks the number.
   *
   * @param count - 1 … 4096; 64 when this is not called.
   * @returns this builder.
   */
  maxMessagesPerPacket(count: number): this {
    this.#declarations.maxMessagesPerPacket(count);
    return this;
  }

  /**
   * Builds a schema of what has been declared so far.
   *
   * @returns a frozen copy, each time another object.
   * @throws {@link ConfigError} `INVALID_MAX_MESSAGES_PER_PACKET`.
   */
  build(): Schema {
    return createSchema(this.#declarations.catalogue());
  }
}

/**
 * Gives the bytes whose SHA-256 begins with the fingerprint, for tools that compare catalogues. They cover versions, names, ids, delivery, capacity,
 * payload sizes and the order of the channels, not overflow, packet budget, resend interval and the order in which events were declared.
 *
 * @returns 32 bytes, 8 and the name for each channel, 14 and the name for each event; a fresh copy.
 * Source: schema section 6.1.
 */
export function canonicalBytes(schema: Schema): Uint8Array {
  return encodeCatalogue(schema);
}
