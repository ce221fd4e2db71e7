import { FRAGMENT_HEADER_BYTES, MAX_FRAGMENTS } from './constants.ts';
import { checkRange } from './internal/check.ts';
import { FRAGMENT_FLAG, packetHeaderPrefix, readPacketHeader } from './packet-header.ts';
import type { PacketHeader } from './packet-header.ts';

// A fragment of a packet (reliable section 6), one datagram:
//
// | offset | bytes | type  | meaning                                                     | reject                                               |
// | ------ | ----- | ----- | ----------------------------------------------------------- | ---------------------------------------------------- |
// |        | ≥ 5   |       | the whole datagram                                          | `fragment-short`                                     |
// | 0      | 1     | u8    | prefix, exactly 1                                           | `fragment-bad-prefix`                                |
// | 1      | 2     | u16   | sequence of the packet                                      |                                                      |
// | 3      | 1     | u8    | fragment id, from 0                                         | `fragment-id-over-count`                             |
// | 4      | 1     | u8    | number of fragments − 1                                     | `fragment-count-over-max` (before the id is tested)  |
// | 5      | 4 … 9 |       | fragment 0 only: the packet's header (packet-header.ts)     | its `header-…` ids; `fragment-sequence-mismatch`;    |
// |        |       |       |                                                             | `fragment-header-not-canonical`: not the short form  |
// | …      | rest  | bytes | exactly `fragmentSize` of the payload; the last fragment    | `fragment-too-large`: more;                          |
// |        |       |       | has what is left, possibly nothing                          | `fragment-wrong-size`: fewer and not the last        |
//
// All fragments carry the packet's sequence. `fragmentSize` is not on the wire: both ends must use the same, a receiver with another one
// refuses nearly every fragment.

/** What a fragment says: where its data is, and for fragment 0 the packet's header. Filled in by {@link readFragment}. */
export interface FragmentHeader extends PacketHeader {
  /** 0 … `fragmentCount` − 1. */
  fragmentId: number;
  /** 1 … 256. */
  fragmentCount: number;
  /** First data byte, as an index of the array that was read. */
  dataOffset: number;
  /** Number of data bytes, 0 … `fragmentSize`. */
  dataLength: number;
}

/** What a reader must know of the sender. */
export interface FragmentLimits {
  /** Most fragments of a packet, 1 … 256. */
  maxFragments: number;
  /** Payload bytes of every fragment but the last. */
  fragmentSize: number;
}

/** How many fragments a payload takes. */
export function fragmentCountOf(payloadBytes: number, fragmentSize: number): number {
  return Math.ceil(payloadBytes / fragmentSize);
}

/** Writes a fragment header; `out` has 5 bytes from `offset`. Returns 5. */
export function putFragmentHeader(out: Uint8Array, offset: number, sequence: number, fragmentId: number, fragmentCount: number): number {
  out[offset] = FRAGMENT_FLAG;
  out[offset + 1] = sequence;
  out[offset + 2] = sequence >>> 8;
  out[offset + 3] = fragmentId;
  out[offset + 4] = fragmentCount - 1;
  return FRAGMENT_HEADER_BYTES;
}

/**
 * Reads a fragment and checks all that can be checked without other fragments.
 *
 * @param bytes - the whole datagram; only read.
 * @param o - what this end accepts.
 * @param out - filled in; `ack` and `ackBits` are 0 unless this is fragment 0. Unspecified after a refusal.
 * @returns `undefined`, or the id of the check that refused it.
 * @throws `ReliableError` `INVALID_RANGE` when a limit is out of range.
 * Source: reliable section 6.
 */
export function readFragment(bytes: Uint8Array, o: FragmentLimits, out: FragmentHeader): string | undefined {
  checkRange(o.maxFragments, 'maxFragments', 1, MAX_FRAGMENTS);
  checkRange(o.fragmentSize, 'fragmentSize', 1, Number.MAX_SAFE_INTEGER);
  return parseFragment(bytes, 0, bytes.length, o, out);
}

/** {@link readFragment} on the bytes from `offset` to before `end`, without the check of the limits. */
export function parseFragment(
  bytes: Uint8Array,
  offset: number,
  end: number,
  o: Readonly<FragmentLimits>,
  out: FragmentHeader,
): string | undefined {
  if (end - offset < FRAGMENT_HEADER_BYTES) return 'fragment-short';
  if (bytes[offset] !== FRAGMENT_FLAG) return 'fragment-bad-prefix';
  const sequence = bytes[offset + 1]! | (bytes[offset + 2]! << 8);
  const id = bytes[offset + 3]!;
  const count = bytes[offset + 4]! + 1;
  if (count > o.maxFragments) return 'fragment-count-over-max';
  if (id >= count) return 'fragment-id-over-count';
  let at = offset + FRAGMENT_HEADER_BYTES;
  if (id === 0) {
    const header = readPacketHeader(bytes, at, end, out);
    if (typeof header === 'string') return header;
    if (out.sequence !== sequence) return 'fragment-sequence-mismatch';
    // The prefix decides which parts follow, so the header is in its short form exactly when its prefix is the one a writer gives.
    if (bytes[at] !== packetHeaderPrefix(sequence, out.ack, out.ackBits | 0)) return 'fragment-header-not-canonical';
    at += header;
  } else {
    out.sequence = sequence;
    out.ack = 0;
    out.ackBits = 0;
  }
  const length = end - at;
  if (length > o.fragmentSize) return 'fragment-too-large';
  if (id < count - 1 && length !== o.fragmentSize) return 'fragment-wrong-size';
  out.fragmentId = id;
  out.fragmentCount = count;
  out.dataOffset = at;
  out.dataLength = length;
  return undefined;
}
