/** Most channels in one schema. */
export const MAX_CHANNELS = 64;
/** Most events in one schema, 2^20. */
export const MAX_EVENT_TYPES = 1_048_576;
/** Longest name of a channel or event in bytes; names are ASCII, so also in characters. The shortest has 1. */
export const MAX_NAME_BYTES = 255;
/**
 * Largest capacity of a reliable channel, in events: half of the 16-bit id space. Transport configurations allow less: none more than 32 767, the
 * default one 24 576.
 */
export const MAX_RELIABLE_WINDOW = 32_768;
/** Largest capacity of an unreliable channel, in events. */
export const MAX_UNRELIABLE_CAPACITY = 65_535;
/** Largest `maxPayload` of one event in bytes, 2^24. */
export const MAX_EVENT_PAYLOAD = 16_777_216;
/** Largest `maxMessagesPerPacket`; the smallest is 1. */
export const MAX_MESSAGES_PER_PACKET = 4096;

/** `maxMessagesPerPacket` of a builder that was not told another. */
export const DEFAULT_MAX_MESSAGES_PER_PACKET = 64;
/** Capacity of a channel that names none, in events, for both delivery classes. */
export const DEFAULT_CHANNEL_CAPACITY = 1024;
/** Resend interval of a reliable channel that names none, in seconds. */
export const DEFAULT_RELIABLE_RESEND_INTERVAL = 0.1;
/** Resend interval of an unreliable channel that names none, in seconds: nothing is sent again. */
export const DEFAULT_UNRELIABLE_RESEND_INTERVAL = 0;

/** Length of a fingerprint on the wire. */
export const FINGERPRINT_BYTES = 16;
/** Version of the packet format that the canonical encoding, and so every fingerprint, contains. */
export const WIRE_VERSION = 2;
/** Largest value of an unsigned 32-bit integer. */
export const MAX_U32 = 0xffff_ffff;
