import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { b, json } from '../../src/codec/index.ts';
import type { BitCodec } from '../../src/codec/index.ts';
import { tree } from '../support/codec-cases.ts';
import { codecErrorOf, refusal } from '../support/codec-errors.ts';

interface Flood {
  readonly payloads: number;
  readonly accepted: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly others: readonly string[];
  readonly largestBytes: number;
  readonly seconds: number;
}

const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128'];
const KIBIBYTE = 1024;

test('C5: a million random payloads only throw CodecError, allocate little each and take bounded time', () => {
  if (!existsSync(new URL('../../dist/codec/index.js', import.meta.url))) throw new Error('the package is not built: npm run build');
  const child = fileURLToPath(new URL('../alloc/flood.mjs', import.meta.url));
  const flood = JSON.parse(execFileSync(process.execPath, [...FLAGS, child], { encoding: 'utf8', env: {} })) as Flood;
  console.log(flood);
  expect(flood.payloads).toBe(1_000_000);
  expect(flood.others).toEqual([]);
  expect(flood.largestBytes).toBeLessThan(64 * KIBIBYTE);
  expect(flood.seconds).toBeLessThan(240);
  expect(flood.accepted).toBeGreaterThan(10_000);
  expect(Object.keys(flood.refused).sort()).toEqual(['DEPTH', 'NON_FINITE', 'PADDING', 'RANGE', 'TRAILING', 'TRUNCATED', 'UTF8']);
}, 300_000);

describe('claims are checked before anything is made', () => {
  test('when a payload claims more elements than its bits can hold, then it is TRUNCATED at once', () => {
    const codec = b.array(b.uint(8), 1_000_000);
    const payload = Uint8Array.of(0xff, 0xff, 0x0e, 1, 2, 3);
    const begin = performance.now();
    for (let i = 0; i < 1000; i++) expect(codecErrorOf(() => codec.decode(payload)).message).toBe('the data ends before the value');
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(refusal(() => b.fixed(b.bool(), 100_000).decode(new Uint8Array(3)))).toBe('TRUNCATED');
  });

  test('when a text claims more bytes than there are, then it is TRUNCATED', () => {
    expect(refusal(() => b.string(1_000_000).decode(Uint8Array.of(0x40, 0x42, 0x0f, 0)))).toBe('TRUNCATED');
    expect(refusal(() => b.bytes(255).decode(Uint8Array.of(2, 1)))).toBe('TRUNCATED');
  });

  test('when a length is above the bound, then it is RANGE', () => {
    expect(refusal(() => b.string(200).decode(Uint8Array.of(201)))).toBe('RANGE');
    expect(refusal(() => b.struct({ a: b.array(b.bool(), 4) }).decode(Uint8Array.of(5)))).toBe('RANGE a');
    expect(refusal(() => b.enum(['a', 'b', 'c']).decode(Uint8Array.of(3)))).toBe('RANGE');
    expect(refusal(() => b.union({ a: b.struct({}), b: b.struct({}), c: b.struct({}) }).decode(Uint8Array.of(3)))).toBe('RANGE');
  });

  test('when values are deeper than the codec allows, then it is DEPTH, read and written', () => {
    const deep = { v: 0, kids: [{ v: 0, kids: [{ v: 0, kids: [{ v: 0, kids: [{ v: 0, kids: [] }] }] }] }] };
    expect(refusal(() => tree.encodeInto(deep, new Uint8Array(99), 0))).toBe('DEPTH kids[0].kids[0].kids[0].kids[0]');
    const bits = '00000000' + '10'; // v, one child
    const bytes = new Uint8Array(20);
    for (const [i, bit] of Array.from(bits.repeat(16)).entries()) if (bit === '1') bytes[i >>> 3]! |= 1 << (i & 7);
    expect(refusal(() => tree.decode(bytes))).toBe('DEPTH kids[0].kids[0].kids[0].kids[0]');
    expect(refusal(() => tree.equals(deep, deep))).toMatch(/^DEPTH/);
    expect(tree.decode(Uint8Array.of(7, 0))).toEqual({ v: 7, kids: [] });
  });

  test('when a recursion of one level claims a second, then it is DEPTH', () => {
    interface Flat {
      readonly kids: readonly Flat[];
    }
    const flat: BitCodec<Flat> = b.lazy(() => b.struct({ kids: b.array(flat, 3) }), 1);
    expect(flat.decode(Uint8Array.of(0))).toEqual({ kids: [] });
    expect(flat.maxBytes).toBe(1);
    expect(refusal(() => flat.decode(Uint8Array.of(1)))).toBe('DEPTH kids[0]');
  });
});

describe('Object.prototype', () => {
  test('when payloads name what every object inherits, then nothing but the value has it', () => {
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const own = b.struct({ toString: b.optional(b.uint(3)), valueOf: b.optional(b.bool()), hasOwnProperty: b.uint(2) });
    const value = own.decode(Uint8Array.of(0b0010_1011));
    expect(Object.keys(value)).toEqual(['toString', 'valueOf', 'hasOwnProperty']);
    const parsed = json<Record<string, unknown>>({ maxBytes: 200, version: 1 }).decode(
      Buffer.from('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"\\u005f_proto__":{"polluted":1}}}'),
    );
    expect(Object.hasOwn(parsed, '__proto__')).toBe(false);
    expect(Object.hasOwn(parsed['a'] as object, '__proto__')).toBe(false);
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('when an optional field has the name of an inherited member, then a missing one is missing', () => {
    const own = b.struct({ toString: b.optional(b.uint(3)) });
    const out = new Uint8Array(1);
    expect(own.encodeInto({} as never, out, 0)).toBe(1);
    expect(out[0]).toBe(0);
    expect(own.equals({} as never, { toString: 3 })).toBe(false);
  });
});

test('when data is no Uint8Array, then it is TYPE', () => {
  for (const data of [undefined, null, 'text', [1], new ArrayBuffer(1), new Uint16Array(1)]) {
    expect(refusal(() => b.bool().decode(data as never))).toBe('TYPE');
    expect(refusal(() => b.bool().delta.decode(true, data as never))).toBe('TYPE');
  }
});

test('when out has no room, then it is TOO_LARGE, and nothing beyond it or before the offset is written', () => {
  const codec = b.struct({ a: b.uint(32), t: b.string(9), c: b.uint(32), d: b.bool() });
  const value = { a: 1, t: 'x', c: 2, d: true };
  const length = codec.encodeInto(value, new Uint8Array(40), 0);
  for (let room = 0; room < length; room++) {
    const memory = new Uint8Array(40).fill(7);
    const out = memory.subarray(4, 4 + 3 + room);
    expect(refusal(() => codec.encodeInto(value, out, 3))).toMatch(/^TOO_LARGE/);
    expect([...memory.subarray(0, 7), ...memory.subarray(7 + room)].every((byte) => byte === 7)).toBe(true);
  }
  for (const offset of [-1, 0.5, NaN, 41, '0' as never])
    expect(refusal(() => codec.encodeInto(value, new Uint8Array(40), offset))).toBe('RANGE');
  expect(refusal(() => codec.encodeInto(value, [] as never, 0))).toBe('TYPE');
  expect(codec.encodeInto(value, new Uint8Array(length), 0)).toBe(length);
});
