import type { Address } from '../../src/address.ts';
import type { Packet } from '../../src/packet-codec.ts';
import { NetcodeServer } from '../../src/server-machine.ts';
import type { ServerOptions } from '../../src/server-options.ts';
import type { ConnectTokenOptions } from '../../src/connect-token.ts';
import {
  clientAddress,
  FakeTransport,
  label,
  mint,
  openAtClient,
  PRIVATE_KEY,
  PROTOCOL_ID,
  RawClient,
  SERVER,
  START,
  testBytes,
  UNIX,
} from './session-kit.ts';
import type { Opened } from './session-kit.ts';

/** A server on a fake transport, and clients by hand. Times are seconds since the rig was made; the wall clock is set by the test. */
export class ServerRig {
  readonly transport: FakeTransport = new FakeTransport();
  readonly server: NetcodeServer;
  /** Calls of `onConnectDisconnect`: `+0`, `-0`. */
  readonly events: string[] = [];
  unix: bigint = UNIX;
  time: number = 0;

  constructor(options: Partial<ServerOptions> = {}, slots: number = 4) {
    const { onConnectDisconnect } = options;
    this.server = new NetcodeServer({
      time: START,
      transport: this.transport,
      address: SERVER,
      protocolId: PROTOCOL_ID,
      privateKey: PRIVATE_KEY,
      randomBytes: testBytes,
      unixSeconds: () => this.unix,
      ...options,
      onConnectDisconnect: (slot, connected) => {
        this.events.push(`${connected ? '+' : '-'}${slot}`);
        onConnectDisconnect?.(slot, connected);
      },
    });
    if (slots > 0) this.server.start(slots);
  }

  /** Updates at a time, by default the time of the last update. */
  at(seconds: number = this.time): this {
    this.time = seconds;
    this.server.update(START + seconds);
    return this;
  }

  deliver(from: Address, bytes: Uint8Array): this {
    this.transport.deliver(from, bytes);
    return this;
  }

  /** A client by hand with a token of its own; `id` names token and address. */
  raw(id: number, options: Partial<ConnectTokenOptions> = {}, address: Address = clientAddress(id)): RawClient {
    return new RawClient(mint({ clientId: BigInt(id), ...options }), address);
  }

  /** Delivers a request and gives the answer; `undefined` when there was none. */
  request(client: RawClient): Opened | undefined {
    this.transport.take();
    this.deliver(client.address, client.request()).at();
    return this.answers(client)[0];
  }

  /** Everything sent to a client since the last look, opened; what went to others is forgotten. */
  answers(client: RawClient): Opened[] {
    return this.transport
      .take()
      .filter(({ to }) => to.bytes.join() === client.address.bytes.join() && to.port === client.address.port)
      .map(({ bytes }) => openAtClient(client.minted, bytes));
  }

  labels(client: RawClient): string[] {
    return this.answers(client).map(label);
  }

  /** The whole handshake at the present time. */
  connect(client: RawClient): RawClient {
    const challenge = this.request(client);
    if (challenge === undefined) throw new Error('no challenge');
    this.deliver(client.address, client.response(challenge)).at();
    return client;
  }

  /** A connected client whose answers have been forgotten. */
  connected(id: number, options: Partial<ConnectTokenOptions> = {}): RawClient {
    const client = this.connect(this.raw(id, options));
    this.transport.take();
    return client;
  }

  send(client: RawClient, bytes: Uint8Array): this {
    return this.deliver(client.address, bytes).at();
  }

  sealed(client: RawClient, packet: Packet): this {
    return this.send(client, client.seal(packet));
  }
}
