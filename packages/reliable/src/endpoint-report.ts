import type { RttHistory } from './rtt-history.ts';
import type { Traffic } from './traffic.ts';

/** What an endpoint has counted since it was made or reset. A packet counts once, in fragments or not. */
export interface EndpointCounters {
  /** Packets sent. */
  readonly packetsSent: number;
  /** Packets received, before any check of their content; in fragments, when complete. */
  readonly packetsReceived: number;
  /** Sent packets that the peer has acknowledged, as far as there was room to report them. */
  readonly packetsAcked: number;
  /** Packets older than the window. */
  readonly packetsStale: number;
  /** Packets with an unreadable header, and empty datagrams. */
  readonly packetsInvalid: number;
  /** Packets refused by `send` for their size. */
  readonly packetsTooLargeToSend: number;
  /** Datagrams and packets above the largest size. */
  readonly packetsTooLargeToReceive: number;
  /** Fragments sent. */
  readonly fragmentsSent: number;
  /** Fragments received that were new. */
  readonly fragmentsReceived: number;
  /** Fragments refused: unreadable, late, or of another fragment size or count than expected. */
  readonly fragmentsInvalid: number;
  /** Packets received before. Repeated fragments are not counted. */
  readonly packetsDuplicate: number;
}

/** What an endpoint estimates: float32 values, all finite and 0 or more. Milliseconds; percent 0 … 100; kilobits (of 1000) per second. */
export interface EndpointStats {
  /** Round-trip time, smoothed per ack; 0 before the first. */
  readonly rtt: number;
  /** Over the last samples (`rttHistorySize`); all 0 without samples. */
  readonly rttMin: number;
  readonly rttMax: number;
  readonly rttAvg: number;
  /** Against `rttMin`: average and largest. */
  readonly jitterAvg: number;
  readonly jitterMax: number;
  /** Standard deviation of the samples. */
  readonly jitterStdDev: number;
  /** Sent packets that were not acknowledged, smoothed per update. */
  readonly packetLoss: number;
  /** Smoothed per update; a value stays when traffic stops. */
  readonly sentKbps: number;
  readonly receivedKbps: number;
  readonly ackedKbps: number;
}

/** The counters as their owner writes them. */
export type MutableCounters = { -readonly [K in keyof EndpointCounters]: number };

/** Counters at 0. */
export function newCounters(): MutableCounters {
  return {
    packetsSent: 0,
    packetsReceived: 0,
    packetsAcked: 0,
    packetsStale: 0,
    packetsInvalid: 0,
    packetsTooLargeToSend: 0,
    packetsTooLargeToReceive: 0,
    fragmentsSent: 0,
    fragmentsReceived: 0,
    fragmentsInvalid: 0,
    packetsDuplicate: 0,
  };
}

/** Sets every counter to 0. */
export function resetCounters(counters: MutableCounters): void {
  Object.assign(counters, newCounters());
}

/** A live view of the estimates. Its values are enumerable, so that it can be copied and printed. */
export function statsView(rtt: RttHistory, sent: Traffic, received: Traffic): EndpointStats {
  return Object.freeze({
    get rtt() {
      return rtt.rtt;
    },
    get rttMin() {
      return rtt.min;
    },
    get rttMax() {
      return rtt.max;
    },
    get rttAvg() {
      return rtt.average;
    },
    get jitterAvg() {
      return rtt.jitterAverage;
    },
    get jitterMax() {
      return rtt.jitterMax;
    },
    get jitterStdDev() {
      return rtt.jitterDeviation;
    },
    get packetLoss() {
      return sent.loss;
    },
    get sentKbps() {
      return sent.kbps;
    },
    get receivedKbps() {
      return received.kbps;
    },
    get ackedKbps() {
      return sent.ackedKbps;
    },
  });
}
