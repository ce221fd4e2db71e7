import { eachSeed } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { SequenceBuffer } from '../src/wire.ts';
import { SequenceBufferTwin } from './twins/sequence-buffer-twin.ts';

describe('SequenceBuffer', () => {
  test('when more is entered than it holds, then exactly the newest stay and older ones are refused', () => {
    const buffer = new SequenceBuffer(256);
    for (let s = 0; s <= 1024; s++) expect(buffer.insert(s)).toBe(true);
    for (let s = 0; s <= 1024; s++) expect(buffer.exists(s)).toBe(s > 1024 - 256);
    for (let s = 0; s <= 256; s++) expect(buffer.insert(s)).toBe(false);
    buffer.reset();
    expect(buffer.next).toBe(0);
    for (let s = 0; s <= 1024; s++) expect(buffer.exists(s)).toBe(false);
  });

  test('ack bits: bit i is ack − i', () => {
    const buffer = new SequenceBuffer(256);
    expect([buffer.ack(), buffer.ackBits()]).toEqual([65535, 0]);
    for (const s of [1, 5, 9, 11]) buffer.insert(s);
    expect([buffer.ack(), buffer.ackBits()]).toEqual([11, 0b100_0100_0101]);
    buffer.reset();
    for (let s = 0; s <= 256; s++) buffer.insert(s);
    expect([buffer.ack(), buffer.ackBits()]).toEqual([256, 0xffff_ffff]);
  });

  test('when an entry leaves, however it does, then its slot is released once', () => {
    const released: number[] = [];
    const buffer = new SequenceBuffer(4, (slot) => released.push(slot));
    for (let s = 0; s < 4; s++) buffer.insert(s);
    expect(released).toEqual([]);
    buffer.advance(5);
    expect(released.splice(0)).toEqual([0, 1]);
    buffer.remove(2);
    buffer.remove(2);
    expect(released.splice(0)).toEqual([2]);
    buffer.insertAdvanceFirst(3);
    expect(released.splice(0)).toEqual([3]);
    buffer.reset();
    expect(released).toEqual([3]);
  });

  test.each([0, 3, 1.5, 65536, -4, Number.NaN])('when the size is %s, then it is refused', (size) => {
    expect(() => new SequenceBuffer(size)).toThrow(expect.objectContaining({ kind: 'invalidOption', field: 'size' }) as Error);
  });

  test.each([1, 2, 8, 16, 64, 256])('does what its slow twin does, size %i', (size) => {
    eachSeed(40, (random) => {
      const buffer = new SequenceBuffer(size);
      const twin = new SequenceBufferTwin(size);
      for (let i = 0; i < 400; i++) {
        const s = sequenceNear(random, twin);
        const name = random.pick([
          'insert',
          'insert',
          'insert',
          'insertAdvanceFirst',
          'advance',
          'remove',
          'canInsert',
          'exists',
          'reset',
        ] as const);
        if (name === 'reset' && random.chance(0.9)) continue;
        expect(buffer[name](s), name).toBe(twin[name](s));
        const bits = twin.ackBits();
        expect([buffer.next, buffer.ackBits(), buffer.signedAckBits() >>> 0]).toEqual([twin.next, bits, bits]);
        const wrong = twin.slots.findIndex((held, slot) => buffer.isFilled(slot) !== (held !== undefined));
        expect(wrong, 'slot').toBe(-1);
      }
    });
  });
});

/** Mostly close to the newest, sometimes at the borders of the windows, sometimes anywhere. */
function sequenceNear(random: SeededRandom, { next, size }: SequenceBufferTwin): number {
  const step = random.pick([random.below(4), -random.below(40), -size, size, 32767, 32768, 32768 - size, random.below(65536)]);
  return (next + step + random.below(3) - 1 + 3 * 65536) % 65536;
}
