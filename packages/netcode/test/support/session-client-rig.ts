import type { Address } from '../../src/address.ts';
import { NetcodeClient } from '../../src/client-machine.ts';
import type { ClientOptions } from '../../src/client-options.ts';
import { CLIENT_STATE_CODES } from '../../src/client-state.ts';
import type { ClientState } from '../../src/client-state.ts';
import type { Packet } from '../../src/packet-codec.ts';
import { FakeTransport, fromServer, label, mint, openAtServer, SERVER_ADDRESS, START } from './session-kit.ts';
import type { Minted } from './session-kit.ts';

/** A client on a fake transport, and the server's side of its session by hand. Times are seconds since the rig was made. */
export class ClientRig {
  readonly transport: FakeTransport = new FakeTransport();
  readonly client: NetcodeClient;
  /** Every call of `onStateChange` as the numbers of native implementations: `0>1`. */
  readonly changes: string[] = [];
  /** The state that the getter showed in each of them. */
  readonly seen: ClientState[] = [];
  minted: Minted = mint();
  slotSequence: bigint = 0n;
  globalSequence: bigint = 1n << 63n;

  constructor(options: Partial<ClientOptions> = {}, isSlow: boolean = false) {
    this.transport.isSlow = isSlow;
    const { onStateChange } = options;
    this.client = new NetcodeClient({
      time: START,
      transport: this.transport,
      ...options,
      onStateChange: (previous, next) => {
        this.changes.push(`${CLIENT_STATE_CODES[previous]}>${CLIENT_STATE_CODES[next]}`);
        this.seen.push(this.client.state);
        onStateChange?.(previous, next);
      },
    });
  }

  at(seconds: number): this {
    this.client.update(START + seconds);
    return this;
  }

  connect(minted: Minted = mint()): this {
    this.minted = minted;
    this.client.connect(minted.bytes);
    return this;
  }

  /** What the client sent since the last look: `request#0`, `payload#3` … */
  sent(): string[] {
    return this.transport.take().map(({ bytes }) => {
      const text = label(openAtServer(this.minted, bytes));
      return text.startsWith('request') ? 'request' : text;
    });
  }

  /** Puts a packet of the server in the client's way. */
  from(packet: Packet, sequence: bigint = this.slotSequence++, from: Address = SERVER_ADDRESS): this {
    this.transport.deliver(from, fromServer(this.minted, packet, sequence));
    return this;
  }

  challenge(from: Address = SERVER_ADDRESS): this {
    return this.from({ type: 'challenge', challengeSequence: 7n, challengeData: new Uint8Array(300).fill(9) }, this.globalSequence++, from);
  }

  denied(from: Address = SERVER_ADDRESS): this {
    return this.from({ type: 'denied' }, this.globalSequence++, from);
  }

  keepAlive(clientIndex: number = 2, maxClients: number = 8, from: Address = SERVER_ADDRESS): this {
    return this.from({ type: 'keepAlive', clientIndex, maxClients }, this.slotSequence++, from);
  }

  payload(...bytes: number[]): this {
    return this.from({ type: 'payload', payload: Uint8Array.from(bytes) });
  }

  kick(from: Address = SERVER_ADDRESS): this {
    return this.from({ type: 'disconnect' }, this.slotSequence++, from);
  }

  /** Connects within one update at 0.05 s and forgets what was sent. */
  establish(minted: Minted = mint()): this {
    this.connect(minted).challenge().keepAlive().at(0.05);
    this.transport.take();
    return this;
  }
}
