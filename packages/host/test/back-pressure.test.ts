import { describe, expect, test, vi } from 'vitest';
import { CaptureWriter, HostError } from '../src/capture/index.ts';
import type { CaptureOutput, CaptureWriterOptions } from '../src/capture/index.ts';
import { EXAMPLE_HEADER_BYTES, message, read, schemaA } from './support/captures.ts';
import { FakeStream } from './support/outputs.ts';

/** A record of 1000 bytes. */
const record = message({ payload: new Uint8Array(974) });

function writerTo(output: CaptureOutput, options?: CaptureWriterOptions): CaptureWriter {
  return new CaptureWriter(schemaA(), output, options);
}

function times(count: number, action: () => void): void {
  for (let i = 0; i < count; i++) action();
}

describe('an output that is busy', () => {
  test('when it needs a drain, then chunks wait for it, in order', () => {
    const output = new FakeStream();
    const writer = writerTo(output);
    output.writableNeedDrain = true;
    times(200, () => writer.record(record));
    expect(output.chunks).toHaveLength(1);
    expect(output.listeners.drain).toHaveLength(1);
    output.drain();
    expect(output.chunks.map(({ length }) => length)).toEqual([EXAMPLE_HEADER_BYTES, 65_000, 65_000, 65_000]);
    expect(output.listeners.drain).toHaveLength(0);
    expect(read(output.bytes).records).toHaveLength(195);
  });

  test('when it is busy again after one chunk, then the others go on waiting', () => {
    const output = new FakeStream();
    const writer = writerTo(output);
    output.writableNeedDrain = true;
    times(200, () => writer.record(record));
    const write = vi.spyOn(output, 'write').mockImplementation((chunk) => {
      output.chunks.push(chunk);
      output.writableNeedDrain = true;
      return false;
    });
    times(3, () => output.drain());
    expect(write).toHaveBeenCalledTimes(3);
    expect(output.listeners.drain).toHaveLength(0);
    expect(writer.error).toBeUndefined();
  });

  test('when more waits than may, then the capture ends with an overrun, at a whole record', async () => {
    const output = new FakeStream();
    const writer = writerTo(output, { maxPendingBytes: 100_000 });
    output.writableNeedDrain = true;
    times(100, () => writer.record(record));
    expect(writer.error).toBeUndefined();
    writer.record(record);
    const { error } = writer;
    expect(error).toMatchObject({ name: 'HostError', kind: 'overrun', code: 'OVERRUN', field: 'maxPendingBytes' });
    output.drain();
    times(100, () => writer.record(record));
    const finished = writer.finish();
    await vi.waitFor(() => expect(output.done).toBeDefined());
    output.done!();
    await expect(finished).rejects.toBe(error);
    expect(writer.error).toBe(error);
    expect(read(output.bytes).records).toHaveLength(100);
  });

  test('when the limit is small, then a ready output gets the records sooner and nothing is refused', () => {
    const output = new FakeStream();
    const writer = writerTo(output, { maxPendingBytes: 1500 });
    times(20, () => writer.record(record));
    expect(writer.error).toBeUndefined();
    expect(output.chunks).toHaveLength(20);
    output.writableNeedDrain = true;
    writer.record(record);
    expect(writer.error).toMatchObject({ kind: 'overrun' });
  });

  test('when nothing may wait, then each record is written at once', () => {
    const output = new FakeStream();
    const writer = writerTo(output, { maxPendingBytes: 0 });
    times(3, () => writer.record(record));
    expect(output.chunks.map(({ length }) => length)).toEqual([EXAMPLE_HEADER_BYTES, 1000, 1000, 1000]);
    output.writableNeedDrain = true;
    writer.record(record);
    expect(writer.error).toBeInstanceOf(HostError);
  });

  test('when it cannot tell of a drain, then it is looked at again', () => {
    const chunks: Uint8Array[] = [];
    const output = { writableNeedDrain: true, write: (chunk: Uint8Array) => chunks.push(chunk) };
    const writer = writerTo(output, { maxPendingBytes: 2000 });
    writer.record(record);
    output.writableNeedDrain = false;
    times(3, () => writer.record(record));
    expect(writer.error).toBeUndefined();
    expect(chunks[0]).toHaveLength(EXAMPLE_HEADER_BYTES);
    expect(chunks.length).toBeGreaterThan(1);
  });

  test('when it returns false and has no property for it, then a drain is waited for', async () => {
    const listeners: (() => void)[] = [];
    const chunks: Uint8Array[] = [];
    const once = (event: string, listener: () => void): void => {
      if (event === 'drain') listeners.push(listener);
    };
    const writer = writerTo({ write: (chunk) => chunks.push(chunk) < 0, once });
    times(200, () => writer.record(record));
    expect(chunks).toHaveLength(1);
    listeners.shift()!();
    expect(chunks).toHaveLength(2);
    await writer.finish();
    expect(read(Buffer.concat(chunks)).records).toHaveLength(200);
  });

  test('when it returns false and cannot say more, then that does not matter', async () => {
    const chunks: Uint8Array[] = [];
    const writer = writerTo({ write: (chunk) => chunks.push(chunk) < 0 });
    times(200, () => writer.record(record));
    await writer.finish();
    expect(read(Buffer.concat(chunks)).records).toHaveLength(200);
  });

  test('when the capture is finished meanwhile, then everything is written all the same', async () => {
    const output = new FakeStream();
    const writer = writerTo(output);
    output.writableNeedDrain = true;
    times(200, () => writer.record(record));
    const finished = writer.finish();
    await vi.waitFor(() => expect(output.done).toBeDefined());
    output.done!();
    await finished;
    expect(read(output.bytes).records).toHaveLength(200);
  });
});

