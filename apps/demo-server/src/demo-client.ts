import { CLIENT_STATE_CODES } from '@x/netcode';
import type { Aead, ClientState, NetcodeClient } from '@x/netcode';
import { EchoLedger } from './echo-ledger.ts';
import type { DemoParts } from './parts.ts';
import { MAX_DEMO_PAYLOAD_BYTES, readPayload, writePayload } from './payload.ts';

/** Payloads per second of a connected client. */
export const SEND_HZ = 20;

/** What a client is made of. */
export interface DemoClientOptions {
  readonly parts: DemoParts;
  readonly aead: Aead;
  readonly id: bigint;
  /** Told of every echo that is not what was sent. */
  readonly onWrongEcho: (text: string) => void;
}

/** One client with its own socket: sends numbered payloads while it is connected, checks the echoes and counts. */
export class DemoClient {
  readonly id: bigint;
  readonly echoes: EchoLedger = new EchoLedger();
  /** Seconds that this client's tokens let either side be silent. */
  timeoutSeconds: number = 5;
  /** There before anybody gets hold of the object. */
  #client!: NetcodeClient;
  readonly #options: DemoClientOptions;
  readonly #scratch = new Uint8Array(MAX_DEMO_PAYLOAD_BYTES);
  #time: number = 0;
  #bytes: number = 0;
  #nextNumber: number = 0;
  #sendAt: number = 0;
  #isHolding: boolean = false;
  #wasConnected: boolean = false;
  #spentToken: Uint8Array | undefined = undefined;

  /** Opens the client's socket. */
  static async open(options: DemoClientOptions): Promise<DemoClient> {
    const opened = new DemoClient(options);
    opened.#client = await options.parts.createClient({
      address: '127.0.0.1:0',
      aead: options.aead,
      time: options.parts.clock.now(),
      onPayload: (bytes, offset, length) => opened.#onPayload(bytes, offset, length),
    });
    return opened;
  }

  private constructor(options: DemoClientOptions) {
    this.#options = options;
    this.id = options.id;
  }

  get state(): ClientState {
    return this.#client.state;
  }

  get isConnected(): boolean {
    return this.state === 'connected';
  }

  /** Neither connected nor on the way to it. */
  get isOut(): boolean {
    return CLIENT_STATE_CODES[this.state] <= 0;
  }

  /** Bytes of payloads, both ways. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The token of the last session or attempt. */
  get spentToken(): Uint8Array | undefined {
    return this.#spentToken;
  }

  /** Starts an attempt; each takes a fresh token. */
  connect(token: Uint8Array): void {
    this.#spentToken = token;
    this.#isHolding = false;
    this.#client.connect(token);
  }

  /** Sends no more payloads in this session, so that the echoes can come home before it ends. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Leaves by itself. */
  leave(): void {
    this.#client.disconnect();
    this.#noticeState();
  }

  /** Reads echoes and sends what is due. */
  update(time: number): void {
    this.#time = time;
    this.#client.update(time);
    this.#noticeState();
    if (this.isConnected && !this.#isHolding && time >= this.#sendAt) this.#sendPayload();
  }

  /** Payloads lost so far. */
  get lost(): number {
    return this.echoes.lost(this.#time);
  }

  close(): void {
    this.#client.close();
    this.#noticeState();
  }

  #noticeState(): void {
    const { isConnected } = this;
    if (isConnected === this.#wasConnected) return;
    this.#wasConnected = isConnected;
    if (isConnected) this.#sendAt = this.#time;
    else this.echoes.endSession(this.#time);
  }

  #sendPayload(): void {
    const number = this.#nextNumber++;
    const length = writePayload(this.#scratch, this.id, number);
    this.#client.send(this.#scratch, 0, length);
    this.echoes.send(number, this.#options.parts.clock.now());
    this.#bytes += length;
    // Counted from when it was due, so that the rate holds; what a stall has missed is not made up for.
    this.#sendAt = Math.max(this.#sendAt + 1 / SEND_HZ, this.#time);
  }

  #onPayload(bytes: Uint8Array, offset: number, length: number): void {
    const number = readPayload(bytes, offset, length, this.id);
    if (typeof number === 'string') {
      this.#options.onWrongEcho(`client ${this.id}: wrong echo: ${number}`);
    } else if (!this.echoes.receive(number, this.#options.parts.clock.now())) {
      this.#options.onWrongEcho(`client ${this.id}: an echo of payload ${number} that nothing waits for`);
    } else {
      this.#bytes += length;
    }
  }
}
