import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CaptureWriter } from '../../src/capture/index.ts';
import { message, read, schemaA } from '../support/captures.ts';

const COUNT = 5000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x-capture-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function fill(writer: CaptureWriter): void {
  for (let i = 0; i < COUNT; i++) writer.record(message({ time: i, payload: new Uint8Array(i % 300).fill(i) }));
}

describe('files', () => {
  test('when a capture goes to a file, then it is read back from it', async () => {
    const path = join(folder, 'a.dncap');
    const writer = new CaptureWriter(schemaA(), createWriteStream(path));
    fill(writer);
    await writer.finish();
    const { records } = read(await readFile(path));
    expect(records).toHaveLength(COUNT);
    expect(records[301]).toEqual(message({ time: 301, payload: new Uint8Array(1).fill(301) }));
  });

  test('when a capture goes to a file handle, then it is read back from it', async () => {
    const path = join(folder, 'b.dncap');
    const handle = await open(path, 'w');
    const writer = new CaptureWriter(schemaA(), handle.createWriteStream());
    fill(writer);
    await writer.finish();
    expect(read(await readFile(path)).records).toHaveLength(COUNT);
  });

  test('when the file cannot be opened, then the error of the system is the error of the capture', async () => {
    const writer = new CaptureWriter(schemaA(), createWriteStream(join(folder, 'none', 'c.dncap')));
    await vi.waitFor(() => expect(writer.error).toMatchObject({ code: 'ENOENT' }));
    fill(writer);
    await expect(writer.finish()).rejects.toBe(writer.error);
  });
});

describe('streams', () => {
  test('when the stream is slow, then nothing is lost and little waits in it', async () => {
    const chunks: Uint8Array[] = [];
    let most = 0;
    const slow = new Writable({
      write(chunk: Uint8Array, _, done) {
        most = Math.max(most, slow.writableLength);
        chunks.push(chunk);
        setImmediate(done);
      },
    });
    const writer = new CaptureWriter(schemaA(), slow);
    for (let i = 0; i < 10; i++) {
      fill(writer);
      await new Promise(setImmediate);
    }
    await vi.waitFor(() => expect(slow.writableNeedDrain).toBe(false));
    expect(most).toBeLessThan(200_000);
    await writer.finish();
    expect(read(Buffer.concat(chunks)).records).toHaveLength(10 * COUNT);
  });

  test('when nobody reads, then the capture ends with an overrun; what is read then is whole', async () => {
    const stream = new PassThrough();
    const writer = new CaptureWriter(schemaA(), stream, { maxPendingBytes: 200_000 });
    fill(writer);
    expect(writer.error).toMatchObject({ code: 'OVERRUN' });
    const chunks: Uint8Array[] = [];
    stream.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    await expect(writer.finish()).rejects.toBe(writer.error);
    expect(read(Buffer.concat(chunks)).records.length).toBeGreaterThan(100);
  });

  test.each([undefined, new Error('gone')])('when the stream is destroyed with %s, then that ends the capture', async (cause) => {
    const stream = new PassThrough();
    const writer = new CaptureWriter(schemaA(), stream);
    fill(writer);
    stream.destroy(cause);
    fill(writer);
    expect(writer.error).toMatchObject(cause ?? { name: 'HostError', code: 'CLOSED', field: 'output' });
    await expect(writer.finish()).rejects.toBe(writer.error);
  });

  test('when the stream is destroyed after the last record, then finish rejects', async () => {
    const stream = new PassThrough();
    const writer = new CaptureWriter(schemaA(), stream);
    stream.destroy();
    await expect(writer.finish()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test('when the stream is destroyed while it ends, then finish rejects', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => void setTimeout(done, 20) });
    const writer = new CaptureWriter(schemaA(), stream);
    fill(writer);
    const finished = writer.finish();
    stream.destroy();
    await expect(finished).rejects.toMatchObject({ code: 'ERR_STREAM_DESTROYED' });
  });

  test('when the stream was ended by somebody else, then finish rejects', async () => {
    const stream = new PassThrough();
    const writer = new CaptureWriter(schemaA(), stream.resume());
    stream.end();
    fill(writer);
    await expect(writer.finish()).rejects.toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' });
  });
});
