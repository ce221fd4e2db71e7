import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  Fields,
  WHOLE_FILE,
  countCases,
  listGroup,
  membersGroup,
  objectCase,
  replayDirectory,
  replayFile,
  totalsOf,
} from '../src/index.ts';
import type { Registry } from '../src/index.ts';

const even = listGroup((entry) => {
  if (typeof entry !== 'number' || entry % 2 !== 0) throw new Error(`${String(entry)} is not even`);
});

const registry: Registry = {
  'numbers.json': {
    format: 'numbers/1',
    groups: {
      even,
      'nested.even': even,
      waiting: undefined,
      parts: membersGroup({ a: even.replay, b: even.replay }),
      objects: listGroup(objectCase((fields) => fields.expectNumber('value', 1))),
    },
  },
  'later.json': 'notBuilt',
};

function replay(content: unknown, complete = false, file = 'numbers.json'): ReturnType<typeof replayFile> {
  return replayFile(file, content, { registry, complete });
}

describe('when a file is replayed', () => {
  test('then cases are counted and the first failure is named', () => {
    const { built, groups } = replay({ format: 'numbers/1', even: [2, 3, 4, 5], nested: { even: [2] } });
    expect(built).toBe(true);
    expect(groups).toEqual([
      { name: 'even', cases: 4, passed: 2, failed: 2, firstFailure: '[1]: 3 is not even' },
      { name: 'nested.even', cases: 1, passed: 1, failed: 0 },
    ]);
  });

  test('then a failure names its case and field', () => {
    const { groups } = replay({ format: 'numbers/1', objects: [{ value: 1 }, { name: 'second' }, { value: 1, more: 2 }] });
    expect(groups[0]).toMatchObject({ cases: 3, passed: 1, failed: 2, firstFailure: '[1] second: value: missing' });
  });

  test('then plain values beside the groups are no groups', () => {
    const { groups } = replay({ format: 'numbers/1', description: 'text', version: 3, set: null, even: [2] });
    expect(groups.map(({ name }) => name)).toEqual(['even']);
  });

  test('then every member of an object group counts its entries', () => {
    const { groups } = replay({ format: 'numbers/1', parts: { a: [2, 4], b: [6, 7] } });
    expect(groups).toEqual([{ name: 'parts', cases: 4, passed: 3, failed: 1, firstFailure: 'b[1]: 7 is not even' }]);
  });

  test('then a member that nobody knows or that is absent fails', () => {
    expect(replay({ format: 'numbers/1', parts: { a: [2], b: [2], c: [2, 4] } }).groups[0]).toMatchObject({
      cases: 4,
      passed: 2,
      failed: 2,
    });
    expect(replay({ format: 'numbers/1', parts: { a: [2], b: [2], c: 1 } }).groups[0]).toMatchObject({ cases: 3, passed: 2, failed: 1 });
    expect(replay({ format: 'numbers/1', parts: { a: [2] } }).groups[0]).toMatchObject({
      cases: 1,
      passed: 0,
      failed: 1,
      firstFailure: 'b: missing',
    });
  });
});

