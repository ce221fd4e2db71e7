// Entry `@x/reliable/wire`: the codecs of packets and fragments, for tools and conformance tests.
export { readPacketHeader, writePacketHeader } from './packet-header.ts';
export type { PacketHeader } from './packet-header.ts';
export { readFragment } from './fragment.ts';
export type { FragmentHeader, FragmentLimits } from './fragment.ts';
export { SequenceBuffer } from './sequence-buffer.ts';
export { DATAGRAM_BYTES, MAX_FRAGMENT_SIZE, MAX_UNFRAGMENTED_PACKET, WIRE_VERSION } from './wire-constants.ts';
export { PacketLayout } from './packet-layout.ts';
export { encodePacket } from './message-packet.ts';
export type { MessageSpec, PacketSpec } from './message-packet.ts';
export { PacketDecoder } from './packet-decoder.ts';
export { mismatchText } from './malformed.ts';
