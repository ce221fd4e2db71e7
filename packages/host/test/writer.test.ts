import { PeerId } from '@x/reliable';
import type { Fingerprint } from '@x/schema';
import { toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { CaptureReader, CaptureWriter, MemoryOutput } from '../src/capture/index.ts';
import type { CaptureHeader, CaptureRecord } from '../src/capture/index.ts';
import { EXAMPLE, EXAMPLE_HEADER_BYTES, header, message, read, schemaA, written } from './support/captures.ts';
import { hostErrorOf } from './support/thrown.ts';

const peer = PeerId.of(3, 9);

describe('what is written', () => {
  test('when the published example is written, then the bytes are those of the page', async () => {
    expect(toHex(await written(schemaA(), [message()]))).toBe(toHex(EXAMPLE));
    expect(toHex(await written(header(), [message()]))).toBe(toHex(EXAMPLE));
  });

  test('when a writer is made, then the output has the header at once, and the rest after finish', async () => {
    const output = new MemoryOutput();
    const writer = new CaptureWriter(schemaA(), output);
    expect(toHex(output.toBytes())).toBe(toHex(EXAMPLE.subarray(0, EXAMPLE_HEADER_BYTES)));
    writer.record(message());
    expect(output.length).toBe(EXAMPLE_HEADER_BYTES);
    await writer.finish();
    expect(output.length).toBe(EXAMPLE.length);
  });

  test.each<[number, CaptureRecord]>([
    [31, message()],
    [26, message({ kind: 'sent', payload: new Uint8Array(0) })],
    [25, { kind: 'connected', time: 0, peer, clientId: 77n }],
    [18, { kind: 'disconnected', time: 0, peer, reason: 'timeout' }],
    [26, { kind: 'rejected', time: 0, peer, clientId: 5n, reason: 'schemaMismatch' }],
  ])('when a record is written, then it takes %i bytes', async (size, record) => {
    expect(await written(schemaA(), [record])).toHaveLength(EXAMPLE_HEADER_BYTES + size);
  });

  test('when payloads are stored, then their own length is written', async () => {
    const bytes = await written(schemaA(), [message({ length: 99 })]);
    expect(toHex(bytes)).toBe(toHex(EXAMPLE));
  });

  test('when payloads are not stored, then the length of the record is written', async () => {
    const bytes = await written(schemaA(), [message({ length: 99 })], { payloads: false });
    expect(bytes).toHaveLength(EXAMPLE_HEADER_BYTES + 26);
    expect(read(bytes)).toEqual({ header: header({ payloads: false }), records: [message({ length: 99, payload: new Uint8Array(0) })] });
  });

  test('when a record is recorded, then its payload is copied', async () => {
    const output = new MemoryOutput();
    const writer = new CaptureWriter(schemaA(), output);
    const payload = new TextEncoder().encode('hello');
    writer.record(message({ payload }));
    payload.fill(0xdd);
    await writer.finish();
    expect(toHex(output.toBytes())).toBe(toHex(EXAMPLE));
  });

  test('when there are many records, then chunks are about 64 KiB and one that is larger travels alone', async () => {
    const sizes: number[] = [];
    const chunks: Uint8Array[] = [];
    const writer = new CaptureWriter(schemaA(), { write: (chunk) => sizes.push(chunk.length) + chunks.push(chunk) });
    const large = message({ payload: new Uint8Array(200_000).fill(7) });
    for (let i = 0; i < 3000; i++) writer.record(message());
    writer.record(large);
    writer.record(message());
    await writer.finish();
    expect(sizes).toEqual([EXAMPLE_HEADER_BYTES, 65_534, 3000 * 31 - 65_534, 200_026, 31]);
    const { records } = read(Buffer.concat(chunks));
    expect(records).toHaveLength(3002);
    expect(records[3000]).toEqual(large);
    expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(chunks.length);
  });
});

describe('writing a capture again', () => {
  test.each([true, false])('when payloads are stored: %s, then the copy is the same, lengths included', async (payloads) => {
    const records = [
      message(),
      message({ payload: new Uint8Array(3) }),
      { kind: 'disconnected', time: 2, peer, reason: 'remote' } as const,
    ];
    const bytes = await written(schemaA(), records, { payloads });
    const first = read(bytes);
    expect(toHex(await written(first.header, first.records))).toBe(toHex(bytes));
    expect(first.records.map((record) => ('length' in record ? record.length : -1))).toEqual([5, 3, -1]);
  });

  test('when the option says otherwise than the header, then the option holds', async () => {
    const { header: start, records } = read(EXAMPLE);
    const bytes = await written(start, records, { payloads: false });
    expect(read(bytes).header.payloads).toBe(false);
    expect(read(await written(read(bytes).header, [], { payloads: true })).header.payloads).toBe(true);
  });

  test('when names are as long as they may be, then they come back', async () => {
    const channels = ['', '\ufeff', 'a'.repeat(255), `${'é'.repeat(127)}x`];
    const start = header({ channels, events: [{ channel: 255, name: '\0' }] });
    expect(new CaptureReader(await written(start, [])).header).toEqual(start);
  });
});

describe('mistakes of the caller', () => {
  const isRefused = (action: () => unknown, field: string): void => {
    expect(hostErrorOf(action)).toMatchObject({ kind: 'invalidOption', code: 'INVALID_OPTION', field });
  };

  test.each<[string, unknown]>([
    ['header', undefined],
    ['header', null],
    ['header.version', header({ version: 2 })],
    ['header.fingerprint', header({ fingerprint: undefined as unknown as Fingerprint })],
    ['header.fingerprint.bytes', header({ fingerprint: { bytes: new Uint8Array(15) } as unknown as Fingerprint })],
    ['header.channels', header({ channels: 'reliable' as unknown as string[] })],
    ['header.channels.length', header({ channels: new Array<string>(65_536).fill('') })],
    ['header.channels[0]', header({ channels: ['a'.repeat(256)] })],
    ['header.channels[1]', header({ channels: ['', '\ud800'] })],
    ['header.channels[0]', header({ channels: [7 as unknown as string] })],
    ['header.events', header({ events: {} as CaptureHeader['events'] })],
    ['header.events[0].channel', header({ events: [{ channel: 256, name: '' }] })],
    ['header.events[0].name', header({ events: [{ channel: 0, name: 'é'.repeat(128) }] })],
  ])('when %s cannot be stored, then nothing is written', (field, start) => {
    const output = new MemoryOutput();
    isRefused(() => new CaptureWriter(start as CaptureHeader, output), field);
    expect(output.length).toBe(0);
  });

  test.each<[string, unknown, unknown]>([
    ['output', undefined, {}],
    ['output.write', {}, {}],
    ['options', new MemoryOutput(), null],
    ['payloads', new MemoryOutput(), { payloads: 1 }],
    ['maxPendingBytes', new MemoryOutput(), { maxPendingBytes: -1 }],
    ['maxPendingBytes', new MemoryOutput(), { maxPendingBytes: 1.5 }],
    ['maxPendingBytes', new MemoryOutput(), { maxPendingBytes: Infinity }],
  ])('when %s is wrong, then it is refused', (field, output, options) => {
    isRefused(() => new CaptureWriter(schemaA(), output as MemoryOutput, options as object), field);
  });

  const bad: readonly (readonly [string, unknown])[] = [
    ['record', undefined],
    ['record.time', { ...message(), time: '1' }],
    ['record.peer', { ...message(), peer: undefined }],
    ['record.peer.value', { ...message(), peer: { value: 1 } }],
    ['record.peer.value', { ...message(), peer: { value: 1n << 64n } }],
    ['record.kind', { ...message(), kind: 'lost' }],
    ['record.kind', { ...message(), kind: undefined }],
    ['record.event', { ...message(), event: -1 }],
    ['record.event', { ...message(), event: 2 ** 32 }],
    ['record.channel', { ...message(), channel: 256 }],
    ['record.payload', { ...message(), payload: 'hello' }],
    ['record.clientId', { kind: 'connected', time: 0, peer, clientId: -1n }],
    ['record.clientId', { kind: 'rejected', time: 0, peer, clientId: 1n << 64n, reason: 'denied' }],
    ['record.reason', { kind: 'rejected', time: 0, peer, clientId: 1n, reason: 'timedOut' }],
    ['record.reason', { kind: 'disconnected', time: 0, peer, reason: 'toString' }],
  ];

  test.each(bad)('when %s cannot be stored, then the capture goes on without the record', async (field, record) => {
    const output = new MemoryOutput();
    const writer = new CaptureWriter(schemaA(), output);
    isRefused(() => {
      writer.record(record as CaptureRecord);
    }, field);
    expect(writer.error).toBeUndefined();
    writer.record(message());
    await writer.finish();
    expect(toHex(output.toBytes())).toBe(toHex(EXAMPLE));
  });

  test('when only lengths are stored, then the length is judged and the payload is not', async () => {
    const output = new MemoryOutput();
    const writer = new CaptureWriter(schemaA(), output, { payloads: false });
    isRefused(() => {
      writer.record(message({ length: 2 ** 32 }));
    }, 'record.length');
    writer.record({ ...message(), payload: undefined as unknown as Uint8Array });
    await writer.finish();
    expect(read(output.toBytes()).records).toMatchObject([{ length: 5 }]);
  });

  test('when a record comes after finish, then it is refused; finish again is the same promise', async () => {
    const writer = new CaptureWriter(schemaA(), new MemoryOutput());
    const finished = writer.finish();
    expect(writer.finish()).toBe(finished);
    expect(
      hostErrorOf(() => {
        writer.record(message());
      }),
    ).toMatchObject({ kind: 'closed', code: 'CLOSED', field: undefined });
    await finished;
  });
});
