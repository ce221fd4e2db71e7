import { CaptureError, CaptureReader, CaptureWriter, MemoryOutput } from '@x/host/capture';
import type { CaptureErrorKind, CaptureHeader, CaptureRecord } from '@x/host/capture';
import { PeerId } from '@x/reliable';
import type { Schema } from '@x/schema';
import { Fields, expectSame, expectSameBytes, shown } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { buildSchema, readDeclaration } from '../schema/declaration.ts';
import { namedEntry } from './case.ts';
import type { VectorFile } from './case.ts';

/** Classes of errors that the vector file names in another way. */
const CASE_NAMES: Partial<Record<CaptureErrorKind, string>> = { invalidName: 'nameNotUtf8', unknownRecordKind: 'unknownKind' };

/** What a reader made of a capture. */
interface Reading {
  readonly header: CaptureHeader | undefined;
  readonly records: readonly CaptureRecord[];
  readonly error: CaptureErrorKind | undefined;
}

/**
 * One capture: what a reader makes of it, and for good ones that a writer gives the same bytes, from what was read and from the records of the
 * case with the schema that it names.
 */
export const replayCapture: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'source');
  const bytes = fields.bytes('hex');
  const { header, records, error } = read(bytes);
  fields.expectText('outcome', error === undefined ? 'ok' : header === undefined ? 'headerError' : 'recordError');
  if (error !== undefined) fields.expectText('error', CASE_NAMES[error] ?? error);
  if (fields.has('recordsBefore')) fields.expectNumber('recordsBefore', records.length);
  if (header === undefined || error !== undefined) return;
  expectSameBytes('hex, written again from what was read', write(header, records), bytes);
  if (fields.has('records')) expectContents(fields, bytes, { header, records, file });
});

function read(bytes: Uint8Array): Reading {
  const records: CaptureRecord[] = [];
  let header: CaptureHeader | undefined;
  try {
    const reader = new CaptureReader(bytes);
    ({ header } = reader);
    for (let record = reader.next(); record !== undefined; record = reader.next()) records.push(record);
  } catch (error) {
    if (!CaptureError.is(error)) throw error;
    return { header, records, error: error.kind };
  }
  return { header, records, error: undefined };
}

/** To memory everything is written before `finish` returns; its promise has nothing to add. */
function write(header: Schema | CaptureHeader, records: readonly CaptureRecord[], payloads?: boolean): Uint8Array {
  const output = new MemoryOutput();
  const writer = new CaptureWriter(header, output, { payloads });
  for (const record of records) writer.record(record);
  void writer.finish();
  expectSame('error of the writer', writer.error, undefined);
  return output.toBytes();
}

interface Contents {
  readonly header: CaptureHeader;
  readonly records: readonly CaptureRecord[];
  readonly file: VectorFile;
}

function expectContents(fields: Fields, bytes: Uint8Array, { header, records, file }: Contents): void {
  const payloads = fields.boolean('payloads');
  expectSame('payloads flag', header.payloads, payloads);
  const expected = fields.each('records', readRecord);
  for (const [i, record] of expected.entries()) {
    expectRecord(`records[${i}]`, records[i], payloads || !('payload' in record) ? record : { ...record, payload: new Uint8Array(0) });
  }
  expectSame('length of records', records.length, expected.length);
  const schema = schemaNamed(file, fields.text('schema'));
  fields.expectNumber('headerBytes', write(schema, [], payloads).length);
  expectSameBytes('hex, written from the records', write(schema, expected, payloads), bytes);
}

function schemaNamed(file: VectorFile, name: string): Schema {
  return new Fields(namedEntry(file, 'schemas', name), `schema ${name}`).object('declare', (fields) =>
    buildSchema(readDeclaration(fields)),
  );
}

function readRecord(fields: Fields): CaptureRecord {
  const kind = fields.text('kind');
  const time = fields.anyNumber('time');
  const peer = fields.object('peer', (id) => PeerId.of(id.number('slot'), id.number('generation')));
  switch (kind) {
    case 'sent':
    case 'received': {
      const payload = fields.bytes('payload');
      return { kind, time, peer, event: fields.number('event'), channel: fields.number('channel'), length: payload.length, payload };
    }
    case 'connected':
      return { kind, time, peer, clientId: fields.u64('clientId') };
    case 'disconnected':
      return { kind, time, peer, reason: readReason(fields) };
    case 'rejected':
      return { kind, time, peer, clientId: fields.u64('clientId'), reason: readReason(fields) };
    default:
      throw new Error(`${fields.at('kind')}: ${shown(kind)} is no kind of record`);
  }
}

/** The writer refuses what is no reason. */
function readReason(fields: Fields): Extract<CaptureRecord, { kind: 'rejected' }>['reason'] {
  return fields.text('reason') as Extract<CaptureRecord, { kind: 'rejected' }>['reason'];
}

/** Compares member by member, payloads byte by byte; neither record may have a member that the other lacks. */
function expectRecord(path: string, actual: CaptureRecord | undefined, expected: CaptureRecord): void {
  const members: Readonly<Record<string, unknown>> = { ...actual };
  for (const [key, value] of Object.entries(expected)) {
    const member = members[key];
    if (value instanceof Uint8Array && member instanceof Uint8Array) expectSameBytes(`${path}.${key}`, member, value);
    else if (key === 'peer') expectSame(`${path}.peer`, String(member), String(value));
    else expectSame(`${path}.${key}`, member, value);
  }
  expectSame(`members of ${path}`, Object.keys(members).sort().join(), Object.keys(expected).sort().join());
}
