import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OWN_DATA, makeReport, reportLines, runCommand } from '../src/index.ts';
import type { Report } from '../src/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-'));
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

function readReport(name: string): Report {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
}

test('when run without arguments, then it replays the data of the repository and ends with the counts', () => {
  const { status, output, errors } = run('--json', 'report.json');
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  const { passed, failed, ...report } = readReport('report.json');
  expect(output.split('\n').at(-1)).toBe(`${passed} passed, ${failed} failed`);
  expect(failed).toBe(0);
  expect(report).toMatchObject({ format: 'x-vectors/1', node: process.versions.node, ok: true });
  // A copy of the sources without its history has no commit and says why.
  expect(report.commit ?? report.reason).toMatch(report.commit === null ? /./ : /^[0-9a-f]{40}$/);
  expect('reason' in report).toBe(report.commit === null);
  expect(report).not.toHaveProperty('error');
  expect(new Date(report.startedAt).toISOString()).toBe(report.startedAt);
  expect(report.seconds).toBeGreaterThan(0);
  const groups = report.files.flatMap((file) => file.groups);
  expect(report.cases).toBe(groups.reduce((sum, { cases }) => sum + cases, 0));
  const replayed = report.files.filter(({ built }) => built).flatMap((file) => file.groups);
  expect(passed).toBe(replayed.reduce((sum, { cases }) => sum + cases, 0));
  for (const file of report.files) {
    expect(Object.keys(file)).toEqual(['file', 'built', 'groups']);
    for (const group of file.groups) expect(Object.keys(group)).toEqual(['name', 'cases', 'passed', 'failed']);
    expect(output).toContain(file.built ? file.file : `${file.file} (not yet built`);
  }
});

test('when another directory holds only some files, then those are replayed', () => {
  const { challengeTokens, format } = JSON.parse(readFileSync(join(OWN_DATA, 'netcode.json'), 'utf8')) as Record<string, unknown>;
  mkdirSync(join(folder, 'others'));
  writeFileSync(join(folder, 'others/netcode.json'), JSON.stringify({ format, challengeTokens }));
  expect(run('--dir', 'others')).toMatchObject({ status: 0, errors: '' });
  expect(run('--dir', join(folder, 'others')).output.split('\n').at(-1)).toBe('8 passed, 0 failed');
});

test('when a case fails, then the status is 1 and the failure is printed and written', () => {
  mkdirSync(join(folder, 'others'));
  const content = { format: 'netcode-vectors/1', addresses: { invalid: ['127.0.0.1', 'x'] }, surprise: [1, 2, 3] };
  writeFileSync(join(folder, 'others/netcode.json'), JSON.stringify(content));
  const { status, output } = run('--dir', 'others', '--json', 'report.json');
  expect(status).toBe(1);
  expect(output).toContain('first failure: [0]: "127.0.0.1" was taken for 127.0.0.1');
  expect(output.split('\n').at(-1)).toBe('1 passed, 4 failed');
  const report = readReport('report.json');
  expect(report).toMatchObject({ ok: false, passed: 1, failed: 4 });
  expect(report.files.find(({ file }) => file === 'netcode.json')?.groups).toEqual([
    { name: 'addresses.invalid', cases: 2, passed: 1, failed: 1, firstFailure: '[0]: "127.0.0.1" was taken for 127.0.0.1' },
    { name: 'surprise', cases: 3, passed: 0, failed: 3, firstFailure: 'nothing replays this group' },
  ]);
});

test('when a file is not JSON, then the status is 1', () => {
  mkdirSync(join(folder, 'others'));
  writeFileSync(join(folder, 'others/netcode.json'), '{');
  const { status, output } = run('--dir', 'others');
  expect(status).toBe(1);
  expect(output).toContain('cannot be read');
  expect(output.split('\n').at(-1)).toBe('0 passed, 1 failed');
});

test('when there is nothing to replay, then the status is 1, the reason is told and the report is still written', () => {
  for (const directory of ['.', 'absent']) {
    const { status, errors } = run('--dir', directory, '--json', 'report.json');
    expect(status).toBe(1);
    expect(errors).toMatch(/^vectors: (no vector file|cannot read the directory)/);
    expect(readReport('report.json')).toMatchObject({ ok: false, files: [], cases: 0, passed: 0, failed: 0 });
    expect(readReport('report.json').error).toBeDefined();
    rmSync(join(folder, 'report.json'));
  }
});

test('when the arguments are wrong, then the status is 1 and the usage is told', () => {
  for (const args of [['--what'], ['here'], ['--dir'], ['--json']]) {
    const { status, errors } = run(...args);
    expect(status).toBe(1);
    expect(errors).toContain('usage: npm run vectors');
  }
});

test('when the report cannot be written, then the status is 1', () => {
  const { status, errors } = run('--dir', OWN_DATA, '--json', 'absent/report.json');
  expect(status).toBe(1);
  expect(errors).toContain('cannot write');
  expect(existsSync(join(folder, 'absent'))).toBe(false);
});

test('when cases wait for their package, then the lines say so', () => {
  const files = [{ file: 'later.json', built: false, groups: [{ name: 'list', cases: 3, passed: 0, failed: 0 }] }];
  expect(reportLines(files)).toEqual([
    'later.json (not yet built: listed, not replayed)',
    '  list                         3 cases',
    '',
    '3 cases in 1 file, 3 of them not yet replayed by any package',
    '0 passed, 0 failed',
  ]);
  expect(makeReport(files, new Date(0), 1.5)).toMatchObject({ ok: true, startedAt: '1970-01-01T00:00:00.000Z', seconds: 1.5, cases: 3 });
});
