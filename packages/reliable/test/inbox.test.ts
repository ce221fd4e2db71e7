import { eachSeed, toHex } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { Inbox, PeerId } from '../src/index.ts';
import type { InboxRecord } from '../src/index.ts';
import { thrown } from './support/thrown.ts';

const PEER = PeerId.of(1, 5);

function push(inbox: Inbox<string>, peer: PeerId, bytes: Uint8Array): void {
  inbox.pushMessage(peer, 3, 2, bytes, 0, bytes.length);
}

function textOf(record: InboxRecord<string> | undefined): string | undefined {
  if (record === undefined) return undefined;
  return record.type === 'lifecycle'
    ? record.record
    : `${record.peer.toString()} ${record.event}/${record.channel} ${toHex(record.payload, 0, record.length)}`;
}

describe('accounts', () => {
  test('when events wait, then the account counts them until they are popped', () => {
    const inbox = new Inbox<string>(2);
    inbox.openSlot(PEER);
    push(inbox, PEER, new Uint8Array(10));
    push(inbox, PEER, new Uint8Array(0));
    expect(inbox.pending(PEER)).toEqual({ events: 2, bytes: 10 });
    expect(inbox.hasRoom(PEER, 5, 3, 15)).toBe(true);
    expect(inbox.hasRoom(PEER, 6, 3, 15)).toBe(false);
    expect(inbox.hasRoom(PEER, 0, 2, 15)).toBe(false);
    inbox.pop();
    expect(inbox.pending(PEER)).toEqual({ events: 1, bytes: 0 });
    inbox.pop();
    expect(inbox.pending(PEER)).toEqual({ events: 0, bytes: 0 });
  });

  test('when a slot is opened for another peer, then older records stay but no longer count', () => {
    const inbox = new Inbox<string>(2);
    const next = PeerId.of(1, 6);
    inbox.openSlot(PEER);
    push(inbox, PEER, Uint8Array.of(1));
    inbox.openSlot(next);
    expect(inbox.pending(PEER)).toEqual({ events: 0, bytes: 0 });
    expect(inbox.pending(next)).toEqual({ events: 0, bytes: 0 });
    push(inbox, next, Uint8Array.of(2, 3));
    expect(textOf(inbox.pop())).toBe('peer 1:5 3/2 01');
    expect(inbox.pending(next)).toEqual({ events: 1, bytes: 2 });
  });

  test('when a peer has a slot that the inbox does not, then it is refused', () => {
    const inbox = new Inbox<string>(1);
    for (const call of [() => inbox.openSlot(PEER), () => push(inbox, PEER, new Uint8Array(1)), () => inbox.pending(PEER)]) {
      expect(thrown(call)).toMatchObject({ kind: 'invalidOption', field: 'peer' });
    }
    expect(inbox.length).toBe(0);
    expect(thrown(() => new Inbox(0))).toMatchObject({ kind: 'invalidOption', field: 'slots' });
  });
});

describe('records', () => {
  test('when a payload is longer than the buffer, then popInto takes nothing', () => {
    const inbox = new Inbox<string>(2);
    push(inbox, PEER, Uint8Array.of(1, 2, 3));
    expect(inbox.peekLength()).toBe(3);
    const error = thrown(() => inbox.popInto(new Uint8Array(2)));
    expect(error).toMatchObject({ kind: 'bufferTooSmall', message: 'buffer too small: the next payload is 3 bytes' });
    expect(inbox.length).toBe(1);
    const buffer = new Uint8Array(5);
    const record = inbox.popInto(buffer);
    expect(record?.type === 'message' && record.payload === buffer && record.length === 3).toBe(true);
    expect([...buffer]).toEqual([1, 2, 3, 0, 0]);
    expect([inbox.popInto(buffer), inbox.pop(), inbox.peekLength()]).toEqual([undefined, undefined, undefined]);
  });

  test('when a lifecycle record is inserted, then it stands before the records at and after its position', () => {
    const inbox = new Inbox<string>(2);
    inbox.pushLifecycle('first');
    for (let i = 0; i < 100; i++) push(inbox, PEER, Uint8Array.of(i));
    inbox.insertLifecycle(1, 'second');
    inbox.insertLifecycle(102, 'last');
    expect(inbox.peekLength()).toBeUndefined();
    expect([textOf(inbox.pop()), textOf(inbox.popInto(new Uint8Array(0)))]).toEqual(['first', 'second']);
    for (let i = 0; i < 100; i++) expect(textOf(inbox.pop())).toBe(`peer 1:5 3/2 ${toHex(Uint8Array.of(i))}`);
    expect(textOf(inbox.pop())).toBe('last');
    expect(thrown(() => inbox.insertLifecycle(1, 'x'))).toMatchObject({ kind: 'invalidRange', field: 'position' });
    expect(thrown(() => inbox.pushMessage(PEER, 0, 0, new Uint8Array(4), 2, 3))).toMatchObject({ kind: 'invalidRange' });
  });

  test('when records are handed out, then one object is reused', () => {
    const inbox = new Inbox<string>(2);
    push(inbox, PEER, Uint8Array.of(1));
    push(inbox, PEER, Uint8Array.of(2));
    const first = inbox.pop();
    expect(inbox.pop()).toBe(first);
  });
});

