const REASONS = [
  // before anything is read
  'not-running',
  'too-long',
  'tiny',
  // reading a packet, section 8
  'empty',
  'request-not-allowed',
  'request-length',
  'request-no-private-key',
  'request-version',
  'request-protocol-id',
  'request-expired',
  'request-predates-start',
  'request-decrypt',
  'no-read-key',
  'too-small',
  'type-invalid',
  'type-not-allowed',
  'sequence-bytes',
  'short-for-sequence',
  'replay',
  'decrypt',
  'size-denied',
  'size-challenge',
  'size-response',
  'size-keep-alive',
  'size-payload-small',
  'size-payload-large',
  'size-disconnect',
  'type-zero',
  // a request that opened, section 13.2
  'request-private-data',
  'request-not-our-address',
  'request-address-connected',
  'request-id-connected',
  'request-token-used',
  'request-history-full',
  'request-no-mapping-room',
  // a response that opened, section 13.3
  'response-challenge',
  'response-no-mapping',
  'response-address-connected',
  'response-id-connected',
  // an authentic packet that means nothing now
  'unexpected',
  'other-sender',
  'queue-full',
] as const;

/** Why an incoming datagram was ignored. */
export type DropReason = (typeof REASONS)[number];

/**
 * Every reason for which an incoming datagram is ignored, in the order of the checks (protocol sections 8 and 19.1). Each ignored datagram
 * increases exactly one counter of that name.
 */
export const DROP_REASONS: readonly DropReason[] = Object.freeze(REASONS);
