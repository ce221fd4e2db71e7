import { beforeEach, describe, expect, test } from 'vitest';
import { carrierAddress, parseAddress } from '../src/address.ts';
import { HISTORY_FULL, TOKEN_REFUSED, TokenHistory } from '../src/token-history.ts';
import { failureOf, flip } from './support/codec-samples.ts';

const CAPACITY = 2048;
const NOW = 1_790_000_000n;
const EXPIRE = NOW + 30n;
const A = parseAddress('10.0.0.1:5000');
const B = parseAddress('10.0.0.2:5000');

/** A tag that names the token with this number. */
function macOf(number: number): Uint8Array {
  const mac = new Uint8Array(16);
  new DataView(mac.buffer).setUint32(8, number);
  return mac;
}

let history: TokenHistory;
beforeEach(() => (history = new TokenHistory()));

/** Presents tokens with these numbers, each from its own address. */
function fill(from: number, to: number, expire: bigint = EXPIRE): void {
  for (let i = from; i < to; i++) expect(history.findOrAdd(carrierAddress('memory', BigInt(i)), macOf(i), expire, NOW, 0)).toBe(i);
}

describe('TokenHistory', () => {
  test('when a token is new, then it is pending and admits its own address alone, any number of times', () => {
    expect(history.findOrAdd(A, macOf(1), EXPIRE, NOW, 5)).toBe(0);
    expect(history.createdAt(0)).toBe(5);
    const serial = history.serial(0);
    for (let i = 0; i < 3; i++) expect(history.findOrAdd(A, macOf(1), EXPIRE, NOW, 6 + i)).toBe(0);
    expect([history.createdAt(0), history.serial(0)]).toEqual([5, serial]);
    for (const other of [B, parseAddress('10.0.0.1:5001'), parseAddress('[::ffff:10.0.0.1]:5000')]) {
      expect(history.findOrAdd(other, macOf(1), EXPIRE, NOW, 9)).toBe(TOKEN_REFUSED);
    }
    expect(history.findOrAdd(A, macOf(1), EXPIRE, NOW, 9)).toBe(0);
  });

  test('when a token is consumed, then it admits nobody any more', () => {
    const index = history.findOrAdd(A, macOf(1), EXPIRE, NOW, 5);
    history.consume(index, history.serial(index));
    for (const address of [A, B]) expect(history.findOrAdd(address, macOf(1), EXPIRE, NOW, 6)).toBe(TOKEN_REFUSED);
    expect(history.findOrAdd(A, macOf(2), EXPIRE, NOW, 6)).toBe(1);
  });

  test('when it is full, then new tokens are refused, nothing is evicted and spent ones stay spent', () => {
    fill(0, CAPACITY);
    history.consume(7, history.serial(7));
    expect(history.findOrAdd(A, macOf(9999), EXPIRE, NOW, 1)).toBe(HISTORY_FULL);
    expect(history.findOrAdd(carrierAddress('memory', 7n), macOf(7), EXPIRE, NOW, 1)).toBe(TOKEN_REFUSED);
    for (const i of [0, 1, 2047]) expect(history.findOrAdd(carrierAddress('memory', BigInt(i)), macOf(i), EXPIRE, NOW, 1)).toBe(i);
  });

  test("when the fill tokens' expiry second has come, then the new token is taken, one second before it is not", () => {
    fill(0, CAPACITY);
    expect(history.findOrAdd(A, macOf(9999), EXPIRE + 60n, EXPIRE - 1n, 1)).toBe(HISTORY_FULL);
    expect(history.findOrAdd(A, macOf(9999), EXPIRE + 60n, EXPIRE, 2)).toBe(0);
    expect(history.findOrAdd(A, macOf(9998), EXPIRE + 60n, EXPIRE, 2)).toBe(1);
    expect(history.findOrAdd(A, macOf(0), EXPIRE, EXPIRE, 2)).toBe(2);
  });

  test('when only some tokens have expired, then the first of them gives its entry, also a consumed one', () => {
    fill(0, 100);
    fill(100, 102, NOW + 1n);
    fill(102, CAPACITY);
    history.consume(100, history.serial(100));
    expect(history.findOrAdd(A, macOf(9999), EXPIRE, NOW + 1n, 1)).toBe(100);
    expect(history.findOrAdd(A, macOf(9999), EXPIRE, NOW + 1n, 1)).toBe(100);
    expect(history.findOrAdd(B, macOf(9998), EXPIRE, NOW + 1n, 1)).toBe(101);
    expect(history.findOrAdd(B, macOf(9997), EXPIRE, NOW + 1n, 1)).toBe(HISTORY_FULL);
  });

  test('when an expired token frees an entry before it, then a live token behind is still found there', () => {
    history.findOrAdd(A, macOf(1), NOW + 1n, NOW, 0);
    history.findOrAdd(B, macOf(2), EXPIRE, NOW, 0);
    expect(history.findOrAdd(B, macOf(2), EXPIRE, NOW + 5n, 1)).toBe(1);
    expect(history.findOrAdd(A, macOf(2), EXPIRE, NOW + 5n, 1)).toBe(TOKEN_REFUSED);
    expect(history.findOrAdd(A, macOf(3), EXPIRE, NOW + 5n, 1)).toBe(0);
  });

  test('when an index or serial is wrong, then consuming has no effect', () => {
    const index = history.findOrAdd(A, macOf(1), EXPIRE, NOW, 0);
    const serial = history.serial(index);
    for (const [i, s] of [
      [index, serial + 1],
      [index, serial - 1],
      [index, NaN],
      [index + 1, serial],
      [index + 1, 0],
      [-1, serial],
      [CAPACITY, serial],
      [0.5, serial],
    ] as const) {
      history.consume(i, s);
      expect(history.findOrAdd(A, macOf(1), EXPIRE, NOW, 1)).toBe(index);
    }
  });

  test('when an entry was given to another token meanwhile, then its predecessor cannot consume it', () => {
    const old = history.findOrAdd(A, macOf(1), NOW + 1n, NOW, 0);
    const oldSerial = history.serial(old);
    expect(history.findOrAdd(B, macOf(2), EXPIRE, NOW + 1n, 1)).toBe(old);
    expect(history.serial(old)).toBe(oldSerial + 1);
    expect(history.createdAt(old)).toBe(1);
    history.consume(old, oldSerial);
    expect(history.findOrAdd(B, macOf(2), EXPIRE, NOW + 1n, 1)).toBe(old);
    history.consume(old, history.serial(old));
    expect(history.findOrAdd(B, macOf(2), EXPIRE, NOW + 1n, 1)).toBe(TOKEN_REFUSED);
  });

  test('when two tags differ in one bit, then they are two tokens; a tag of zeros is one like any other', () => {
    const zero = new Uint8Array(16);
    expect(history.findOrAdd(A, zero, EXPIRE, NOW, 0)).toBe(0);
    for (let bit = 0; bit < 128; bit++) {
      expect(history.findOrAdd(A, flip(zero, bit >> 3, 1 << (bit & 7)), EXPIRE, NOW, 0)).toBe(bit + 1);
    }
    expect(history.findOrAdd(B, zero, EXPIRE, NOW, 0)).toBe(TOKEN_REFUSED);
  });

  test.each([
    [(1n << 32n) + 5n, 6n, false],
    [5n, (1n << 32n) + 4n, true],
    [0xffff_ffffn, 1n << 32n, true],
    [1n << 63n, (1n << 63n) - 1n, false],
    [(1n << 63n) - 1n, 1n << 63n, true],
    [(1n << 64n) - 1n, (1n << 64n) - 2n, false],
    [0x8000_0000n, 0x7fff_ffffn, false],
  ])('when a token expires at %i and it is %i, then that it has expired is %s', (expire, now, hasExpired) => {
    history.findOrAdd(A, macOf(1), expire, 0n, 0);
    expect(history.findOrAdd(A, macOf(2), expire, now, 0)).toBe(hasExpired ? 0 : 1);
  });

  test('when it is reset, then everything is free again, old tokens are unknown and serials go on', () => {
    history.findOrAdd(A, macOf(1), EXPIRE, NOW, 0);
    const index = history.findOrAdd(A, macOf(2), EXPIRE, NOW, 0);
    const serial = history.serial(index);
    history.consume(index, serial);
    history.reset();
    history.consume(index, serial);
    expect(history.findOrAdd(B, macOf(2), EXPIRE, NOW, 0)).toBe(0);
    expect(history.serial(0)).toBe(serial + 1);
    expect(history.findOrAdd(B, macOf(1), EXPIRE, NOW, 0)).toBe(1);
  });

  test('when the tag is reused by the caller, then the entry keeps its own', () => {
    const mac = macOf(1);
    history.findOrAdd(A, mac, EXPIRE, NOW, 0);
    mac.fill(9);
    expect(history.findOrAdd(B, macOf(1), EXPIRE, NOW, 0)).toBe(TOKEN_REFUSED);
  });

  test('when arguments are wrong, then it throws and nothing is kept', () => {
    for (const mac of [new Uint8Array(15), new Uint8Array(17), 'mac']) {
      const error = failureOf(() => history.findOrAdd(A, mac as Uint8Array, EXPIRE, NOW, 0));
      expect([error.kind, error.field]).toEqual(['invalidOption', 'mac']);
    }
    for (const index of [-1, CAPACITY, 0.5, NaN]) {
      expect(failureOf(() => history.serial(index)).field).toBe('index');
      expect(failureOf(() => history.createdAt(index)).field).toBe('index');
    }
    expect(history.findOrAdd(A, macOf(1), EXPIRE, NOW, 0)).toBe(0);
  });
});

test('when an entry from before a reset is consumed, then its place stays free', () => {
  const history = new TokenHistory();
  const never = 2n ** 64n - 1n;
  const mac = (n: number): Uint8Array => Uint8Array.from({ length: 16 }, (_, i) => (i < 2 ? n >> (8 * i) : 1));
  const index = history.findOrAdd(A, mac(1), never, NOW, 0);
  const serial = history.serial(index);
  history.reset();
  history.consume(index, serial);
  for (let n = 0; n < CAPACITY; n++) expect(history.findOrAdd(A, mac(n), never, NOW, 0)).toBe(n);
  expect(history.findOrAdd(A, mac(CAPACITY), never, NOW, 0)).toBe(HISTORY_FULL);
});
