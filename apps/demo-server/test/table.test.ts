import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { runCommand } from '../src/command.ts';
import { paintFor, tableLines } from '../src/table.ts';
import type { TableRow } from '../src/table.ts';
import { virtualParts } from './virtual.ts';

const row: TableRow = { id: '1001', state: 'connected', sent: 10, received: 9, lost: 1, rttMs: 33.25, bytes: 4000 };

test('when the table has no colour, then its columns line up and an unknown round trip is a dash', () => {
  const lines = tableLines([row, { ...row, id: 1002n, state: 'connectionResponseTimedOut', rttMs: null }], paintFor(false));
  expect(lines.map((line) => line.length)).toEqual([lines[0]!.length, lines[0]!.length, lines[0]!.length]);
  expect(lines[0]).toMatch(/client +state +sent +received +lost +round trip ms +bytes/);
  expect(lines[1]).toMatch(/1001 +connected +10 +9 +1 +33\.[23] +4000/);
  expect(lines[2]).toMatch(/1002 +connection response timed out +10 +9 +1 +- +4000/);
});

test('when there is no room for all, then the number of the others is told', () => {
  expect(tableLines([row, row, row], paintFor(false), 2).at(-1)).toBe('… and 2 more');
  expect(tableLines([row, row], paintFor(false), 2)).toHaveLength(3);
});

test('when there is a terminal, then the table is drawn over itself, the events stay above and the summary below', async () => {
  const written: string[] = [];
  const terminal = Object.assign(new PassThrough(), { columns: 100, rows: 20, isTTY: true });
  terminal.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const lines: string[] = [];
  const status = await runCommand(['--cipher', 'noble', '--seconds', '3', '--clients', '2'], {
    folder: '/',
    terminal: terminal as unknown as WriteStream,
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
    signal: new AbortController().signal,
    parts: virtualParts(),
  });
  expect(status).toBe(0);
  const screen = stripVTControlCharacters(written.join(''));
  expect(screen).toContain('all 2 connected');
  expect(screen).toContain('1 of 2 connected');
  expect(screen).not.toContain('is in slot');
  expect(stripVTControlCharacters(lines.at(-1)!)).toBe('everything went as expected');
});
