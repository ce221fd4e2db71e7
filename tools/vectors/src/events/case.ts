import type { Counters } from '@x/reliable';
import { isRecord } from '../fields.ts';
import type { Fields } from '../fields.ts';
import type { CaseContext } from '../group.ts';

/** A whole vector file, for cases that name entries of another group. */
export type VectorFile = CaseContext['file'];

/** A received event; its payload as hex. */
export interface Message {
  readonly event: number;
  readonly channel: number;
  readonly payload: string;
}

/** The entry of a group with this name. */
export function namedEntry(file: VectorFile, group: string, name: string): unknown {
  const list = file[group];
  const entry: unknown = Array.isArray(list) ? list.find((one: unknown) => isRecord(one) && one['name'] === name) : undefined;
  if (entry === undefined) throw new Error(`${group}: has no entry named ${name}`);
  return entry;
}

/** Compares all counters of a connection with an object of their snake_case names. */
export function expectCounters(fields: Fields, key: string, counters: Counters): void {
  fields.object(key, (expected) => {
    for (const [name, value] of Object.entries(counters)) expected.expectNumber(snakeCase(name), value);
  });
}

/** Compares a list of received events: event id, channel and payload. */
export function expectMessages(fields: Fields, key: string, actual: readonly Message[]): void {
  fields.expectEach(key, actual, (expected, message) => {
    expected.expectNumber('event', message.event);
    expected.expectNumber('channel', message.channel);
    expected.expectText('payload', message.payload);
  });
}

/** `maxPacketSize` to `max_packet_size`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `max_packet_size` to `maxPacketSize`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
