// The catalogue and the configuration of every case; the foreign program's `fixture.rs` has the same. Events are numbered by their sorted names.
import { ConnectionShared } from '@x/reliable';

/** One frame, seconds. */
export const DT = 1 / 60;
/** Events of a batch. */
export const BATCH = 256;
export const BLOB_BYTES = 8192;
export const CLASSES = ['reliable', 'unreliable'];
export const SIZES = [16, 64, 256, 1024];

const channelOf = { R: 0, U: 1, Blob: 2 };
const sized = SIZES.flatMap((size) => [`R${size}`, `U${size}`]);
const names = ['Blob', ...sized].sort();
const reliable = { delivery: 'reliableOrdered', overflow: 'fail', packetBudget: undefined, resendInterval: 0.1 };
const unreliable = { ...reliable, delivery: 'unreliableUnordered', overflow: 'dropOldest' };

/** What `@x/schema` would make: 64 messages per packet, a reliable channel, an unreliable one, and one for large events. */
export const CATALOGUE = {
  maxMessagesPerPacket: 64,
  fingerprint: { bytes: Uint8Array.from({ length: 16 }, (_, i) => i) },
  channels: [
    { ...reliable, capacity: 1024, maxPayload: 1024 },
    { ...unreliable, capacity: 4096, maxPayload: 1024 },
    { ...reliable, capacity: 256, maxPayload: BLOB_BYTES },
  ],
  events: names.map((name) => ({
    name,
    channel: channelOf[name] ?? channelOf[name[0]],
    maxPayload: name === 'Blob' ? BLOB_BYTES : Number(name.slice(1)),
  })),
};

/** Limits raised so that none of them holds a frame back. */
export const OPTIONS = {
  maxPacketsPerFlush: 1024,
  sentPacketsBufferSize: 512,
  receivedPacketsBufferSize: 512,
  maxPendingEvents: 65_536,
  maxPendingBytes: 64 << 20,
};

export const BLOB = names.indexOf('Blob');

/** The event of a class and size. */
export const eventOf = (reliability, size) => names.indexOf(`${reliability === 'reliable' ? 'R' : 'U'}${size}`);

export const newShared = () => ConnectionShared.create(CATALOGUE, OPTIONS);
