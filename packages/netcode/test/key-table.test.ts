import { beforeEach, describe, expect, test, vi } from 'vitest';
import { parseAddress } from '../src/address.ts';
import type { Address } from '../src/address.ts';
import { KeyTable, NEVER } from '../src/key-table.ts';
import type { KeyMapping } from '../src/key-table.ts';
import { failureOf } from './support/codec-samples.ts';

const CAPACITY = 1024;
const TIMEOUT = 10;
const FIVE = [1, 2, 3, 4, 5].map((i) => parseAddress(`[2001:db8::${i}]:4000${i}`));
const [A, B, C, D, E] = FIVE as [Address, Address, Address, Address, Address];

function mappingOf(address: Address, number: number, parts: Partial<KeyMapping> = {}): KeyMapping {
  return {
    address,
    sendKey: new Uint8Array(32).fill(number),
    receiveKey: new Uint8Array(32).fill(100 + number),
    timeoutSeconds: TIMEOUT,
    expireTime: NEVER,
    historyIndex: number,
    historySerial: 1000 + number,
    ...parts,
  };
}

let table: KeyTable;
beforeEach(() => (table = new KeyTable()));

function addFive(time: number): void {
  for (const [i, address] of FIVE.entries()) expect(table.add(mappingOf(address, i), time)).toBe(i);
}

function found(time: number): number[] {
  return FIVE.map((address) => table.find(address, time));
}

describe('KeyTable, five IPv6 addresses', () => {
  test('when they are added, then each is found with its keys', () => {
    expect(found(0)).toEqual([-1, -1, -1, -1, -1]);
    addFive(0);
    expect(found(1)).toEqual([0, 1, 2, 3, 4]);
    for (const [i, address] of FIVE.entries()) expect(table.mapping(table.find(address, 1))).toEqual(mappingOf(address, i));
    expect(table.find(parseAddress('[2001:db8::1]:40002'), 1)).toBe(-1);
  });

  test('when an unknown one is removed, then false; when first and last are, then only those vanish and can come back', () => {
    addFive(0);
    expect(table.remove(parseAddress('[2001:db8::9]:40000'), 1)).toBe(false);
    expect(found(1)).toEqual([0, 1, 2, 3, 4]);
    expect([table.remove(A, 1), table.remove(E, 1), table.remove(A, 1)]).toEqual([true, true, false]);
    expect(found(1)).toEqual([-1, 1, 2, 3, -1]);
    expect(table.mapping(0)).toBeUndefined();
    expect([table.add(mappingOf(E, 7), 1), table.add(mappingOf(A, 8), 1)]).toEqual([0, 4]);
    expect(found(1)).toEqual([4, 1, 2, 3, 0]);
    expect(table.mapping(4)?.historyIndex).toBe(8);
  });

  test('when twice the timeout passes, then all are gone and can be added again; after a reset none is there', () => {
    addFive(0);
    expect(found(2 * TIMEOUT)).toEqual([-1, -1, -1, -1, -1]);
    addFive(2 * TIMEOUT);
    expect(found(2 * TIMEOUT)).toEqual([0, 1, 2, 3, 4]);
    table.reset();
    expect(found(2 * TIMEOUT)).toEqual([-1, -1, -1, -1, -1]);
    expect(FIVE.map((_, i) => table.mapping(i))).toEqual(new Array(5).fill(undefined));
    addFive(2 * TIMEOUT);
  });

  test('when the deadline is in one second, then it is found now, not 1.1 s later, and again at its place once it is lifted', () => {
    addFive(0);
    table.setExpireTime(2, 5 + 1);
    expect(table.find(C, 5)).toBe(2);
    expect(table.find(C, 6.1)).toBe(-1);
    table.setExpireTime(2, NEVER);
    expect(table.find(C, 6.1)).toBe(2);
  });
});

