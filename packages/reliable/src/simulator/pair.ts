import { Connection } from '../connection.ts';
import type { ConnectionShared } from '../connection-shared.ts';
import { Inbox } from '../inbox.ts';
import { PeerId } from '../peer-id.ts';
import type { Transmit } from '../transmit.ts';
import { Link, PERFECT } from './link.ts';
import type { LinkConfig } from './link.ts';

/** Tells the two directions' generators apart. */
const OTHER_DIRECTION = 0x5eed_5eed_5eed_5eedn;

/** Both ends, both directions and the seed of a {@link Pair}. */
export interface PairOptions {
  readonly sharedA: ConnectionShared;
  readonly sharedB: ConnectionShared;
  /** Fields that are left out are those of `PERFECT`. */
  readonly aToB: Partial<LinkConfig>;
  readonly bToA: Partial<LinkConfig>;
  /** u64. */
  readonly seed: bigint | number;
}

/**
 * Two connections and the links between them: `a`, by convention the server, and `b`, the client. The same seed and the same calls give the same
 * run, bit for bit.
 *
 * Source: simulator section 3.
 */
export class Pair {
  readonly a: Connection;
  readonly b: Connection;
  readonly aInbox: Inbox<never> = new Inbox<never>(1);
  readonly bInbox: Inbox<never> = new Inbox<never>(1);
  readonly aToB: Link;
  readonly bToA: Link;
  #time: number = 0;
  readonly #sendToA: Transmit;
  readonly #sendToB: Transmit;
  readonly #receiveAtA: Transmit;
  readonly #receiveAtB: Transmit;

  /** @throws {@link ReliableError} `INVALID_OPTION` for a bad link configuration or seed. */
  constructor(options: PairOptions) {
    const seed = BigInt(options.seed);
    const peer = PeerId.of(0, 1);
    this.aToB = new Link(options.aToB, seed);
    this.bToA = new Link(options.bToA, seed ^ OTHER_DIRECTION);
    this.a = new Connection(options.sharedA, peer, 0);
    this.b = new Connection(options.sharedB, peer, 0);
    this.aInbox.openSlot(peer);
    this.bInbox.openSlot(peer);
    this.#sendToA = (bytes, offset, length) => this.bToA.send(this.#time, bytes, offset, length);
    this.#sendToB = (bytes, offset, length) => this.aToB.send(this.#time, bytes, offset, length);
    this.#receiveAtA = (bytes, offset, length) => this.a.receive(bytes, this.aInbox, this.#sendToB, offset, length);
    this.#receiveAtB = (bytes, offset, length) => this.b.receive(bytes, this.bInbox, this.#sendToA, offset, length);
  }

  /** A pair whose ends share one catalogue and configuration and whose directions are alike. */
  static symmetric(shared: ConnectionShared, link: Partial<LinkConfig>, seed: bigint | number): Pair {
    return new Pair({ sharedA: shared, sharedB: shared, aToB: link, bToA: link, seed });
  }

  /** Seconds since both connections were created. */
  get time(): number {
    return this.#time;
  }

  /** One frame of both ends, `dt` seconds later. On a perfect link what one end flushes reaches the other in the next step. */
  step(dt: number): void {
    this.#time += dt;
    this.aInbox.compact();
    this.bInbox.compact();
    this.a.update(this.#time);
    this.b.update(this.#time);
    this.bToA.deliver(this.#time, this.#receiveAtA);
    this.aToB.deliver(this.#time, this.#receiveAtB);
    this.a.writePackets(this.#sendToB);
    this.b.writePackets(this.#sendToA);
  }

  /** Steps until both ends are established, at most `maxSteps` times. Returns whether they are. */
  handshake(dt: number, maxSteps: number): boolean {
    for (let i = 0; i < maxSteps && !this.#isEstablished(); i++) this.step(dt);
    return this.#isEstablished();
  }

  /** Makes both links perfect for datagrams offered from now on. */
  setPerfect(): void {
    this.aToB.setConfig(PERFECT);
    this.bToA.setConfig(PERFECT);
  }

  #isEstablished(): boolean {
    return this.a.state === 'established' && this.b.state === 'established';
  }
}
