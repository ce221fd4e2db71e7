import { NetcodeClient } from '../../src/client-machine.ts';
import type { ClientOptions } from '../../src/client-options.ts';
import { CLIENT_STATE_CODES } from '../../src/client-state.ts';
import type { ClientState } from '../../src/client-state.ts';
import type { SendReceiveOverride } from '../../src/machine-options.ts';
import { NetcodeServer } from '../../src/server-machine.ts';
import type { ServerOptions } from '../../src/server-options.ts';
import { NetworkSimulator } from '../../src/simulator.ts';
import type { Datagram, NetworkSimulatorSettings } from '../../src/simulator.ts';
import { clientAddressText, mint, PRIVATE_KEY, PROTOCOL_ID, SERVER, SERVER_ADDRESS, START, testBytes, UNIX } from './session-kit.ts';
import type { Minted } from './session-kit.ts';

const ERRORS = [-1, -2, -3, -4, -5, -6];

/**
 * Every transition that a client may make, as `0>1`. `3>-1` is a denial and a late keep-alive that are read in one update in state 2 (protocol section
 * 11.5: packets after the denial are still processed, and the denial is acted on afterwards).
 */
export const ALLOWED_TRANSITIONS: ReadonlySet<string> = new Set([
  ...[0, ...ERRORS].flatMap((idle) => [`${idle}>1`, `${idle}>-5`]),
  ...['1>1', '1>2', '1>-1', '1>-2', '1>-6', '1>0', '2>1', '2>3', '2>-1', '2>-3', '2>-6', '2>0', '3>0', '3>1', '3>-1', '3>-4'],
]);

/** The network of the reference's integration tests. */
export const BAD_NETWORK: NetworkSimulatorSettings = {
  latencyMilliseconds: 250,
  jitterMilliseconds: 250,
  packetLossPercent: 5,
  duplicatePacketPercent: 10,
};

/** Says whether a datagram that is on its way to a server may reach it. */
export type Admits = (datagram: Datagram) => boolean;

/** Clients and servers in one network simulator, in virtual time. */
export class SimWorld {
  readonly simulator: NetworkSimulator;
  readonly dt: number;
  time: number = START;
  /** Stands still unless the test moves it, as in the reference's tests, whose virtual time runs ahead of the wall clock. */
  unix: bigint = UNIX;
  readonly servers: NetcodeServer[] = [];
  readonly clients: NetcodeClient[] = [];
  readonly transitions: Set<string> = new Set();
  readonly events: string[] = [];
  /** Datagrams that servers sent. */
  fromServers: number = 0;
  /** Called after each tick. */
  onTick: (() => void) | undefined = undefined;

  constructor(settings: Partial<NetworkSimulatorSettings> = BAD_NETWORK, dt: number = 0.1) {
    this.simulator = new NetworkSimulator(settings);
    this.dt = dt;
  }

  server(slots: number, options: Partial<ServerOptions> = {}, admits: Admits = () => true): NetcodeServer {
    const server = new NetcodeServer({
      time: this.time,
      override: this.#filtered(admits),
      address: SERVER,
      protocolId: PROTOCOL_ID,
      privateKey: PRIVATE_KEY,
      randomBytes: testBytes,
      unixSeconds: () => this.unix,
      onConnectDisconnect: (slot, connected) => this.events.push(`${connected ? '+' : '-'}${slot} ${server.disconnectReason(slot)}`),
      ...options,
    });
    server.start(slots);
    this.servers.push(server);
    return server;
  }

  /** A client at its own address, connecting where a token is given. */
  client(n: number, minted?: Minted, options: Partial<ClientOptions> = {}): NetcodeClient {
    const client = new NetcodeClient({
      time: this.time,
      simulator: this.simulator,
      address: clientAddressText(n),
      onStateChange: (previous: ClientState, next: ClientState) => {
        const transition = `${CLIENT_STATE_CODES[previous]}>${CLIENT_STATE_CODES[next]}`;
        if (!ALLOWED_TRANSITIONS.has(transition)) throw new Error(`transition ${transition}`);
        this.transitions.add(transition);
      },
      onError: (error) => {
        throw error;
      },
      ...options,
    });
    this.clients.push(client);
    if (minted !== undefined) client.connect(minted.bytes);
    return client;
  }

  tick(step: number = this.dt): void {
    this.time += step;
    this.simulator.update(this.time);
    for (const client of this.clients) client.update(this.time);
    for (const server of this.servers) server.update(this.time);
    this.onTick?.();
  }

  run(seconds: number): this {
    for (const end = this.time + seconds; this.time < end - this.dt / 2;) this.tick();
    return this;
  }

  /** Ticks until something holds and gives the seconds that it took; at most `seconds`. */
  until(holds: () => boolean, seconds: number = 60): number {
    const begin = this.time;
    while (!holds()) {
      if (this.time - begin > seconds) throw new Error(`not within ${seconds} s`);
      this.tick();
    }
    return this.time - begin;
  }

  /** A client that is connected. */
  connected(n: number, minted: Minted = mint({ clientId: BigInt(n), timeoutSeconds: 15 })): NetcodeClient {
    const client = this.client(n, minted);
    this.until(() => client.state === 'connected', 10);
    return client;
  }

  /** Sends payloads of 1200 bytes both ways between every client and its slot until all have got ten. */
  exchange(server: NetcodeServer, clients: readonly NetcodeClient[] = this.clients): void {
    const atServer = clients.map(() => 0);
    const atClient = clients.map(() => 0);
    this.until(() => {
      for (const [i, client] of clients.entries()) {
        client.send(new Uint8Array(1200).fill(i));
        server.send(client.index, new Uint8Array(1200).fill(i));
        for (let got = client.receive(); got !== undefined; got = client.receive()) atClient[i]! += this.#check(got.data, i);
        for (let got = server.receive(client.index); got !== undefined; got = server.receive(client.index))
          atServer[i]! += this.#check(got.data, i);
      }
      return [...atServer, ...atClient].every((count) => count >= 10);
    }, 20);
  }

  #check(data: Uint8Array, value: number): number {
    if (data.length !== 1200 || data.some((byte) => byte !== value)) throw new Error(`a payload of ${data.length} bytes is damaged`);
    return 1;
  }

  #filtered(admits: Admits): SendReceiveOverride {
    let waiting: Datagram[] = [];
    return {
      sendPacket: (to, bytes) => {
        this.fromServers++;
        this.simulator.sendPacket(SERVER_ADDRESS, to, bytes);
      },
      receivePacket: () => {
        if (waiting.length === 0) waiting = this.simulator.receivePackets(SERVER_ADDRESS, 16_384).filter(admits);
        return waiting.shift();
      },
    };
  }
}
