import { DEFAULT_PACKET_HEADER_BYTES, MAX_FRAGMENTS } from './constants.ts';
import { ReliableError } from './errors.ts';
import { fragmentCountOf } from './fragment.ts';
import { MAX_COUNT, checkCount, checkFactor, checkRingSize, describe } from './internal/check.ts';

/** Options of an endpoint. Only `fragmentSize` must be the same at both ends, which nothing on the wire checks. */
export interface EndpointConfig {
  /** For messages and logs. Default `endpoint`. */
  readonly name?: string | undefined;
  /** Largest payload, bytes, 1 or more; both directions. Default 16384. */
  readonly maxPacketSize?: number | undefined;
  /** A payload of more bytes than this is sent in fragments; 1 or more. Default 1024. */
  readonly fragmentAbove?: number | undefined;
  /** Most fragments of one packet, 1 … 256; both directions. Must be enough for `maxPacketSize` when that is above `fragmentAbove`. Default 16. */
  readonly maxFragments?: number | undefined;
  /**
   * Payload bytes of a fragment, 1 or more. Default 1024. **Must equal the peer's**: otherwise nearly every fragment is refused, and only the
   * counter `fragmentsInvalid` shows it.
   */
  readonly fragmentSize?: number | undefined;
  /** Room for acks between two calls of `clearAcks` or `drainAcks`, 1 or more. Default 256. */
  readonly ackBufferSize?: number | undefined;
  /** Sent packets that can still be acknowledged, a power of two, 2 … 32768. Default 256. */
  readonly sentPacketsBufferSize?: number | undefined;
  /** Window in which late packets are taken and duplicates recognised, a power of two, 2 … 32768. Default 256. */
  readonly receivedPacketsBufferSize?: number | undefined;
  /** Window, in packets of any kind, in which fragments are put together, a power of two, 1 … 32768. Default 64. */
  readonly fragmentReassemblyBufferSize?: number | undefined;
  /** Weight of a new round-trip sample, 0 … 1. Default 0.0025. */
  readonly rttSmoothingFactor?: number | undefined;
  /** Round-trip samples that minimum, maximum, average and jitter look at, 1 or more. Default 512. */
  readonly rttHistorySize?: number | undefined;
  /** Weight of a new loss figure per update, 0 … 1. Default 0.1. */
  readonly packetLossSmoothingFactor?: number | undefined;
  /** Weight of a new bandwidth figure per update, 0 … 1. Default 0.1. */
  readonly bandwidthSmoothingFactor?: number | undefined;
  /** Bytes that the layers below add to a packet, counted in the bandwidth figures only; 28 for IPv4 and UDP (default), 48 for IPv6. */
  readonly packetHeaderSize?: number | undefined;
}

/** {@link EndpointConfig} with every option present and checked; factors are rounded to float32. */
export type EndpointSettings = Readonly<Required<{ [K in keyof EndpointConfig]: Exclude<EndpointConfig[K], undefined> }>>;

/**
 * Fills in the defaults and checks every option.
 *
 * @throws {@link ReliableError} `INVALID_OPTION` that names the first option at fault.
 * Source: reliable section 2.
 */
export function endpointSettings(config: EndpointConfig): EndpointSettings {
  const settings: EndpointSettings = {
    name: config.name ?? 'endpoint',
    maxPacketSize: config.maxPacketSize ?? 16_384,
    fragmentAbove: config.fragmentAbove ?? 1024,
    maxFragments: config.maxFragments ?? 16,
    fragmentSize: config.fragmentSize ?? 1024,
    ackBufferSize: config.ackBufferSize ?? 256,
    sentPacketsBufferSize: config.sentPacketsBufferSize ?? 256,
    receivedPacketsBufferSize: config.receivedPacketsBufferSize ?? 256,
    fragmentReassemblyBufferSize: config.fragmentReassemblyBufferSize ?? 64,
    rttSmoothingFactor: Math.fround(config.rttSmoothingFactor ?? 0.0025),
    rttHistorySize: config.rttHistorySize ?? 512,
    packetLossSmoothingFactor: Math.fround(config.packetLossSmoothingFactor ?? 0.1),
    bandwidthSmoothingFactor: Math.fround(config.bandwidthSmoothingFactor ?? 0.1),
    packetHeaderSize: config.packetHeaderSize ?? DEFAULT_PACKET_HEADER_BYTES,
  };
  if (typeof settings.name !== 'string') {
    throw new ReliableError('invalidOption', `name: expected a text, got ${describe(settings.name)}`, { field: 'name' });
  }
  checkCount(settings.maxPacketSize, 'maxPacketSize', 1);
  checkCount(settings.fragmentAbove, 'fragmentAbove', 1);
  checkCount(settings.maxFragments, 'maxFragments', 1, MAX_FRAGMENTS);
  checkCount(settings.fragmentSize, 'fragmentSize', 1, MAX_COUNT / MAX_FRAGMENTS);
  checkCount(settings.ackBufferSize, 'ackBufferSize', 1);
  checkRingSize(settings.sentPacketsBufferSize, 'sentPacketsBufferSize', 2);
  checkRingSize(settings.receivedPacketsBufferSize, 'receivedPacketsBufferSize', 2);
  checkRingSize(settings.fragmentReassemblyBufferSize, 'fragmentReassemblyBufferSize', 1);
  checkFactor(config.rttSmoothingFactor ?? 0, 'rttSmoothingFactor');
  checkCount(settings.rttHistorySize, 'rttHistorySize', 1);
  checkFactor(config.packetLossSmoothingFactor ?? 0, 'packetLossSmoothingFactor');
  checkFactor(config.bandwidthSmoothingFactor ?? 0, 'bandwidthSmoothingFactor');
  checkCount(settings.packetHeaderSize, 'packetHeaderSize', 0);
  const needed = fragmentCountOf(settings.maxPacketSize, settings.fragmentSize);
  if (settings.maxPacketSize > settings.fragmentAbove && needed > settings.maxFragments) {
    throw new ReliableError('invalidOption', `maxFragments: expected at least ${needed} for maxPacketSize, got ${settings.maxFragments}`, {
      field: 'maxFragments',
    });
  }
  return settings;
}
