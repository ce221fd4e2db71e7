import { readFileSync } from 'node:fs';
import { fromHex, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { CASES, encode } from '../support/codec-cases.ts';
import { fromDescriptor } from '../support/from-descriptor.ts';

interface Vector {
  readonly name: string;
  readonly codec: string;
  readonly value: unknown;
  readonly bits: string;
  readonly hex: string;
  readonly decoded?: unknown;
}

const { cases } = JSON.parse(readFileSync(new URL('../vectors/codec.json', import.meta.url), 'utf8')) as { cases: readonly Vector[] };

/** The value that the file stands for: it has no bigints, bytes and undefined. */
function valueOf({ codec, value }: Vector): unknown {
  if (codec === 'u64' || codec === 'i64') return BigInt(value as string);
  if (codec.startsWith('bytes')) return fromHex(value as string);
  return value ?? undefined;
}

/** Bytes of a text of bits in the order of the stream. */
function bytesOfBits(text: string): Uint8Array {
  const bits = text.replaceAll(' ', '');
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [i, bit] of Array.from(bits).entries()) if (bit === '1') bytes[i >>> 3]! |= 1 << (i & 7);
  return bytes;
}

test('C3: when the file is read, then it has vectors for every builder', () => {
  const words = new Set(cases.flatMap(({ codec }) => codec.match(/[a-z0-9]+(?=[({]|$)/g) ?? []));
  for (const word of 'bool u i vu u64 i64 f32 f64 q ang v2 v3 dir quat str bytes enum flags opt arr fix struct union lazy'.split(' ')) {
    expect(words, word).toContain(word);
  }
});

describe.each(cases)('$name', (entry) => {
  test('C3: the bits of the file are its bytes, the encoder gives them, the decoder gives the value', () => {
    const codec = fromDescriptor(entry.codec);
    expect(codec.descriptor).toBe(entry.codec);
    expect(toHex(bytesOfBits(entry.bits))).toBe(entry.hex);
    expect(toHex(encode(codec, valueOf(entry)))).toBe(entry.hex);
    const decoded = codec.decode(fromHex(entry.hex));
    if (entry.decoded === undefined) expect(decoded).toEqual(valueOf(entry));
    else if (entry.decoded !== 'any') expect(decoded).toBe(entry.decoded);
  });
});

test('when a codec is built from the descriptor of another, then it is the same codec', () => {
  for (const { codec, name, largest } of CASES) {
    const twin = fromDescriptor(codec.descriptor);
    expect(twin.descriptor, name).toBe(codec.descriptor);
    expect(twin.maxBytes, name).toBe(codec.maxBytes);
    expect(encode(twin, largest), name).toEqual(encode(codec, largest));
  }
});
