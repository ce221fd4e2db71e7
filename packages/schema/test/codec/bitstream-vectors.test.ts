import { readFileSync } from 'node:fs';
import { fromHex, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { BitReader } from '../../src/codec/bit-reader.ts';
import { BitWriter } from '../../src/codec/bit-writer.ts';
import { CodecError } from '../../src/codec/index.ts';
import { widthOf } from '../../src/codec/node.ts';

// The golden data of the bit packer, replayed with the stream of this package. It has no relative integers, so streams with a `rel` are left out.

type Op = readonly [name: string, ...values: unknown[]];

interface WriteCase {
  readonly name: string;
  readonly ops: readonly Op[];
  readonly bits: number;
  readonly hex: string;
}

interface ReadCase {
  readonly name: string;
  readonly hex: string;
  readonly ops: readonly Op[];
  readonly values: readonly unknown[];
  readonly failsAt?: number;
  readonly error?: string;
  readonly bits?: number;
}

const data = JSON.parse(readFileSync(new URL('../../../../tools/vectors/data/bitstream.json', import.meta.url), 'utf8')) as {
  readonly bitsRequired: readonly (readonly [number, number, number])[];
  readonly write: readonly WriteCase[];
  readonly read: readonly ReadCase[];
};
const isOurs = ({ ops }: { readonly ops: readonly Op[] }): boolean => ops.every(([name]) => name !== 'rel');

/** The 32-bit groups of a number in hex, the lowest first. */
const groups = (hex: string): number[] => (hex.match(/.{8}/g) ?? []).reverse().map((group) => Number.parseInt(group, 16));

function write(writer: BitWriter, [name, ...values]: Op): void {
  const [a, b, c] = values as [number, number, number];
  if (name === 'bits') writer.bits(a | 0, b);
  else if (name === 'bool') writer.bits((values[0] as boolean) ? 1 : 0, 1);
  else if (name === 'int') writer.bits((a - b) | 0, widthOf(c - b));
  else if (name === 'bytes') writer.bytes(fromHex(values[0] as string));
  else if (name === 'u16') writer.bits(a, 16);
  else if (name === 'u64' || name === 'u128') for (const group of groups(values[0] as string)) writer.bits(group | 0, 32);
  else if (name === 'align' || name === 'end') writer.align();
  else throw new Error(`unknown operation ${name}`);
}

function readGroups(reader: BitReader, count: number): string {
  return Array.from({ length: count }, () => (reader.bits(32) >>> 0).toString(16).padStart(8, '0'))
    .reverse()
    .join('');
}

function read(reader: BitReader, [name, ...values]: Op): unknown {
  const [a, b] = values as [number, number];
  if (name === 'bits') return reader.bits(a) >>> 0;
  if (name === 'bool') return reader.bits(1) === 1;
  if (name === 'int') return (reader.upTo(b - a, widthOf(b - a)) >>> 0) + a;
  if (name === 'u16') return reader.bits(16);
  if (name === 'u64') return readGroups(reader, 2);
  if (name === 'u128') return readGroups(reader, 4);
  if (name === 'bytes') return toHex(reader.data, reader.skip(a), a);
  if (name === 'align') reader.align();
  else if (name === 'end') reader.end();
  else throw new Error(`unknown operation ${name}`);
  return null;
}

/** The arguments that reading takes of an operation that has a value. */
function withoutValue([name, ...values]: Op): Op {
  if (name === 'align' || name === 'end') return [name];
  return name === 'bytes' ? [name, (values[0] as string).length / 2] : [name, ...values.slice(1)];
}

test('when the file is read, then most of its streams are for this package too', () => {
  expect(data.write.filter(isOurs).length).toBeGreaterThan(25);
  expect(data.read.filter(isOurs).length).toBeGreaterThan(20);
});

test.each(data.bitsRequired.filter(([min, max]) => min <= max))('widths: %i … %i takes %i bits', (min, max, bits) => {
  expect(widthOf(max - min)).toBe(bits);
});

describe('written and read back', () => {
  test.each(data.write.filter(isOurs))('$name', ({ ops, bits, hex }) => {
    const bytes = fromHex(hex);
    const out = new Uint8Array(bytes.length).fill(0xff);
    const writer = new BitWriter();
    writer.begin(out, 0);
    for (const op of ops) write(writer, op);
    expect(writer.bitPosition).toBe(bits);
    expect(writer.finish()).toBe(bytes.length);
    expect(toHex(out)).toBe(hex);

    const reader = new BitReader();
    reader.begin(bytes);
    for (const op of ops) expect(read(reader, withoutValue(op))).toBe(op[0] === 'align' || op[0] === 'end' ? null : op[1]);
    expect(bytes.length * 8 - reader.remaining).toBe(bits);
  });
});

describe('read to the end or the first failure', () => {
  test.each(data.read.filter(isOurs))('$name', ({ hex, ops, values, failsAt, error, bits }) => {
    const bytes = fromHex(hex);
    const reader = new BitReader();
    reader.begin(bytes);
    const seen: unknown[] = [];
    let failure: unknown;
    try {
      for (const op of ops) seen.push(read(reader, op));
    } catch (caught) {
      failure = caught;
    }
    expect(seen).toEqual(values);
    if (error === undefined) {
      expect(failure).toBe(undefined);
      expect(bytes.length * 8 - reader.remaining).toBe(bits);
    } else {
      expect(failure).toBeInstanceOf(CodecError);
      expect((failure as CodecError).kind).toBe(error);
      expect(seen).toHaveLength(failsAt!);
    }
  });
});
