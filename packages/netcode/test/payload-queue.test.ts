import { SeededRandom, toHex } from '@x/testkit';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { PayloadPool, PayloadQueue, PrefixViews } from '../src/payload-queue.ts';
import { propertyOptions } from './support/codec-property.ts';

const CAPACITY = 256;
const POOL_BYTES = 1_048_576;

let queue: PayloadQueue;
beforeEach(() => (queue = new PayloadQueue(new PayloadPool())));

function fill(from: number, to: number): void {
  for (let i = from; i < to; i++) expect(queue.push(Uint8Array.of(i & 255, i >> 8), 0, i)).toBe(true);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, () => {
    const received = queue.pop();
    return received === undefined ? NaN : received.data[0]! + 256 * received.data[1]!;
  });
}

describe('PayloadQueue', () => {
  test('when it is empty, then nothing comes out', () => {
    expect(queue.pop()).toBeUndefined();
    expect(queue.popInto(new Uint8Array(4))).toBe(0);
    expect([queue.length, queue.firstLength]).toEqual([0, 0]);
  });

  test('when 100 are pushed and popped, then payloads, sequences and order are the same', () => {
    const random = new SeededRandom(3);
    const pushed = Array.from({ length: 100 }, () => ({
      data: random.bytes(1 + random.below(1200)),
      hi: random.uint32(),
      lo: random.uint32(),
    }));
    for (const { data, hi, lo } of pushed) expect(queue.push(data, hi, lo)).toBe(true);
    expect(queue.length).toBe(100);
    for (const { data, hi, lo } of pushed) {
      expect(queue.firstLength).toBe(data.length);
      const received = queue.pop()!;
      expect(received.sequence).toBe((BigInt(hi) << 32n) | BigInt(lo));
      expect(toHex(received.data)).toBe(toHex(data));
    }
    expect(queue.pop()).toBeUndefined();
  });

  test('when 256 wait, then the next is refused and the first 256 are intact, also after the ring has turned', () => {
    for (const turned of [0, 100]) {
      queue.clear();
      fill(0, turned);
      numbers(turned);
      fill(0, CAPACITY);
      expect(queue.push(Uint8Array.of(9, 9), 0, 9999)).toBe(false);
      expect(queue.length).toBe(CAPACITY);
      expect(numbers(CAPACITY)).toEqual(Array.from({ length: CAPACITY }, (_, i) => i));
      expect(queue.pop()).toBeUndefined();
    }
  });

  test('when it is cleared, then it is empty and ready for use', () => {
    fill(0, CAPACITY);
    numbers(10);
    queue.clear();
    expect([queue.length, queue.firstLength]).toEqual([0, 0]);
    expect(queue.pop()).toBeUndefined();
    fill(500, 500 + CAPACITY);
    expect(numbers(2)).toEqual([500, 501]);
  });

  test('when the pushed array changes, then what waits does not; what was popped is never overwritten', () => {
    const bytes = Uint8Array.of(1, 2);
    queue.push(bytes, 0, 1);
    bytes.fill(9);
    const first = queue.pop()!;
    for (let i = 0; i < 300; i++) {
      queue.push(Uint8Array.of(7, 7), 0, 2);
      queue.popInto(new Uint8Array(2));
    }
    expect(first.data).toEqual(Uint8Array.of(1, 2));
  });

  test('when it is copied out, then only its bytes of the buffer change', () => {
    queue.push(Uint8Array.of(1, 2, 3), 0, 1);
    queue.push(Uint8Array.of(4), 0, 2);
    const out = new Uint8Array(5).fill(0xee);
    expect(queue.popInto(out)).toBe(3);
    expect(out).toEqual(Uint8Array.of(1, 2, 3, 0xee, 0xee));
    expect([queue.length, queue.firstLength]).toEqual([1, 1]);
    expect(queue.pop()?.sequence).toBe(2n);
  });

  test('when it is used in any order, then it is a list of at most 256', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('push' as const), times: fc.integer({ min: 1, max: 60 }) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('pop' as const, 'copy' as const), times: fc.integer({ min: 1, max: 60 }) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), times: fc.constant(1) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tested = new PayloadQueue(new PayloadPool());
        const out = new Uint8Array(300);
        let list: { text: string; sequence: bigint }[] = [];
        let made = 0;
        for (const action of steps) {
          for (let i = 0; i < action.times; i++) {
            if (action.do === 'push') {
              const entry = { text: `${++made}`.padStart(1 + (made % 7), '.'), sequence: BigInt(made) << 30n };
              const isTaken = tested.push(Buffer.from(entry.text), Number(entry.sequence >> 32n), Number(entry.sequence & 0xffff_ffffn));
              expect(isTaken).toBe(list.length < 256);
              if (isTaken) list.push(entry);
            } else if (action.do === 'pop') {
              const received = tested.pop();
              const expected = list.shift();
              expect(received && { text: Buffer.from(received.data).toString(), sequence: received.sequence }).toEqual(expected);
            } else if (action.do === 'copy') {
              const length = tested.popInto(out);
              expect(Buffer.from(out.subarray(0, length)).toString()).toBe(list.shift()?.text ?? '');
            } else {
              tested.clear();
              list = [];
            }
            expect([tested.length, tested.firstLength]).toEqual([list.length, list[0]?.text.length ?? 0]);
          }
        }
      }),
      propertyOptions(40),
    );
  });
});

