import type { EventTypeId } from './catalogue.ts';
import { CatalogueError } from './catalogue-error.ts';
import type { Codec } from './codec/codec.ts';
import { CodecError } from './codec/codec-error.ts';
import { codecVersion } from './codec/version.ts';
import { MAX_EVENT_PAYLOAD } from './constants.ts';
import { copyInto } from './internal/bytes.ts';
import { isIntegerIn } from './internal/check.ts';
import { describe, quoted } from './internal/debug-text.ts';
import { Schema } from './schema.ts';
import type { CatalogueDefinition, CodecLike, Direction, EventDefinition, KnownChannels, TypedCatalogue } from './typed.ts';

const INTEGER_LIKE = /^(0|[1-9][0-9]*)$/;
const DIRECTIONS: readonly unknown[] = ['toServer', 'toClient', 'both', undefined];
/** The direction of the events that a side never receives. */
const SENT_ONLY: Readonly<Record<'server' | 'client', Direction>> = { server: 'toClient', client: 'toServer' };

/** What is known of an event at run time. */
interface Entry {
  readonly name: string;
  readonly codec: Codec<unknown> | undefined;
  readonly maxPayload: number;
  readonly direction: Direction;
}

/** The catalogue, without the types that the definition gave it. */
class Catalogue implements TypedCatalogue<Readonly<Record<string, EventDefinition>>> {
  readonly schema: Schema;
  readonly events: Readonly<Record<string, EventDefinition>>;
  readonly #entries: readonly Entry[];

  constructor(schema: Schema, events: Readonly<Record<string, EventDefinition>>) {
    this.schema = schema;
    this.events = events;
    this.#entries = schema.events.map(({ name, maxPayload }) => {
      const { codec, direction } = events[name]!;
      return { name, codec: codec !== undefined && isCodec(codec) ? codec : undefined, maxPayload, direction: direction ?? 'both' };
    });
    Object.freeze(this);
  }

  id(name: string): EventTypeId {
    const id = this.schema.eventId(name);
    if (id === undefined) throw new CatalogueError('invalidCatalogue', `no event ${quoted(name)}`);
    return id;
  }

  name(id: EventTypeId): string | undefined {
    return this.schema.event(id)?.name;
  }

  encodeInto(name: string, value: unknown, out: Uint8Array, offset: number): number {
    const { codec, maxPayload } = this.#entries[this.id(name)]!;
    const length = codec === undefined ? copyRaw(value, out, offset) : codec.encodeInto(value, out, offset);
    checkLength(length, maxPayload);
    return length;
  }

  decode(id: EventTypeId, payload: Uint8Array, receiver?: 'server' | 'client'): Uint8Array {
    const entry = Number.isInteger(id) ? this.#entries[id] : undefined;
    if (entry === undefined) throw new CodecError('RANGE', `no event ${describe(id)}`);
    if (receiver !== undefined && entry.direction === SENT_ONLY[receiver]) {
      throw new CodecError('TYPE', `event ${entry.name} is not received by the ${receiver}`);
    }
    if (!(payload instanceof Uint8Array)) throw new CodecError('TYPE', `expected the payload to be a Uint8Array, got ${describe(payload)}`);
    checkLength(payload.length, entry.maxPayload);
    return entry.codec === undefined ? payload : (entry.codec.decode(payload) as Uint8Array);
  }
}

/**
 * Declares channels and events with the types of their payloads, for both directions, in one place.
 *
 * @param definition - channels and events by name. Copied; the codecs are kept. Names like integers (`"1"`) are refused: JavaScript would move them
 * to the front, whatever the order of declaration.
 * @returns the schema, with `maxPayload` and `codecVersion` from the codecs, and functions to write and read payloads.
 * @throws {@link CatalogueError} `INVALID_CATALOGUE` or `INVALID_CODEC`, naming the event or channel; {@link ConfigError} for what the schema itself
 * refuses.
 * Source: codecs section 2.
 */
