import { readFileSync } from 'node:fs';
import { fromHex, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { b, codecVersion } from '../src/codec/index.ts';
import { encode } from './support/codec-cases.ts';
import { fromDescriptor } from './support/from-descriptor.ts';
import { sample, sampleCodec } from './support/sample.ts';
import * as schemaPackage from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const errorsSource = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8');

/** The part of a text below a heading, up to the next one. */
function part(heading: string): string {
  const found = readme.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`no heading ${heading}`);
  return found;
}

/** The cells of the table rows in a text whose first cell is code, without the marks. */
function codeRows(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) =>
        cell
          .trim()
          .replaceAll('\\|', '|')
          .replace(/^`(.*)`$/s, '$1'),
      ),
  );
}

const codeCells = (heading: string): string[] => codeRows(part(heading)).map(([cell]) => cell!);
const upperSnake = (kind: string): string => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const sourceOf = (file: string): string => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');

test('when the README lists codes, then they are those of the source, each once', () => {
  const members = /interface ConfigErrorDetails \{(.*?)\n\}/s.exec(errorsSource)![1]!;
  const kinds = Array.from(members.matchAll(/^ {2}(\w+): \{/gm), ([, kind]) => kind!);
  const codes = kinds.map(upperSnake);
  expect(codes).toHaveLength(12);
  expect(codeCells('ConfigError: a schema').sort()).toEqual(codes.sort());
});

test('when the README lists the codes of catalogues and codecs, then they are those of the source, each once', () => {
  const union = /CatalogueErrorKind =(.*?);\n/s.exec(sourceOf('catalogue-error.ts'))![1]!;
  const kinds = Array.from(union.matchAll(/\| '(\w+)'/g), ([, kind]) => upperSnake(kind!));
  expect(kinds).toHaveLength(3);
  expect(codeCells('CatalogueError: a typed catalogue or a codec').sort()).toEqual(kinds.sort());
  const record = /const KINDS: .*? = \{(.*?)\n\};/s.exec(sourceOf('codec/codec-error.ts'))![1]!;
  const codes = Array.from(record.matchAll(/^ {2}([A-Z0-9_]+): '(\w+)'/gm), ([, code, kind]) => [code!, upperSnake(kind!)]);
  expect(codes).toHaveLength(10);
  for (const [code, kind] of codes) expect(kind).toBe(code);
  expect(codeCells('CodecError: a value or a payload').sort()).toEqual(codes.map(([code]) => code!).sort());
});

describe('layouts in the README', () => {
  const rows = codeRows(part('Payloads of the bit codec'));
  const layouts = rows.filter((row) => row.length === 6);

  test('when builders are listed, then they are all of them', () => {
    const names = layouts.map(([builder]) => /^\w+/.exec(builder!)![0]);
    expect(names.sort()).toEqual(Object.keys(b).sort());
  });

  test.each(layouts)(
    'when %s is described by %s, then value and bytes of its row belong together',
    (_, descriptor, _bits, _wire, value, hex) => {
      const codec = fromDescriptor(descriptor);
      expect(codec.descriptor).toBe(descriptor);
      const parsed = JSON.parse(value) as unknown;
      const given = /^[ui]64$/.test(descriptor)
        ? BigInt(parsed as string)
        : descriptor.startsWith('bytes')
          ? fromHex(parsed as string)
          : parsed;
      expect(toHex(encode(codec, given))).toBe(hex);
      expect(codec.equals(codec.decode(fromHex(hex)), given)).toBe(true);
    },
  );

  test('when codec versions are listed, then they are those of their descriptors', () => {
    const versions = rows.filter((row) => row.length === 2);
    expect(versions).toHaveLength(3);
    for (const [descriptor, version] of versions) expect(codecVersion(descriptor!)).toBe(Number(version));
  });
});

test('when the README names sizes of the sample, then they are those of the codecs', () => {
  expect(part('Performance')).toContain(`| ${encode(sampleCodec, sample()).length} `);
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
