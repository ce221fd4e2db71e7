import { SeededRandom } from '@x/testkit';
import { parseAddress } from '../../src/address.ts';
import type { Address } from '../../src/address.ts';
import { generateConnectToken, readConnectToken } from '../../src/connect-token.ts';
import type { ConnectToken, ConnectTokenOptions } from '../../src/connect-token.ts';
import type { NetcodeCounters } from '../../src/counters.ts';
import { readPacket, writePacket } from '../../src/packet-codec.ts';
import type { Packet } from '../../src/packet-codec.ts';
import { encodeRequest } from '../../src/request-packet.ts';
import type { DatagramHandler, Transport } from '../../src/transport.ts';

export const PROTOCOL_ID = 0x1122_3344_5566_7788n;
export const PRIVATE_KEY: Uint8Array = new SeededRandom(0xbeef).bytes(32);
/** The wall clock of tests, and their monotonic clock at the start. */
export const UNIX = 1_700_000_000n;
export const START = 100;
export const SERVER = '10.1.1.1:40000';
export const SERVER_ADDRESS: Address = parseAddress(SERVER);
export const MAX_U64 = 0xffff_ffff_ffff_ffffn;

const drawn = new SeededRandom(1);

/** Keys and nonces of tests: reproducible within a file, never the same twice. */
export function testBytes(count: number): Uint8Array {
  return drawn.bytes(count);
}

export interface Minted {
  bytes: Uint8Array;
  token: ConnectToken;
}

/** A token for {@link SERVER}, created at {@link UNIX}, with an expiry of 30 s and a timeout of 5 s. */
export function mint(options: Partial<ConnectTokenOptions> = {}): Minted {
  const bytes = generateConnectToken({
    publicAddresses: [SERVER],
    clientId: 1n,
    protocolId: PROTOCOL_ID,
    privateKey: PRIVATE_KEY,
    createTimestamp: UNIX,
    randomBytes: testBytes,
    ...options,
  });
  return { bytes, token: readConnectToken(bytes) };
}

/** An address of clients: 10.2.x.y, port 50000. */
export function clientAddressText(n: number): string {
  return `10.2.${n >> 8}.${n & 0xff}:50000`;
}

export function clientAddress(n: number): Address {
  return parseAddress(clientAddressText(n));
}

/** The counters that are not 0. */
export function counted(counters: NetcodeCounters): Partial<Record<string, number>> {
  return Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0));
}

/** How many datagrams were ignored. */
export function ignoredCount(counters: NetcodeCounters): number {
  return Object.entries(counters).reduce((sum, [name, count]) => sum + (name === 'denied' ? 0 : count), 0);
}

export interface Sent {
  to: Address;
  bytes: Uint8Array;
}

/** A transport whose other end is the test. */
export class FakeTransport implements Transport {
  readonly kind: string = 'fake';
  readonly maxDatagramBytes: number = 1300;
  readonly stats: Transport['stats'] = {
    datagramsSent: 0,
    datagramsReceived: 0,
    bytesSent: 0,
    bytesReceived: 0,
    sendErrors: 0,
    receiveErrors: 0,
    dropped: 0,
  };
  onReadable: (() => void) | undefined = undefined;
  onPeerClosed: ((peer: Address) => void) | undefined = undefined;
  isCaughtUp: boolean = true;
  /** Whether it needs time to catch up, as a socket does; else it is always caught up, as a pulled transport is. */
  isSlow: boolean = false;
  catchUps: number = 0;
  flushes: number = 0;
  closes: number = 0;
  ports: { ipv4: number; ipv6: number } = { ipv4: 0, ipv6: 0 };
  sent: Sent[] = [];
  inbox: { from: Address; bytes: Uint8Array }[] = [];

  boundPort(family: 'ipv4' | 'ipv6'): number {
    return this.ports[family];
  }

  send(to: Address, bytes: Uint8Array, offset: number, length: number): boolean {
    if (this.closes > 0) throw new Error('sent after close');
    this.sent.push({ to, bytes: bytes.slice(offset, offset + length) });
    return true;
  }

  poll(handler: DatagramHandler): void {
    for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) handler(next.from, next.bytes, 0, next.bytes.length);
  }

  flush(): void {
    this.flushes++;
  }

  startCatchUp(): void {
    this.catchUps++;
    this.isCaughtUp = !this.isSlow;
  }

  close(): void {
    this.closes++;
  }

  deliver(from: Address, bytes: Uint8Array): void {
    this.inbox.push({ from, bytes });
  }

  /** What was sent since the last call. */
  take(): Sent[] {
    return this.sent.splice(0);
  }
}

export type Opened = { packet: Packet; sequence: bigint } | { refused: string };

/** Seals what a server sends to the holder of a token. */
export function fromServer(minted: Minted, packet: Packet, sequence: bigint): Uint8Array {
  return writePacket(packet, { protocolId: PROTOCOL_ID, sequence, key: minted.token.serverToClientKey });
}

/** Seals what the holder of a token sends. */
export function fromClient(minted: Minted, packet: Packet, sequence: bigint): Uint8Array {
  return writePacket(packet, { protocolId: PROTOCOL_ID, sequence, key: minted.token.clientToServerKey });
}

/** Opens what a server sent to the holder of a token. */
export function openAtClient(minted: Minted, bytes: Uint8Array): Opened {
  return readPacket(bytes, { side: 'client', protocolId: PROTOCOL_ID, unixSeconds: 0n, readKey: minted.token.serverToClientKey });
}

/** Opens what the holder of a token sent. */
export function openAtServer(minted: Minted, bytes: Uint8Array): Opened {
  const { clientToServerKey } = minted.token;
  return readPacket(bytes, {
    side: 'server',
    protocolId: PROTOCOL_ID,
    unixSeconds: 0n,
    readKey: clientToServerKey,
    privateKey: PRIVATE_KEY,
  });
}

/** `type#sequence` of an opened packet; a number above 2^63 as `g` and the rest. */
export function label(opened: Opened): string {
  if ('refused' in opened) return opened.refused;
  const { packet, sequence } = opened;
  return `${packet.type}#${sequence >> 63n === 1n ? `g${sequence - (1n << 63n)}` : sequence}`;
}

/** The client's side of the protocol by hand: every packet is made when the test asks for it. */
export class RawClient {
  readonly minted: Minted;
  readonly address: Address;
  sequence: bigint = 0n;

  constructor(minted: Minted, address: Address) {
    this.minted = minted;
    this.address = address;
  }

  request(): Uint8Array {
    this.sequence++;
    return encodeRequest(this.minted.token);
  }

  seal(packet: Packet): Uint8Array {
    return fromClient(this.minted, packet, this.sequence++);
  }

  response(challenge: Opened): Uint8Array {
    if ('refused' in challenge || challenge.packet.type !== 'challenge') throw new Error(`not a challenge: ${label(challenge)}`);
    return this.seal({ ...challenge.packet, type: 'response' });
  }

  payload(...bytes: number[]): Uint8Array {
    return this.seal({ type: 'payload', payload: Uint8Array.from(bytes) });
  }

  keepAlive(): Uint8Array {
    return this.seal({ type: 'keepAlive', clientIndex: 0, maxClients: 0 });
  }

  disconnect(): Uint8Array {
    return this.seal({ type: 'disconnect' });
  }
}
