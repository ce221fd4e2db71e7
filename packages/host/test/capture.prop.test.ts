import { toHex } from '@x/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CaptureError, CaptureReader } from '../src/capture/index.ts';
import { captures, EXAMPLE, read, written } from './support/captures.ts';
import { assertProperty, assertPropertyAsync } from './support/properties.ts';
import { captureErrorOf } from './support/thrown.ts';
import { decodeTwin, encodeTwin } from './twins/capture-twin.ts';
import type { TwinResult } from './twins/capture-twin.ts';

/** What the reader makes of any bytes, in the form of the twin. */
function decode(bytes: Uint8Array): TwinResult {
  const result: TwinResult = { records: [] };
  try {
    const reader = new CaptureReader(bytes);
    result.header = reader.header;
    for (let record = reader.next(); record !== undefined; record = reader.next()) result.records.push(record);
  } catch (error) {
    if (!CaptureError.is(error)) throw error;
    result.error = error.kind;
  }
  return result;
}

/** Captures with some bytes changed, cut off or added. */
const damaged = fc
  .tuple(
    captures.map(({ header, records }) => encodeTwin(header, records)),
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 1, 5, 6, 9, 10, 0x7f, 0xff), fc.nat({ max: 255 }))), { maxLength: 4 }),
    fc.option(fc.nat(), { nil: undefined }),
    fc.uint8Array({ maxLength: 4 }),
  )
  .map(([bytes, changes, cut, tail]) => {
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return Uint8Array.from([...bytes.subarray(0, cut === undefined ? undefined : cut % bytes.length), ...tail]);
  });

test('when any capture is written and read, then it is the same, and its bytes are those of the twin', async () => {
  await assertPropertyAsync(
    fc.asyncProperty(captures, async ({ header, records }) => {
      const bytes = await written(header, records);
      expect(toHex(bytes)).toBe(toHex(encodeTwin(header, records)));
      const again = read(bytes);
      expect(again).toEqual({ header, records });
      expect(toHex(await written(again.header, again.records))).toBe(toHex(bytes));
    }),
    300,
  );
});

test('when any capture is cut at any byte, then it fails cleanly, or ends between two records', () => {
  assertProperty(
    fc.property(captures, ({ header, records }) => {
      const bytes = encodeTwin(header, records);
      const whole = new Map<number, number>();
      for (let i = 0; i <= records.length; i++) whole.set(encodeTwin(header, records.slice(0, i)).length, i);
      let before = 0;
      for (let length = 0; length < bytes.length; length++) {
        const { records: got, error } = decode(bytes.subarray(0, length));
        before = whole.get(length) ?? before;
        expect(got).toEqual(records.slice(0, before));
        if (whole.has(length)) expect(error).toBeUndefined();
        else expect(['truncated', 'truncatedPayload']).toContain(error);
      }
    }),
    20,
  );
});

test('when a capture is damaged in any way, then the reader stops where the twin stops, with the same error', () => {
  assertProperty(
    fc.property(damaged, (bytes) => {
      expect(decode(bytes)).toEqual(decodeTwin(bytes));
    }),
    2000,
  );
});

test('when the bytes are any bytes, then nothing but a CaptureError is thrown and no more is returned than was there', () => {
  const start = EXAMPLE.subarray(0, 28);
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((tail) => Uint8Array.from([...start, ...tail])),
  );
  assertProperty(
    fc.property(anything, (bytes) => {
      const before = bytes.slice();
      const { records } = decode(bytes);
      expect(bytes).toEqual(before);
      expect(records.reduce((sum, record) => sum + ('payload' in record ? record.payload.length : 0), 0)).toBeLessThanOrEqual(bytes.length);
    }),
    10_000,
  );
});

test('when a reader has thrown, then it throws the same error again', () => {
  assertProperty(
    fc.property(damaged, (bytes) => {
      if (decode(bytes).header === undefined || decode(bytes).error === undefined) return;
      const reader = new CaptureReader(bytes);
      const first = captureErrorOf(() => {
        while (reader.next() !== undefined);
      });
      expect(captureErrorOf(() => reader.next())).toBe(first);
      expect(first.offset).toBeLessThanOrEqual(bytes.length);
    }),
    300,
  );
});
