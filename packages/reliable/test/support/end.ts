import { ReliableEndpoint } from '../../src/index.ts';
import type { EndpointConfig } from '../../src/index.ts';

/** An endpoint and copies of all it transmitted and processed. */
export class End {
  readonly endpoint: ReliableEndpoint;
  accepts: boolean = true;
  transmitted: Uint8Array[] = [];
  processed: { readonly sequence: number; readonly payload: Uint8Array }[] = [];

  constructor(config: EndpointConfig = {}, time: number = 100) {
    this.endpoint = new ReliableEndpoint(
      config,
      {
        transmit: (bytes, offset, length) => this.transmitted.push(bytes.slice(offset, offset + length)),
        process: (bytes, offset, length, sequence) => {
          this.processed.push({ sequence, payload: bytes.slice(offset, offset + length) });
          return this.accepts;
        },
      },
      time,
    );
  }

  send(payload: Uint8Array | number): Uint8Array[] {
    this.endpoint.send(typeof payload === 'number' ? pattern(payload) : payload);
    return this.take();
  }

  /** What was transmitted since the last take. */
  take(): Uint8Array[] {
    return this.transmitted.splice(0);
  }

  receive(...datagrams: readonly Uint8Array[]): void {
    for (const datagram of datagrams) this.endpoint.receive(datagram);
  }

  acks(): number[] {
    return Array.from({ length: this.endpoint.ackCount }, (_, i) => this.endpoint.ackAt(i));
  }

  sequences(): number[] {
    return this.processed.map(({ sequence }) => sequence);
  }
}

/** A payload with recognisable content. */
export function pattern(length: number, seed: number = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => seed + 31 * i + 7 * (i >>> 8));
}
