import { createSocket as createNodeSocket } from 'node:dgram';
import { clearImmediate, setImmediate } from 'node:timers';
import { formatAddress } from '../address.ts';
import type { Address } from '../address.ts';
import { parseAddressOption } from '../client-options.ts';
import { MAX_PACKET_BYTES } from '../constants.ts';
import { copyBytes } from '../internal/bytes.ts';
import { Hooks } from '../internal/hooks.ts';
import { createTransportStats } from '../transport.ts';
import type { DatagramHandler, MutableTransportStats, Transport, TransportStats } from '../transport.ts';
import { CatchUp } from './catch-up.ts';
import { ErrorLog, systemCode } from './error-log.ts';
import { SenderCache } from './sender-cache.ts';
import { checkUdpOptions } from './udp-options.ts';
import type { UdpOptions, UdpSettings } from './udp-options.ts';
import { isAnyIpv6, UdpSocket } from './udp-socket.ts';
import type { SocketFactory, SocketOwner } from './udp-socket.ts';

/**
 * UDP through `node:dgram`: at most one socket per family. What arrives between two polls waits in a queue of bounded length for each socket; what goes
 * wrong on a socket is counted, logged at most once a second and otherwise treated as loss.
 *
 * `stats`: `datagramsReceived` counts what was read from the sockets, `dropped` those of them that a full queue lost; `datagramsSent` counts what was
 * handed to the system, `sendErrors` what was refused by it or could not be sent at all.
 */
export interface UdpTransport extends Transport {
  readonly kind: 'udp';
}

/** What is bound, and how. */
export interface BindPlan {
  /** One or two addresses; of two of the same family only the first is bound. */
  readonly addresses: readonly Address[];
  /** Decides under which kinds failures are reported (protocol section 19). */
  readonly role: 'client' | 'server';
  /** `::` serves IPv4 as well when no IPv4 address is bound beside it. */
  readonly allowsDualStack: boolean;
  /** A machine without the second address's family goes without that socket. */
  readonly isSecondOptional: boolean;
  readonly settings: UdpSettings;
  /** Told what a hook threw. */
  readonly onError?: ((error: unknown, source: string) => void) | undefined;
}

/** Codes that mean that the machine does not have that family, or has no address of it. */
const NO_FAMILY_CODES: ReadonlySet<string> = new Set(['EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EADDRNOTAVAIL']);

type Family = 'ipv4' | 'ipv6';

class BoundUdpTransport implements UdpTransport, SocketOwner {
  readonly kind = 'udp';
  readonly maxDatagramBytes: number = MAX_PACKET_BYTES;
  onPeerClosed: ((peer: Address) => void) | undefined = undefined;
  readonly #stats: MutableTransportStats = createTransportStats();
  readonly #hooks: Hooks;
  readonly #errorLog: ErrorLog;
  /** IPv4 first: the order of polling. */
  #sockets: readonly UdpSocket[] = [];
  #ipv4: UdpSocket | undefined = undefined;
  #ipv6: UdpSocket | undefined = undefined;
  readonly #senders: SenderCache;
  #catchUp: CatchUp = new CatchUp([]);
  #onReadable: (() => void) | undefined = undefined;
  #readableImmediate: NodeJS.Immediate | undefined = undefined;
  /** Families of which a missing socket has been reported. */
  readonly #reportedFamilies: Set<Family> = new Set();
  #isClosed: boolean = false;

  /** @param isDualStack - there will be one socket, for both families. */
  constructor(hooks: Hooks, isDualStack: boolean) {
    this.#senders = new SenderCache(isDualStack);
    this.#hooks = hooks;
    this.#errorLog = new ErrorLog(hooks.log);
  }

