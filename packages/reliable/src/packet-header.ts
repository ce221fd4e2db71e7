import { MAX_PACKET_HEADER_BYTES } from './constants.ts';
import { ReliableError } from './errors.ts';
import { checkRange } from './internal/check.ts';
import { sequencesSince } from './sequence.ts';

// The header of every packet (reliable section 5), 4 … 9 bytes, followed by the payload:
//
// | offset | bytes  | type | meaning                                                                  | reject                              |
// | ------ | ------ | ---- | ------------------------------------------------------------------------ | ----------------------------------- |
// | 0      | 1      | u8   | prefix, see below                                                        | `header-short-fixed`: < 3 bytes     |
// |        |        |      |                                                                          | `header-not-regular`: bit 0 is set  |
// | 1      | 2      | u16  | sequence                                                                 |                                     |
// | 3      | 1 or 2 |      | ack: u8 (sequence − ack) mod 65536 where that is ≤ 255, else the ack, u16 | `header-short-ack8`, `…-ack16`      |
// | …      | 0 … 4  | u8   | the present bytes of the ack bits, lowest first; an absent one is 0xff   | `header-short-ackbits`              |
//
// | prefix bit | meaning                                                                     |
// | ---------- | --------------------------------------------------------------------------- |
// | 0          | 0 = packet, 1 = fragment                                                    |
// | 1 … 4      | byte 0 … 3 of the ack bits is present, because it is not 0xff               |
// | 5          | the ack is one byte                                                         |
// | 6, 7       | written 0, ignored on reading                                               |
//
// Bit n of the ack bits acknowledges `ack − n`; bit 0 is `ack` itself. Writers use the shortest form. Readers take longer ones too, except
// inside a fragment, see fragment.ts.

/** Prefix bit of a fragment. */
export const FRAGMENT_FLAG = 0x01;
const ACK_BYTE_FLAG = 0x20;

/** What a packet header says. The readers fill in one that the caller keeps. */
export interface PacketHeader {
  /** u16. */
  sequence: number;
  /** u16. */
  ack: number;
  /** u32; bit n acknowledges `ack − n`. */
  ackBits: number;
}

/** The prefix that a writer gives to this header; all its optional parts follow from it. */
export function packetHeaderPrefix(sequence: number, ack: number, ackBits: number): number {
  return (
    ((ackBits & 0xff) !== 0xff ? 0x02 : 0) |
    ((ackBits & 0xff00) !== 0xff00 ? 0x04 : 0) |
    ((ackBits & 0xff_0000) !== 0xff_0000 ? 0x08 : 0) |
    (ackBits >>> 24 !== 0xff ? 0x10 : 0) |
    (sequencesSince(sequence, ack) <= 255 ? ACK_BYTE_FLAG : 0)
  );
}

/**
 * Writes a packet header in its shortest form.
 *
 * @param out - at least 9 bytes from `offset`.
 * @param sequence - u16.
 * @param ack - u16, the newest sequence received.
 * @param ackBits - u32 (or the same bits as a signed number); bit n acknowledges `ack − n`.
 * @returns the length of the header, 4 … 9.
 * @throws {@link ReliableError} `INVALID_RANGE` for a value out of range, `BUFFER_TOO_SMALL` when `out` has fewer bytes.
 * Source: reliable section 5.
 */
export function writePacketHeader(out: Uint8Array, offset: number, sequence: number, ack: number, ackBits: number): number {
  checkRange(sequence, 'sequence', 0, 0xffff);
  checkRange(ack, 'ack', 0, 0xffff);
  checkRange(ackBits, 'ackBits', -0x8000_0000, 0xffff_ffff);
  checkRange(offset, 'offset', 0, out.length);
  if (out.length - offset < MAX_PACKET_HEADER_BYTES) {
    throw new ReliableError('bufferTooSmall', `out: expected ${MAX_PACKET_HEADER_BYTES} bytes from offset, got ${out.length - offset}`, {
      field: 'out',
    });
  }
  return putPacketHeader(out, offset, sequence, ack, ackBits);
}

/** {@link writePacketHeader} without its checks. */
export function putPacketHeader(out: Uint8Array, offset: number, sequence: number, ack: number, ackBits: number): number {
  const prefix = packetHeaderPrefix(sequence, ack, ackBits);
  out[offset] = prefix;
  out[offset + 1] = sequence;
  out[offset + 2] = sequence >>> 8;
  let at = offset + 3;
  if ((prefix & ACK_BYTE_FLAG) !== 0) {
    out[at++] = sequence - ack;
  } else {
    out[at++] = ack;
    out[at++] = ack >>> 8;
  }
  if ((prefix & 0x02) !== 0) out[at++] = ackBits;
  if ((prefix & 0x04) !== 0) out[at++] = ackBits >>> 8;
  if ((prefix & 0x08) !== 0) out[at++] = ackBits >>> 16;
  if ((prefix & 0x10) !== 0) out[at++] = ackBits >>> 24;
  return at - offset;
}

/**
 * Reads a packet header. Forms longer than needed are accepted.
 *
 * @param bytes - the packet; only read.
 * @param offset - where the header begins.
 * @param end - behind the last byte of the packet, at most `bytes.length`.
 * @param out - filled in; unspecified after a refusal.
 * @returns the length of the header, 4 … 9, or the id of the check that refused it.
 * Source: reliable section 5.
 */
export function readPacketHeader(bytes: Uint8Array, offset: number, end: number, out: PacketHeader): number | string {
  const available = end - offset;
  if (available < 3) return 'header-short-fixed';
  const prefix = bytes[offset]!;
  if ((prefix & FRAGMENT_FLAG) !== 0) return 'header-not-regular';
  const sequence = bytes[offset + 1]! | (bytes[offset + 2]! << 8);
  let at = offset + 3;
  if ((prefix & ACK_BYTE_FLAG) !== 0) {
    if (available < 4) return 'header-short-ack8';
    out.ack = sequencesSince(sequence, bytes[at++]!);
  } else {
    if (available < 5) return 'header-short-ack16';
    out.ack = bytes[at]! | (bytes[at + 1]! << 8);
    at += 2;
  }
  const present = ((prefix >>> 1) & 1) + ((prefix >>> 2) & 1) + ((prefix >>> 3) & 1) + ((prefix >>> 4) & 1);
  if (end - at < present) return 'header-short-ackbits';
  const bits0 = (prefix & 0x02) !== 0 ? bytes[at++]! : 0xff;
  const bits1 = (prefix & 0x04) !== 0 ? bytes[at++]! : 0xff;
  const bits2 = (prefix & 0x08) !== 0 ? bytes[at++]! : 0xff;
  const bits3 = (prefix & 0x10) !== 0 ? bytes[at++]! : 0xff;
  out.sequence = sequence;
  out.ackBits = (bits0 | (bits1 << 8) | (bits2 << 16) | (bits3 << 24)) >>> 0;
  return at - offset;
}
