import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECORD_BYTES, RECORD_KINDS } from '../src/capture/format.ts';
import { DISCONNECT_REASON_CODES } from '../src/disconnect-reason.ts';

const source = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = source('../README.md');
const section = (title: string): string => readme.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
const codeOf = (kind: string): string => kind.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

test('when the README lists codes, then they are those of the source, each once', () => {
  const captureKinds = Array.from(
    /const TEXTS = \{(.*?)\n\}/s.exec(source('../src/capture/errors.ts'))![1]!.matchAll(/^ {2}(\w+):/gm),
    ([, kind]) => kind!,
  );
  const hostKinds = Array.from(/HostErrorKind = (.*?);/.exec(source('../src/errors.ts'))![1]!.matchAll(/'(\w+)'/g), ([, kind]) => kind!);
  const listed = Array.from(section('Errors').matchAll(/^\| `([A-Z_]+)`/gm), ([, code]) => code!);
  expect(captureKinds).toHaveLength(7);
  expect(listed.sort()).toEqual([...captureKinds, ...hostKinds].map(codeOf).sort());
});

test('when the README lists kinds of records, then numbers and sizes are those of the code', () => {
  const rows = Array.from(section('Wire').matchAll(/^\| (\d) +\| `(\w+)` +\| (\d+)/gm), ([, number, kind, size]) => [
    kind,
    Number(number),
    Number(size),
  ]);
  expect(rows).toEqual(
    Object.entries(RECORD_KINDS).map(([kind, number]) => [kind, number, RECORD_BYTES[kind as keyof typeof RECORD_BYTES]]),
  );
});

test('when the README lists reasons, then they are those of the code, in its order', () => {
  const listed = /^Reasons, from code 0 on: (.*?)\.$/ms.exec(section('Wire'))![1]!;
  expect(Array.from(listed.matchAll(/`(\w+)`/g), ([, reason]) => reason)).toEqual(Object.keys(DISCONNECT_REASON_CODES));
});
