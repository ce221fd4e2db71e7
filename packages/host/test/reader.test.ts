import { PeerId } from '@x/reliable';
import { fromHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { CaptureReader } from '../src/capture/index.ts';
import type { CaptureErrorKind } from '../src/capture/index.ts';
import { EXAMPLE, EXAMPLE_HEADER_BYTES, message, read, readAll, schemaA } from './support/captures.ts';
import { captureErrorOf, hostErrorOf } from './support/thrown.ts';

const HEADER = EXAMPLE.subarray(0, EXAMPLE_HEADER_BYTES);

/** {@link EXAMPLE} with other bytes from `at` on. */
function changed(at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = EXAMPLE.slice();
  copy.set(bytes, at);
  return copy;
}

/** The header of {@link EXAMPLE}, then a record in hex. */
function withRecord(hex: string): Uint8Array {
  return Uint8Array.from([...HEADER, ...fromHex(hex.replaceAll(' ', ''))]);
}

describe('the published example', () => {
  test('when it is read, then header and record are those of the page', () => {
    const reader = new CaptureReader(EXAMPLE);
    expect(reader.header).toEqual({
      version: 1,
      payloads: true,
      fingerprint: schemaA().fingerprint,
      channels: ['reliable'],
      events: [{ channel: 0, name: 'Chat' }],
    });
    expect(reader.next()).toEqual(message());
    expect(reader.next()).toBeUndefined();
    expect(reader.next()).toBeUndefined();
  });

  test('when a name is looked up, then unknown ids have none', () => {
    const reader = new CaptureReader(EXAMPLE);
    expect([0, 1, -1, 0.5, Number.NaN].map((id) => reader.eventName(id))).toEqual(['Chat', undefined, undefined, undefined, undefined]);
  });

  test('when the header is edited, then it throws', () => {
    const { header } = new CaptureReader(EXAMPLE) as { header: unknown } as {
      header: { version: number; channels: string[]; events: object[] };
    };
    expect(() => (header.version = 2)).toThrow(TypeError);
    expect(() => header.channels.push('x')).toThrow(TypeError);
    expect(() => header.events.push({})).toThrow(TypeError);
    expect(() => Object.assign(header.events[0]!, { name: 'x' })).toThrow(TypeError);
  });

  test('when it stands in the middle of a Buffer, then it is read from there, and payloads are copies', () => {
    const buffer = Buffer.concat([Buffer.alloc(5, 0xff), EXAMPLE, Buffer.alloc(3, 0xff)]).subarray(5, 5 + EXAMPLE.length);
    const [record] = read(buffer).records;
    buffer.fill(0);
    expect(record).toEqual(message());
    expect((record as { payload: Uint8Array }).payload.constructor).toBe(Uint8Array);
  });
});

describe('classes of errors', () => {
  const damaged: readonly (readonly [string, Uint8Array, CaptureErrorKind, number])[] = [
    ['nothing at all', new Uint8Array(0), 'truncated', 0],
    ['another magic that is cut short', fromHex('4e4f4e4f'), 'truncated', 0],
    ['another magic', fromHex('4e4f4e4f4e4f'), 'notACapture', 0],
    ['the magic without its zero', changed(5, 0x20), 'notACapture', 0],
    ['version 2, and nothing after it', fromHex('444e434150000200'), 'unknownVersion', 6],
    ['version 256', changed(6, 0, 1), 'unknownVersion', 6],
    ['a number of channels that is a lie', changed(26, 0xff, 0xff), 'truncated', 55],
    ['a channel name that is no UTF-8', changed(29, 0xff), 'invalidName', 29],
    ['a surrogate in a channel name', changed(29, 0xed, 0xa0, 0x80), 'invalidName', 29],
    ['an event name that is no UTF-8', changed(45, 0xc0, 0x80), 'invalidName', 43],
    ['a number of events that is a lie', Uint8Array.from([...HEADER.subarray(0, 37), 0xff, 0xff, 0xff, 0xff]), 'truncated', 41],
    ['kind 0', changed(47, 0), 'unknownRecordKind', 47],
    ['kind 6', changed(47, 6), 'unknownRecordKind', 47],
    ['kind 6 without time and peer', withRecord('06 0000'), 'truncated', 48],
    ['a kind alone', withRecord('04'), 'truncated', 48],
    ['a payload that is cut short', EXAMPLE.subarray(0, EXAMPLE.length - 1), 'truncatedPayload', 73],
    ['a payload of 4 GiB', changed(69, 0xff, 0xff, 0xff, 0xff), 'truncatedPayload', 73],
    ['reason 10', withRecord('04 000000000000f83f 0000010000000000 0a'), 'unknownReason', 64],
    ['reason 255 of a rejection', withRecord('05 000000000000f83f 0000010000000000 0500000000000000 ff'), 'unknownReason', 72],
  ];

  test.each(damaged)('when there is %s, then the class and the place are right', (_, bytes, kind, offset) => {
    const error = captureErrorOf(() => read(bytes));
    expect(error).toMatchObject({ kind, offset, name: 'CaptureError' });
    expect(error.code).toBe(kind.replaceAll(/[A-Z]/g, '_$&').toUpperCase());
  });

  test('when errors are printed, then the texts are those of the reference', () => {
    const texts = new Map(damaged.map(([, bytes, kind]) => [kind, captureErrorOf(() => read(bytes)).message]));
    expect(Object.fromEntries(texts)).toEqual({
      truncated: 'capture: unexpected end',
      notACapture: 'capture: not a dream-net capture',
      unknownVersion: 'capture: unknown version',
      invalidName: 'capture: name is not UTF-8',
      truncatedPayload: 'capture: truncated payload',
      unknownRecordKind: 'capture: unknown record kind',
      unknownReason: 'capture: reason',
    });
  });

  test('when a record is refused, then those before it were read, and the same error comes again', () => {
    const reader = new CaptureReader(Uint8Array.from([...EXAMPLE, 7]));
    expect(reader.next()).toEqual(message());
    const error = captureErrorOf(() => reader.next());
    expect(error.kind).toBe('truncated');
    expect(captureErrorOf(() => reader.next())).toBe(error);
  });
});

describe('what is not judged', () => {
  test('when unknown flags are set, then they are ignored', () => {
    expect(read(changed(8, 0xff, 0xff))).toEqual(read(EXAMPLE));
    expect(new CaptureReader(changed(8, 0xfe, 0xff)).header.payloads).toBe(false);
  });

  test('when ids are out of range, then they are given as they are', () => {
    expect(read(changed(64, 0xff, 0xff, 0xff, 0xff, 0xfe)).records).toEqual([message({ event: 0xffff_ffff, channel: 0xfe })]);
  });

  test('when names break the rule of catalogues, then they are given as they are, byte order mark included', () => {
    const names = read(changed(29, 0xef, 0xbb, 0xbf, 0x20, 0x22, 0x00, 0xc3, 0xa9)).header.channels;
    expect(names).toEqual(['\ufeff "\0é']);
  });

  test('when times go back or are no times, then they are given as they are', () => {
    const times = ['0000000000000080', '000000000000f0ff', '000000000000f87f', '0100000000000000'].map((time) =>
      withRecord(`04 ${time} 0000010000000000 00`),
    );
    expect(times.flatMap((bytes) => read(bytes).records.map(({ time }) => time))).toEqual([-0, -Infinity, Number.NaN, 5e-324]);
  });

  test('when names are empty, then there are as many as were counted', () => {
    const bytes = fromHex(`444e4341500001000100${'00'.repeat(16)}0200 0000 02000000 0700 0800`.replaceAll(' ', ''));
    expect(read(bytes).header).toMatchObject({
      channels: ['', ''],
      events: [
        { channel: 7, name: '' },
        { channel: 8, name: '' },
      ],
    });
  });
});

test('when payloads are not stored, then their lengths are read and they are empty', () => {
  const bytes = withRecord('02 000000000000f83f 0000010000000000 00000000 00 ffffffff');
  bytes[8] = 0;
  expect(read(bytes).records).toEqual([message({ length: 0xffff_ffff, payload: new Uint8Array(0) })]);
});

test('when peers come again, then they are the same objects', () => {
  const reader = new CaptureReader(
    withRecord('03 000000000000f83f 0300090000000000 ffffffffffffffff 04 0000000000000840 0300090000000000 02'),
  );
  expect(readAll(reader)).toEqual([
    { kind: 'connected', time: 1.5, peer: PeerId.of(3, 9), clientId: 0xffff_ffff_ffff_ffffn },
    { kind: 'disconnected', time: 3, peer: PeerId.of(3, 9), reason: 'timeout' },
  ]);
});

test.each([undefined, null, 'DNCAP', [0x44], {}, new ArrayBuffer(8)])(
  'when the bytes are %s, then it is a mistake of the caller',
  (bytes) => {
    expect(hostErrorOf(() => new CaptureReader(bytes as Uint8Array))).toMatchObject({ code: 'INVALID_OPTION', field: 'bytes' });
  },
);
