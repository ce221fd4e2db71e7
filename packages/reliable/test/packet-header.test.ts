import { SeededRandom, toHex } from '@x/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPacketHeader, writePacketHeader } from '../src/wire.ts';
import { headerTwin } from './twins/header-twin.ts';

function write(sequence: number, ack: number, ackBits: number): Uint8Array {
  const out = new Uint8Array(9);
  return out.subarray(0, writePacketHeader(out, 0, sequence, ack, ackBits));
}

describe('packet header', () => {
  test.each([
    [0, 65535, 0, '3e00000100000000'],
    [200, 100, 0xffff_ffff, '20c80064'],
    [200, 100, 0xfffe_ffff, '28c80064fe'],
    [10000, 100, 0xfefe_fffe, '1a10276400fefefe'],
    [10000, 100, 0, '1e1027640000000000'],
    [10, 65500, 0xffff_ffff, '200a002e'],
  ])('writes the worked example %i %i %i', (sequence, ack, ackBits, hex) => {
    expect(toHex(write(sequence, ack, ackBits))).toBe(hex);
  });

  test('FF-39: lengths 4 … 9, one ack byte up to a difference of 255, every ack bits byte only where it is not 0xff', () => {
    for (const [ack, ackBytes] of [
      [745, 1],
      [744, 2],
      [1000, 1],
      [1001, 2],
    ] as const) {
      for (const [ackBits, present] of [
        [0xffff_ffff, 0],
        [0xffff_fffe, 1],
        [0, 4],
      ] as const) {
        const bytes = write(1000, ack, ackBits);
        expect(bytes.length).toBe(3 + ackBytes + present);
        const header = { sequence: 0, ack: 0, ackBits: 0 };
        expect(readPacketHeader(bytes, 0, bytes.length, header)).toBe(bytes.length);
        expect(header).toEqual({ sequence: 1000, ack, ackBits });
      }
    }
  });

  test('100 000 random headers are those of the twin, read back, and signed bits write the same', () => {
    const random = new SeededRandom(7);
    const out = new Uint8Array(16);
    const header = { sequence: 0, ack: 0, ackBits: 0 };
    for (let i = 0; i < 100_000; i++) {
      const sequence = random.below(65536);
      const ack = random.chance(0.5) ? random.below(65536) : (sequence + 65536 - random.below(300)) % 65536;
      const ackBits = [0, 8, 16, 24].reduce((bits, shift) => bits + (random.chance(0.5) ? 255 : random.below(256)) * 2 ** shift, 0);
      const length = writePacketHeader(out, 3, sequence, ack, i % 2 === 0 ? ackBits : ackBits | 0);
      const expected = headerTwin(sequence, ack, ackBits);
      if (length !== expected.length || expected.some((byte, k) => out[3 + k] !== byte))
        throw new Error(`differs: ${sequence} ${ack} ${ackBits}`);
      if (readPacketHeader(out, 3, 3 + length, header) !== length) throw new Error(`unreadable: ${sequence} ${ack} ${ackBits}`);
      if (header.sequence !== sequence || header.ack !== ack || header.ackBits !== ackBits) throw new Error(`read back: ${sequence}`);
    }
  });

  test('random bytes are read within their end or refused', () => {
    const header = { sequence: 0, ack: 0, ackBits: 0 };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const result = readPacketHeader(bytes, 0, bytes.length, header);
        if (typeof result === 'string') expect(result).toMatch(/^header-/);
        else expect(result).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 1000 },
    );
  });

  test('when an argument is out of range or room is short, then it is refused', () => {
    const out = new Uint8Array(9);
    const cases: [() => unknown, string, string][] = [
      [() => writePacketHeader(out, 0, 65536, 0, 0), 'INVALID_RANGE', 'sequence'],
      [() => writePacketHeader(out, 0, 0, -1, 0), 'INVALID_RANGE', 'ack'],
      [() => writePacketHeader(out, 0, 0, 0, 2 ** 32), 'INVALID_RANGE', 'ackBits'],
      [() => writePacketHeader(out, 10, 0, 0, 0), 'INVALID_RANGE', 'offset'],
      [() => writePacketHeader(out, 1, 0, 0, 0), 'BUFFER_TOO_SMALL', 'out'],
    ];
    for (const [call, code, field] of cases) expect(call).toThrow(expect.objectContaining({ code, field }) as Error);
  });
});
