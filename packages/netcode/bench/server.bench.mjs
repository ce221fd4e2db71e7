// netcode/server/{1,32,256}/{64,1200} and netcode/per-event/{1,8,32}: CPU that the system counts for the server's process per payload echoed, libsodium
// cipher, real UDP on loopback. The load runs in a process of its own. Anchor: a raw `dgram` echo of datagrams of the same size.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, startProcess } from '@x/bench/process';

const WINDOW_MILLISECONDS = 700;
const SERVER_CORE = 0;
const LOAD_CORE = 1;
/** Largest share of echoes that may be missing: what is dropped costs nothing and would look fast. */
const LOSS_LIMIT = 0.02;
const EVENTS_PER_FRAME = 32;
const EVENT_BYTES = 66;
const FRAME_HZ = 60;

const script = (name) => fileURLToPath(new URL(`support/${name}`, import.meta.url));

/** One pair of processes, started with the first use. */
function pair(kind, { clients, bytes, hz, burst = 1 }) {
  let server;
  let load;
  return {
    async start() {
      server = startProcess(process.execPath, [script('echo-server.mjs'), kind], { core: SERVER_CORE });
      const { port } = await server.nextLine();
      const words = [kind, port, clients, bytes, hz, burst].map(String);
      load = startProcess(process.execPath, [script('load.mjs'), ...words], { core: LOAD_CORE });
      await load.nextLine();
      await sleep(WINDOW_MILLISECONDS);
    },
    /** Microseconds of server CPU per payload echoed, in one window. */
    async measure() {
      const before = await server.request({});
      await load.request({});
      const cpuBefore = cpuSeconds(server.pid);
      await sleep(WINDOW_MILLISECONDS);
      const cpuAfter = cpuSeconds(server.pid);
      const after = await server.request({});
      const { sent, received, wrong } = await load.request({});
      if (wrong > 0) throw new Error(`${kind}: ${wrong} of ${received} echoes were wrong`);
      if (received < sent * (1 - LOSS_LIMIT) - clients * burst) throw new Error(`${kind}: only ${received} of ${sent} payloads came back`);
      return ((cpuAfter - cpuBefore) * 1e6) / (after.echoed - before.echoed);
    },
    async stop() {
      await load?.stop();
      await server?.stop();
    },
  };
}

/** The processes of the other contenders sleep while one is measured: only one pair runs at a time. */
function contender(name, kind, load, more = {}) {
  return {
    name,
    ...more,
    async measure() {
      const running = pair(kind, load);
      try {
        await running.start();
        return await running.measure();
      } finally {
        await running.stop();
      }
    },
  };
}

function race(name, load, limits) {
  const unavailable = cpuSeconds(process.pid) === undefined ? { unavailable: 'the system does not tell the CPU time of a process' } : {};
  return {
    name,
    unit: 'µs',
    contenders: [
      contender('dgram', 'dgram', load, unavailable),
      contender('ours', 'netcode', load, { ratios: ['dgram'], ...limits, ...unavailable }),
    ],
  };
}

export function races() {
  const rates = [
    { clients: 1, hz: 1000 },
    { clients: 32, hz: 200 },
    { clients: 256, hz: 25 },
  ];
  const servers = rates.flatMap(({ clients, hz }) =>
    [64, 1200].map((bytes) =>
      race(`netcode/server/${clients}/${bytes}`, { clients, bytes, hz }, bytes === 64 ? { floor: 2, aim: 1.3 } : {}),
    ),
  );
  const perEvent = [1, 8, 32].map((clients) =>
    race(
      `netcode/per-event/${clients}`,
      { clients, bytes: EVENT_BYTES, hz: clients === 32 ? FRAME_HZ / 4 : FRAME_HZ, burst: EVENTS_PER_FRAME },
      {},
    ),
  );
  return [...servers, ...perEvent];
}
