import { expect, test } from 'vitest';
import { MAX_DEMO_PAYLOAD_BYTES, readPayload, writePayload } from '../src/payload.ts';

const ID = 1001n;

function payload(number: number, id: bigint = ID): Uint8Array {
  const out = new Uint8Array(MAX_DEMO_PAYLOAD_BYTES);
  return out.slice(0, writePayload(out, id, number));
}

test('when a payload comes back as it was sent, then its number is read, wherever it lies', () => {
  for (const number of [0, 1, 2, 488, 489, 100_000, 0xffff_ffff]) {
    const bytes = payload(number);
    const around = new Uint8Array(bytes.length + 20).fill(0xee);
    around.set(bytes, 7);
    expect(readPayload(around, 7, bytes.length, ID)).toBe(number);
  }
});

test('when payloads follow each other, then all lengths are used and the contents differ', () => {
  const lengths = new Set(Array.from({ length: 489 }, (_, number) => payload(number).length));
  expect([Math.min(...lengths), Math.max(...lengths), lengths.size]).toEqual([24, 512, 489]);
  expect(payload(1).slice(12, 20)).not.toEqual(payload(2).slice(12, 20));
  expect(payload(1).slice(12, 20)).not.toEqual(payload(1, 1002n).slice(12, 20));
});

test('when any byte is changed, then the payload is refused', () => {
  const bytes = payload(7);
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.slice();
    changed[i]! ^= 1;
    expect(readPayload(changed, 0, changed.length, ID)).toBeTypeOf('string');
  }
});

test('when it is cut, too long, or of another client, then it is refused in words', () => {
  const bytes = payload(3);
  expect(readPayload(bytes, 0, 23, ID)).toBe('23 bytes are no payload of the demo');
  expect(readPayload(bytes, 0, bytes.length - 1, ID)).toBe('wrong checksum');
  expect(readPayload(new Uint8Array(513), 0, 513, ID)).toBe('513 bytes are no payload of the demo');
  expect(readPayload(payload(3, 1002n), 0, bytes.length, ID)).toBe('payload of client 1002');
});
