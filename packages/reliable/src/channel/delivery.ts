import type { Inbox } from '../inbox.ts';
import type { PeerId } from '../peer-id.ts';
import type { MutableCounters } from '../stats.ts';

/** The way from a connection's channels into an inbox, with the accounts that limit it. One object for each connection, so that the receive path makes none. */
export class Delivery {
  readonly counters: MutableCounters;
  /** Limit of {@link parkedBytes}. */
  readonly maxParkedBytes: number;
  /** Bytes charged for events that wait for a missing one, over all channels of the connection. */
  parkedBytes: number = 0;
  /** Set for the duration of a `receive`. */
  inbox: Inbox<unknown> | undefined = undefined;
  readonly #peer: PeerId;
  readonly #maxPendingEvents: number;
  readonly #maxPendingBytes: number;

  constructor(
    peer: PeerId,
    counters: MutableCounters,
    limits: { readonly maxPendingEvents: number; readonly maxPendingBytes: number; readonly maxParkedBytes: number },
  ) {
    this.#peer = peer;
    this.counters = counters;
    this.maxParkedBytes = limits.maxParkedBytes;
    this.#maxPendingEvents = limits.maxPendingEvents;
    this.#maxPendingBytes = limits.maxPendingBytes;
  }

  /** Whether the inbox takes one more event of `length` bytes from this connection. */
  hasRoom(length: number): boolean {
    return this.inbox!.hasRoom(this.#peer, length, this.#maxPendingEvents, this.#maxPendingBytes);
  }

  /** Puts an event into the inbox and counts it. The payload is copied. */
  deliver(event: number, channel: number, bytes: Uint8Array, offset: number, length: number): void {
    this.counters.eventsReceived++;
    this.inbox!.pushMessage(this.#peer, event, channel, bytes, offset, length);
  }
}
