import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { PeerId } from '../src/index.ts';
import { thrown } from './support/thrown.ts';

test('when a peer id is made, then it is frozen and packs slot and generation', () => {
  const peer = PeerId.of(7, 3);
  expect([peer.slot, peer.generation, peer.value]).toEqual([7, 3, 3n * 65_536n + 7n]);
  expect(Object.isFrozen(peer)).toBe(true);
  expect(`${peer.toString()} ${inspect(peer)}`).toBe('peer 7:3 PeerId(slot 7, generation 3)');
});

test('when the same id is made twice, then it is the same object', () => {
  expect(PeerId.of(1, 2)).toBe(PeerId.of(1, 2));
  expect(PeerId.fromValue(2n * 65_536n + 1n)).toBe(PeerId.of(1, 2));
  expect(PeerId.of(1, 2)).not.toBe(PeerId.of(2, 1));
  expect(PeerId.of(1, 2)).not.toBe(PeerId.of(1, 3));
});

test('when extremes are packed, then they come back', () => {
  for (const slot of [0, 1, 65_535]) {
    for (const generation of [0, 1, 2 ** 48 - 1]) {
      const peer = PeerId.of(slot, generation);
      expect(PeerId.fromValue(peer.value)).toBe(peer);
      expect(peer.value).toBe((BigInt(generation) << 16n) | BigInt(slot));
    }
  }
  expect(PeerId.of(2, 2 ** 48 + 5).generation).toBe(5);
  expect(PeerId.fromValue(2n ** 64n - 1n).generation).toBe(2 ** 48 - 1);
});

test('when many ids are made and dropped, then making more still works', () => {
  for (let i = 0; i < 5000; i++) PeerId.of(i & 0xffff, i);
  expect(PeerId.of(9, 9)).toBe(PeerId.of(9, 9));
});

test.each([
  ['slot', () => PeerId.of(65_536, 1)],
  ['slot', () => PeerId.of(-1, 1)],
  ['slot', () => PeerId.of(0.5, 1)],
  ['generation', () => PeerId.of(0, -1)],
  ['generation', () => PeerId.of(0, Number.NaN)],
  ['value', () => PeerId.fromValue(-1n)],
  ['value', () => PeerId.fromValue(2n ** 64n)],
  ['value', () => PeerId.fromValue(1 as unknown as bigint)],
])('when %s is out of range, then it is refused', (field, call) => {
  expect(thrown(call)).toMatchObject({ kind: 'invalidOption', code: 'INVALID_OPTION', field });
});
