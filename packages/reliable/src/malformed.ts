/** Why a packet was refused. */
export type MalformedKind =
  | 'truncated'
  | 'reservedKind'
  | 'valueOutOfRange'
  | 'duplicateChannel'
  | 'eventOnWrongChannel'
  | 'payloadTooLarge'
  | 'idSpanExceedsWindow'
  | 'nonzeroPadding'
  | 'trailingBytes'
  | 'nonCanonical'
  | 'missingHello';

/** What each refusal is called in logs. `missingHello` comes from a connection, all others from the decoder. */
export const MALFORMED_TEXTS: Readonly<Record<MalformedKind, string>> = Object.freeze({
  truncated: 'truncated packet',
  reservedKind: 'reserved packet kind',
  valueOutOfRange: 'value out of range',
  duplicateChannel: 'duplicate channel section',
  eventOnWrongChannel: 'event on the wrong channel',
  payloadTooLarge: 'payload larger than its event allows',
  idSpanExceedsWindow: 'message ids span more than the channel window',
  nonzeroPadding: 'nonzero padding',
  trailingBytes: 'trailing bytes',
  nonCanonical: 'non-canonical encoding',
  missingHello: 'data before the handshake',
});

/**
 * The text of a packet whose hello is not ours.
 *
 * @param wireVersion - theirs, u16.
 * @param fingerprint - theirs, the 16 wire bytes; printed last byte first, as fingerprints are.
 */
export function mismatchText(wireVersion: number, fingerprint: Uint8Array): string {
  const hex = Array.from(fingerprint, (byte) => byte.toString(16).padStart(2, '0'));
  return `mismatched hello: wire version ${wireVersion}, schema fingerprint ${hex.reverse().join('')}`;
}
