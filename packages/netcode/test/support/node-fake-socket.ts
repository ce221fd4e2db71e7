import type { DatagramSocket, Lookup, SocketFactory } from '../../src/node/udp-socket.ts';

type SendCallback = (error: Error | null) => void;

/** What a fake socket was asked to send, copied at once. */
export interface SentDatagram {
  bytes: Uint8Array;
  /** The very array that the socket was given. */
  given: Uint8Array;
  host: string;
  port: number;
}

/** Makes an error as the system's sockets report it. */
export function systemError(code: string, syscall: string = 'send'): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${syscall} ${code}`);
  error.code = code;
  error.syscall = syscall;
  return error;
}

/** A socket without a network: what it sends is recorded, what it receives and which errors it meets is told by the test. */
export class FakeSocket implements DatagramSocket {
  readonly type: 'udp4' | 'udp6';
  readonly ipv6Only: boolean;
  readonly lookup: Lookup;
  readonly sent: SentDatagram[] = [];
  /** Decides how a send ends; called with what is sent. */
  failure: (sent: SentDatagram) => Error | null = () => null;
  /** Told of every datagram that leaves. */
  onSend: (sent: SentDatagram) => void = () => undefined;
  bindError: Error | undefined = undefined;
  /** Buffer sizes above this are refused. */
  largestBuffer: number = Infinity;
  /** Queued sends that were not taken at once; their callbacks wait in `pending`. */
  queueCount: number = 0;
  readonly pending: SendCallback[] = [];
  readonly boundTo: { address: string; port: number; exclusive: boolean }[] = [];
  isClosed: boolean = false;
  #bufferSizes: number[] = [0, 0];
  readonly #onMessage: ((bytes: Uint8Array, sender: { address: string; port: number }) => void)[] = [];
  readonly #onError: ((error: Error) => void)[] = [];
  readonly #onListening: (() => void)[] = [];

  constructor(options: Parameters<SocketFactory>[0]) {
    this.type = options.type;
    this.ipv6Only = options.ipv6Only;
    this.lookup = options.lookup;
  }

  on(event: 'message' | 'error' | 'listening', listener: never): this {
    const lists: Record<string, unknown[]> = { message: this.#onMessage, error: this.#onError, listening: this.#onListening };
    lists[event]!.push(listener);
    return this;
  }

  bind(options: { address: string; port: number; exclusive: boolean }): void {
    this.boundTo.push(options);
    const error = this.bindError;
    if (error !== undefined) this.#onError.forEach((listener) => listener(error));
    else this.#onListening.forEach((listener) => listener());
  }

  address(): { port: number } {
    const port = this.boundTo[0]!.port;
    return { port: port === 0 ? 50_000 : port };
  }

  send(bytes: Uint8Array, port: number, host: string, callback: SendCallback): void {
    if (this.isClosed) throw systemError('ERR_SOCKET_DGRAM_NOT_RUNNING');
    this.lookup(host, 0, () => undefined);
    const sent = { bytes: bytes.slice(), given: bytes, host, port };
    const error = this.failure(sent);
    if (error === null) {
      this.sent.push(sent);
      this.onSend(sent);
    }
    if (this.queueCount > 0) this.pending.push(callback);
    else process.nextTick(callback, error);
  }

  getSendQueueCount(): number {
    return this.queueCount;
  }

  setSendBufferSize(bytes: number): void {
    this.#setBuffer(0, bytes);
  }

  setRecvBufferSize(bytes: number): void {
    this.#setBuffer(1, bytes);
  }

  getSendBufferSize(): number {
    return this.#bufferSizes[0]!;
  }

  getRecvBufferSize(): number {
    return this.#bufferSizes[1]!;
  }

  close(): void {
    if (this.isClosed) throw systemError('ERR_SOCKET_DGRAM_NOT_RUNNING');
    this.isClosed = true;
  }

  /** A datagram arrives; it is delivered as a copy. */
  receive(bytes: Uint8Array, address: string, port: number): void {
    this.#onMessage.forEach((listener) => listener(bytes.slice(), { address, port }));
  }

  /** The socket emits an error. */
  fail(error: Error): void {
    this.#onError.forEach((listener) => listener(error));
  }

  #setBuffer(index: number, bytes: number): void {
    if (bytes > this.largestBuffer) {
      throw Object.assign(new Error('buffer refused'), { code: 'ERR_SOCKET_BUFFER_SIZE', info: { code: 'ENOBUFS' } });
    }
    // As Linux does: twice what was asked for.
    this.#bufferSizes[index] = process.platform === 'linux' ? 2 * bytes : bytes;
  }
}

/** A factory of fake sockets that keeps them; `prepare` is called with each before it is bound. */
export function fakeSockets(prepare: (socket: FakeSocket) => void = () => undefined): {
  sockets: FakeSocket[];
  createSocket: SocketFactory;
} {
  const sockets: FakeSocket[] = [];
  const createSocket: SocketFactory = (options) => {
    const socket = new FakeSocket(options);
    prepare(socket);
    sockets.push(socket);
    return socket;
  };
  return { sockets, createSocket };
}
