import { describe, expect, test } from 'vitest';
import { json } from '../../src/codec/index.ts';
import type { Codec } from '../../src/codec/index.ts';
import { msgpack } from '../../src/msgpack.ts';
import { asArray, sample, sampleCodec } from '../support/sample.ts';
import { encode } from '../support/codec-cases.ts';

const MAX = { maxBytes: 200, version: 1 };

interface Row {
  readonly bytes: number;
  readonly codec: Codec<unknown>;
  readonly value: unknown;
}

/** The table of codecs section 1. */
const CODECS: Readonly<Record<string, Row>> = {
  JSON: { bytes: 124, codec: json(MAX), value: sample() },
  'MessagePack map': { bytes: 79, codec: msgpack({ ...MAX, f32: true }), value: sample() },
  'MessagePack as array with float32': { bytes: 36, codec: msgpack({ ...MAX, f32: true }), value: asArray(sample()) },
  'bit codec': { bytes: 20, codec: sampleCodec, value: sample() },
};

describe('C13: the sample', () => {
  test.each(Object.entries(CODECS))('C13: %s takes exactly as many bytes as the table says', (_, { bytes, codec, value }) => {
    expect(encode(codec, value)).toHaveLength(bytes);
  });

  test('C13: it comes back whatever carries it', () => {
    const text = json(MAX);
    expect(text.decode(encode(text, sample()))).toEqual(sample());
    const { pos, yaw, ...others } = sampleCodec.decode(encode(sampleCodec, sample()));
    const { pos: givenPos, yaw: givenYaw, ...given } = sample();
    expect(others).toEqual(given);
    expect(yaw).toBeCloseTo(givenYaw, 2);
    for (const axis of ['x', 'y', 'z'] as const) expect(pos[axis]).toBeCloseTo(givenPos[axis], 2);
  });
});

test('C13: one interleaved run shows how long each takes; reported, not judged', () => {
  const works = Object.entries(CODECS).map(([name, { codec, value }]) => {
    const out = new Uint8Array(256);
    const payload = encode(codec, value);
    const nanoseconds: number[] = [];
    return { name, codec, value, out, payload, nanoseconds };
  });
  const CALLS = 3000;
  for (let round = 0; round < 9; round++) {
    for (const { codec, value, out, payload, nanoseconds } of round % 2 === 0 ? works : works.toReversed()) {
      const before = process.cpuUsage();
      for (let i = 0; i < CALLS; i++) {
        codec.encodeInto(value, out, 0);
        codec.decode(payload);
      }
      const { user, system } = process.cpuUsage(before);
      if (round > 1) nanoseconds.push(((user + system) * 1000) / CALLS);
    }
  }
  const rows = works.map(({ name, nanoseconds }) => {
    const median = nanoseconds.sort((a, b) => a - b)[nanoseconds.length >> 1]!;
    return `${name.padEnd(36)}${median.toFixed(0).padStart(8)}`;
  });
  console.log([`${'write and read the sample, CPU'.padEnd(36)}${'ns'.padStart(8)}`, ...rows].join('\n'));
  expect(rows).toHaveLength(4);
});
