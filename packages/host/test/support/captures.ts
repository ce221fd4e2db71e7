import { PeerId } from '@x/reliable';
import { Fingerprint, Schema } from '@x/schema';
import { fromHex } from '@x/testkit';
import fc from 'fast-check';
import { CaptureReader, CaptureWriter, MemoryOutput } from '../../src/capture/index.ts';
import type { CaptureHeader, CaptureRecord, CaptureWriterOptions } from '../../src/capture/index.ts';
import { DISCONNECT_REASON_CODES } from '../../src/disconnect-reason.ts';
import type { DisconnectReason } from '../../src/disconnect-reason.ts';

/** Everything that a capture holds. */
export interface Capture {
  readonly header: CaptureHeader;
  readonly records: readonly CaptureRecord[];
}

export type MessageRecord = Extract<CaptureRecord, { kind: 'sent' | 'received' }>;

/** The published example of hosts section 11.5: schema A and one received event. */
export const EXAMPLE: Uint8Array = fromHex(
  [
    '444e43415000',
    '0100',
    '0100',
    '95dde79a1f5b44db4c183bc91a691cf2',
    '0100',
    '0872656c6961626c65',
    '01000000',
    '000443686174',
    '02000000000000f83f0000010000000000',
    '00000000000500000068656c6c6f',
  ].join(''),
);
/** Bytes of the header of {@link EXAMPLE}. */
export const EXAMPLE_HEADER_BYTES = 47;

export function schemaA(): Schema {
  const builder = Schema.builder(1);
  return builder.event('Chat', builder.channel({ name: 'reliable', delivery: 'reliableOrdered' }), 256).build();
}

/** A header with what differs from that of {@link EXAMPLE}. */
export function header(parts: Partial<CaptureHeader> = {}): CaptureHeader {
  const fingerprint = Fingerprint.parse('f21c691ac93b184cdb445b1f9ae7dd95');
  return { version: 1, payloads: true, fingerprint, channels: ['reliable'], events: [{ channel: 0, name: 'Chat' }], ...parts };
}

/** A message record with what differs from that of {@link EXAMPLE}. */
export function message(parts: Partial<MessageRecord> = {}): MessageRecord {
  const payload = parts.payload ?? new TextEncoder().encode('hello');
  return { kind: 'received', time: 1.5, peer: PeerId.of(0, 1), event: 0, channel: 0, length: payload.length, payload, ...parts };
}

/** Writes a capture to memory. */
export async function written(start: Schema | CaptureHeader, records: readonly CaptureRecord[], options?: CaptureWriterOptions) {
  const output = new MemoryOutput();
  const writer = new CaptureWriter(start, output, options);
  for (const record of records) writer.record(record);
  await writer.finish();
  return output.toBytes();
}

/** Reads the records that are left. */
export function readAll(reader: CaptureReader): CaptureRecord[] {
  const records: CaptureRecord[] = [];
  for (let record = reader.next(); record !== undefined; record = reader.next()) records.push(record);
  return records;
}

/** The header and all records of a capture. */
export function read(bytes: Uint8Array): Capture {
  const reader = new CaptureReader(bytes);
  return { header: reader.header, records: readAll(reader) };
}

const u8 = fc.integer({ min: 0, max: 0xff });
const u32 = fc.oneof(fc.nat({ max: 300 }), fc.integer({ min: 0, max: 0xffff_ffff }), fc.constant(0xffff_ffff));
const u64 = fc.oneof(fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }), fc.constantFrom(0n, 2n ** 53n + 1n, 0xffff_ffff_ffff_ffffn));

/** Names of any characters that a length of one byte allows. */
const name = fc
  .oneof(
    { arbitrary: fc.string({ unit: 'binary', maxLength: 12 }), weight: 9 },
    fc.string({ unit: 'binary', minLength: 50, maxLength: 300 }),
  )
  .filter((text) => Buffer.byteLength(text) <= 0xff);

const stamp = { time: fc.double({ noNaN: true }), peer: u64.map(PeerId.fromValue) };
const reason = fc.constantFrom(...(Object.keys(DISCONNECT_REASON_CODES) as DisconnectReason[]));

const messages: fc.Arbitrary<CaptureRecord> = fc
  .record({
    kind: fc.constantFrom('sent' as const, 'received' as const),
    ...stamp,
    event: u32,
    channel: u8,
    payload: fc.uint8Array({ maxLength: 40 }),
  })
  .map((record) => ({ ...record, length: record.payload.length }));

export const records: fc.Arbitrary<CaptureRecord> = fc.oneof(
  { arbitrary: messages, weight: 3 },
  fc.record({ kind: fc.constant('connected' as const), ...stamp, clientId: u64 }),
  fc.record({ kind: fc.constant('disconnected' as const), ...stamp, reason }),
  fc.record({ kind: fc.constant('rejected' as const), ...stamp, clientId: u64, reason }),
);

/** Captures as a reader gives them: without stored payloads these are empty, and lengths are what they are. */
export const captures: fc.Arbitrary<Capture> = fc
  .record({
    version: fc.constant(1),
    payloads: fc.boolean(),
    fingerprint: fc.uint8Array({ minLength: 16, maxLength: 16 }).map(Fingerprint.fromBytes),
    channels: fc.array(name, { maxLength: 6 }),
    events: fc.array(fc.record({ channel: u8, name }), { maxLength: 8 }),
  })
  .chain((start) =>
    fc.record({
      header: fc.constant(start),
      records: start.payloads
        ? fc.array(records, { maxLength: 12 })
        : fc.array(
            fc
              .tuple(records, u32)
              .map(([record, length]) => ('payload' in record ? { ...record, length, payload: new Uint8Array(0) } : record)),
            { maxLength: 12 },
          ),
    }),
  );
