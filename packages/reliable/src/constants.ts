/** Longest packet header: prefix, sequence, two bytes of ack, four bytes of ack bits. */
export const MAX_PACKET_HEADER_BYTES = 9;
/** Shortest packet header: prefix, sequence, one byte of ack. */
export const MIN_PACKET_HEADER_BYTES = 4;
/** Every fragment header: prefix, sequence, fragment id, fragment count − 1. */
export const FRAGMENT_HEADER_BYTES = 5;
/** Most fragments of one packet; the count travels in one byte. */
export const MAX_FRAGMENTS = 256;
/** Packets that one header acknowledges: `ack`, `ack − 1`, … `ack − 31`. */
export const ACK_WINDOW = 32;
/** Largest ring of sent packets, received packets or reassemblies. Rings are powers of two: slots are `sequence mod size`. */
export const MAX_RING_SIZE = 32_768;
/** Bytes that IPv4 and UDP add to a datagram; counted in the bandwidth figures only. */
export const DEFAULT_PACKET_HEADER_BYTES = 28;
