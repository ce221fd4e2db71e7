import { monotonicSeconds, NetcodeClient, NetcodeServer, NetworkSimulator } from '@x/netcode';
import type { ClientOptions, NetworkSimulatorSettings, ServerOptions } from '@x/netcode';
import type { Clock } from '../src/loop.ts';
import type { DemoParts } from '../src/parts.ts';

/** A clock whose sleepers wake at once, each `lateness` seconds late. */
export class VirtualClock implements Clock {
  time: number = 0;
  readonly #lateness: () => number;

  constructor(lateness: () => number = () => 0) {
    this.#lateness = lateness;
  }

  now(): number {
    return this.time;
  }

  sleep(seconds: number): Promise<void> {
    // A nanosecond more, as rounding may leave the sum short of what the sleeper waits for.
    this.time += seconds + this.#lateness() + 1e-9;
    return Promise.resolve();
  }
}

/** What a test puts in place of the usual. */
export interface Plants {
  readonly network?: Partial<NetworkSimulatorSettings>;
  readonly Server?: new (options: ServerOptions) => NetcodeServer;
  /** Clients are numbered as they are opened: those meant to get in, the surplus one, the impostor. */
  readonly makeClient?: (index: number, options: ClientOptions) => NetcodeClient;
  readonly onTick?: (time: number) => void;
}

/** The demo's parts in virtual time, on a simulated network. */
export function virtualParts({ network, Server = NetcodeServer, makeClient, onTick }: Plants = {}): DemoParts {
  const clock = new VirtualClock();
  const simulator = new NetworkSimulator(network);
  let clients = 0;
  return {
    clock,
    createServer: ({ bindAddress: _, ...options }) =>
      Promise.resolve(new Server({ ...options, address: '127.0.0.1:40000', time: options.time ?? monotonicSeconds(), simulator })),
    createClient: (given) => {
      const index = clients++;
      const options: ClientOptions = { ...given, address: `127.0.0.1:${50000 + index}`, time: given.time ?? monotonicSeconds(), simulator };
      return Promise.resolve(makeClient?.(index, options) ?? new NetcodeClient(options));
    },
    onTick: (time) => {
      simulator.update(time);
      onTick?.(time);
    },
  };
}

/** A client whose packets go nowhere and to which none come. */
export function deafClient({ simulator: _, ...options }: ClientOptions): NetcodeClient {
  return new NetcodeClient({ ...options, override: { sendPacket: () => undefined, receivePacket: () => undefined } });
}