describe('expiry', () => {
  test('when it is exactly the timeout later, then it is still there; a moment later it is not', () => {
    table.add(mappingOf(A, 1), 100);
    expect(table.find(A, 100 + TIMEOUT)).toBe(0);
    expect(table.find(A, 100 + 2 * TIMEOUT)).toBe(0);
    expect(table.find(A, 100 + 3 * TIMEOUT + 0.001)).toBe(-1);
  });

  test('when it is exactly the deadline, then it is still there; a moment later it is not, however often it is used', () => {
    table.add(mappingOf(A, 1, { expireTime: 5 }), 0);
    expect([table.find(A, 4.9), table.find(A, 5), table.find(A, 5.001)]).toEqual([0, 0, -1]);
  });

  test.each([0, -1])('when the timeout is %i, then silence does not end it', (timeoutSeconds) => {
    table.add(mappingOf(A, 1, { timeoutSeconds }), 0);
    expect(table.find(A, 1e9)).toBe(0);
  });

  test('when the deadline is now, then it lives until the clock moves; a deadline of time zero counts', () => {
    table.add(mappingOf(A, 1, { timeoutSeconds: 0, expireTime: 0 }), 0);
    expect([table.find(A, 0), table.find(A, 0.1)]).toEqual([0, -1]);
  });

  test('when it is found or touched, then the timeout starts again; a miss, and reading the mapping, do not', () => {
    table.add(mappingOf(A, 1), 0);
    expect(table.touch(0, A, 9)).toBe(true);
    expect(table.find(A, 18)).toBe(0);
    expect(table.touch(0, B, 27)).toBe(false);
    table.mapping(0);
    expect(table.find(A, 28.5)).toBe(-1);
    expect(table.touch(0, A, 40)).toBe(true);
    expect(table.find(A, 41)).toBe(0);
  });

  test('when an index is out of range, then touching fails and setting throws', () => {
    for (const index of [-1, CAPACITY, 0.5]) {
      expect(table.touch(index, A, 0)).toBe(false);
      expect(table.mapping(index)).toBeUndefined();
      expect(failureOf(() => table.setSlot(index, 1)).field).toBe('index');
      expect(failureOf(() => table.setExpireTime(index, 1)).kind).toBe('invalidOption');
    }
    expect(table.touch(0, A, 0)).toBe(false);
  });
});

describe('adding', () => {
  test('A42: when a second token comes from the same address, then keys, times and history entry are replaced together', () => {
    table.add(mappingOf(A, 1, { expireTime: 3 }), 0);
    table.add(mappingOf(B, 2), 0);
    const second = mappingOf(A, 9, { timeoutSeconds: 20, expireTime: 30 });
    expect(table.add(second, 2)).toBe(0);
    expect(table.mapping(0)).toEqual(second);
    expect([table.find(A, 22), table.find(A, 30), table.find(A, 30.5)]).toEqual([0, 0, -1]);
    expect(table.find(B, 3)).toBe(1);
  });

  test('when entries have expired, then the first of them is given away, before free ones behind', () => {
    addFive(0);
    table.touch(0, A, 10);
    table.touch(3, D, 10);
    const other = parseAddress('10.0.0.9:9');
    expect(table.add(mappingOf(other, 6), 10.5)).toBe(1);
    expect(table.find(B, 10.5)).toBe(-1);
    expect(table.find(other, 10.5)).toBe(1);
  });

  test('when the own entry has expired, then the address gets the first free place', () => {
    addFive(0);
    for (const i of [0, 1, 2]) table.touch(i, FIVE[i]!, 10);
    expect(table.add(mappingOf(E, 6), 11)).toBe(3);
    expect(table.find(E, 11)).toBe(3);
  });

  test('A24: when an entry is bound to a slot, then it is never given away, though it looks expired', () => {
    addFive(0);
    table.setSlot(1, 0);
    const others = [1, 2, 3, 4, 5, 6].map((i) => parseAddress(`10.0.0.${i}:9`));
    expect(others.map((address, i) => table.add(mappingOf(address, i), 100))).toEqual([0, 2, 3, 4, 5, 6]);
    expect(table.mapping(1)?.address).toBe(B);
    expect(table.touch(1, B, 100)).toBe(true);
    expect(table.find(B, 100)).toBe(1);
    table.setSlot(1, -1);
    expect(table.add(mappingOf(parseAddress('10.0.0.7:9'), 7), 200)).toBe(0);
    expect(table.add(mappingOf(parseAddress('10.0.0.8:9'), 8), 200)).toBe(1);
  });

  test('when 1024 addresses have keys, then the next is refused until one has expired or is removed', () => {
    const address = (i: number): Address => parseAddress(`10.0.${i >> 8}.${i & 255}:7`);
    for (let i = 0; i < CAPACITY; i++) expect(table.add(mappingOf(address(i), 1), i === 600 ? 0 : 5)).toBe(i);
    expect(table.add(mappingOf(A, 1), 9)).toBe(-1);
    expect(table.add(mappingOf(address(3), 2), 9)).toBe(3);
    table.remove(address(1023), 9);
    expect(table.add(mappingOf(A, 1), 9)).toBe(1023);
    expect(table.add(mappingOf(B, 1), 10)).toBe(-1);
    expect(table.add(mappingOf(B, 1), 10.1)).toBe(600);
    expect(table.find(address(600), 10.1)).toBe(-1);
    table.reset();
    expect([table.find(A, 10.1), table.find(address(1022), 10.1)]).toEqual([-1, -1]);
    expect(table.add(mappingOf(B, 1), 10.1)).toBe(0);
  });
});

