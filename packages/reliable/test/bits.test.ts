import { eachSeed, toHex } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BIT_ERRORS,
  BitMeasure,
  BitReader,
  BitWriter,
  bitsRequired,
  intRelativeBits,
  readU128,
  readU64,
  writeU128,
  writeU64,
} from '../src/bits.ts';
import type { BitSink } from '../src/bits.ts';
import { BitsTwin } from './twins/bits-twin.ts';

const refusal = (code: string, field?: string): Error =>
  expect.objectContaining({ name: 'ReliableError', code, ...(field === undefined ? {} : { field }) }) as Error;

function readerOf(bytes: Uint8Array): BitReader {
  const reader = new BitReader();
  reader.reset(bytes, 0, bytes.length);
  return reader;
}

describe('ranges', () => {
  test('FF-52: degenerate and full-width ranges', () => {
    expect([
      bitsRequired(5, 5),
      bitsRequired(0, 1),
      bitsRequired(0, 255),
      bitsRequired(0, 256),
      bitsRequired(-2147483648, 2147483647),
      bitsRequired(0, 4294967295),
    ]).toEqual([0, 1, 8, 9, 32, 32]);
    const bytes = new Uint8Array(9);
    const writer = new BitWriter(bytes);
    writer.bits(0b101, 3);
    writer.int(5, 5, 5);
    writer.bits(0xdeadbeef, 32);
    writer.int(-1, -2147483648, 2147483647);
    expect([writer.bitPosition, writer.finish()]).toEqual([67, 9]);
    const reader = readerOf(bytes);
    expect(reader.bits(3)).toBe(0b101);
    expect([reader.int(5, 5), reader.bitsRemaining]).toEqual([5, 69]);
    expect(reader.bits(32)).toBe(0xdeadbeef);
    expect(reader.int(-2147483648, 2147483647)).toBe(-1);
    expect(reader.error).toBe(0);
    for (const call of [() => bitsRequired(6, 5), () => writer.int(5, 6, 5), () => reader.int(6, 5)]) {
      expect(call).toThrow(refusal('INVALID_RANGE', 'max'));
    }
  });

  test.each([
    [-2147483649, 0],
    [0, 4294967296],
    [-2147483648, 2147483648],
    [0.5, 2],
    [0, Number.NaN],
  ])('when a range is %s … %s, then it is refused', (min, max) => {
    expect(() => bitsRequired(min, max)).toThrow(refusal('INVALID_RANGE'));
  });

  test('relative costs at the borders of the tiers', () => {
    const borders = [1, 2, 6, 7, 23, 24, 280, 281, 4377, 4378, 69914, 69915, 0x7fffffff];
    expect(borders.map((d) => intRelativeBits(d))).toEqual([1, 5, 5, 8, 8, 13, 13, 18, 18, 23, 23, 38, 38]);
    for (const d of [0, -1, 1.5, 2 ** 31]) expect(() => intRelativeBits(d)).toThrow(refusal('INVALID_RANGE', 'difference'));
  });
});

type Op =
  | { op: 'bits'; value: number; count: number }
  | { op: 'bool'; value: boolean }
  | { op: 'int'; value: number; min: number; max: number }
  | { op: 'align' }
  | { op: 'bytes'; value: Uint8Array; skip: number }
  | { op: 'rel'; previous: number; current: number }
  | { op: 'u64'; value: bigint }
  | { op: 'u128'; value: Uint8Array };

function randomOp(random: SeededRandom): Op {
  switch (random.below(10)) {
    case 0:
      return { op: 'bool', value: random.chance(0.5) };
    case 1: {
      const [min, max] = [random.uint32() - 2 ** 31, random.uint32() - 2 ** 31].sort((a, b) => a - b) as [number, number];
      return { op: 'int', min, max, value: min + Math.floor(random.unit() * (max - min + 1)) };
    }
    case 2:
      return { op: 'align' };
    case 3:
      return { op: 'bytes', value: random.bytes(random.pick([0, 1, 5, 64, 65, 200])), skip: random.below(2) };
    case 4:
    case 5: {
      const previous = random.below(2 ** random.below(31));
      return { op: 'rel', previous, current: Math.min(previous + 1 + random.below(2 ** random.below(31)), 0x7fffffff) };
    }
    case 6:
      return { op: 'u64', value: (BigInt(random.uint32()) << 32n) | BigInt(random.uint32()) };
    case 7:
      return { op: 'u128', value: random.bytes(16) };
    default: {
      const count = random.below(33);
      return { op: 'bits', count, value: random.uint32() % 2 ** count };
    }
  }
}

function write(sink: BitSink, op: Op): void {
  if (op.op === 'bits') sink.bits(op.value, op.count);
  else if (op.op === 'bool') sink.bool(op.value);
  else if (op.op === 'int') sink.int(op.value, op.min, op.max);
  else if (op.op === 'align') sink.align();
  else if (op.op === 'bytes') sink.bytes(op.value, Math.min(op.skip, op.value.length));
  else if (op.op === 'rel') sink.intRelative(op.previous, op.current);
  else if (op.op === 'u64') writeU64(sink, op.value);
  else writeU128(sink, op.value);
}

