import { describe, expect, test } from 'vitest';
import { CaptureError, HostError } from '../src/capture/index.ts';
import { describe as shown } from '../src/internal/check.ts';

describe('errors of another installed copy', () => {
  test.each([
    ['CaptureError', CaptureError],
    ['HostError', HostError],
  ])('when it is a %s, then it is known by its name', (name, { is }) => {
    expect(is(Object.assign(new Error('x'), { name, kind: 'k', code: 'K' }))).toBe(true);
    expect(is(Object.assign(new Error('x'), { name, kind: 'k' }))).toBe(false);
    expect(is(Object.assign(new Error('x'), { kind: 'k', code: 'K' }))).toBe(false);
    expect(is({ name, kind: 'k', code: 'K' })).toBe(false);
    expect(is(undefined)).toBe(false);
  });

  test('when an error is of one class, then it is not of the other', () => {
    expect(HostError.is(new CaptureError('truncated', 0))).toBe(false);
    expect(CaptureError.is(new HostError('closed', 'x'))).toBe(false);
  });
});

test('when a HostError has a cause, then it is kept', () => {
  const cause = new Error('why');
  expect(new HostError('overrun', 'x', { cause }).cause).toBe(cause);
  expect('cause' in new HostError('overrun', 'x')).toBe(false);
});

test.each([
  [null, 'null'],
  [new Uint8Array(3), '3 bytes'],
  ['secret', 'a text of 6 characters'],
  [7n, 'the bigint 7'],
  [-1, '-1'],
  [true, 'true'],
  [{}, 'object'],
  [undefined, 'undefined'],
])('when a message names %s, then it says nothing that may be secret', (value, text) => {
  expect(shown(value)).toBe(text);
});
