import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../src/command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulate-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(...args: string[]): { status: number; output: string; errors: string } {
  const output: string[] = [];
  const errors: string[] = [];
  const status = runCommand(args, { folder, print: (text) => output.push(text), printError: (text) => errors.push(text) });
  return { status, output: output.join('\n'), errors: errors.join('\n') };
}

const readJson = (name: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;

test('when run without arguments, then it prints the documented run', () => {
  const { status, output, errors } = run();
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(output.split('\n').at(-1)).toBe('190 events resent, 26 datagrams lost, 0.33 s');
  const rows = output.split('\n').filter((line) => /^ +\d/.test(line));
  expect(rows).toHaveLength(20);
  const cells = (step: number): string[] => rows[step - 1]!.trim().split(/ {2,}/);
  expect(cells(4).slice(0, 11)).toEqual(['4', '0.0667', '67', '320', '0', '13', '4', '1', '0', '0', '500']);
  expect(cells(14).slice(0, 11)).toEqual(['14', '0.2333', '137', '500', '165', '26', '13', '3', '60', '60', '440']);
  expect(cells(20).slice(0, 11)).toEqual(['20', '0.3333', '142', '500', '190', '26', '15', '3', '500', '60', '440']);
});

test('when every default is given, then the run is the same', () => {
  const flags = '--loss 0.2 --latency 0.03 --events 500 --payload 200 --seed 7 --jitter 0 --duplicate 0'.split(' ');
  expect(run(...flags)).toEqual(run());
});

test('when a report and a page are asked for, then both are written', () => {
  expect(run('--json', 'run.json', '--html', 'run.html').status).toBe(0);
  const { commit, reason, startedAt, seconds, ...rest } = readJson('run.json');
  expect(commit ?? reason).toBeDefined();
  expect(new Date(startedAt as string).toISOString()).toBe(startedAt);
  expect(seconds).toBeGreaterThan(0);
  expect(rest).toMatchObject({
    format: 'x-simulate/1',
    node: process.versions.node,
    ok: true,
    sent: 500,
    resent: 190,
    datagramsLost: 26,
    simulatedSeconds: 0.3333333333333333,
    delivered: 500,
    outOfOrder: 0,
    duplicates: 0,
    digest: 'c82b1ccb9813df6f42f5a46bec154ae895ad6230ba48d505e2fce7d3d8b826bd',
    settings: { latency: 0.03, jitter: 0, loss: 0.2, duplicate: 0, events: 500, payload: 200, seed: '7' },
  });
  expect(readFileSync(join(folder, 'run.html'), 'utf8')).toContain('<!doctype html>');
});

test('when the link cannot be crossed, then the status is 1 and the report says why', () => {
  const { status, output } = run('--loss', '1', '--json', 'run.json');
  expect(status).toBe(1);
  expect(output).toContain('not ok: the connection failed: handshakeTimeout');
  expect(readJson('run.json')).toMatchObject({ ok: false, delivered: 0, error: 'the connection failed: handshakeTimeout' });
});

test('when no packet can carry the payload, then the status is 1 and the figures are null', () => {
  const { status, errors } = run('--payload', '40000', '--json', 'run.json');
  expect(status).toBe(1);
  expect(errors).toMatch(/^simulate: event "Chat" allows 40000 byte payloads/);
  expect(readJson('run.json')).toMatchObject({ ok: false, sent: null, digest: null });
  expect(readJson('run.json')['error']).toBe(readJson('run.json')['reason']);
});

test('when a file cannot be written, then the status is 1 and the file is named', () => {
  for (const flag of ['--html', '--json']) {
    const { status, errors } = run(flag, 'absent/file');
    expect(status).toBe(1);
    expect(errors).toContain(`cannot write ${join(folder, 'absent/file')}`);
  }
});

test.each([
  ['--loss', '1.5'],
  ['--loss', ''],
  ['--loss', 'many'],
  ['--duplicate', '1e9'],
  ['--latency', '61'],
  ['--jitter', 'Infinity'],
  ['--events', '0'],
  ['--events', '1.5'],
  ['--payload', '3'],
  ['--seed', '18446744073709551616'],
  ['--seed', '1.5'],
  ['--what'],
  ['here'],
])('when the arguments are %s %s, then the status is 2 and the usage is told', (...args) => {
  const { status, errors } = run(...args);
  expect(status).toBe(2);
  expect(errors).toContain('usage: npm run simulate');
});
