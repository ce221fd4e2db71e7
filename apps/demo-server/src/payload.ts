// What the clients send. Little-endian:
//
// | offset     | bytes | meaning                                            |
// | ---------- | ----- | -------------------------------------------------- |
// | 0          | 4     | number of the payload                              |
// | 4          | 8     | client id                                          |
// | 12         | n     | pattern, determined by the two above               |
// | length - 4 | 4     | FNV-1a of everything before                        |
//
// The length is determined by the number too, so an echo is checked to the last byte without keeping what was sent.

const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MIN_BYTES = 24;

/** Longest payload, in bytes. */
export const MAX_DEMO_PAYLOAD_BYTES = 512;

function lengthOf(number: number): number {
  // 97 has no factor in common with the 489 lengths: consecutive payloads differ, and all lengths are used.
  return MIN_BYTES + ((number * 97) % (MAX_DEMO_PAYLOAD_BYTES - MIN_BYTES + 1));
}

/**
 * Writes a payload to the start of `out`.
 *
 * @param out - room for {@link MAX_DEMO_PAYLOAD_BYTES}.
 * @param clientId - u64.
 * @param number - u32.
 * @returns bytes written.
 */
export function writePayload(out: Uint8Array, clientId: bigint, number: number): number {
  const length = lengthOf(number);
  const view = new DataView(out.buffer, out.byteOffset, length);
  view.setUint32(0, number, true);
  view.setBigUint64(4, clientId, true);
  let pattern = (Math.imul(number, 0x9e37_79b1) ^ Number(clientId & 0xffff_ffffn)) >>> 0 || 1;
  for (let i = HEADER_BYTES; i < length - CHECKSUM_BYTES; i++) {
    pattern ^= pattern << 13;
    pattern ^= pattern >>> 17;
    pattern ^= pattern << 5;
    out[i] = pattern & 0xff;
  }
  view.setUint32(length - CHECKSUM_BYTES, checksum(out, 0, length - CHECKSUM_BYTES), true);
  return length;
}

/** Scratch of {@link readPayload}: nothing in it is used after the call. */
const expected = new Uint8Array(MAX_DEMO_PAYLOAD_BYTES);

/**
 * Checks that bytes are exactly what {@link writePayload} gives for this client.
 *
 * @returns the number of the payload; else what is wrong with it.
 */
export function readPayload(bytes: Uint8Array, offset: number, length: number, clientId: bigint): number | string {
  if (length < MIN_BYTES || length > MAX_DEMO_PAYLOAD_BYTES) return `${length} bytes are no payload of the demo`;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, length);
  if (view.getUint32(length - CHECKSUM_BYTES, true) !== checksum(bytes, offset, length - CHECKSUM_BYTES)) return 'wrong checksum';
  const id = view.getBigUint64(4, true);
  if (id !== clientId) return `payload of client ${id}`;
  const number = view.getUint32(0, true);
  if (length !== lengthOf(number)) return `payload ${number} is ${length} bytes long, sent were ${lengthOf(number)}`;
  writePayload(expected, clientId, number);
  for (let i = 0; i < length; i++) {
    if (bytes[offset + i] !== expected[i]) return `payload ${number} differs at byte ${i}`;
  }
  return number;
}

function checksum(bytes: Uint8Array, offset: number, length: number): number {
  let hash = 0x811c_9dc5;
  for (let i = offset; i < offset + length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x0100_0193);
  return hash >>> 0;
}