function writeTwin(twin: BitsTwin, op: Op): void {
  if (op.op === 'bits') twin.bits(op.value, op.count);
  else if (op.op === 'bool') twin.bits(op.value ? 1 : 0, 1);
  else if (op.op === 'int') twin.int(op.value, op.min, op.max);
  else if (op.op === 'align') twin.align();
  else if (op.op === 'bytes') twin.bytes(op.value.subarray(op.skip));
  else if (op.op === 'rel') twin.intRelative(op.previous, op.current);
  else if (op.op === 'u64') for (let i = 0n; i < 64n; i += 8n) twin.bits(Number((op.value >> i) & 255n), 8);
  else for (const byte of op.value) twin.bits(byte, 8);
}

function expectRead(reader: BitReader, bytes: Uint8Array, op: Op): void {
  if (op.op === 'bits') expect(reader.bits(op.count)).toBe(op.value);
  else if (op.op === 'bool') expect(reader.bool()).toBe(op.value);
  else if (op.op === 'int') expect(reader.int(op.min, op.max)).toBe(op.value);
  else if (op.op === 'align') reader.align();
  else if (op.op === 'bytes') {
    const expected = op.value.subarray(op.skip);
    const at = reader.skipBytes(expected.length);
    expect(toHex(bytes.subarray(at, at + expected.length))).toBe(toHex(expected));
  } else if (op.op === 'rel') expect(reader.intRelative(op.previous)).toBe(op.current);
  else if (op.op === 'u64') expect(readU64(reader)).toBe(op.value);
  else {
    const out = new Uint8Array(17);
    readU128(reader, out, 1);
    expect(toHex(out, 1)).toBe(toHex(op.value));
  }
}

describe('streams', () => {
  test('random streams are those of the twin, measured alike, and read back from the middle of a buffer', () => {
    eachSeed(300, (random) => {
      const ops = Array.from({ length: random.below(30) }, () => randomOp(random));
      const twin = new BitsTwin();
      const measure = new BitMeasure();
      for (const op of ops) {
        writeTwin(twin, op);
        write(measure, op);
      }
      const expected = Uint8Array.from(twin.finish());
      const buffer = new Uint8Array(expected.length).fill(0xff);
      const writer = new BitWriter(new Uint8Array(1));
      writer.bool(true);
      writer.reset(buffer);
      for (const op of ops) {
        write(writer, op);
        if (random.chance(0.1)) writer.finish();
      }
      expect([writer.bitPosition, measure.bitPosition]).toEqual([twin.list.length, twin.list.length]);
      expect(writer.finish()).toBe(expected.length);
      expect(toHex(buffer)).toBe(toHex(expected));
      const around = new Uint8Array(expected.length + 7).fill(0xff);
      around.set(expected, 3);
      const reader = new BitReader();
      reader.reset(around, 3, expected.length);
      for (const op of ops) expectRead(reader, around, op);
      reader.end();
      expect(reader.error).toBe(0);
    });
  });

  test('when the buffer is full, then the writer throws and keeps what it has', () => {
    const buffer = new Uint8Array(2);
    const writer = new BitWriter(buffer);
    writer.bits(0x7ff, 11);
    for (const call of [
      () => writer.bits(0, 6),
      () => writer.bytes(new Uint8Array(1)),
      () => writer.intRelative(0, 281),
      () => writer.intRelative(0, 2 ** 31 - 1),
    ]) {
      expect(call).toThrow(refusal('BUFFER_TOO_SMALL', 'buffer'));
      expect(writer.bitPosition).toBe(11);
    }
    const roomForFlags = new BitWriter(new Uint8Array(4));
    expect(() => roomForFlags.intRelative(0, 2 ** 31 - 1)).toThrow(refusal('BUFFER_TOO_SMALL', 'buffer'));
    expect(roomForFlags.bitPosition).toBe(0);
    writer.bits(0x1f, 5);
    expect(writer.finish()).toBe(2);
    expect(toHex(buffer)).toBe('ffff');
  });

  test('when a value does not fit, then writer and measure throw and stay where they are', () => {
    for (const sink of [new BitWriter(new Uint8Array(64)), new BitMeasure()]) {
      const calls: [() => void, string][] = [
        [() => sink.bits(8, 3), 'value'],
        [() => sink.bits(-1, 31), 'value'],
        [() => sink.bits(2 ** 32, 32), 'value'],
        [() => sink.bits(0.5, 8), 'value'],
        [() => sink.bits(Number.NaN, 32), 'value'],
        [() => sink.bits(0, 33), 'count'],
        [() => sink.bits(0, -1), 'count'],
        [() => sink.bits(0, 1.5), 'count'],
        [() => sink.int(4, 0, 3), 'value'],
        [() => sink.int(1.5, 0, 3), 'value'],
        [() => sink.bytes(new Uint8Array(3), 2, 2), 'length'],
        [() => sink.bytes(new Uint8Array(3), 4), 'offset'],
        [() => sink.intRelative(5, 5), 'current'],
        [() => sink.intRelative(-1, 5), 'previous'],
        [() => sink.intRelative(0, 2 ** 31), 'current'],
        [() => writeU64(sink, 2n ** 64n), 'value'],
        [() => writeU64(sink, -1n), 'value'],
        [() => writeU64(sink, 1 as unknown as bigint), 'value'],
        [() => writeU128(sink, new Uint8Array(15)), 'offset'],
      ];
      for (const [call, field] of calls) expect(call, call.toString()).toThrow(refusal('INVALID_RANGE', field));
      expect(sink.bitPosition).toBe(0);
      sink.bits(-1, 32);
      sink.bits(0, 0);
      expect(sink.bitPosition).toBe(32);
      sink.align();
      expect(sink.bitPosition).toBe(32);
    }
    const measure = new BitMeasure();
    measure.bool(true);
    measure.align();
    expect(measure.bitPosition).toBe(8);
    measure.reset();
    expect(measure.bitPosition).toBe(0);
  });
});

