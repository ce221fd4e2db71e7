// netcode/server/{1,32,256}/{64,1200}, netcode/server/64/… and netcode/per-event/{1,8,32}: CPU that the system counts for the server's process per payload
// echoed, libsodium cipher, real UDP on loopback, the load in a process of its own. Anchor: a raw `dgram` echo of datagrams of the same size. With 64
// clients both are driven by the foreign load generator, and an echo server on `netcode-official` runs beside them.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { foreignProgram } from '@x/bench/foreign';
import { cpuSeconds, startProcess } from '@x/bench/process';
import { KEY, PROTOCOL_ID } from './support/session.mjs';

/** A server that has just started is still being compiled: in its second second an echo costs half of what it did in the first. */
const SETTLE_MILLISECONDS = 2500;
const WINDOW_MILLISECONDS = 1000;
const SERVER_CORE = 0;
const LOAD_CORE = 1;
/** Largest share of echoes that may be missing: what is dropped costs nothing and would look fast. */
const LOSS_LIMIT = 0.02;
const EVENTS_PER_FRAME = 32;
const EVENT_BYTES = 66;

const script = (name) => fileURLToPath(new URL(`support/${name}`, import.meta.url));
const keyHex = Buffer.from(KEY).toString('hex');

/** An echo server of ours: `netcode` or `dgram`. */
async function startOurs(kind) {
  const server = startProcess(process.execPath, [script('echo-server.mjs'), kind], { core: SERVER_CORE });
  const { port } = await server.nextLine();
  return { server, port };
}

/** The echo server on `netcode-official`. */
async function startOfficial() {
  const words = ['bench-echo', '--peer', 'official', '--port', '0', '--protocol-id', String(PROTOCOL_ID), '--key', keyHex];
  const server = startProcess(foreignProgram().program, words, { core: SERVER_CORE });
  const { address } = await server.nextLine();
  return { server, port: Number(address.split(':').at(-1)) };
}

/** What a process uses in one window. */
async function cpuOf(pid) {
  const start = process.hrtime.bigint();
  const before = cpuSeconds(pid);
  await sleep(WINDOW_MILLISECONDS);
  const microseconds = (cpuSeconds(pid) - before) * 1e6;
  return { microseconds, seconds: Number(process.hrtime.bigint() - start) / 1e9 };
}

function checkEchoes(name, { sent, received, wrong }, slack) {
  if (wrong > 0) throw new Error(`${name}: ${wrong} of ${received} echoes were wrong`);
  if (sent === 0 || received < sent * (1 - LOSS_LIMIT) - slack) throw new Error(`${name}: only ${received} of ${sent} payloads came back`);
}

/** One window under a load of ours. The load says how much it really sent: a frame that came late is skipped. */
async function underOurLoad(kind, { clients, bytes, hz, burst = 1 }) {
  const { server, port } = await startOurs(kind);
  const load = startProcess(process.execPath, [script('load.mjs'), kind, ...[port, clients, bytes, hz, burst].map(String)], {
    core: LOAD_CORE,
  });
  try {
    await load.nextLine();
    await sleep(SETTLE_MILLISECONDS);
    const before = await server.request({});
    await load.request({});
    const used = await cpuOf(server.pid);
    const { echoed } = await server.request({});
    checkEchoes(kind, await load.request({}), clients * burst);
    return used.microseconds / (echoed - before.echoed);
  } finally {
    await load.stop();
    await server.stop();
  }
}

/** One window under the foreign load, which checks every echo itself. */
async function underForeignLoad(name, start, { clients, bytes, hz }) {
  const { server, port } = await start();
  const loadSeconds = (SETTLE_MILLISECONDS + 2 * WINDOW_MILLISECONDS) / 1000;
  const words = ['--clients', clients, '--hz', hz, '--bytes', bytes, '--seconds', loadSeconds, '--server', `127.0.0.1:${port}`];
  const target = name === 'dgram' ? ['--raw'] : ['--key', keyHex, '--protocol-id', PROTOCOL_ID];
  const load = startProcess(foreignProgram().program, ['bench-load', ...words, ...target].map(String), { core: LOAD_CORE });
  try {
    await load.nextLine();
    await sleep(SETTLE_MILLISECONDS);
    const { microseconds, seconds } = await cpuOf(server.pid);
    const { sent, received, damaged } = await load.nextLine();
    checkEchoes(name, { sent, received, wrong: damaged }, clients);
    return microseconds / (clients * hz * seconds);
  } finally {
    await load.stop();
    await server.stop();
  }
}

function race(name, contenders) {
  const unavailable = cpuSeconds(process.pid) === undefined ? { unavailable: 'the system does not tell the CPU time of a process' } : {};
  return { name, unit: 'µs', contenders: contenders.map((contender) => ({ ...contender, ...unavailable })) };
}

/** Floor and aim belong to 64 bytes: with 1200 the cipher weighs more than the socket. */
const limitsOf = (bytes) => (bytes === 64 ? { floor: 2, aim: 1.3 } : {});

function ownRace(name, load, limits = {}) {
  return race(name, [
    { name: 'dgram', measure: () => underOurLoad('dgram', load) },
    { name: 'ours', measure: () => underOurLoad('netcode', load), ratios: ['dgram'], ...limits },
  ]);
}

function foreignRaces() {
  const { unavailable } = foreignProgram();
  return [64, 1200].flatMap((bytes) => {
    const load = { clients: 64, bytes, hz: 200 };
    const name = `netcode/server/64/${bytes}`;
    if (unavailable !== undefined) {
      const own = ownRace(name, load, limitsOf(bytes));
      own.contenders.push({ name: 'netcode-official', unavailable });
      own.contenders[1].ratios.push('netcode-official');
      return [own];
    }
    return [
      race(name, [
        { name: 'dgram', measure: () => underForeignLoad('dgram', () => startOurs('dgram'), load) },
        { name: 'netcode-official', measure: () => underForeignLoad('netcode-official', startOfficial, load), ratios: ['dgram'] },
        {
          name: 'ours',
          measure: () => underForeignLoad('ours', () => startOurs('netcode'), load),
          ratios: ['dgram', 'netcode-official'],
          ...limitsOf(bytes),
        },
      ]),
    ];
  });
}

export function races() {
  const rates = [
    { clients: 1, hz: 1000 },
    { clients: 32, hz: 200 },
    { clients: 256, hz: 25 },
  ];
  const servers = rates.flatMap(({ clients, hz }) =>
    [64, 1200].map((bytes) => ownRace(`netcode/server/${clients}/${bytes}`, { clients, bytes, hz }, limitsOf(bytes))),
  );
  const perEvent = [1, 8, 32].map((clients) =>
    ownRace(`netcode/per-event/${clients}`, { clients, bytes: EVENT_BYTES, hz: clients === 32 ? 15 : 60, burst: EVENTS_PER_FRAME }),
  );
  return [...servers, ...foreignRaces(), ...perEvent];
}
