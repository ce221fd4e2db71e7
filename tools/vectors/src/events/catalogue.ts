import { DEFAULT_TRANSPORT_CONFIG } from '@x/reliable';
import type { Catalogue, CatalogueEvent, TransportConfig } from '@x/reliable';
import { Fields, isRecord, readAnyNumber, shown } from '../fields.ts';
import { readDeclaration } from '../schema/declaration.ts';
import { camelCase, namedEntry } from './case.ts';
import type { VectorFile } from './case.ts';

/** A schema of the vector file as the few fields that `@x/reliable` reads, with the names that the cases use. */
export interface NamedCatalogue extends Catalogue {
  readonly events: readonly CatalogueEvent[];
  /** The id of an event. */
  eventId(name: string): number;
}

const cache = new WeakMap<VectorFile, Map<string, NamedCatalogue>>();

/**
 * The schema of this name, from group `schemas`, without the help of `@x/schema`: ids follow the sorted names, the fingerprint is the file's.
 */
export function catalogueNamed(file: VectorFile, name: string): NamedCatalogue {
  const known = cache.get(file) ?? new Map<string, NamedCatalogue>();
  cache.set(file, known);
  let catalogue = known.get(name);
  if (catalogue === undefined) {
    catalogue = readCatalogue(new Fields(namedEntry(file, 'schemas', name), `schema ${name}`));
    known.set(name, catalogue);
  }
  return catalogue;
}

function readCatalogue(fields: Fields): NamedCatalogue {
  const declaration = fields.object('declare', readDeclaration);
  const events = declaration.events.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    maxMessagesPerPacket: declaration.maxMessagesPerPacket ?? 64,
    fingerprint: { bytes: fields.bytes('fingerprintWireBytes') },
    channels: declaration.channels.map(({ delivery, capacity, overflow, packetBudget, resendInterval }, id) => ({
      delivery,
      capacity: capacity ?? 1024,
      overflow: overflow ?? 'fail',
      packetBudget,
      resendInterval: resendInterval ?? (delivery === 'reliableOrdered' ? 0.1 : 0),
      maxPayload: Math.max(0, ...events.filter((event) => event.channel === id).map((event) => event.maxPayload)),
    })),
    events,
    eventId(name) {
      const id = events.findIndex((event) => event.name === name);
      if (id < 0) throw new Error(`the schema has no event named ${name}`);
      return id;
    },
  };
}

/** Reads a configuration that lists only what differs from the defaults, in snake_case. */
export function readConfig(fields: Fields, key: string): Partial<TransportConfig> {
  const value = fields.raw(key);
  if (!isRecord(value)) throw new Error(`${fields.at(key)}: expected an object, got ${shown(value)}`);
  const config: Record<string, number> = {};
  for (const [name, number] of Object.entries(value)) {
    const field = camelCase(name);
    if (!Object.hasOwn(DEFAULT_TRANSPORT_CONFIG, field)) throw new Error(`${fields.at(key)}.${name}: no replayer reads this field`);
    config[field] = readAnyNumber(number, `${fields.at(key)}.${name}`);
  }
  return config;
}
