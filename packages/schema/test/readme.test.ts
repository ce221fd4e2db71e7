import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as schemaPackage from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const errorsSource = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8');

/** The first cells of the table rows below a heading that are code, without the marks. */
function codeCells(heading: string): string[] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return Array.from(section.matchAll(/^\| `([^`]+)`/gm), ([, cell]) => cell!);
}

test('when the README lists codes, then they are those of the source, each once', () => {
  const members = /interface ConfigErrorDetails \{(.*?)\n\}/s.exec(errorsSource)![1]!;
  const kinds = Array.from(members.matchAll(/^ {2}(\w+): \{/gm), ([, kind]) => kind!);
  const codes = kinds.map((kind) => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  expect(codes).toHaveLength(12);
  expect(codeCells('Errors').sort()).toEqual(codes.sort());
});

test('when the README lists limits, then they are the exported numbers', () => {
  const numbers = Object.entries(schemaPackage).filter(([, value]) => typeof value === 'number');
  const rows = readme.matchAll(/^\| `([A-Z_]{4,})` +\| ([0-9][0-9. ]*?) +\|/gm);
  const stated = Array.from(rows, ([, name, value]) => [name!, Number(value!.replaceAll(' ', ''))]);
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(numbers));
});

test('when the README shows the canonical encoding, then its fixed parts add up to the sizes of the formula', () => {
  const table = /domain tag.*?codec version/s.exec(readme)![0];
  const lines = `| 17    | bytes | ${table}`.split('\n');
  const channels = lines.findIndex((line) => line.includes('each channel'));
  const events = lines.findIndex((line) => line.includes('each event'));
  const bytes = (part: readonly string[]): number => part.reduce((sum, line) => sum + Number(/^\| (\d+)/.exec(line)?.[1] ?? 0), 0);
  const countOfEvents = lines.slice(channels, events).filter((line) => line.includes('number of events'));
  expect(bytes(lines.slice(0, channels)) + bytes(countOfEvents)).toBe(32);
  expect(bytes(lines.slice(channels, events)) - bytes(countOfEvents)).toBe(8);
  expect(bytes(lines.slice(events))).toBe(14);
});
