import { networkInterfaces } from 'node:os';
import { generateConnectToken, monotonicSeconds } from '../../src/index.ts';
import type { ConnectTokenOptions, NetcodeClient, NetcodeServer } from '../../src/index.ts';
import { createClient, createServer } from '../../src/node/index.ts';
import type { CreateClientOptions, CreateServerOptions } from '../../src/node/index.ts';

/** Protocol id and key of all sessions in these tests. */
export const PROTOCOL_ID = 0x1122_3344_5566_7788n;
export const PRIVATE_KEY: Uint8Array = new Uint8Array(32).fill(0x42);

/** Why IPv6 cases are skipped; `undefined` where the machine has a loopback address of that family. */
export const NO_IPV6: string | undefined = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
  ? undefined
  : 'this machine has no IPv6 loopback address';

/** Closes what a test opened, newest first. */
export class Closer {
  readonly #open: { close(): void }[] = [];

  add<T extends { close(): void }>(opened: T): T {
    this.#open.push(opened);
    return opened;
  }

  closeAll(): void {
    for (const opened of this.#open.splice(0).reverse()) opened.close();
  }
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Handles of a kind that keep the process alive. */
export function activeHandles(kind: string): number {
  return process.getActiveResourcesInfo().filter((name) => name === kind).length;
}

/** Mints a token for the servers. */
export function mint(publicAddresses: readonly string[], options: Partial<ConnectTokenOptions> = {}): Uint8Array {
  return generateConnectToken({ publicAddresses, clientId: 1n, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY, ...options });
}

/** A server of these tests on real sockets. */
export function openServer(options: Partial<CreateServerOptions> = {}): Promise<NetcodeServer> {
  return createServer({ address: '127.0.0.1:0', protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY, ...options });
}

/** A client of these tests on real sockets. */
export function openClient(options: CreateClientOptions = { address: '127.0.0.1:0' }): Promise<NetcodeClient> {
  return createClient(options);
}

/** Updates everybody in real time until `isDone`; false when it is not within the time. */
export async function drive(
  machines: readonly { update(time: number): void }[],
  isDone: () => boolean,
  limitMilliseconds: number = 5000,
): Promise<boolean> {
  const end = monotonicSeconds() + limitMilliseconds / 1000;
  for (;;) {
    for (const machine of machines) machine.update(monotonicSeconds());
    if (isDone()) return true;
    if (monotonicSeconds() > end) return false;
    await sleep(2);
  }
}
