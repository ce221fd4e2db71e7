import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { formatAddress, monotonicSeconds } from '../../src/index.ts';
import type { NetcodeServer } from '../../src/index.ts';
import { decodeConnectToken, encodeConnectToken } from '../../src/protocol.ts';
import { Closer, mint, openServer, sleep } from '../support/node-session.ts';
import type { StallReport, StallRequest } from './stall-clients.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

/** The clients hear nothing during the stall either: their public copy of the timeout is -1, so that only the server judges. */
function tokenWithoutClientTimeout(server: NetcodeServer, clientId: bigint): Uint8Array {
  const read = decodeConnectToken(mint([formatAddress(server.address)], { clientId, timeoutSeconds: 5 }));
  if ('refused' in read) throw new Error(read.refused);
  return encodeConnectToken({ ...read, timeoutSeconds: -1 });
}

function block(seconds: number): Promise<void> {
  return new Promise((resolve) =>
    setImmediate(() => {
      const end = monotonicSeconds() + seconds;
      while (monotonicSeconds() < end);
      resolve();
    }),
  );
}

function startClients(): { child: ChildProcess; reports: StallReport[]; heard: (type: StallReport['type']) => Promise<void> } {
  const reports: StallReport[] = [];
  const child = fork(new URL('stall-clients.ts', import.meta.url), {
    execArgv: ['--import', new URL('typescript-hooks.mjs', import.meta.url).href],
  });
  closer.add({ close: () => child.connected && child.disconnect() });
  child.on('message', (report: StallReport) => reports.push(report));
  const heard = async (type: StallReport['type']): Promise<void> => {
    for (let i = 0; i < 2000 && !reports.some((report) => report.type === type); i++) await sleep(10);
    expect(reports.map((report) => report.type)).toContain(type);
  };
  return { child, reports, heard };
}

it('FF-67: a stalled loop must not time out healthy clients', async () => {
  const dropped: number[] = [];
  const server = closer.add(
    await openServer({
      onConnectDisconnect: (slot, connected) => {
        if (!connected) dropped.push(slot);
      },
    }),
  );
  const { child, reports, heard } = startClients();
  await heard('ready');
  server.start(4);
  const timer = setInterval(() => server.update(monotonicSeconds()), 16);
  closer.add({ close: () => clearInterval(timer) });
  const tokens = [1n, 2n, 3n, 4n].map((id) => Buffer.from(tokenWithoutClientTimeout(server, id)).toString('base64'));
  child.send({ type: 'connect', tokens } satisfies StallRequest);
  await heard('connected');
  expect(server.connectedCount).toBe(4);

  await block(6);
  await sleep(2000);
  expect(dropped).toEqual([]);
  expect(server.connectedCount).toBe(4);
  expect(reports.filter((report) => report.type === 'state')).toEqual([]);

  // A client that really falls silent is still dropped.
  const silencedSlot = [0, 1, 2, 3].find((slot) => server.clientId(slot) === 3n)!;
  child.send({ type: 'silence', index: 2 } satisfies StallRequest);
  await sleep(200);
  const silentSince = monotonicSeconds();
  await sleep(4000);
  expect(dropped).toEqual([]);
  while (dropped.length === 0 && monotonicSeconds() - silentSince < 8) await sleep(20);
  const silentSeconds = monotonicSeconds() - silentSince;
  expect(dropped).toEqual([silencedSlot]);
  expect(server.disconnectReason(silencedSlot)).toBe('timedOut');
  expect(silentSeconds).toBeGreaterThan(4.5);
  expect(silentSeconds).toBeLessThan(7);
  expect(server.connectedCount).toBe(3);
}, 60_000);
