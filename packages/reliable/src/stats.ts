import type { EndpointStats } from './endpoint-report.ts';

/** Names of the counters of a connection, in the order of the specification. */
export const COUNTER_NAMES = [
  'packetsSent',
  'datagramsSent',
  'bytesSent',
  'datagramsReceived',
  'bytesReceived',
  'packetsReceived',
  'eventsQueued',
  'eventsSent',
  'eventsResent',
  'eventsReceived',
  'eventsDroppedOnSend',
  'eventsDroppedOnReceive',
  'duplicateEvents',
  'malformedPackets',
  'packetsRefused',
] as const;

/**
 * What a connection has counted since it was made.
 *
 * | counter                  | one more for                                                                                       |
 * | ------------------------ | -------------------------------------------------------------------------------------------------- |
 * | `packetsSent`            | a connection packet sent; not for the hello of a failed connection                                 |
 * | `datagramsSent`          | a datagram of those packets, each fragment                                                         |
 * | `bytesSent`              | a byte of those datagrams                                                                          |
 * | `datagramsReceived`      | a datagram that was not empty, given to a connection that had not failed                           |
 * | `bytesReceived`          | a byte of those                                                                                    |
 * | `packetsReceived`        | a packet that was accepted                                                                         |
 * | `eventsQueued`           | an event that `trySend` took, one dropped by policy included                                       |
 * | `eventsSent`             | an event written for the first time                                                                |
 * | `eventsResent`           | a reliable event written again                                                                     |
 * | `eventsReceived`         | an event that entered the inbox                                                                    |
 * | `eventsDroppedOnSend`    | an event dropped by the overflow policy                                                            |
 * | `eventsDroppedOnReceive` | an unreliable event without room in the inbox, or in a refused packet                              |
 * | `duplicateEvents`        | a reliable event that had been received before                                                     |
 * | `malformedPackets`       | a packet that breaks the wire format                                                               |
 * | `packetsRefused`         | a packet whose reliable events found no room; the peer sends them again                            |
 */
export type Counters = Readonly<Record<(typeof COUNTER_NAMES)[number], number>>;

/** The counters as their owner writes them. */
export type MutableCounters = { -readonly [K in keyof Counters]: number };

/** Counters at 0, as one object literal so that all connections share its shape. */
export function newCounters(): MutableCounters {
  return {
    packetsSent: 0,
    datagramsSent: 0,
    bytesSent: 0,
    datagramsReceived: 0,
    bytesReceived: 0,
    packetsReceived: 0,
    eventsQueued: 0,
    eventsSent: 0,
    eventsResent: 0,
    eventsReceived: 0,
    eventsDroppedOnSend: 0,
    eventsDroppedOnReceive: 0,
    duplicateEvents: 0,
    malformedPackets: 0,
    packetsRefused: 0,
  };
}

/**
 * What a connection estimates, float32 values, all finite and 0 or more. Times in milliseconds, loss in percent, rates in kilobits (of 1000) per
 * second. `jitter` and `jitterMax` are against the smallest round-trip time, `jitterStddev` against the average.
 */
export type ConnectionStats = Readonly<
  Record<
    | 'rtt'
    | 'rttMin'
    | 'rttMax'
    | 'rttAvg'
    | 'jitter'
    | 'jitterMax'
    | 'jitterStddev'
    | 'packetLoss'
    | 'sentKbps'
    | 'receivedKbps'
    | 'ackedKbps',
    number
  >
>;

/** A live view of an endpoint's estimates under the names of this layer. Its values are enumerable, so that it can be copied and printed. */
export function connectionStats(stats: EndpointStats): ConnectionStats {
  return Object.freeze({
    get rtt() {
      return stats.rtt;
    },
    get rttMin() {
      return stats.rttMin;
    },
    get rttMax() {
      return stats.rttMax;
    },
    get rttAvg() {
      return stats.rttAvg;
    },
    get jitter() {
      return stats.jitterAvg;
    },
    get jitterMax() {
      return stats.jitterMax;
    },
    get jitterStddev() {
      return stats.jitterStdDev;
    },
    get packetLoss() {
      return stats.packetLoss;
    },
    get sentKbps() {
      return stats.sentKbps;
    },
    get receivedKbps() {
      return stats.receivedKbps;
    },
    get ackedKbps() {
      return stats.ackedKbps;
    },
  });
}