describe('when a group is not replayed, it fails with all its cases', () => {
  test('a group that nobody knows', () => {
    const { groups } = replay({ format: 'numbers/1', even: [2], odd: [1, 3, 5] });
    expect(groups[1]).toEqual({ name: 'odd', cases: 3, passed: 0, failed: 3, firstFailure: 'nothing replays this group' });
  });

  test('a nested group that nobody knows', () => {
    expect(replay({ format: 'numbers/1', nested: { even: [2], odd: [1] } }).groups[1]).toMatchObject({
      name: 'nested.odd',
      cases: 1,
      failed: 1,
    });
  });

  test('a group whose name is one of every object', () => {
    expect(replay({ format: 'numbers/1', toString: [1, 2] }).groups[0]).toMatchObject({ name: 'toString', cases: 2, failed: 2 });
  });

  test('a registered group without a replayer', () => {
    expect(replay({ format: 'numbers/1', waiting: [1, 2] }).groups[0]).toMatchObject({ name: 'waiting', cases: 2, passed: 0, failed: 2 });
  });

  test('a group of another shape', () => {
    expect(replay({ format: 'numbers/1', even: { a: [1, 2], b: 3 } }).groups[0]).toMatchObject({ name: 'even', cases: 3, failed: 3 });
    expect(replay({ format: 'numbers/1', even: 'text' }).groups[0]).toMatchObject({ name: 'even', cases: 1, failed: 1 });
    expect(replay({ format: 'numbers/1', parts: [1, 2] }).groups[0]).toMatchObject({ name: 'parts', cases: 2, failed: 2 });
  });

  test('every group of a file of another format', () => {
    for (const format of ['numbers/2', undefined]) {
      const { built, groups } = replay({ format, even: [2, 4], odd: [1] });
      expect(built).toBe(true);
      expect(groups.map(({ name, cases, passed, failed }) => [name, cases, passed, failed])).toEqual([
        ['even', 2, 0, 2],
        ['odd', 1, 0, 1],
      ]);
    }
  });

  test('every group of a file that nobody knows', () => {
    for (const file of ['other.json', 'constructor']) {
      expect(replay({ a: [1, 2], b: { c: [1], d: 2 } }, false, file).groups).toMatchObject([
        { name: 'a', cases: 2, failed: 2 },
        { name: 'b', cases: 2, failed: 2 },
      ]);
      expect(replay({ format: 'empty' }, false, file).groups).toMatchObject([{ name: WHOLE_FILE, cases: 1, failed: 1 }]);
    }
  });

  test('a file that is no object', () => {
    for (const content of [[], 'text', null, 7]) {
      expect(replay(content).groups).toMatchObject([{ name: WHOLE_FILE, cases: 1, passed: 0, failed: 1 }]);
    }
  });
});

describe('when a group is absent or empty', () => {
  const content = { format: 'numbers/1', even: [], 'nested.even': [2], parts: { a: [2], b: [] } };

  test('then it fails where the data must be complete', () => {
    const failed = replay(content, true).groups.filter((group) => group.failed > 0);
    expect(failed.map(({ name, cases }) => [name, cases])).toEqual([
      ['even', 1],
      ['waiting', 1],
      ['objects', 1],
    ]);
  });

  test('then it is left out elsewhere', () => {
    expect(replay({ format: 'numbers/1', even: [2] }).groups).toHaveLength(1);
  });
});

describe('when the package of a file does not exist yet', () => {
  test('then its groups are listed, with nothing passed and nothing failed', () => {
    const result = replay({ format: 'x', list: [1, 2, 3], object: { a: [1, 2], b: 1 } }, true, 'later.json');
    expect(result).toEqual({
      file: 'later.json',
      built: false,
      groups: [
        { name: 'list', cases: 3, passed: 0, failed: 0 },
        { name: 'object', cases: 3, passed: 0, failed: 0 },
      ],
    });
    expect(totalsOf([result])).toEqual({ cases: 6, passed: 0, failed: 0 });
  });
});

