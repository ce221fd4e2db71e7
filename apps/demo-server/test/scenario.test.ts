import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NetcodeClient, NetcodeServer } from '@x/netcode';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../src/command.ts';
import type { DemoParts } from '../src/parts.ts';
import type { Summary } from '../src/summary.ts';
import { deafClient, virtualParts } from './virtual.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
  readonly summary: Summary;
}

/** Runs the whole command in virtual time. */
async function run(parts: DemoParts, args: readonly string[] = [], signal: AbortSignal = new AbortController().signal): Promise<Run> {
  const output: string[] = [];
  const errors: string[] = [];
  const status = await runCommand(['--cipher', 'noble', '--seconds', '4', '--clients', '3', '--json', 'summary.json', ...args], {
    folder,
    terminal: undefined,
    print: (line) => output.push(line),
    printError: (line) => errors.push(line),
    signal,
    parts,
  });
  const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Summary;
  expect(summary.ok).toBe(status === 0);
  return { status, output: output.join('\n'), errors: errors.join('\n'), summary };
}

test.each([
  ['3', '1'],
  ['3', '2'],
  ['4', '8'],
  ['8', '8'],
  ['20', '3'],
  ['3', '64'],
])('when all goes well in %s s with %s clients, then everything scripted happens in that time', async (seconds, clients) => {
  const { status, summary, output, errors } = await run(virtualParts(), ['--seconds', seconds, '--clients', clients]);
  expect(summary.unexpected).toEqual([]);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(summary.refused).toEqual({ full: true, usedToken: true });
  expect(summary.seconds).toBeLessThanOrEqual(Number(seconds) + 0.05);
  expect(summary.clients).toHaveLength(Number(clients));
  for (const { state, departure, sent, received, lost, rttMs } of summary.clients) {
    expect(['connected', 'disconnected']).toContain(state);
    expect(departure).toBe('serverDisconnect');
    expect(received).toBe(sent);
    expect(lost).toBe(0);
    expect(rttMs).toBeGreaterThan(0);
  }
  expect(summary.clients.filter(({ state }) => state === 'disconnected')).toHaveLength(1);
  for (const words of ['left by itself', 'came back with a fresh token', 'thrown out by the server']) expect(output).toContain(words);
  expect(output.split('\n').at(-1)).toBe('everything went as expected');
});

test.each([
  // Its token allows one second of silence, the others' allow five: those are still trying when the time is up.
  [1, '1002', 'client 1002 did not get in: connection request timed out'],
  [2, '1003', 'the time was up, waiting for client 1003 to get in (sending connection request)'],
])('when client number %i never connects, then the demo fails and names it', async (deaf, id, text) => {
  const parts = virtualParts({ makeClient: (index, options) => (index === deaf ? deafClient(options) : new NetcodeClient(options)) });
  const { status, summary, output } = await run(parts);
  expect(status).toBe(1);
  expect(summary.unexpected[0]).toBe(`everybody in: ${text}`);
  expect(summary.refused).toEqual({ full: false, usedToken: false });
  expect(summary.clients[deaf]).toMatchObject({ id, sent: 0, received: 0, rttMs: null, departure: null });
  expect(summary.clients[deaf]?.reason).toContain('no echo came back');
  expect(output.split('\n').at(-1)).toBe('FAILED');
});

test('when the server has room for one more, then the missing refusal is a failure', async () => {
  class RoomyServer extends NetcodeServer {
    override start(maxClients: number): void {
      super.start(maxClients + 1);
    }
  }
  const { status, summary } = await run(virtualParts({ Server: RoomyServer }));
  expect(status).toBe(1);
  expect(summary.refused.full).toBe(false);
  expect(summary.unexpected[0]).toBe('server full: client 1004: expected connection denied, is connected');
});

test('when a token runs into silence for another reason than being used, then that is a failure', async () => {
  class ForgingClient extends NetcodeClient {
    override connect(token: Uint8Array): string | undefined {
      const forged = token.slice();
      forged[100]! ^= 1;
      return super.connect(forged);
    }
  }
  const parts = virtualParts({ makeClient: (index, options) => new (index === 4 ? ForgingClient : NetcodeClient)(options) });
  const { status, summary } = await run(parts);
  expect(status).toBe(1);
  expect(summary.refused).toEqual({ full: true, usedToken: false });
  expect(summary.unexpected).toEqual(['used token: the server has not counted a used token']);
});

