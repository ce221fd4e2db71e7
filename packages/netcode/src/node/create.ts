import type { Address } from '../address.ts';
import { ipAddress } from '../address.ts';
import { checkClientOptions, parseAddressOption } from '../client-options.ts';
import type { ClientOptions } from '../client-options.ts';
import { NetcodeClient } from '../client-machine.ts';
import { monotonicSeconds } from '../clock.ts';
import { NetcodeError } from '../errors.ts';
import type { NetcodeErrorKind } from '../errors.ts';
import { checkTime } from '../internal/check.ts';
import type { Injected } from '../machine-options.ts';
import { NetcodeServer } from '../server-machine.ts';
import { checkServerOptions } from '../server-options.ts';
import type { ServerOptions } from '../server-options.ts';
import { checkUdpOptions } from './udp-options.ts';
import type { UdpOptions } from './udp-options.ts';
import type { SocketFactory } from './udp-socket.ts';
import { bindUdp } from './udp-transport.ts';

/** What {@link createServer} takes. */
export interface CreateServerOptions extends Omit<ServerOptions, Injected>, UdpOptions {
  /** Monotonic seconds now; default `monotonicSeconds()`, which then is the clock for `update`. */
  time?: number | undefined;
  /** What the socket is bound to, of the family of `address`; default any address of that family with the port of `address`. Port 0 takes a free one. */
  bindAddress?: string | undefined;
  /** The same for `address2`. */
  bindAddress2?: string | undefined;
}

/** What {@link createClient} takes. */
export interface CreateClientOptions extends Omit<ClientOptions, Injected>, UdpOptions {
  /** Monotonic seconds now; default `monotonicSeconds()`, which then is the clock for `update`. */
  time?: number | undefined;
}

const IPV4_ANY = new Uint8Array(4);
const IPV6_ANY = new Uint8Array(16);

/**
 * Opens the UDP sockets of a server and creates it, stopped. Everything is checked before anything is bound.
 *
 * `address` is the identity: what clients dial and tokens list. Its port may be 0: it becomes the port that was bound. IPv6 sockets are IPv6-only.
 *
 * @throws {@link NetcodeError} (as a rejection) what `new NetcodeServer` throws; `INVALID_OPTION`, with `field`; when a socket cannot be opened or
 * bound, a kind such as `bindSocketIpv4Failed` with the system's code, such as `EADDRINUSE`. No handle is left then.
 */
export async function createServer(options: CreateServerOptions): Promise<NetcodeServer> {
  return createServerOn(options);
}

/**
 * Opens the UDP sockets of a client and creates it, idle. Everything is checked before anything is bound.
 *
 * `address` and `address2` are what the sockets are bound to: by default `0.0.0.0:0` and, where the machine has IPv6, `[::]:0`. A client that binds one
 * family cannot reach the servers of a token that have an address of the other one: its sends there are counted as errors and reported to the logger
 * once. IPv6 sockets are IPv6-only.
 *
 * @throws {@link NetcodeError} (as a rejection) what `new NetcodeClient` throws; `INVALID_OPTION`, with `field`; when a socket cannot be opened or
 * bound, the kind `createSocketIpv4Failed` or `createSocketIpv6Failed` with the system's code. No handle is left then.
 */
export async function createClient(options: CreateClientOptions): Promise<NetcodeClient> {
  return createClientOn(options);
}

/** As {@link createServer}, on the sockets of a test. */
export async function createServerOn(options: CreateServerOptions, createSocket?: SocketFactory): Promise<NetcodeServer> {
  const { address, address2 } = checkServerOptions(options);
  const settings = checkUdpOptions(options);
  checkNotInjected(options);
  const time = options.time ?? monotonicSeconds();
  checkTime(time, 'time');
  const addresses = [bindTarget(options.bindAddress, address, 'bindAddress', 'parseAddressFailed')];
  if (address2 !== undefined) {
    addresses.push(bindTarget(options.bindAddress2, address2, 'bindAddress2', 'parseAddress2Failed'));
  } else if (options.bindAddress2 !== undefined) {
    throw new NetcodeError('invalidOption', 'bindAddress2: expected address2 beside it, got none', { field: 'bindAddress2' });
  }
  const transport = await bindUdp(
    { addresses, role: 'server', allowsDualStack: false, isSecondOptional: false, settings, onError: options.onError },
    createSocket,
  );
  try {
    return new NetcodeServer({ ...options, time, transport });
  } catch (error) {
    transport.close();
    throw error;
  }
}

/** As {@link createClient}, on the sockets of a test. */
export async function createClientOn(options: CreateClientOptions, createSocket?: SocketFactory): Promise<NetcodeClient> {
  const given = checkClientOptions(options);
  const settings = checkUdpOptions(options);
  checkNotInjected(options);
  const time = options.time ?? monotonicSeconds();
  checkTime(time, 'time');
  const chosen = [given.address, given.address2].filter((address) => address !== undefined);
  const addresses = chosen.length > 0 ? chosen : [ipAddress(IPV4_ANY, 0), ipAddress(IPV6_ANY, 0)];
  const transport = await bindUdp(
    { addresses, role: 'client', allowsDualStack: false, isSecondOptional: chosen.length === 0, settings, onError: options.onError },
    createSocket,
  );
  try {
    return new NetcodeClient({ ...options, address: options.address ?? options.address2, time, transport });
  } catch (error) {
    transport.close();
    throw error;
  }
}

function bindTarget(text: string | undefined, identity: Address, field: string, kind: NetcodeErrorKind): Address {
  if (text === undefined) return ipAddress(identity.type === 'ipv6' ? IPV6_ANY : IPV4_ANY, identity.port);
  const target = parseAddressOption(text, field, kind);
  if (target.type === identity.type) return target;
  const [expected, got] = identity.type === 'ipv6' ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6'];
  throw new NetcodeError('invalidOption', `${field}: expected an ${expected} address like the identity it serves, got ${got}`, { field });
}

/** Programs without types may pass what these functions set themselves. */
function checkNotInjected(options: object): void {
  for (const field of ['transport', 'simulator', 'override']) {
    if ((options as Record<string, unknown>)[field] === undefined) continue;
    throw new NetcodeError('invalidOption', `${field}: expected none, as the sockets are opened here; use the constructor instead`, {
      field,
    });
  }
}
