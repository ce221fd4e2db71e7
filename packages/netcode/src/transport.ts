import type { Address } from './address.ts';

/**
 * Takes one datagram. `bytes` is borrowed: valid during the call. The owner may decrypt in place.
 */
export type DatagramHandler = (from: Address, bytes: Uint8Array, offset: number, length: number) => void;

/** What a transport has counted since it was opened; a live view. */
export type TransportStats = Readonly<
  Record<'datagramsSent' | 'datagramsReceived' | 'bytesSent' | 'bytesReceived' | 'sendErrors' | 'receiveErrors' | 'dropped', number>
>;

/** The record behind {@link TransportStats}. */
export type MutableTransportStats = { -readonly [K in keyof TransportStats]: number };

/** Makes a record with every count at 0. */
export function createTransportStats(): MutableTransportStats {
  return { datagramsSent: 0, datagramsReceived: 0, bytesSent: 0, bytesReceived: 0, sendErrors: 0, receiveErrors: 0, dropped: 0 };
}

/**
 * Where datagrams come from and go to: UDP, a carrier in a browser, a batched socket, a test's memory. It belongs to one client or server,
 * which calls `flush` at the end of each update and `close` with itself. The two `on…` hooks belong to whoever drives it: client and server leave them alone.
 */
export interface Transport {
  /** `udp`, `memory`, … */
  readonly kind: string;
  /** Largest datagram that it carries, in bytes. */
  readonly maxDatagramBytes: number;
  readonly stats: TransportStats;
  /** The local port of that family's socket; 0 when there is none. */
  boundPort(family: 'ipv4' | 'ipv6'): number;
  /** Sends `bytes[offset … offset + length)`, consumed or copied before it returns. False: dropped and counted. Never throws. */
  send(to: Address, bytes: Uint8Array, offset: number, length: number): boolean;
  /** Hands over everything that has arrived, oldest first, without empty datagrams. */
  poll(handler: DatagramHandler): void;
  /** Sends what was gathered; does nothing once closed. */
  flush(): void;
  /** Begins to watch whether everything that waited has been read (protocol section 10.1). */
  startCatchUp(): void;
  /** True once everything that waited when {@link Transport.startCatchUp} was called has been read; always true for pulled transports. */
  readonly isCaughtUp: boolean;
  /** Set by whoever drives the owner; called at most once per loop turn while something waits. */
  onReadable: (() => void) | undefined;
  /** Set by whoever drives the owner; connection-oriented carriers call it when a peer is gone. */
  onPeerClosed: ((peer: Address) => void) | undefined;
  /** Idempotent. */
  close(): void;
}