describe('PayloadPool', () => {
  test('when a buffer was given back, then it is taken again for exactly its length', () => {
    const pool = new PayloadPool();
    const buffer = new Uint8Array(100);
    pool.give(buffer);
    const shorter = pool.take(99);
    expect([shorter === buffer, shorter.length]).toEqual([false, 99]);
    expect(pool.take(100)).toBe(buffer);
    expect(pool.take(100)).not.toBe(buffer);
  });

  test('when 1 MiB is kept, then more is let go; what is taken makes room again', () => {
    const pool = new PayloadPool();
    const fitting = Array.from({ length: POOL_BYTES / 1024 }, () => new Uint8Array(1024));
    for (const buffer of fitting) pool.give(buffer);
    const extra = [new Uint8Array(1), new Uint8Array(1024)];
    for (const buffer of extra) pool.give(buffer);
    expect(pool.take(1)).not.toBe(extra[0]);
    const taken = pool.take(1024);
    expect(taken).toBe(fitting.at(-1));
    pool.give(extra[1]!);
    expect(pool.take(1024)).toBe(extra[1]);
    const rest = new Set(Array.from({ length: fitting.length - 1 }, () => pool.take(1024)));
    expect(fitting.slice(0, -1).every((buffer) => rest.has(buffer))).toBe(true);
    expect(new Set<Uint8Array>(fitting).has(pool.take(1024))).toBe(false);
  });

  test('when payloads are read with popInto or cleared, then their buffers are used again; with pop they are not', () => {
    const pool = new PayloadPool();
    const tested = new PayloadQueue(pool);
    const buffers = [new Uint8Array(3), new Uint8Array(3)];
    pool.give(buffers[0]!);
    tested.push(Uint8Array.of(1, 2, 3), 0, 0);
    tested.popInto(new Uint8Array(3));
    expect(pool.take(3)).toBe(buffers[0]);
    pool.give(buffers[1]!);
    tested.push(Uint8Array.of(1, 2, 3), 0, 0);
    tested.clear();
    expect(pool.take(3)).toBe(buffers[1]);
    pool.give(buffers[0]!);
    tested.push(Uint8Array.of(1, 2, 3), 0, 0);
    expect(tested.pop()?.data).toBe(buffers[0]);
    expect(new Set<Uint8Array>(buffers).has(pool.take(3))).toBe(false);
  });
});

test('when a prefix is asked for twice, then it is the same view of the buffer', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);
  const views = new PrefixViews(bytes);
  const two = views.of(2);
  expect(two).toEqual(Uint8Array.of(1, 2));
  expect(views.of(2)).toBe(two);
  expect(views.of(4)).toEqual(bytes);
  expect(views.of(0)).toHaveLength(0);
  bytes[0] = 9;
  expect(two[0]).toBe(9);
});
