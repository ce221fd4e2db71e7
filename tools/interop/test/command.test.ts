import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../src/command.ts';
import type { CommandSurroundings } from '../src/command.ts';
import type { Report } from '../src/report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interop-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function run(
  args: readonly string[],
  changes: Partial<CommandSurroundings> = {},
): Promise<{ status: number; lines: string[]; errors: string }> {
  const output: string[] = [];
  const errors: string[] = [];
  const status = await runCommand(args, {
    folder,
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
    build: () => ({ program: 'x-interop' }),
    play: () => Promise.resolve(),
    ...changes,
  });
  return { status, lines: output.join('\n').split('\n'), errors: errors.join('\n') };
}

const readReport = (): Report => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;

test('when everything passes, then the status is 0 and the report says what was played', async () => {
  const played: unknown[] = [];
  const play: CommandSurroundings['play'] = (...args) => Promise.resolve(void played.push(args));
  const { status, lines, errors } = await run(['--only', 'renetcode', '--seed', '9', '--json', 'report.json'], { play });
  const report = readReport();
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(report).toMatchObject({ format: 'x-interop/1', node: process.versions.node, ok: true, seed: 9, failed: 0 });
  expect(report.commit ?? report.reason).toMatch(/./);
  expect(lines[0]).toBe('seed 9');
  expect(lines.at(-1)).toBe(`${report.passed} passed, 0 failed${report.skipped > 0 ? `, ${report.skipped} skipped` : ''}`);
  expect(report.pairs.every(({ peer, version }) => peer === 'renetcode' && version === '2.0.0')).toBe(true);
  expect(played).toHaveLength(report.passed);
  expect(played[0]).toEqual([{ peer: 'renetcode', role: 'server', family: 'ipv4', scenario: 'connect-our-token' }, 'x-interop', 9]);
});

test('when cargo is missing, then everything is skipped with the reason, or fails when all is required', async () => {
  const build = (): { missing: string } => ({ missing: 'cargo cannot be started' });
  const tolerant = await run(['--json', 'report.json'], { build });
  expect(tolerant.status).toBe(0);
  expect(tolerant.lines.at(-1)).toMatch(/^0 passed, 0 failed, \d+ skipped$/);
  expect(readReport().pairs.every(({ result, reason }) => result === 'skipped' && reason === 'cargo cannot be started')).toBe(true);
  const strict = await run(['--require-all', '--json', 'report.json'], { build });
  expect(strict.status).toBe(1);
  expect(readReport()).toMatchObject({ ok: false, passed: 0, skipped: 0 });
});

test('when the foreign program does not build, then everything fails', async () => {
  const { status, lines } = await run(['--json', 'report.json'], { build: () => ({ broken: 'cargo build failed' }) });
  expect(status).toBe(1);
  expect(lines.at(-1)).toMatch(/^0 passed, \d+ failed/);
  expect(readReport().pairs[0]).toMatchObject({ result: 'failed', reason: 'cargo build failed' });
});

test('when one pairing fails, then the status is 1', async () => {
  const play: CommandSurroundings['play'] = ({ scenario }) =>
    scenario === 'payloads' ? Promise.reject(new Error('payload 3 differs')) : Promise.resolve();
  const { status, lines } = await run(['--json', 'report.json'], { play });
  expect(status).toBe(1);
  expect(lines).toContain('    payload 3 differs');
  expect(readReport().ok).toBe(false);
});

test.each([
  [['--only', 'enet'], '--only: expected netcode-official or renetcode, got enet'],
  [['--seed', '-1.5'], '--seed'],
  [['--seed=4294967296'], '--seed: expected 0 to 4294967295'],
  [['--fast'], '--fast'],
  [['more'], 'more'],
])('when the arguments are %j, then the usage is printed', async (args, text) => {
  const { status, errors } = await run(args);
  expect(status).toBe(1);
  expect(errors).toContain(text);
  expect(errors).toContain('usage: npm run interop');
});

test('when the report cannot be written, then the status is 1', async () => {
  const { status, errors } = await run(['--json', join('none', 'report.json')]);
  expect(status).toBe(1);
  expect(errors).toContain('cannot write');
});