  /** Takes over sockets that were opened with this transport as their owner. */
  attach(sockets: readonly UdpSocket[]): void {
    this.#ipv6 = sockets.find((socket) => socket.address.type === 'ipv6');
    const ipv4 = sockets.find((socket) => socket.address.type === 'ipv4');
    this.#ipv4 = ipv4 ?? (this.#ipv6?.isDualStack === true ? this.#ipv6 : undefined);
    this.#sockets = [ipv4, this.#ipv6].filter((socket) => socket !== undefined);
    this.#catchUp = new CatchUp(this.#sockets);
  }

  get stats(): TransportStats {
    return this.#stats;
  }

  get isCaughtUp(): boolean {
    return this.#catchUp.isCaughtUp;
  }

  get onReadable(): (() => void) | undefined {
    return this.#onReadable;
  }

  set onReadable(hook: (() => void) | undefined) {
    this.#onReadable = hook;
    if (this.#isWaiting) this.#announce();
  }

  /** A dual-stack socket is a socket of both families. */
  boundPort(family: Family): number {
    return (family === 'ipv4' ? this.#ipv4 : this.#ipv6)?.port ?? 0;
  }

  send(to: Address, bytes: Uint8Array, offset: number, length: number): boolean {
    const socket = this.#socketFor(to);
    const isRange = offset >= 0 && length >= 1 && length <= MAX_PACKET_BYTES && offset + length <= bytes.length;
    // A sender may have port 0, but nothing can be sent there.
    if (socket === undefined || !isRange || to.port === 0 || this.#isClosed) {
      this.#stats.sendErrors++;
      return false;
    }
    if (!socket.send(bytes, offset, length, this.#senders.textOf(to), to.port)) return false;
    this.#stats.datagramsSent++;
    this.#stats.bytesSent += length;
    return true;
  }

  poll(handler: DatagramHandler): void {
    for (const { queue } of this.#sockets) {
      while (queue.length > 0) {
        const bytes = queue.first;
        const from = queue.firstSender;
        queue.shift();
        try {
          handler(from, bytes, 0, bytes.length);
        } catch (error) {
          this.#hooks.report(error, 'poll handler');
        }
      }
    }
  }

  /** Does nothing: each send has already left. */
  flush(): void {}

  startCatchUp(): void {
    if (!this.#isClosed) this.#catchUp.start();
  }

  /** Drops what waits in the queues. Datagrams already sent still leave. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#catchUp.stop();
    if (this.#readableImmediate !== undefined) clearImmediate(this.#readableImmediate);
    this.#readableImmediate = undefined;
    for (const socket of this.#sockets) socket.close();
    this.#senders.clear();
  }

  onDatagram(socket: UdpSocket, bytes: Uint8Array, host: string, port: number): void {
    const from = this.#senders.find(host, port);
    if (from === undefined) {
      this.onReceiveError(new Error('sender without a numeric address'));
      return;
    }
    this.#stats.datagramsReceived++;
    this.#stats.bytesReceived += bytes.length;
    // Too long for a packet: one byte more than the limit says so, and does not hold the rest of it in memory.
    const kept = bytes.length > MAX_PACKET_BYTES ? copyBytes(bytes, 0, MAX_PACKET_BYTES + 1) : bytes;
    if (!socket.queue.push(kept, from)) this.#stats.dropped++;
    if (this.#onReadable !== undefined) this.#announce();
  }

  onSendError(error: unknown): void {
    this.#stats.sendErrors++;
    this.#errorLog.note('send', error);
  }

  onReceiveError(error: unknown): void {
    this.#stats.receiveErrors++;
    this.#errorLog.note('receive', error);
  }

  get #isWaiting(): boolean {
    return this.#sockets.some((socket) => socket.queue.length > 0);
  }

  #socketFor(to: Address): UdpSocket | undefined {
    if (to.type === 'ipv4' && this.#ipv4 !== undefined) return this.#ipv4;
    if (to.type === 'ipv6' && this.#ipv6 !== undefined) return this.#ipv6;
    if ((to.type === 'ipv4' || to.type === 'ipv6') && !this.#isClosed) this.#reportMissing(to.type, to);
    return undefined;
  }

  #reportMissing(family: Family, to: Address): void {
    if (this.#reportedFamilies.has(family)) return;
    this.#reportedFamilies.add(family);
    const name = family === 'ipv4' ? 'IPv4' : 'IPv6';
    this.#hooks.log.warn(`udp: cannot send to ${formatAddress(to)}: no ${name} socket is open; bind an address of that family as well`);
  }

  /** Reading is over when an immediate runs, so that one call stands for all datagrams of the turn. */
  #announce(): void {
    if (!this.#isClosed) this.#readableImmediate ??= setImmediate(this.#callOnReadable);
  }

  readonly #callOnReadable = (): void => {
    this.#readableImmediate = undefined;
    if (!this.#isWaiting) return;
    try {
      this.#onReadable?.();
    } catch (error) {
      this.#hooks.report(error, 'onReadable');
    }
  };
}

/**
 * Opens the sockets of a plan. The first failure closes what was opened before it.
 *
 * @param createSocket - replaced in tests only.
 * @throws {@link NetcodeError} the kinds of protocol section 19, with the system's code.
 */
export async function bindUdp(plan: BindPlan, createSocket: SocketFactory = createNodeSocket): Promise<UdpTransport> {
  const { settings, role } = plan;
  const hooks = new Hooks(settings.logger, plan.onError);
  const [first, second] = plan.addresses;
  const addresses = plan.addresses.slice(0, second !== undefined && second.type !== first?.type ? 2 : 1);
  const isDualStack = plan.allowsDualStack && addresses.length === 1 && addresses.every(isAnyIpv6);
  const transport = new BoundUdpTransport(hooks, isDualStack);
  const sockets: UdpSocket[] = [];
  for (const address of addresses) {
    try {
      sockets.push(await UdpSocket.open({ ...settings, address, isDualStack, role, createSocket, owner: transport, log: hooks.log }));
    } catch (error) {
      const code = systemCode(error) ?? '';
      if (plan.isSecondOptional && sockets.length === 1 && NO_FAMILY_CODES.has(code)) {
        hooks.log.info(`udp: going on without ${formatAddress(address)}: ${code}`);
        continue;
      }
      for (const socket of sockets) socket.close();
      throw error;
    }
  }
  transport.attach(sockets);
  return transport;
}

/** Opens UDP sockets for a client or server that is created with its own `transport`. */
export const UdpTransport: {
  /**
   * Binds one address, or two of different families (`127.0.0.1:0`, `[::1]:0`); of two of the same family only the first is bound. IPv6 sockets are
   * IPv6-only, so both families can share a port, with one exception: `::` without an IPv4 address beside it also serves IPv4, whose peers appear
   * as plain IPv4 addresses. Port 0 takes a free one.
   *
   * @throws {@link NetcodeError} `PARSE_ADDRESS_FAILED`, `PARSE_ADDRESS2_FAILED`, `INVALID_OPTION`; when a socket cannot be opened or bound, the kind
   * is `createSocketIpv4Failed`, `createSocketIpv6Failed`, `bindSocketIpv4Failed` or `bindSocketIpv6Failed` and the code the system's, such as
   * `EADDRINUSE`. No handle is left then.
   */
  bind(address: string, address2?: string, options?: UdpOptions): Promise<UdpTransport>;
} = Object.freeze({
  async bind(address: string, address2?: string, options: UdpOptions = {}): Promise<UdpTransport> {
    const addresses = [parseAddressOption(address, 'address', 'parseAddressFailed')];
    if (address2 !== undefined) addresses.push(parseAddressOption(address2, 'address2', 'parseAddress2Failed'));
    const settings = checkUdpOptions(options);
    return bindUdp({ addresses, role: 'server', allowsDualStack: true, isSecondOptional: false, settings });
  },
});