describe('reader', () => {
  test('when a read failed, then every later one fails with the first error and does not move', () => {
    const reader = readerOf(Uint8Array.of(0xff));
    expect(reader.int(0, 2)).toBe(0);
    expect(BIT_ERRORS[reader.error]).toBe('range');
    const left = reader.bitsRemaining;
    expect([reader.bits(1), reader.bits(0), reader.bool(), reader.int(5, 5), reader.skipBytes(0), reader.intRelative(0)]).toEqual([
      0,
      0,
      false,
      0,
      0,
      0,
    ]);
    reader.align();
    reader.end();
    expect(readU64(reader)).toBe(0n);
    expect([BIT_ERRORS[reader.error], reader.bitsRemaining]).toEqual(['range', left]);
  });

  test('when half a u64 is there, then none of it is told', () => {
    const reader = readerOf(Uint8Array.of(1, 2, 3, 4, 5, 6, 7));
    expect([readU64(reader), BIT_ERRORS[reader.error]]).toEqual([0n, 'truncated']);
  });

  test('truncation is judged before the value, by the stated length and not by the array', () => {
    const reader = new BitReader();
    reader.reset(new Uint8Array(16).fill(0xff), 4, 1);
    reader.int(0, 256);
    expect(BIT_ERRORS[reader.error]).toBe('truncated');
    reader.reset(new Uint8Array(16), 4, 1);
    expect(reader.skipBytes(2)).toBe(0);
    expect(BIT_ERRORS[reader.error]).toBe('truncated');
  });

  test('every proper prefix of a stream is truncated', () => {
    const bytes = new Uint8Array(40);
    const writer = new BitWriter(bytes);
    const values = [3, 70_000, 70_100, 70_106, 140_000];
    let previous = 0;
    for (const value of values) {
      writer.intRelative(previous, value);
      previous = value;
    }
    const length = writer.finish();
    for (let n = 0; n < length; n++) {
      const reader = new BitReader();
      reader.reset(bytes, 0, n);
      previous = 0;
      for (let i = 0; i < values.length; i++) previous = reader.intRelative(previous);
      expect(BIT_ERRORS[reader.error]).toBe('truncated');
    }
  });

  test('misuse throws', () => {
    const reader = readerOf(new Uint8Array(4));
    for (const [call, field] of [
      [() => reader.bits(33), 'count'],
      [() => reader.bits(Number.NaN), 'count'],
      [() => reader.skipBytes(-1), 'length'],
      [() => reader.intRelative(-1), 'previous'],
      [() => reader.intRelative(2 ** 31), 'previous'],
      [() => reader.reset(new Uint8Array(4), 0, 5), 'length'],
      [() => reader.reset(new Uint8Array(4), 5, 0), 'offset'],
      [() => readU128(reader, new Uint8Array(15)), 'offset'],
    ] as const) {
      expect(call).toThrow(refusal('INVALID_RANGE', field));
    }
  });

  test('random bytes read by random operations never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 20 }), (bytes, picks) => {
        const reader = readerOf(bytes);
        for (const pick of picks) {
          if (pick === 0) reader.bits(17);
          else if (pick === 1) reader.bool();
          else if (pick === 2) reader.int(-5, 1000);
          else if (pick === 3) reader.align();
          else if (pick === 4) expect(reader.skipBytes(3)).toBeLessThanOrEqual(bytes.length);
          else if (pick === 5) expect(reader.intRelative(7)).toBeLessThan(2 ** 31);
          else if (pick === 6) readU64(reader);
          else reader.int(3, 3);
          expect(reader.bitsRemaining).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
