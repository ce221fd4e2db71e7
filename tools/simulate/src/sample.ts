import type { Pair } from '@x/reliable/simulator';

/** The state of a pair after one step. Counts are those since the start. */
export interface Sample {
  readonly step: number;
  /** Seconds. */
  readonly time: number;
  readonly bPackets: number;
  readonly bSent: number;
  readonly bResent: number;
  readonly bToALost: number;
  readonly aPackets: number;
  readonly aToBLost: number;
  readonly aReceived: number;
  readonly aDuplicates: number;
  /** Events queued at b, those that were acknowledged behind one that was not included. */
  readonly bQueued: number;
  /** Bytes of these. */
  readonly bQueuedBytes: number;
  /** Bytes that a holds for events that wait for a missing one. */
  readonly aParkedBytes: number;
  /** Round trip as b estimates it: smoothed, smallest and largest, milliseconds; 0 before the first. */
  readonly rtt: number;
  readonly rttMin: number;
  readonly rttMax: number;
  /** Loss as b estimates it, percent. */
  readonly packetLoss: number;
  /** Share of the datagrams that the links really dropped, percent. */
  readonly bToALossPercent: number;
  readonly aToBLossPercent: number;
  /** Rates as b estimates them, kilobits per second. */
  readonly sentKbps: number;
  readonly ackedKbps: number;
  /** Bytes offered to the links. */
  readonly bToABytes: number;
  readonly aToBBytes: number;
}

/** Looks at a pair after a step. */
export function takeSample(pair: Pair, step: number): Sample {
  const { a, b, aToB, bToA, time } = pair;
  return {
    step,
    time,
    bPackets: b.counters.packetsSent,
    bSent: b.counters.eventsSent,
    bResent: b.counters.eventsResent,
    bToALost: bToA.counters.lost,
    aPackets: a.counters.packetsSent,
    aToBLost: aToB.counters.lost,
    aReceived: a.counters.eventsReceived,
    aDuplicates: a.counters.duplicateEvents,
    bQueued: b.queued(0),
    bQueuedBytes: b.queuedBytes,
    aParkedBytes: a.parkedBytes,
    rtt: b.stats.rtt,
    rttMin: b.stats.rttMin,
    rttMax: b.stats.rttMax,
    packetLoss: b.stats.packetLoss,
    bToALossPercent: percent(bToA.counters.lost, bToA.counters.sent),
    aToBLossPercent: percent(aToB.counters.lost, aToB.counters.sent),
    sentKbps: b.stats.sentKbps,
    ackedKbps: b.stats.ackedKbps,
    bToABytes: bToA.counters.bytes,
    aToBBytes: aToB.counters.bytes,
  };
}

/** At most `most` samples, evenly spread, the last one always among them. */
export function thin(samples: readonly Sample[], most: number): readonly Sample[] {
  const every = Math.ceil(samples.length / most);
  return every <= 1 ? samples : samples.filter((_, i) => (samples.length - 1 - i) % every === 0);
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}
