import type { EventTypeId } from './catalogue.ts';
import type { ChannelConfig } from './channel-config.ts';
import type { Codec } from './codec/codec.ts';
import type { Schema } from './schema.ts';

/** All that a catalogue reads of a codec. */
export interface CodecLike {
  readonly descriptor: string;
  /** Bytes, 0 … 2^24. */
  readonly maxBytes: number;
}

/** Which side sends an event: clients, the server, or both. Not in the fingerprint. */
export type Direction = 'toServer' | 'toClient' | 'both';

/** What every event can be told. */
interface EventOptions {
  /** Name of a channel of the same catalogue. */
  readonly channel: string;
  /** `both` by default. */
  readonly direction?: Direction | undefined;
  /** u32. By default that of the codec's descriptor, and 0 for raw events; needed for peers in other languages that have numbers of their own. */
  readonly codecVersion?: number | undefined;
}

/** An event whose payload a codec writes. */
interface CodecEvent extends EventOptions {
  readonly codec: CodecLike;
  readonly raw?: undefined;
  /** Bytes; at most the codec's `maxBytes`, which is the default. */
  readonly maxPayload?: number | undefined;
}

/** An event whose payload is bytes. */
interface RawEvent extends EventOptions {
  readonly raw: true;
  readonly codec?: undefined;
  /** Bytes, 0 … 2^24. */
  readonly maxPayload: number;
}

/** One event of a catalogue that is to be defined. */
export type EventDefinition = CodecEvent | RawEvent;

/** What {@link defineCatalogue} takes. */
export interface CatalogueDefinition {
  /** The schema version: u32, of your choice. */
  readonly version: number;
  /** 1 … 4096; 64 by default. */
  readonly maxMessagesPerPacket?: number | undefined;
  /** By name; their order decides the ids. */
  readonly channels: Readonly<Record<string, Omit<ChannelConfig, 'name'>>>;
  /** By name. */
  readonly events: Readonly<Record<string, EventDefinition>>;
}

/** Asks of the events of a definition that they name only channels that it has. */
export interface KnownChannels<D extends CatalogueDefinition> {
  readonly events: {
    readonly [N in keyof D['events']]: D['events'][N]['channel'] extends keyof D['channels']
      ? unknown
      : { readonly channel: keyof D['channels'] & string };
  };
}

/** The names of the events. `E` is the `events` member of the definition, here and below. */
export type EventName<E> = keyof E & string;

/** The type of an event's values; bytes for raw events. Of several names, the union of theirs. */
export type EventValue<E, N extends keyof E> = N extends keyof E
  ? E[N] extends { readonly codec: Codec<infer T> }
    ? T
    : Uint8Array
  : never;

/** The names of the events that a side sends. */
export type SentBy<E, Side extends 'server' | 'client'> = {
  [N in EventName<E>]: E[N] extends { readonly direction: Side extends 'server' ? 'toServer' : 'toClient' } ? never : N;
}[EventName<E>];

/** A catalogue that knows the types of its payloads. Source: codecs section 2. */
export interface TypedCatalogue<E> {
  readonly schema: Schema;
  /** The events as they were defined. Frozen copies; the codecs are the same objects. */
  readonly events: E;
  /** The id of an event. */
  id(name: EventName<E>): EventTypeId;
  /** The name of an event; `undefined` when there is none with that id. */
  name(id: EventTypeId): EventName<E> | undefined;
  /**
   * Writes the payload of an event; a raw event's bytes are copied.
   *
   * @returns the number of bytes written, at most the event's `maxPayload`.
   * @throws {@link CodecError} when the value is not one of the event's, or does not fit.
   */
  encodeInto<N extends EventName<E>>(name: N, value: EventValue<E, N>, out: Uint8Array, offset: number): number;
  /**
   * Reads the payload of an event. Of a raw event it is `payload` itself, borrowed as it came.
   *
   * @param receiver - the side that the payload came to: an event that only this side sends is refused with `TYPE` before its codec is asked.
   * @throws {@link CodecError} for anything but a payload of that event; `RANGE` for an id that is none.
   */
  decode(id: EventTypeId, payload: Uint8Array, receiver?: 'server' | 'client'): EventValue<E, EventName<E>>;
}
