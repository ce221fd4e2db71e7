// Capture files: any bytes are read to records whose payloads were there, or refused with a documented error; what was read is written to a capture
// that reads the same, byte for byte where nothing was ignored.
import { CaptureError, CaptureReader, CaptureWriter, MemoryOutput } from '@x/host/capture';
import { PeerId } from '@x/reliable';
import { Fingerprint } from '@x/schema';
import { assert, assertSame } from '../check.mjs';

const CODES = [
  'TRUNCATED',
  'NOT_A_CAPTURE',
  'UNKNOWN_VERSION',
  'INVALID_NAME',
  'UNKNOWN_RECORD_KIND',
  'TRUNCATED_PAYLOAD',
  'UNKNOWN_REASON',
];
const FLAGS_AT = 8;
/** Bits of the flags that a reader ignores and a writer leaves 0. */
const IGNORED_FLAGS = 0xfe;

const header = {
  version: 1,
  payloads: true,
  fingerprint: Fingerprint.fromBytes(new Uint8Array(16).fill(7)),
  channels: ['reliable', 'é'],
  events: [
    { channel: 0, name: 'Chat' },
    { channel: 1, name: '' },
  ],
};
const stamp = { time: 1.5, peer: PeerId.of(3, 9) };
const payload = new Uint8Array(20).fill(5);
const records = [
  { kind: 'connected', ...stamp, clientId: 77n },
  { kind: 'received', ...stamp, event: 0, channel: 0, length: 20, payload },
  { kind: 'sent', ...stamp, event: 1, channel: 1, length: 0, payload: new Uint8Array(0) },
  { kind: 'disconnected', ...stamp, reason: 'timeout' },
  { kind: 'rejected', ...stamp, clientId: 5n, reason: 'schemaMismatch' },
];

/** To memory everything is written before `finish` returns. */
function write(start, list) {
  const output = new MemoryOutput();
  const writer = new CaptureWriter(start, output);
  for (const record of list) writer.record(record);
  void writer.finish();
  assert(writer.error === undefined, 'the writer failed');
  return output.toBytes();
}

/** Reads to the end or to the first error. */
function read(bytes) {
  const got = { header: undefined, records: [], error: undefined };
  let reader;
  try {
    reader = new CaptureReader(bytes);
    got.header = reader.header;
    for (let record = reader.next(); record !== undefined; record = reader.next()) got.records.push(record);
  } catch (error) {
    assert(CaptureError.is(error) && CODES.includes(error.code), `unexpected error: ${error}`);
    assert(error.offset >= 0 && error.offset <= bytes.length, `an error at ${error.offset}`);
    got.error = error;
  }
  if (got.header !== undefined)
    got.header.events.forEach(({ name }, id) => assert(reader.eventName(id) === name, `the name of event ${id}`));
  return got;
}

export const target = {
  name: 'capture-read',
  maxBytes: 600,
  seeds: () => [
    new Uint8Array(0),
    write(header, records),
    write({ ...header, payloads: false }, records),
    ...records.map((record) => write({ ...header, channels: [], events: [] }, [record])),
  ],
  run(input) {
    const before = input.slice();
    const got = read(input);
    assertSame(input, before, 'the input before and after');
    if (got.header === undefined) return;
    let payloadBytes = 0;
    for (const record of got.records) {
      if (!('payload' in record)) continue;
      assert(record.payload.length === (got.header.payloads ? record.length : 0), 'a payload of another length than it says');
      payloadBytes += record.payload.length;
    }
    assert(payloadBytes <= input.length, 'more payload than there was input');
    const again = write(got.header, got.records);
    const expected = before.slice(0, again.length);
    expected[FLAGS_AT] &= ~IGNORED_FLAGS;
    expected[FLAGS_AT + 1] = 0;
    // The bits of a NaN may change on the way through a number.
    if (!got.records.some(({ time }) => Number.isNaN(time))) assertSame(again, expected, 'what was read and what it was read from');
    assert(got.error !== undefined || again.length === input.length, 'the end of the capture was not read');
  },
};
