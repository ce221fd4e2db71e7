// What the processes of a bench have in common.
export const PROTOCOL_ID = 0x1122334455667788n;
export const KEY = new Uint8Array(32).fill(42);
/** What a netcode payload packet has besides the payload: prefix, a sequence of two bytes, tag. */
export const PACKET_OVERHEAD_BYTES = 1 + 2 + 16;
