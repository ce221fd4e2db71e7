import { isIP } from 'node:net';
import { platform } from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { formatAddress, withPort } from '../address.ts';
import type { Address } from '../address.ts';
import { MAX_PACKET_BYTES, SOCKET_BUFFER_FLOOR } from '../constants.ts';
import { NetcodeError } from '../errors.ts';
import type { NetcodeErrorKind } from '../errors.ts';
import type { Log } from '../internal/hooks.ts';
import { PrefixViews } from '../payload-queue.ts';
import { DatagramQueue } from './datagram-queue.ts';
import { systemCode } from './error-log.ts';

/** What is used of a socket of `node:dgram`. */
export interface DatagramSocket {
  on(event: 'message', listener: (bytes: Uint8Array, sender: { address: string; port: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'listening', listener: () => void): unknown;
  bind(options: { address: string; port: number; exclusive: boolean }): unknown;
  address(): { port: number };
  send(bytes: Uint8Array, port: number, address: string, callback: (error: Error | null) => void): void;
  getSendQueueCount(): number;
  setSendBufferSize(bytes: number): void;
  setRecvBufferSize(bytes: number): void;
  getSendBufferSize(): number;
  getRecvBufferSize(): number;
  close(): unknown;
}

/** Resolves a host for `node:dgram`; the last argument is the callback. */
export type Lookup = (hostname: string, options: unknown, callback: (error: Error | null, address: string, family: number) => void) => void;

/** Makes an unbound socket, as `createSocket` of `node:dgram` does. */
export type SocketFactory = (options: { type: 'udp4' | 'udp6'; ipv6Only: boolean; lookup: Lookup }) => DatagramSocket;

/** Told what happens on a socket. */
export interface SocketOwner {
  /** `bytes` is the receiver's own. */
  onDatagram(socket: UdpSocket, bytes: Uint8Array, host: string, port: number): void;
  onSendError(error: unknown): void;
  onReceiveError(error: unknown): void;
}

/** How one socket is opened. */
export interface UdpSocketOptions {
  readonly address: Address;
  /** IPv4 peers are reached through this IPv6 socket as well. */
  readonly isDualStack: boolean;
  /** Decides under which kinds failures are reported (protocol section 19). */
  readonly role: 'client' | 'server';
  readonly receiveQueueDatagrams: number;
  readonly socketBufferBytes: number;
  readonly createSocket: SocketFactory;
  readonly owner: SocketOwner;
  readonly log: Log;
}

/** Codes of `bind` that mean that there could be no such socket at all: the system's socket is made there. */
const NO_SOCKET_CODES: ReadonlySet<string> = new Set(['EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
/** How long a closed socket may still work off what the system did not take at once. */
const DRAIN_MILLISECONDS = 250;
/** Sends that wait for the system; more are lost, as they would be in its own full buffer. */
const MAX_WAITING_SENDS = 256;
/** A round of reading ends early at an error, so an error counts like a full round. */
const READ_COUNT_OF_ERROR = 32;

/** One bound socket: its buffers, its sends and what it received. */
export class UdpSocket {
  /** Datagrams read, for {@link CatchUp}. */
  datagramsRead: number = 0;
  readonly address: Address;
  readonly isDualStack: boolean;
  readonly queue: DatagramQueue;
  readonly #options: UdpSocketOptions;
  readonly #socket: DatagramSocket;
  readonly #sendViews: PrefixViews = new PrefixViews(new Uint8Array(MAX_PACKET_BYTES));
  /** The array of the last send, and views of it once it is seen twice in a row: machines send from one scratch buffer. */
  #source: Uint8Array | undefined = undefined;
  #sourceViews: PrefixViews | undefined = undefined;
  /** The host of the running send, which is known to be numeric. */
  #destination: string = '';
  #port: number = 0;
  #isClosed: boolean = false;
  #drainTimer: NodeJS.Timeout | undefined = undefined;
  #settleBind: ((error?: Error) => void) | undefined = undefined;

  /** Use {@link UdpSocket.open}. */
  private constructor(options: UdpSocketOptions) {
    this.#options = options;
    this.address = options.address;
    this.isDualStack = options.isDualStack;
    this.queue = new DatagramQueue(options.receiveQueueDatagrams);
    const isIpv6 = options.address.type === 'ipv6';
    this.#socket = options.createSocket({
      type: isIpv6 ? 'udp6' : 'udp4',
      ipv6Only: isIpv6 && !options.isDualStack,
      lookup: this.#lookup,
    });
    this.#socket.on('error', this.#onError);
    this.#socket.on('message', this.#onMessage);
    this.#socket.on('listening', () => this.#settleBind?.());
  }

  /**
   * Opens, binds and sizes a socket; leaves no handle when that fails.
   *
   * @throws {@link NetcodeError} the kinds of protocol section 19, with the system's code.
   */
  static async open(options: UdpSocketOptions): Promise<UdpSocket> {
    let socket: UdpSocket;
    try {
      socket = new UdpSocket(options);
    } catch (cause) {
      throw openFailure('create', options, cause);
    }
    try {
      await socket.#bind();
      socket.#sizeBuffers();
      return socket;
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  /** The bound port; 0 once closed. */
  get port(): number {
    return this.#isClosed ? 0 : this.#port;
  }

  /**
   * Hands a datagram to the system, or a copy of it to the socket's queue when the system does not take it now. Never throws: what goes wrong is told
   * to the owner.
   *
   * @param bytes - read during the call.
   * @param length - 1 … 1300, checked by the caller like the range.
   * @param host - a numeric address of this socket's family.
   */
  send(bytes: Uint8Array, offset: number, length: number, host: string, port: number): boolean {
    if (this.#isClosed) return false;
    try {
      const waiting = this.#socket.getSendQueueCount();
      if (waiting >= MAX_WAITING_SENDS) {
        this.#options.owner.onSendError(Object.assign(new Error('the system takes no more'), { code: 'ENOBUFS' }));
        return false;
      }
      // What waits in the socket's queue is read later, so the shared buffer is left alone until the queue is empty.
      const packet = waiting === 0 ? this.#sendViews.of(length) : new Uint8Array(length);
      packet.set(this.#exactSource(bytes, offset, length));
      this.#destination = host;
      this.#socket.send(packet, port, host, this.#onSent);
      return true;
    } catch (error) {
      this.#options.owner.onSendError(error);
      return false;
    }
  }

  /** Idempotent. Drops what was received; what waits to be sent gets a moment to leave. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.queue.clear();
    this.#source = undefined;
    this.#sourceViews = undefined;
    if (this.#hasQueuedSends()) this.#drainTimer = setTimeout(this.#closeHandle, DRAIN_MILLISECONDS).unref();
    else this.#closeHandle();
  }

  async #bind(): Promise<void> {
    const { address } = this.#options;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settleBind = (error) => (error === undefined ? resolve() : reject(error));
        this.#socket.bind({ address: formatAddress(withPort(address, 0)), port: address.port, exclusive: true });
      });
      this.#port = this.#socket.address().port;
    } catch (cause) {
      throw openFailure('bind', this.#options, cause);
    } finally {
      this.#settleBind = undefined;
    }
  }

  #sizeBuffers(): void {
    const socket = this.#socket;
    const { socketBufferBytes: wanted, log } = this.#options;
    this.#grow((size) => socket.setSendBufferSize(size));
    this.#grow((size) => socket.setRecvBufferSize(size));
    // Linux reports twice what was granted.
    const scale = platform === 'linux' ? 2 : 1;
    const send = Math.floor(socket.getSendBufferSize() / scale);
    const receive = Math.floor(socket.getRecvBufferSize() / scale);
    if (!log.isInfo || (send >= wanted && receive >= wanted)) return;
    const bound = formatAddress(withPort(this.address, this.#port));
    log.info(`udp ${bound}: asked for socket buffers of ${wanted} bytes, got ${send} to send and ${receive} to receive`);
  }

  #grow(set: (size: number) => void): void {
    for (let size = this.#options.socketBufferBytes; ; size = Math.floor(size / 2)) {
      try {
        set(size);
        return;
      } catch (cause) {
        if (size / 2 < SOCKET_BUFFER_FLOOR) throw openFailure('create', this.#options, cause);
      }
    }
  }

  #exactSource(bytes: Uint8Array, offset: number, length: number): Uint8Array {
    if (offset !== 0) return bytes.subarray(offset, offset + length);
    if (length === bytes.length) return bytes;
    if (bytes === this.#source) return (this.#sourceViews ??= new PrefixViews(bytes)).of(length);
    this.#source = bytes;
    this.#sourceViews = undefined;
    return bytes.subarray(0, length);
  }

  #hasQueuedSends(): boolean {
    try {
      return this.#socket.getSendQueueCount() > 0;
    } catch {
      return false;
    }
  }

  readonly #closeHandle = (): void => {
    clearTimeout(this.#drainTimer);
    this.#drainTimer = undefined;
    try {
      this.#socket.close();
    } catch {
      // Already closed, or never open.
    }
  };

  /**
   * Answers at once, so that the system has the bytes when `send` returns. Names are refused: they are resolved before anything is configured.
   */
  readonly #lookup: Lookup = (hostname, _options, callback) => {
    if (hostname === this.#destination || isIP(hostname) !== 0) {
      callback(null, hostname, this.address.type === 'ipv6' ? 6 : 4);
      return;
    }
    callback(new Error('expected a numeric address; resolve host names first'), '', 0);
  };

  readonly #onMessage = (bytes: Uint8Array, sender: { address: string; port: number }): void => {
    this.datagramsRead++;
    if (bytes.length > 0 && !this.#isClosed) this.#options.owner.onDatagram(this, bytes, sender.address, sender.port);
  };

  readonly #onError = (error: Error): void => {
    if (this.#settleBind !== undefined) {
      this.#settleBind(error);
      return;
    }
    this.datagramsRead += READ_COUNT_OF_ERROR;
    if (!this.#isClosed) this.#options.owner.onReceiveError(error);
  };

  /** One for all sends: too large datagrams and wrong destinations are reported nowhere else. */
  readonly #onSent = (error: Error | null): void => {
    if (error && !this.#isClosed) this.#options.owner.onSendError(error);
    if (this.#drainTimer !== undefined && !this.#hasQueuedSends()) this.#closeHandle();
  };
}

/** True when the address is the one to which a dual-stack socket is bound: `::` (protocol section 16). */
export function isAnyIpv6(address: Address): boolean {
  return address.type === 'ipv6' && address.bytes.every((byte) => byte === 0);
}

function openFailure(step: 'create' | 'bind', options: UdpSocketOptions, cause: unknown): NetcodeError {
  const code = systemCode(cause);
  const isBind = step === 'bind' && options.role === 'server' && !NO_SOCKET_CODES.has(code ?? '');
  const isIpv6 = options.address.type === 'ipv6';
  let kind: NetcodeErrorKind = isIpv6 ? 'createSocketIpv6Failed' : 'createSocketIpv4Failed';
  if (isBind) kind = isIpv6 ? 'bindSocketIpv6Failed' : 'bindSocketIpv4Failed';
  const action = step === 'bind' ? 'bind a UDP socket to' : 'open a UDP socket with large enough buffers for';
  return new NetcodeError(kind, `cannot ${action} ${formatAddress(options.address)}: ${code ?? 'unknown reason'}`, { code, cause });
}
