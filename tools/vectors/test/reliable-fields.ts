import { inside, steps, under, words } from './field-kinds.ts';
import type { FieldKinds } from './field-kinds.ts';

const CONFIG = words(`
  maxPacketSize fragmentAbove maxFragments fragmentSize ackBufferSize sentPacketsBufferSize receivedPacketsBufferSize
  fragmentReassemblyBufferSize rttSmoothingFactor rttHistorySize packetLossSmoothingFactor bandwidthSmoothingFactor packetHeaderSize`);

const STATS = words('rtt rttMin rttMax rttAvg jitterAvg jitterMax jitterStdDev packetLoss sentKbps receivedKbps ackedKbps');

/** Every field of every group of reliable.json whose cases are objects, but for the sequence buffer, whose scripts are rows. */
export const RELIABLE_FIELDS: Readonly<Record<string, FieldKinds>> = {
  headerEncode: { compared: words('sequence ack ackBits hex'), others: [], resultsOnly: false, places: 'all' },
  headerDecode: { compared: words('ok reason bytes sequence ack ackBits canonical'), others: ['hex'], resultsOnly: true, places: 'all' },
  fragmentDecode: {
    compared: words('ok reason fragmentId numFragments fragmentBytes sequence ack ackBits'),
    others: words('hex maxFragments fragmentSize'),
    resultsOnly: true,
    places: 'all',
  },
  scenarios: {
    compared: [
      ...steps('tx tx[] counters counters[] acks acks[] nextSequence delivered delivered[].sequence delivered[].payload refused'),
      ...steps('fnv peerCounters peerCounters[] samples'),
      ...inside('steps', under('stats', STATS)),
      ...inside('steps[].samples', words('i countersA countersA[] countersB countersB[] ackedA ackedB fnvA fnvB')),
      ...inside('steps[].samples', [...under('a', STATS), ...under('b', STATS)]),
    ],
    others: [
      ...words('name note startTime steps'),
      ...under('config.a', CONFIG),
      ...under('config.b', CONFIG),
      ...steps('op ep payload payload.len payload.seed ref data accept time count len deliver every dt lenA lenB clearAcks'),
      ...steps('delayAB delayAB[] delayBA delayBA[] dropAB dropAB[] dropBA dropBA[]'),
    ],
    // Not every refusal can be seen from outside, so a step need not name one.
    optional: ['steps[].refused'],
    resultsOnly: true,
    places: 'some',
  },
};