describe('removing', () => {
  test('when the last entry is removed, then expired ones at the end go with it, bound and live ones stay', () => {
    const release = vi.fn<(mapping: KeyMapping) => void>();
    table = new KeyTable(release);
    addFive(0);
    table.setSlot(1, 3);
    table.touch(4, E, 20);
    expect(table.remove(E, 20)).toBe(true);
    expect(release.mock.calls.map(([mapping]) => mapping.address)).toEqual([E, D, C]);
    expect([table.mapping(1)?.address, table.mapping(0)?.address]).toEqual([B, A]);
    expect(table.remove(D, 20)).toBe(false);
  });

  test('when an expired entry is removed, then true', () => {
    addFive(0);
    expect(table.remove(B, 1000)).toBe(true);
    expect(table.mapping(1)).toBeUndefined();
  });

  test('when a removed entry was bound or had a deadline, then its place starts anew', () => {
    table.add(mappingOf(A, 1, { expireTime: 5 }), 0);
    table.setSlot(0, 9);
    table.remove(A, 0);
    expect(table.add(mappingOf(B, 2), 0)).toBe(0);
    expect(table.find(B, 9)).toBe(0);
    expect(table.add(mappingOf(C, 3), 100)).toBe(0);
  });

  test('when an address has two entries, then the first one is removed', () => {
    addFive(0);
    for (const i of [0, 1, 2, 3]) table.touch(i, FIVE[i]!, 20);
    table.remove(A, 20);
    expect(table.add(mappingOf(E, 7), 20)).toBe(0);
    expect([table.mapping(0)?.historyIndex, table.mapping(4)?.historyIndex]).toEqual([7, 4]);
    expect(table.remove(E, 20)).toBe(true);
    expect([table.mapping(0), table.mapping(4)?.historyIndex]).toEqual([undefined, 4]);
  });

  test('when a mapping is replaced, removed or reset, then it is released once; one that stays is not', () => {
    const release = vi.fn<(mapping: KeyMapping) => void>();
    table = new KeyTable(release);
    const mappings = FIVE.map((address, i) => mappingOf(address, i));
    for (const mapping of mappings) table.add(mapping, 0);
    expect(release).not.toHaveBeenCalled();
    const next = mappingOf(A, 9);
    table.add(next, 1);
    expect(release.mock.calls).toEqual([[mappings[0]]]);
    table.remove(B, 1);
    expect(release.mock.calls.at(-1)).toEqual([mappings[1]]);
    table.reset();
    expect(release.mock.calls.slice(2)).toEqual([[next], [mappings[2]], [mappings[3]], [mappings[4]]]);
  });
});

test('when a full table is asked to remove an unknown address, then nothing happens', () => {
  const table = new KeyTable();
  const key = new Uint8Array(32);
  for (let i = 0; i < CAPACITY; i++) {
    const address = parseAddress(`10.0.0.1:${1000 + i}`);
    table.add({ address, sendKey: key, receiveKey: key, timeoutSeconds: 5, expireTime: NEVER, historyIndex: 0, historySerial: 1 }, 0);
  }
  expect(table.remove(parseAddress('10.0.0.2:1000'), 0)).toBe(false);
  expect(table.find(parseAddress(`10.0.0.1:${999 + CAPACITY}`), 0)).toBe(CAPACITY - 1);
});
