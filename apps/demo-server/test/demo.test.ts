// The built program as a child process, over real UDP.
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Summary } from '../src/summary.ts';

const PROGRAM = resolve(import.meta.dirname, '../dist/main.js');

let folder: string;
const children = new Set<ChildProcessByStdio<null, Readable, Readable>>();

beforeAll(() => {
  if (!existsSync(PROGRAM)) throw new Error('apps/demo-server is not built: run npm run build');
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  rmSync(folder, { recursive: true });
});

class Demo {
  output: string = '';
  errors: string = '';
  readonly ended: Promise<number | string | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, INIT_CWD: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(this.#child);
    this.#child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.ended = new Promise((done) => {
      this.#child.on('close', (status, signal) => {
        children.delete(this.#child);
        done(status ?? signal);
      });
    });
  }

  /** Waits until the words have been printed. */
  printed(words: string): Promise<void> {
    return new Promise((done, fail) => {
      const look = (): void => {
        if (this.output.includes(words)) done();
      };
      this.#child.stdout.on('data', look);
      this.#child.on('close', () => fail(new Error(`ended without "${words}":\n${this.output}${this.errors}`)));
      look();
    });
  }

  /** As `head` does when it has enough. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

function readSummary(): Summary {
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Summary;
}

test('when it runs for four seconds, then eight clients get in, the refusals happen and the summary says so', async () => {
  const demo = new Demo('--seconds', '4', '--headless', '--json', 'summary.json');
  const status = await demo.ended;
  expect({ status, errors: demo.errors, unexpected: readSummary().unexpected }).toEqual({ status: 0, errors: '', unexpected: [] });
  const { clients, ...summary } = readSummary();
  expect(summary).toMatchObject({
    format: 'x-demo/1',
    node: process.versions.node,
    ok: true,
    cipher: 'sodium',
    stoppedBy: null,
    refused: { full: true, usedToken: true },
  });
  // A copy of the sources without its history has no commit and says why.
  expect(summary.commit ?? summary.reason).toMatch(summary.commit === null ? /^commit: ./ : /^[0-9a-f]{40}$/);
  expect(new Date(summary.startedAt).toISOString()).toBe(summary.startedAt);
  expect(summary.seconds).toBeGreaterThan(3);
  expect(clients.map(({ id }) => id)).toEqual(['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008']);
  for (const client of clients) {
    expect(client.sent).toBeGreaterThan(5);
    expect(client.received + client.lost).toBe(client.sent);
    expect(client.rttMs).toBeGreaterThan(0);
  }
  expect(demo.output).not.toContain('\u001b');
  expect(demo.output.trimEnd().split('\n').at(-1)).toBe('everything went as expected');
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'FF-71: when %s comes with four clients connected, then the server tells them and the process ends with 0 within 3 s',
  async (signal) => {
    const demo = new Demo('--clients', '4', '--headless', '--json', 'summary.json');
    await demo.printed('all 4 connected');
    const since = performance.now();
    demo.kill(signal);
    const status = await demo.ended;
    const milliseconds = performance.now() - since;
    expect({ status, errors: demo.errors }).toEqual({ status: 0, errors: '' });
    expect(milliseconds).toBeLessThan(3000);
    const { ok, stoppedBy, clients, unexpected } = readSummary();
    expect({ ok, stoppedBy, unexpected }).toEqual({ ok: true, stoppedBy: signal, unexpected: [] });
    expect(clients).toHaveLength(4);
    for (const client of clients) expect(client).toMatchObject({ state: 'disconnected', departure: 'serverDisconnect' });
  },
);

test('when a flag is bad, then one line says so and the status is 2', async () => {
  const demo = new Demo('--seconds', '1');
  expect(await demo.ended).toBe(2);
  expect(demo.output).toBe('');
  expect(demo.errors).toMatch(/^demo: [^\n]*3 or more\.\n$/);
});

test('when nobody reads its output any more, then it ends quietly', async () => {
  const demo = new Demo('--seconds', '20', '--headless');
  await demo.printed('server on');
  const since = performance.now();
  demo.closeOutput();
  await demo.ended;
  expect(performance.now() - since).toBeLessThan(5000);
  expect(demo.errors).toBe('');
});

test('when the signal comes twice, as from a terminal and from npm, then it still ends gracefully', async () => {
  const demo = new Demo('--clients', '2', '--headless', '--json', 'summary.json');
  await demo.printed('all 2 connected');
  demo.kill('SIGINT');
  demo.kill('SIGTERM');
  demo.kill('SIGINT');
  expect(await demo.ended).toBe(0);
  expect(demo.errors).toBe('');
  expect(readSummary().clients.map(({ departure }) => departure)).toEqual(['serverDisconnect', 'serverDisconnect']);
});
