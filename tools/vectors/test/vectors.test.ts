import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OWN_DATA, REGISTRY, countCases, replayDirectory } from '../src/index.ts';
import type { FileReplayer } from '../src/index.ts';

describe("the repository's copy", () => {
  const files = replayDirectory(OWN_DATA, { registry: REGISTRY, complete: true });

  test('every file has a replayer', () => {
    expect(files.map(({ file, built }) => [file, built])).toEqual([
      ['bitstream.json', true],
      ['events.json', true],
      ['netcode.json', true],
      ['reliable.json', true],
    ]);
  });

  test.each(files)('every group of $file passes with all its cases', ({ file, groups }) => {
    expect(groups.filter(({ failed }) => failed > 0)).toEqual([]);
    const content = JSON.parse(readFileSync(join(OWN_DATA, file), 'utf8')) as Readonly<Record<string, unknown>>;
    const known = Object.keys((REGISTRY[file] as FileReplayer).groups);
    const counts = Object.entries(content).flatMap(([key, value]): [string, number][] => {
      if (typeof value !== 'object' || value === null) return [];
      return known.includes(key)
        ? [[key, countCases(value)]]
        : Object.entries(value).map(([inner, list]): [string, number] => [`${key}.${inner}`, (list as readonly unknown[]).length]);
    });
    expect(counts.every(([, count]) => count > 0)).toBe(true);
    expect(groups.map(({ name, cases, passed }) => [name, cases, passed])).toEqual(counts.map(([name, count]) => [name, count, count]));
    expect(groups.map(({ name }) => name).sort()).toEqual([...known].sort());
  });
});
