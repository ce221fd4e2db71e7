/** Version of the event layer's packets; in every hello and every fingerprint. */
export const WIRE_VERSION = 2;
/** Largest datagram: the largest payload of a netcode packet, bytes. */
export const DATAGRAM_BYTES = 1200;
/** Largest packet that travels whole, bytes: a datagram without the longest header. */
export const MAX_UNFRAGMENTED_PACKET = 1191;
/** Largest piece of a longer packet, bytes: a datagram without the headers that fragment 0 carries. */
export const MAX_FRAGMENT_SIZE = 1186;
/** Event-carrying packets after which an acknowledgement is sent at once. */
export const ACK_EVERY = 16;
/** Accounted cost of one reorder slot, bytes. */
export const PARK_OVERHEAD = 32;
/** Reorder slots that a drained channel keeps. */
export const KEEP_SLOTS = 128;
