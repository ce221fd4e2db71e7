import { ReliableEndpoint } from '@x/reliable';
import type { EndpointConfig, EndpointCounters } from '@x/reliable';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';

/** Counters in the order in which the vectors list them. */
const COUNTERS: readonly (keyof EndpointCounters)[] = [
  'packetsSent',
  'packetsReceived',
  'packetsAcked',
  'packetsStale',
  'packetsInvalid',
  'packetsTooLargeToSend',
  'packetsTooLargeToReceive',
  'fragmentsSent',
  'fragmentsReceived',
  'fragmentsInvalid',
  'packetsDuplicate',
];

const OPTIONS = [
  'maxPacketSize',
  'fragmentAbove',
  'maxFragments',
  'fragmentSize',
  'ackBufferSize',
  'sentPacketsBufferSize',
  'receivedPacketsBufferSize',
  'fragmentReassemblyBufferSize',
  'rttSmoothingFactor',
  'rttHistorySize',
  'packetLossSmoothingFactor',
  'bandwidthSmoothingFactor',
  'packetHeaderSize',
] as const;

const STATS = [
  'rtt',
  'rttMin',
  'rttMax',
  'rttAvg',
  'jitterAvg',
  'jitterMax',
  'jitterStdDev',
  'packetLoss',
  'sentKbps',
  'receivedKbps',
  'ackedKbps',
] as const;

/** A packet as the process callback saw it. */
export interface Delivered {
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/** An endpoint of a scenario with what it transmitted and delivered since these were last taken. */
export class ScenarioEndpoint {
  readonly endpoint: ReliableEndpoint;
  /** Answer of the process callback. */
  accepts: boolean = true;
  /** Gets every datagram, a copy, at once. */
  onTransmit: (datagram: Uint8Array) => void = () => undefined;
  #transmitted: Uint8Array[] = [];
  #delivered: Delivered[] = [];

  constructor(config: EndpointConfig, time: number) {
    this.endpoint = new ReliableEndpoint(
      config,
      {
        transmit: (bytes, offset, length) => {
          const datagram = bytes.slice(offset, offset + length);
          this.#transmitted.push(datagram);
          this.onTransmit(datagram);
        },
        process: (bytes, offset, length, sequence) => {
          this.#delivered.push({ sequence, payload: bytes.slice(offset, offset + length) });
          return this.accepts;
        },
      },
      time,
    );
  }

  takeTransmitted(): Uint8Array[] {
    const taken = this.#transmitted;
    this.#transmitted = [];
    return taken;
  }

  takeDelivered(): Delivered[] {
    const taken = this.#delivered;
    this.#delivered = [];
    return taken;
  }

  acks(): number[] {
    return Array.from({ length: this.endpoint.ackCount }, (_, i) => this.endpoint.ackAt(i));
  }

  counters(): number[] {
    return COUNTERS.map((name) => this.endpoint.counters[name]);
  }
}

/** Reads a configuration, which names every option. */
export function readConfig(fields: Fields): EndpointConfig {
  return Object.fromEntries(OPTIONS.map((name) => [name, fields.number(name)]));
}

/** Compares all estimates with the object under `key`, as exact float32 values. */
export function expectStats(fields: Fields, key: string, { endpoint }: ScenarioEndpoint): void {
  fields.object(key, (stats) => {
    for (const name of STATS) stats.expectNumber(name, endpoint.stats[name]);
  });
  expectSame(`members of ${fields.at(key)}`, Object.keys(endpoint.stats).join(), STATS.join());
}

/** Compares what most steps tell about their endpoint after the step. */
export function expectState(fields: Fields, at: ScenarioEndpoint): void {
  fields.expectNumbers('counters', at.counters());
  fields.expectNumbers('acks', at.acks());
  fields.expectNumber('nextSequence', at.endpoint.nextSequence);
}
