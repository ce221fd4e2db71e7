import { inside, under, words } from './field-kinds.ts';
import type { FieldKinds } from './field-kinds.ts';

const COUNTERS = words(`
  packets_sent datagrams_sent bytes_sent datagrams_received bytes_received packets_received events_queued events_sent events_resent
  events_received events_dropped_on_send events_dropped_on_receive duplicate_events malformed_packets packets_refused`);

const LINK_CONFIG = words('latency jitter loss duplicate corrupt');
const LINK_COUNTERS = words('sent lost duplicated corrupted delivered bytes');

/** Figures that only some runs expect. */
const RUN_EXTRAS = under(
  'expect',
  words('summary rttAvgMs rttAvgRounded maxPacketsInOneStep received packetsForTheBatch inboxLength inboxLengthBeforePolling chatReceived'),
);

const MESSAGE = words('event channel payload');

/** What stands for the fields of `eventIds`, which are named after the events. */
export const EVENT_ID = 'eventIds.*';

/** Every field of every group of events.json. */
export const EVENTS_FIELDS: Readonly<Record<string, FieldKinds>> = {
  schemas: {
    compared: [
      ...under('declare', words('schemaVersion maxMessagesPerPacket channels events')),
      ...inside('declare.channels', words('name delivery capacity')),
      ...inside('declare.events', words('name channel maxPayload codecVersion')),
      ...words('fingerprint fingerprintWireBytes canonicalBytes canonicalHex sha256'),
      EVENT_ID,
      ...under('layout', words('sectionCountBits channelBits countBits eventBits lengthBits lengthBits[] headerBits headerBitsWithHello')),
      ...under('layout', words('worstCaseSingleMessageOverheadBytes largestPayloadAt32KiB')),
    ],
    others: words('name source'),
    optional: words('declare.maxMessagesPerPacket declare.channels[].capacity declare.events[].codecVersion canonicalHex'),
    resultsOnly: false,
    places: 'all',
  },
  packets: {
    compared: [
      ...words('hello sections hex bytes'),
      ...inside('sections', words('channel messages messages[].event messages[].eventId messages[].payload messages[].id')),
    ],
    others: words('name schema source'),
    resultsOnly: false,
    places: 'all',
  },
  malformed: { compared: ['kind'], others: words('name schema hex note'), resultsOnly: true, places: 'all' },
  mismatches: { compared: words('wireVersion fingerprint failure'), others: words('name schema hex'), resultsOnly: true, places: 'all' },
  truncations: { compared: words('schema kinds kinds[]'), others: words('name packet'), resultsOnly: true, places: 'all' },
  relative: { compared: words('delta bits pattern'), others: [], resultsOnly: false, places: 'all' },
  seq16: { compared: words('since aNewerThanB aOlderThanB'), others: words('a b'), resultsOnly: true, places: 'all' },
  peerIds: {
    compared: words('value storedGeneration display debug'),
    others: words('slot generation'),
    resultsOnly: true,
    places: 'all',
  },
  rng: {
    compared: words('nextU64[] unit[] below100[]'),
    others: words('seed nextU64 unit below100'),
    resultsOnly: true,
    places: 'all',
  },
  links: {
    compared: [...words('delivered delivered[] delivered[][]'), ...under('counters', LINK_COUNTERS)],
    others: [...words('name seed offered'), ...under('config', LINK_CONFIG)],
    resultsOnly: true,
    places: 'all',
  },
  runs: {
    compared: [
      ...words('dt handshakeSteps expect.steps expect.time expect.datagramDigest'),
      ...under('expect.a', COUNTERS),
      ...under('expect.b', COUNTERS),
      ...under('expect.aToB', LINK_COUNTERS),
      ...under('expect.bToA', LINK_COUNTERS),
      ...RUN_EXTRAS,
    ],
    others: [
      ...words('name schema seed handshakeMaxSteps how source config.max_packets_per_flush config.max_pending_events'),
      ...under('link', LINK_CONFIG),
    ],
    optional: RUN_EXTRAS,
    resultsOnly: true,
    places: 'one',
  },
  transcripts: {
    compared: [
      ...words('link dt datagrams events.a events.a[] events.b events.b[] aInbox bInbox'),
      ...inside('datagrams', words('step dir hex')),
      ...inside('aInbox', MESSAGE),
      ...inside('bInbox', MESSAGE),
      ...under('counters.a', COUNTERS),
      ...under('counters.b', COUNTERS),
    ],
    others: words('name schemaA schemaB how'),
    // Where the words do not give the number of steps, it follows from these.
    inputsToo: words('counters.a.datagrams_received counters.b.datagrams_received'),
    resultsOnly: true,
    places: 'all',
  },
  connectionInputs: {
    compared: [
      ...inside('ops', words('flush flush[] pollAll immediate immediate[]')),
      ...inside('ops[].pollAll', MESSAGE),
      ...under('expect', words('state events events[] events[].failed.type events[].failed.local events[].failed.remote')),
      ...under('expect', words('lastMalformed inboxLength')),
      ...under('expect.counters', COUNTERS),
    ],
    others: [
      ...words('name schema note ops config.max_pending_events config.handshake_timeout'),
      ...inside('ops', words('receive label update')),
    ],
    // What is done in a step follows from which of these it has.
    optional: words('ops[].flush ops[].immediate'),
    resultsOnly: true,
    places: 'all',
  },
  captures: {
    compared: [
      ...words('schema payloads records headerBytes outcome error recordsBefore'),
      ...inside('records', words('kind time peer.slot peer.generation clientId event channel reason')),
    ],
    // A capture without payloads does not show them, and not every change of a bad capture makes another one.
    others: words('name hex records[].payload'),
    optional: words('records recordsBefore payloads'),
    resultsOnly: false,
    places: 'all',
  },
  transportConfig: {
    compared: ['message'],
    others: [
      'name',
      ...under(
        'config',
        words(`
          max_pending_events fragment_size fragment_above max_packet_size packet_budget max_packets_per_flush handshake_timeout
          mismatch_linger idle_packet_interval malformed_limit sent_packets_buffer_size rtt_history_size rtt_smoothing_factor
          bandwidth_smoothing_factor`),
      ),
    ],
    resultsOnly: true,
    places: 'all',
  },
  schemaAgainstConfig: {
    compared: ['error', ...under('error', words('kind event maxPayload limit message what'))],
    others: words(`
      name schema config.max_packet_size config.max_pending_bytes config.max_parked_bytes config.received_packets_buffer_size`),
    optional: words('error.message error.what'),
    resultsOnly: true,
    places: 'all',
  },
  schemaBuilder: {
    compared: ['error', ...under('error', words('kind message at'))],
    others: [
      ...words('name steps maxMessagesPerPacket'),
      ...inside('steps', under('channel', words('name delivery capacity overflow resendInterval'))),
      ...inside('steps', under('event', words('name channel maxPayload'))),
    ],
    optional: words('error.message error.at'),
    resultsOnly: true,
    places: 'all',
  },
};