test('when an echo is not what was sent, then the demo fails and what it keeps of that is bounded', async () => {
  class ManglingServer extends NetcodeServer {
    override send(slot: number, bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): boolean {
      const mangled = bytes.slice(offset, offset + length);
      mangled[13]! ^= 1;
      return super.send(slot, mangled);
    }
  }
  const { status, summary } = await run(virtualParts({ Server: ManglingServer }));
  expect(status).toBe(1);
  expect(summary.unexpected[0]).toMatch(/^client 100\d: wrong echo: wrong checksum$/);
  expect(summary.unexpected).toHaveLength(51);
  expect(summary.unexpected.at(-1)).toMatch(/^… and \d+ more$/);
});

test('when payloads are lost, then the demo fails', async () => {
  const { status, summary } = await run(virtualParts({ network: { packetLossPercent: 20 } }), ['--seconds', '8']);
  expect(status).toBe(1);
  expect(summary.unexpected.some((text) => /^client \d+: \d+ of \d+ payloads lost$/.test(text))).toBe(true);
});

test('when a client is gone without a script, then that is told once', async () => {
  let deserter: NetcodeClient | undefined;
  const parts = virtualParts({
    makeClient: (index, options) => {
      const client = new NetcodeClient(options);
      if (index === 2) deserter = client;
      return client;
    },
    onTick: (time) => {
      if (time > 3) deserter?.disconnect();
    },
  });
  const { status, summary } = await run(parts);
  expect(status).toBe(1);
  expect(summary.unexpected).toHaveLength(1);
  expect(summary.unexpected[0]).toMatch(/^client 1003 is out: disconnected; the server (says clientDisconnect|still has it)$/);
});

test('when the server stops without telling its clients, then that is a failure', async () => {
  class SilentServer extends NetcodeServer {
    override stop(): void {}
  }
  const { status, summary } = await run(virtualParts({ Server: SilentServer }));
  expect(status).toBe(1);
  expect(summary.unexpected).toContain('client 1003 after the stop: connected; the server says nothing');
});

test.each([0.05, 0.15, 0.5, 0.9, 1.2, 1.45, 1.6, 3])(
  'when it is interrupted after %s s, then nothing of it is unexpected',
  async (after) => {
    const stop = new AbortController();
    const parts = virtualParts({
      onTick: (time) => {
        if (time >= after) stop.abort('SIGTERM');
      },
    });
    const { status, summary, output } = await run(parts, ['--seconds', '4'], stop.signal);
    expect(summary.unexpected).toEqual([]);
    expect(status).toBe(0);
    expect(summary.stoppedBy).toBe('SIGTERM');
    expect(summary.seconds).toBeLessThan(after + 1.2);
    expect(summary.clients.map(({ state }) => state)).toEqual(['disconnected', 'disconnected', 'disconnected']);
    if (after < 1) expect(summary.refused).toMatchObject({ usedToken: null, reason: 'not tried: stopped by SIGTERM' });
    expect(output.split('\n').at(-1)).toBe('until then everything went as expected');
  },
);

test('when no port can be had, then the demo says so in one line and still writes its summary', async () => {
  const parts: DemoParts = { ...virtualParts(), createServer: () => Promise.reject(new Error('no port\n    at somewhere')) };
  const { status, summary, errors } = await run(parts);
  expect({ status, errors }).toEqual({ status: 1, errors: '' });
  expect(summary).toMatchObject({ ok: false, clients: [], unexpected: ['the demo broke off: no port'] });
  expect(summary.refused).toEqual({ full: null, usedToken: null, reason: 'not tried: the demo broke off' });
});

test('when the summary cannot be written, then the status is 1', async () => {
  const errors: string[] = [];
  const status = await runCommand(['--cipher', 'noble', '--seconds', '3', '--clients', '1', '--json', 'absent/summary.json'], {
    folder,
    terminal: undefined,
    print: () => undefined,
    printError: (line) => errors.push(line),
    signal: new AbortController().signal,
    parts: virtualParts(),
  });
  expect(status).toBe(1);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('cannot write');
});
