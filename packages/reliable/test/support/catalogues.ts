import { readFileSync } from 'node:fs';
import type { Catalogue, CatalogueChannel, CatalogueEvent } from '../../src/index.ts';
import { catalogueNamed } from '../../../../tools/vectors/src/events/catalogue.ts';
import type { NamedCatalogue } from '../../../../tools/vectors/src/events/catalogue.ts';
import type { SeededRandom } from '@x/testkit';

const FILE = JSON.parse(readFileSync(new URL('../../../../tools/vectors/data/events.json', import.meta.url), 'utf8')) as Record<
  string,
  unknown
>;

/** A schema of the golden data, with its real fingerprint. */
export function golden(name: string): NamedCatalogue {
  return catalogueNamed(FILE, name);
}

/** The golden schema `test`: Chat and Spawn on the reliable channel 0, Move and Ping on the unreliable channel 1, Blob on the reliable channel 2. */
export const TEST: NamedCatalogue = golden('test');
export const BLOB = 0;
export const CHAT = 1;
export const MOVE = 2;
export const PING = 3;
export const SPAWN = 4;

export interface ChannelOptions {
  reliable?: boolean;
  capacity?: number;
  overflow?: CatalogueChannel['overflow'];
  packetBudget?: number;
  resendInterval?: number;
}

/** A catalogue of any channels, and events as [channel, largest payload]; its fingerprint is made up of the arguments. */
export function catalogue(
  channels: readonly ChannelOptions[],
  events: readonly (readonly [channel: number, maxPayload: number])[],
  maxMessagesPerPacket: number = 64,
): Catalogue {
  const full: CatalogueEvent[] = events.map(([channel, maxPayload], i) => ({ name: `e${i}`, channel, maxPayload }));
  const bytes = new Uint8Array(16);
  for (const [i, { channel, maxPayload }] of full.entries()) bytes[i % 16]! += channel * 31 + maxPayload * 7 + i + maxMessagesPerPacket;
  return {
    maxMessagesPerPacket,
    fingerprint: { bytes },
    events: full,
    channels: channels.map((channel, id) => {
      const reliable = channel.reliable ?? true;
      return {
        delivery: reliable ? 'reliableOrdered' : 'unreliableUnordered',
        capacity: channel.capacity ?? 64,
        overflow: channel.overflow ?? 'fail',
        packetBudget: channel.packetBudget,
        resendInterval: channel.resendInterval ?? (reliable ? 0.1 : 0),
        maxPayload: Math.max(0, ...full.filter((event) => event.channel === id).map((event) => event.maxPayload)),
      };
    }),
  };
}

/** A catalogue with up to five channels and eight events, degenerate widths included. */
export function randomCatalogue(random: SeededRandom): Catalogue {
  const channels = Array.from({ length: 1 + random.below(5) }, () => ({
    reliable: random.chance(0.5),
    capacity: random.pick([1, 2, 5, 64, 400, 20_000]),
    packetBudget: random.chance(0.2) ? random.below(60) : undefined,
    resendInterval: random.pick([0, 0.02, 0.1]),
  }));
  const count = random.pick([0, 1, 1, 2, 3, 5, 8]);
  const events = Array.from({ length: count }, () => [random.below(channels.length), random.pick([0, 0, 1, 3, 12, 200, 1000])] as const);
  const options = channels.map(({ packetBudget, ...rest }) => (packetBudget === undefined ? rest : { ...rest, packetBudget }));
  return catalogue(options, events, random.pick([1, 2, 3, 8, 60, 64]));
}

/** The test payload P(n, length): n as u32, then a pattern; at least 4 bytes. */
export function payload(n: number, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(length, 4));
  new DataView(bytes.buffer).setUint32(0, n, true);
  for (let i = 4; i < bytes.length; i++) bytes[i] = (n * 31 + i) % 256;
  return bytes;
}

/** The n of a test payload. */
export function numberOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}
