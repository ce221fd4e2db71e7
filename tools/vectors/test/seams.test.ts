import { describe, expect, test } from 'vitest';
import { parseAddress } from '@x/netcode';
import { Fields } from '../src/fields.ts';
import { Seams, expectOut } from '../src/netcode/seams.ts';

const ADDRESS = parseAddress('127.0.0.1:40000');

describe('Seams', () => {
  test('when a machine draws other random bytes than the step allows, then the step fails', () => {
    const key = new Uint8Array(32).fill(7);
    expect(() => new Seams().run(() => undefined)).not.toThrow();
    const seams = new Seams();
    const drawn: Uint8Array[] = [];
    seams.runDrawing(key, () => drawn.push(seams.randomBytes(32)));
    expect(drawn).toEqual([key]);
    expect(() => new Seams().runDrawing(key, () => undefined)).toThrow('number of random bytes left: expected 0, got 32');
    for (const counts of [[32, 32], [16], [16, 16], [33], [24, 32]]) {
      const other = new Seams();
      expect(() => other.runDrawing(key, () => counts.forEach((count) => other.randomBytes(count)))).toThrow(/^drew [0-9]+ random bytes/);
    }
    const idle = new Seams();
    expect(() => idle.run(() => idle.randomBytes(24))).toThrow('drew 24 random bytes');
  });

  test('when a machine leaves datagrams unread or reports an error, then the step fails', () => {
    const seams = new Seams();
    seams.enqueue(ADDRESS, Uint8Array.of(1));
    expect(() => seams.run(() => undefined)).toThrow('number of datagrams left unread: expected 0, got 1');
    const other = new Seams();
    expect(() => other.run(() => other.onError(new Error('broken'), 'onConnectDisconnect'))).toThrow('onConnectDisconnect: Error: broken');
  });

  test('when a machine sends, then the bytes are copied and compared in order', () => {
    const seams = new Seams();
    const bytes = Uint8Array.of(1, 2);
    const sent = seams.run(() => {
      seams.override.sendPacket(ADDRESS, bytes);
      bytes.fill(9);
      seams.override.sendPacket(ADDRESS, bytes);
    });
    expect(seams.run(() => undefined)).toEqual([]);
    const to = '127.0.0.1:40000';
    const first = { to, data: '0102' };
    const second = { to, data: '0909' };
    const compare = (...out: object[]): void => Fields.read({ out }, '', (step) => expectOut(step, sent));
    compare(first, second);
    expect(() => compare(second, first)).toThrow('out[0].data: differs at byte 0');
    expect(() => compare(first)).toThrow('length of out: expected 1, got 2');
    expect(() => compare(first, second, second)).toThrow('length of out: expected 3, got 2');
    expect(() => compare({ ...first, to: '127.0.0.1:40001' }, second)).toThrow('out[0].to: expected "127.0.0.1:40001"');
  });
});