describe('an output that returns promises', () => {
  /** Writes one chunk at a time; `settle` ends the current one. */
  function promising() {
    const chunks: Uint8Array[] = [];
    const settle: { resolve: () => void; reject: (error: unknown) => void }[] = [];
    const write = (chunk: Uint8Array): Promise<void> =>
      new Promise((resolve, reject) => {
        chunks.push(chunk);
        settle.push({ resolve, reject });
      });
    return { chunks, settle, output: { write } };
  }

  test('when one is open, then the next chunk waits for it', async () => {
    const { chunks, settle, output } = promising();
    const writer = writerTo(output);
    times(200, () => writer.record(record));
    const finished = writer.finish();
    for (let i = 0; i < 5; i++) {
      await vi.waitFor(() => expect(settle).toHaveLength(1));
      expect(chunks).toHaveLength(i + 1);
      settle.shift()!.resolve();
    }
    await finished;
    expect(read(Buffer.concat(chunks)).records).toHaveLength(200);
  });

  test('when one is rejected, then that is the error and nothing more is written', async () => {
    const { chunks, settle, output } = promising();
    const writer = writerTo(output);
    const failure = new Error('disk full');
    settle.shift()!.reject(failure);
    await vi.waitFor(() => expect(writer.error).toBe(failure));
    times(200, () => writer.record(record));
    await expect(writer.finish()).rejects.toBe(failure);
    expect(chunks).toHaveLength(1);
  });
});

describe('an output that fails', () => {
  const failure = new Error('broken');
  const fail = (): never => {
    throw failure;
  };
  class Broken extends FakeStream {
    constructor(broken: object) {
      super();
      Object.defineProperties(this, Object.getOwnPropertyDescriptors(broken));
    }
  }
  const needDrain = {
    get writableNeedDrain(): boolean {
      return fail();
    },
  };

  test.each<[string, object]>([
    ['write', { write: fail }],
    ['once', { once: fail }],
    ['writableNeedDrain', needDrain],
  ])('when its %s throws, then nothing is thrown at the host and the error is remembered', async (_, broken) => {
    const output = new Broken(broken);
    const writer = writerTo(output);
    times(200, () => writer.record(record));
    expect(writer.error).toBe(failure);
    await expect(writer.finish()).rejects.toBe(failure);
    expect(output.chunks.length).toBeLessThan(2);
    expect(output.done).toBeDefined();
  });

  test('when its end throws, then finish rejects', async () => {
    const writer = writerTo(new Broken({ end: fail }));
    await expect(writer.finish()).rejects.toBe(failure);
    expect(writer.error).toBe(failure);
  });

  test('when it reports an error, then the first one counts and nothing more is written', async () => {
    const output = new FakeStream();
    const writer = writerTo(output);
    times(100, () => writer.record(record));
    const before = output.chunks.length;
    output.emit('error', failure);
    output.emit('error', new Error('another'));
    times(200, () => writer.record(record));
    expect(output.chunks).toHaveLength(before);
    await expect(writer.finish()).rejects.toBe(failure);
  });

  test('when it reports an error while it ends, then finish rejects', async () => {
    const output = new FakeStream();
    const finished = writerTo(output).finish();
    await vi.waitFor(() => expect(output.done).toBeDefined());
    output.emit('error', failure);
    await expect(finished).rejects.toBe(failure);
  });

  test('when it ends with an error, then finish rejects and the error is remembered', async () => {
    const output = new FakeStream();
    const writer = writerTo(output);
    const finished = writer.finish();
    await vi.waitFor(() => expect(output.done).toBeDefined());
    output.done!(failure);
    await expect(finished).rejects.toBe(failure);
    expect(writer.error).toBe(failure);
  });

  test('when it fails without an error, then there is one', async () => {
    const output = new FakeStream();
    const writer = writerTo(output);
    output.emit('error');
    expect(writer.error).toMatchObject({ message: 'the output failed', cause: undefined });
    await expect(writer.finish()).rejects.toBe(writer.error);
  });

  test('when it throws something else than an error, then that is the cause of one', () => {
    const write = vi.fn().mockImplementation(() => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw 'text';
    });
    expect(writerTo({ write }).error).toMatchObject({ message: 'the output failed', cause: 'text' });
  });

  test('when it fails after an overrun, then the overrun is the error', async () => {
    const output = new FakeStream();
    const writer = writerTo(output, { maxPendingBytes: 0 });
    output.writableNeedDrain = true;
    writer.record(record);
    const { error } = writer;
    output.emit('error', failure);
    expect(writer.error).toBe(error);
    await expect(writer.finish()).rejects.toBe(error);
  });
});
