import { formatAddress, generateConnectToken, generateKey } from '@x/netcode';
import type { Aead, NetcodeCounters, NetcodeServer, SlotDisconnectReason } from '@x/netcode';
import type { DemoParts } from './parts.ts';

const LOOPBACK = '127.0.0.1:0';
const PROTOCOL_ID = 0x7864_656d_6f00_0001n;

/** A client got in, or is gone for the reason. */
export type Membership = { readonly clientId: bigint; readonly slot: number; readonly reason: SlotDisconnectReason | undefined };

/** What an echo server is made of. */
export interface EchoServerOptions {
  readonly parts: DemoParts;
  readonly aead: Aead;
  readonly slots: number;
  readonly onMembership: (change: Membership) => void;
}

/** A server on loopback UDP that sends every payload back, and the backend that mints tokens for it: both hold the private key. */
export class EchoServer {
  /** There before anybody gets hold of the object. */
  #server!: NetcodeServer;
  readonly #privateKey: Uint8Array;
  readonly #slots: number;
  readonly #departures = new Map<bigint, SlotDisconnectReason>();

  /** Binds a free port and starts. */
  static async open(options: EchoServerOptions): Promise<EchoServer> {
    const { parts, aead, slots, onMembership } = options;
    const privateKey = generateKey();
    const opened = new EchoServer(privateKey, slots);
    const server = await parts.createServer({
      address: LOOPBACK,
      // Without it the socket would listen on every interface of the machine.
      bindAddress: LOOPBACK,
      protocolId: PROTOCOL_ID,
      privateKey,
      aead,
      time: parts.clock.now(),
      onConnectDisconnect: (slot, connected) => opened.#onConnectDisconnect(slot, connected, onMembership),
      onPayload: (slot, bytes, offset, length) => opened.#server.send(slot, bytes, offset, length),
    });
    opened.#server = server;
    // Before any token is minted: a server refuses tokens that may be older than its start.
    server.start(slots);
    return opened;
  }

  private constructor(privateKey: Uint8Array, slots: number) {
    this.#privateKey = privateKey;
    this.#slots = slots;
  }

  /** Where clients dial, as text. */
  get address(): string {
    return formatAddress(this.#server.address);
  }

  get slots(): number {
    return this.#slots;
  }

  get connectedCount(): number {
    return this.#server.connectedCount;
  }

  get isFull(): boolean {
    return this.connectedCount === this.#slots;
  }

  /** Datagrams that the server ignored, by reason. */
  get counters(): NetcodeCounters {
    return this.#server.counters;
  }

  /**
   * Mints a token for one session of a client.
   *
   * @param timeoutSeconds - silence after which either side gives up.
   */
  mint(clientId: bigint, timeoutSeconds: number): Uint8Array {
    const { address } = this;
    return generateConnectToken({
      publicAddresses: [address],
      clientId,
      protocolId: PROTOCOL_ID,
      privateKey: this.#privateKey,
      timeoutSeconds,
    });
  }

  update(time: number): void {
    this.#server.update(time);
  }

  /** Whether a client of this id is in. */
  has(clientId: bigint): boolean {
    return this.#slotOf(clientId) !== undefined;
  }

  /** Why the last session of the client ended; `undefined` while it is in, and before. */
  departure(clientId: bigint): SlotDisconnectReason | undefined {
    return this.#departures.get(clientId);
  }

  /** Throws a client out. */
  kick(clientId: bigint): void {
    const slot = this.#slotOf(clientId);
    if (slot !== undefined) this.#server.disconnectClient(slot);
  }

  /** Tells every client that it is over. */
  stop(): void {
    this.#server.stop();
  }

  close(): void {
    this.#server.close();
    this.#privateKey.fill(0);
  }

  #slotOf(clientId: bigint): number | undefined {
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.#server.isConnected(slot) && this.#server.clientId(slot) === clientId) return slot;
    }
    return undefined;
  }

  #onConnectDisconnect(slot: number, connected: boolean, tell: EchoServerOptions['onMembership']): void {
    const clientId = this.#server.clientId(slot);
    const reason = connected ? undefined : this.#server.disconnectReason(slot);
    if (reason === undefined) this.#departures.delete(clientId);
    else this.#departures.set(clientId, reason);
    tell({ clientId, slot, reason });
  }
}