test('when anything is pushed, popped and compacted in any order, then contents and order are those of a plain list', () => {
  eachSeed(40, (random) => {
    const inbox = new Inbox<string>(4);
    const model: { text: string; length: number }[] = [];
    const buffer = new Uint8Array(200_000);
    // The array that datagrams come in, as long as a socket's or a whole fragmented packet.
    const source = new Uint8Array(random.pick([64, 1200, 2048, 40_000, 100_000]));
    for (let i = 0; i < 250; i++) {
      switch (random.below(5)) {
        case 0:
        case 1:
          for (let n = random.below(8); n >= 0; n--) pushRandom(random, inbox, model, source);
          break;
        case 2:
          for (let n = random.below(12); n > 0; n--) {
            const expected = model.shift();
            const record = random.chance(0.5) ? inbox.pop() : inbox.popInto(buffer);
            expect(textOf(record)).toBe(expected?.text);
            if (record?.type === 'message') expect(record.length).toBe(expected!.length);
          }
          break;
        case 3:
          inbox.compact();
          break;
        default: {
          const position = random.below(model.length + 1);
          inbox.insertLifecycle(position, `inserted ${i}`);
          model.splice(position, 0, { text: `inserted ${i}`, length: 0 });
        }
      }
      expect(inbox.length).toBe(model.length);
      expect(inbox.peekLength()).toBe(model[0]?.text.startsWith('peer') === true ? model[0].length : undefined);
    }
  });
});

function pushRandom(random: SeededRandom, inbox: Inbox<string>, model: { text: string; length: number }[], source: Uint8Array): void {
  const peer = PeerId.of(random.below(4), 1);
  const whole = random.chance(0.2);
  const bytes = whole ? random.bytes(random.below(300)) : source;
  const offset = whole ? 0 : random.below(bytes.length);
  const length = whole ? bytes.length : random.below(random.chance(0.9) ? Math.min(300, bytes.length - offset) : bytes.length - offset);
  for (let i = 0; i < length; i += 1 + random.below(40)) bytes[offset + i] = random.below(256);
  inbox.pushMessage(peer, 3, 2, bytes, offset, length);
  model.push({ text: `${peer.toString()} 3/2 ${toHex(bytes, offset, length)}`, length });
}

test('when a burst is over, then the memory it took comes back', () => {
  const inbox = new Inbox<string>(2);
  const baseline = inbox.memoryBytes;
  for (let i = 0; i < 20_000; i++) push(inbox, PEER, new Uint8Array(200));
  expect(inbox.memoryBytes).toBeGreaterThan(4_000_000);
  while (inbox.pop() !== undefined);
  for (let i = 0; i < 600; i++) {
    inbox.compact();
    push(inbox, PEER, new Uint8Array(20));
    inbox.pop();
  }
  expect(inbox.memoryBytes).toBeLessThanOrEqual(2 * baseline);
});

test('when an inbox is never empty, then its arena does not grow with what went through', () => {
  const inbox = new Inbox<string>(2);
  for (let i = 0; i < 10; i++) push(inbox, PEER, new Uint8Array(100));
  for (let i = 0; i < 50_000; i++) {
    push(inbox, PEER, new Uint8Array(100));
    inbox.pop();
    if (i % 50 === 0) inbox.compact();
  }
  expect(inbox.memoryBytes).toBeLessThan(20_000);
});