export function defineCatalogue<const D extends CatalogueDefinition>(definition: D & KnownChannels<D>): TypedCatalogue<D['events']> {
  const { version: schemaVersion, maxMessagesPerPacket, channels, events } = checkObject('definition', definition) as CatalogueDefinition;
  const builder = Schema.builder(schemaVersion);
  if (maxMessagesPerPacket !== undefined) builder.maxMessagesPerPacket(maxMessagesPerPacket);
  const channelIds = new Map(entriesOf('channels', channels).map(([name, config]) => [name, builder.channel({ ...config, name })]));
  const copies: [name: string, definition: EventDefinition][] = [];
  for (const [name, given] of entriesOf('events', events)) {
    const where = `event ${quoted(name)}`;
    const event = Object.freeze({ ...checkObject(where, given) });
    const channel = channelIds.get(event.channel);
    if (channel === undefined) throw invalid(where, `unknown channel ${describe(event.channel)}`);
    if (!DIRECTIONS.includes(event.direction))
      throw invalid(where, `direction: expected toServer, toClient or both, got ${describe(event.direction)}`);
    const [maxPayload, version] = sizeAndVersion(where, event);
    builder.event(name, channel, maxPayload, version);
    copies.push([name, event]);
  }
  const catalogue = new Catalogue(builder.build(), Object.freeze(Object.fromEntries(copies)));
  return catalogue as unknown as TypedCatalogue<D['events']>;
}

function invalid(where: string, problem: string): CatalogueError {
  return new CatalogueError('invalidCatalogue', `${where}: ${problem}`);
}

function checkObject<T>(where: string, value: T): T {
  if (typeof value === 'object' && value !== null) return value;
  throw invalid(where, `expected an object, got ${describe(value)}`);
}

/** The members of an object whose order has a meaning. */
function entriesOf<T extends object>(where: 'channels' | 'events', members: Readonly<Record<string, T>>): [name: string, member: T][] {
  const entries = Object.entries(checkObject(where, members));
  for (const [name, member] of entries) {
    if (INTEGER_LIKE.test(name))
      throw invalid(where, `${quoted(name)}: a name like an integer would come before all others, whatever the order of declaration`);
    if (name === '__proto__') throw invalid(where, `${quoted(name)}: this name is not allowed`);
    checkObject(`${where.slice(0, -1)} ${quoted(name)}`, member);
  }
  return entries;
}

/** What the schema wants to know of an event. */
function sizeAndVersion(
  where: string,
  { codec, raw, maxPayload, codecVersion: given }: EventDefinition,
): readonly [size: number, version: number] {
  if ((codec === undefined) === ((raw as unknown) !== true)) throw invalid(where, 'expected either a codec or raw: true');
  if (codec === undefined) return [maxPayload, given ?? 0];
  const { descriptor, maxBytes } = readCodec(where, codec);
  if (maxPayload !== undefined && maxPayload > maxBytes)
    throw invalid(where, `maxPayload: ${maxPayload} is above the ${maxBytes} bytes of its codec`);
  return [maxPayload ?? maxBytes, given ?? codecVersion(descriptor)];
}

/** Reads what is needed of a codec, each once. A codec that refers to itself finds its own faults only here. */
function readCodec(where: string, codec: CodecLike): CodecLike {
  let read: Partial<CodecLike>;
  try {
    const { descriptor, maxBytes } = checkObject(where, codec);
    read = { descriptor, maxBytes };
  } catch (cause) {
    if (!CatalogueError.is(cause) || cause.kind !== 'invalidCodec') throw cause;
    throw new CatalogueError('invalidCodec', `${where}: codec: ${cause.message}`, { cause });
  }
  const { descriptor, maxBytes } = read;
  if (typeof descriptor !== 'string')
    throw new CatalogueError('invalidCodec', `${where}: codec: expected an object with a descriptor and maxBytes`);
  if (!isIntegerIn(maxBytes, 0, MAX_EVENT_PAYLOAD)) {
    throw new CatalogueError(
      'invalidCodec',
      `${where}: codec: maxBytes: expected an integer in 0 … ${MAX_EVENT_PAYLOAD}, got ${describe(maxBytes)}`,
    );
  }
  return { descriptor, maxBytes };
}

/** A codec that only has a descriptor and a size stands for bytes that others write and read. */
function isCodec(codec: CodecLike): codec is Codec<unknown> {
  const { encodeInto, decode } = codec as Partial<Codec<unknown>>;
  return typeof encodeInto === 'function' && typeof decode === 'function';
}

function checkLength(length: number, maxPayload: number): void {
  if (length > maxPayload) throw new CodecError('TOO_LARGE', `expected at most ${maxPayload} bytes, got ${length}`);
}

function copyRaw(value: unknown, out: Uint8Array, offset: number): number {
  if (!(value instanceof Uint8Array)) throw new CodecError('TYPE', `expected a Uint8Array, got ${describe(value)}`);
  if (!isIntegerIn(offset, 0, out.length))
    throw new CodecError('RANGE', `expected an offset in 0 … ${out.length}, got ${describe(offset)}`);
  if (value.length > out.length - offset)
    throw new CodecError('TOO_LARGE', `out has ${out.length - offset} bytes from the offset on, ${value.length} are needed`);
  copyInto(out, offset, value, 0, value.length);
  return value.length;
}
