import { readFile } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/index.ts';
import { CatchUp } from '../../src/node/catch-up.ts';
import { UdpTransport } from '../../src/node/index.ts';
import { bindFakes } from '../support/node-bind.ts';
import { systemError } from '../support/node-fake-socket.ts';
import { Closer, turn } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

/** Runs in the phase of the event loop that is named. */
const PHASES: Record<string, (run: () => void) => void> = {
  timers: (run) => void setTimeout(run, 1),
  poll: (run) => readFile(import.meta.filename, () => run()),
  check: (run) => void setImmediate(run),
};

describe('watching counters', () => {
  it('is caught up before it was asked, and two turns after on an idle socket', async () => {
    const catchUp = new CatchUp([{ datagramsRead: 0 }]);
    expect(catchUp.isCaughtUp).toBe(true);
    catchUp.start();
    expect(catchUp.isCaughtUp).toBe(false);
    await turn();
    expect(catchUp.isCaughtUp).toBe(false);
    await turn();
    expect(catchUp.isCaughtUp).toBe(true);
  });

  it('goes on while a turn brings 32 datagrams on any socket', async () => {
    const sockets = [{ datagramsRead: 0 }, { datagramsRead: 500 }];
    const catchUp = new CatchUp(sockets);
    // By turn; the first one only marks where counting begins.
    const reads = [100, 32, 40, 31];
    let turns = 0;
    // Scheduled before the immediates of the watch, so that each of its turns has seen its number.
    const read = (): void => {
      sockets[1]!.datagramsRead += reads[turns]!;
      turns++;
      if (turns < reads.length) setImmediate(read);
    };
    setImmediate(read);
    catchUp.start();
    const seen: boolean[] = [];
    for (let i = 0; i < reads.length; i++) {
      await turn();
      seen.push(catchUp.isCaughtUp);
    }
    expect(seen).toEqual([false, false, false, true]);
  });

  it('begins anew when asked again', async () => {
    const catchUp = new CatchUp([{ datagramsRead: 0 }]);
    catchUp.start();
    await turn();
    catchUp.start();
    await turn();
    expect(catchUp.isCaughtUp).toBe(false);
    await turn();
    expect(catchUp.isCaughtUp).toBe(true);
    catchUp.start();
    catchUp.stop();
    expect(catchUp.isCaughtUp).toBe(true);
  });
});

describe('on a real socket', () => {
  it.each(Object.keys(PHASES))('has read everything that waited when the call came in the phase %s', async (phase) => {
    const receiver = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const sender = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const to = parseAddress(`127.0.0.1:${receiver.boundPort('ipv4')}`);
    const count = 150;
    await new Promise<void>((resolve) =>
      PHASES[phase]!(() => {
        for (let i = 0; i < count; i++) sender.send(to, Uint8Array.of(i), 0, 1);
        receiver.startCatchUp();
        resolve();
      }),
    );
    let turns = 0;
    while (!receiver.isCaughtUp && turns < 100) {
      turns++;
      await turn();
    }
    let got = 0;
    receiver.poll(() => got++);
    expect(got).toBe(count);
    expect(turns).toBeLessThan(10);
  });

  it('takes an error of the socket for a turn that was not complete', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:1']);
    closer.add(transport);
    transport.startCatchUp();
    await turn();
    sockets[0]!.fail(systemError('ECONNRESET', 'recvmsg'));
    await turn();
    expect(transport.isCaughtUp).toBe(false);
    await turn();
    expect(transport.isCaughtUp).toBe(true);
  });
});
