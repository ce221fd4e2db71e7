import type { Catalogue, Channel, ChannelId, EventType, EventTypeId } from './catalogue.ts';
import { checkChannelRules, readChannelConfig } from './channel-config.ts';
import type { ChannelConfig, CompleteChannelConfig } from './channel-config.ts';
import { DEFAULT_MAX_MESSAGES_PER_PACKET, MAX_CHANNELS, MAX_EVENT_PAYLOAD, MAX_EVENT_TYPES, MAX_MESSAGES_PER_PACKET } from './constants.ts';
import { ConfigError } from './errors.ts';
import { checkName, checkNumber, checkText, checkU32, isIntegerIn } from './internal/check.ts';

interface DeclaredEvent {
  readonly name: string;
  readonly channel: ChannelId;
  readonly maxPayload: number;
  readonly codecVersion: number;
}

/**
 * What a `SchemaBuilder` has been told so far. It checks each declaration in the order of schema sections 3 and 4, copies it, and puts everything
 * together for the schema. A call that throws leaves it as it was.
 */
export class Declarations {
  readonly #schemaVersion: number;
  readonly #channels: CompleteChannelConfig[] = [];
  readonly #channelNames = new Set<string>();
  readonly #events: DeclaredEvent[] = [];
  readonly #eventNames = new Set<string>();
  #maxMessagesPerPacket: unknown = DEFAULT_MAX_MESSAGES_PER_PACKET;

  /** Throws `INVALID_OPTION` unless the version is a u32. */
  constructor(schemaVersion: number) {
    this.#schemaVersion = checkU32(schemaVersion, 'schemaVersion');
  }

  /** Declares a channel and gives its id. */
  channel(config: ChannelConfig): ChannelId {
    const channel = readChannelConfig(config);
    checkName(channel.name);
    if (this.#channelNames.has(channel.name)) throw new ConfigError('duplicateChannel', { channel: channel.name });
    if (this.#channels.length >= MAX_CHANNELS) throw new ConfigError('tooManyChannels', { limit: MAX_CHANNELS });
    checkChannelRules(channel);
    this.#channelNames.add(channel.name);
    return (this.#channels.push(channel) - 1) as ChannelId;
  }

  /** Declares an event; its id exists only after {@link catalogue}. */
  event(givenName: string, givenChannel: number, givenMaxPayload: number, givenCodecVersion: number): void {
    const name = checkText(givenName, 'name');
    const id = checkNumber(givenChannel, 'channel', 'the id of a channel');
    const maxPayload = checkU32(givenMaxPayload, 'maxPayload');
    const codecVersion = checkU32(givenCodecVersion, 'codecVersion');
    checkName(name);
    if (!isIntegerIn(id, 0, this.#channels.length - 1)) throw new ConfigError('unknownChannel', { id });
    if (this.#events.length >= MAX_EVENT_TYPES) throw new ConfigError('tooManyEvents', { limit: MAX_EVENT_TYPES });
    if (maxPayload > MAX_EVENT_PAYLOAD) throw new ConfigError('eventTooLarge', { event: name, maxPayload, limit: MAX_EVENT_PAYLOAD });
    if (this.#eventNames.has(name)) throw new ConfigError('duplicateEvent', { event: name });
    this.#eventNames.add(name);
    this.#events.push({ name, channel: Math.abs(id) as ChannelId, maxPayload, codecVersion });
  }

  /** Takes any value; {@link catalogue} judges it. */
  maxMessagesPerPacket(count: number): void {
    this.#maxMessagesPerPacket = count;
  }

  /**
   * Assigns the event ids and gives a frozen copy of everything declared (schema section 5).
   *
   * @throws {@link ConfigError} `INVALID_MAX_MESSAGES_PER_PACKET`.
   */
  catalogue(): Catalogue {
    const count = this.#maxMessagesPerPacket;
    if (!isIntegerIn(count, 1, MAX_MESSAGES_PER_PACKET)) throw new ConfigError('invalidMaxMessagesPerPacket', { count });
    const events = Object.freeze(this.#events.toSorted(byName).map(numbered));
    const channels = Object.freeze(completed(this.#channels, events));
    return Object.freeze({ schemaVersion: this.#schemaVersion, maxMessagesPerPacket: count, channels, events });
  }
}

/** Names are ASCII, so the order of the code units is the order of the bytes; no two are equal. */
function byName(a: DeclaredEvent, b: DeclaredEvent): number {
  return a.name < b.name ? -1 : 1;
}

function numbered({ name, channel, maxPayload, codecVersion }: DeclaredEvent, index: number): EventType {
  return Object.freeze({ id: index as EventTypeId, name, channel, maxPayload, codecVersion });
}

/** The channels with their ids, their largest payloads and their events. */
function completed(configs: readonly CompleteChannelConfig[], events: readonly EventType[]): Channel[] {
  const carried = configs.map(() => ({ maxPayload: 0, events: [] as EventTypeId[] }));
  for (const { id, channel, maxPayload } of events) {
    const entry = carried[channel]!;
    entry.events.push(id);
    entry.maxPayload = Math.max(entry.maxPayload, maxPayload);
  }
  return carried.map(({ maxPayload, events: ids }, index) => {
    return Object.freeze({ id: index as ChannelId, ...configs[index]!, maxPayload, events: Object.freeze(ids) });
  });
}