describe('when a directory is replayed', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'vectors-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });
  const write = (name: string, content: unknown): void => {
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  };

  test('then every *.json file is read, in the order of the names, and nothing else', () => {
    write('numbers.json', { format: 'numbers/1', even: [2] });
    write('later.json', { list: [1] });
    write('README.md', 'words');
    mkdirSync(join(directory, 'folder.json'));
    const files = replayDirectory(directory, { registry, complete: false });
    expect(files.map(({ file, built }) => [file, built])).toEqual([
      ['later.json', false],
      ['numbers.json', true],
    ]);
    expect(totalsOf(files)).toEqual({ cases: 2, passed: 1, failed: 0 });
  });

  test('then a missing file fails where the data must be complete, and only there', () => {
    write('later.json', { list: [1] });
    expect(replayDirectory(directory, { registry, complete: false })).toHaveLength(1);
    expect(replayDirectory(directory, { registry, complete: true })[1]).toMatchObject({
      file: 'numbers.json',
      groups: [{ name: WHOLE_FILE, cases: 1, failed: 1, firstFailure: 'the file is missing' }],
    });
  });

  test('then a file that is not JSON fails', () => {
    write('numbers.json', '{"format":');
    const [result] = replayDirectory(directory, { registry, complete: false });
    expect(result?.groups).toMatchObject([{ name: WHOLE_FILE, cases: 1, failed: 1 }]);
    expect(result?.groups[0]?.firstFailure).toMatch(/^cannot be read: /);
  });

  test('then an empty or absent directory is an error', () => {
    expect(() => replayDirectory(directory, { registry, complete: false })).toThrow(/no vector file/);
    expect(() => replayDirectory(join(directory, 'absent'), { registry, complete: false })).toThrow(/cannot read the directory/);
  });
});

describe('countCases', () => {
  test('counts entries, members and plain values', () => {
    expect([[1, 2], { a: [1, 2], b: 3, c: [] }, 'text', [], {}].map(countCases)).toEqual([2, 3, 1, 0, 0]);
  });
});

describe('Fields', () => {
  const read = (value: unknown, body: (fields: Fields) => unknown): unknown => Fields.read(value, '', body);

  test('refuses values of another type or spelling than asked for', () => {
    expect(() => read({ a: 1 }, (f) => f.text('a'))).toThrow('a: expected a string, got 1');
    expect(() => read({ a: '1' }, (f) => f.number('a'))).toThrow('a: expected a number');
    expect(() => read({ a: 1 }, (f) => f.boolean('a'))).toThrow('a: expected a boolean');
    for (const a of [1, '', '01', '-1', '+1', '1.0', '0x1', '18446744073709551616'])
      expect(() => read({ a }, (f) => f.u64('a'))).toThrow(/^a: /);
    expect(read({ a: '18446744073709551615' }, (f) => f.u64('a'))).toBe(2n ** 64n - 1n);
    for (const a of [1, '0', 'AB', 'zz', '0g']) expect(() => read({ a }, (f) => f.bytes('a'))).toThrow('a: expected lower-case hex');
    expect(read({ a: null }, (f) => f.optionalBytes('a'))).toBeUndefined();
    expect(() => read({ a: 'x' }, (f) => f.list('a'))).toThrow('a: expected a list');
    expect(() => read({ a: [1] }, (f) => f.texts('a'))).toThrow('a[0]: expected a text');
    expect(() => read([], () => 0)).toThrow('case: expected an object');
  });

  test('refuses keys that are missing or left unread', () => {
    expect(() => read({}, (f) => f.text('toString'))).toThrow('toString: missing');
    expect(() => read({ a: [{ b: 1, c: 2 }] }, (f) => f.each('a', (inner) => inner.number('b')))).toThrow(
      'a[0].c: no replayer reads this field',
    );
  });

  test('names what differs', () => {
    expect(() => read({ a: 'ff00aa' }, (f) => f.expectBytes('a', Uint8Array.of(255, 1)))).toThrow(
      'a: differs at byte 1 (expected 3 bytes, got 2): expected 00aa…, got 01…',
    );
    expect(() => read({ a: 'ff' }, (f) => f.expectBytes('a', Uint8Array.of(255, 1)))).toThrow('expected nothing…, got 01…');
    expect(() => read({ a: '5' }, (f) => f.expectU64('a', 6n))).toThrow('a: expected 5, got 6');
    expect(() => read({ a: [] }, (f) => f.expectEach('a', [1], () => undefined))).toThrow('length of a: expected 0, got 1');
    expect(() => read({ a: [1, 2] }, (f) => f.expectEach('a', [], () => undefined))).toThrow('length of a: expected 2, got 0');
  });
});
