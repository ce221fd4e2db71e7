/**
 * Takes one datagram, or one range of bytes.
 *
 * @param bytes - borrowed: valid during the call only.
 * @param offset - first byte of the datagram.
 * @param length - its length, bytes.
 */
export type Transmit = (bytes: Uint8Array, offset: number, length: number) => void;
