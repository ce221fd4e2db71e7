import { inspect } from 'node:util';
import { PeerId } from '@x/reliable';
import { describe, expect, test } from 'vitest';
import { CaptureWriter, MemoryOutput } from '../src/capture/index.ts';
import type { CaptureRecord } from '../src/capture/index.ts';
import { message, read, schemaA, written } from './support/captures.ts';
import { FakeStream } from './support/outputs.ts';
import { captureErrorOf, hostErrorOf } from './support/thrown.ts';

describe('FF-60 client ids above 2^53', () => {
  const ids = [76561197980428153n, 76561197980428154n, 2n ** 53n, 2n ** 53n + 1n, 1n, 2n ** 64n - 1n];
  const records = (clientId: bigint): CaptureRecord[] => [
    { kind: 'connected', time: 0, peer: PeerId.of(0, 1), clientId },
    { kind: 'rejected', time: 0, peer: PeerId.of(0, 1), clientId, reason: 'denied' },
  ];

  test('when they are captured, then all come back distinct and exact', async () => {
    const got = read(await written(schemaA(), ids.flatMap(records))).records;
    expect(got).toEqual(ids.flatMap(records));
    expect(new Set(got.map((record) => 'clientId' in record && record.clientId)).size).toBe(ids.length);
  });

  test.each([7, 2 ** 53, Number(ids[1])])('when one is the number %i, then it is refused and not rounded', (clientId) => {
    const output = new MemoryOutput();
    const writer = new CaptureWriter(schemaA(), output);
    const before = output.length;
    for (const record of records(clientId as unknown as bigint)) {
      expect(
        hostErrorOf(() => {
          writer.record(record);
        }),
      ).toMatchObject({ kind: 'invalidOption', field: 'record.clientId' });
    }
    void writer.finish();
    expect(output.length).toBe(before);
  });
});

describe('FF-65 a throwing hook must not stop the frame', () => {
  test('when the output throws on every call, then no record does, and the first error is there to be told', () => {
    let calls = 0;
    const fail = (): never => {
      throw new Error(`call ${++calls}`);
    };
    const writer = new CaptureWriter(schemaA(), { write: fail, once: fail, end: fail });
    for (let i = 0; i < 10_000; i++) writer.record(message());
    expect(writer.error).toMatchObject({ message: 'call 1' });
    expect(calls).toBe(1);
  });
});

describe('FF-82 secrets stay out of text', () => {
  const secret = 'hunter2-hunter2-hunter2';
  const payload = new TextEncoder().encode(secret);
  const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64'), payload.join(', ')];
  const texts = (value: unknown): string[] => [inspect(value, { depth: Infinity, showHidden: true }), String(value), JSON.stringify(value)];

  test('when writer and errors are printed, then payloads are in no form in them', () => {
    const output = new FakeStream();
    const writer = new CaptureWriter(schemaA(), { write: (chunk) => output.write(chunk) });
    writer.record(message({ payload }));
    const refused = [
      { ...message(), payload: secret },
      { ...message(), kind: secret },
      { kind: 'disconnected', time: 0, peer: PeerId.of(0, 1), reason: secret },
    ].map((record) =>
      hostErrorOf(() => {
        writer.record(record as unknown as CaptureRecord);
      }),
    );
    const unreadable = captureErrorOf(() => read(payload));
    for (const text of [writer, ...refused, unreadable].flatMap(texts)) for (const form of forms) expect(text).not.toContain(form);
  });
});

test('when a capture claims 4 GiB, then that much is not allocated', () => {
  const claims = [
    '444e4341500001000100',
    '00'.repeat(16),
    '0000',
    '00000000',
    '02',
    '00'.repeat(16),
    '0000000000',
    'ffffffff',
    '00'.repeat(9),
  ];
  const bytes = Uint8Array.from(Buffer.from(claims.join(''), 'hex'));
  const before = process.memoryUsage();
  for (let i = 0; i < 100; i++) expect(captureErrorOf(() => read(bytes)).kind).toBe('truncatedPayload');
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(2 ** 20);
  expect(after.heapUsed - before.heapUsed).toBeLessThan(2 ** 26);
});
