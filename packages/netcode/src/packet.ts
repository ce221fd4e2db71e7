import type { Aead, AeadKey } from './aead.ts';
import { CHALLENGE_TOKEN_BYTES, MAC_BYTES, MAX_PAYLOAD_BYTES, VERSION_INFO } from './constants.ts';
import type { DropReason } from './drop-reason.ts';
import { ByteWriter } from './internal/cursor.ts';
import type { ReplayWindow } from './replay-window.ts';

// Every packet but the request (protocol section 7.2):
//
// | offset | bytes | type  | meaning                                                          | reject                                              |
// | ------ | ----- | ----- | ---------------------------------------------------------------- | --------------------------------------------------- |
// |        | ≥ 18  |       | the whole packet                                                 | `too-small`                                         |
// | 0      | 1     | u8    | prefix: number of sequence bytes n in the high nibble,           | `sequence-bytes`: n outside 1 … 8                   |
// |        |       |       | type in the low nibble                                           | `type-invalid`: ≥ 7; `type-not-allowed`: other side |
// | 1      | n     | uint  | sequence, low byte first; writers use the fewest bytes, readers  | `short-for-sequence`: no room for it and the tag    |
// |        |       |       | accept any n                                                     | `replay`: types 4 … 6 received before               |
// | 1 + n  | body  | bytes | body, encrypted                                                  | `decrypt`; then the sizes below                     |
// | …      | 16    | bytes | tag                                                              |                                                     |
//
// Sealing: ChaCha20-Poly1305, the sequence as nonce; associated data VERSION_INFO, protocol id u64, prefix u8: 22 bytes.
//
// | type | name       | direction        | body                                                      | reject                                        |
// | ---- | ---------- | ---------------- | --------------------------------------------------------- | --------------------------------------------- |
// | 0    | request    | client to server | never in this form (request-packet.ts)                    | `type-zero`, even if it authenticates         |
// | 1    | denied     | server to client | empty                                                     | `size-denied`                                 |
// | 2    | challenge  | server to client | challenge sequence u64, sealed challenge token 300        | `size-challenge`                              |
// | 3    | response   | client to server | the same, echoed                                          | `size-response`                               |
// | 4    | keepAlive  | both             | client index u32, slots u32; zeros from a client          | `size-keep-alive`                             |
// | 5    | payload    | both             | 1 … 1200 bytes                                            | `size-payload-small`, `size-payload-large`    |
// | 6    | disconnect | both             | empty                                                     | `size-disconnect`                             |

/** The name of a packet type. */
export type PacketType = 'request' | 'denied' | 'challenge' | 'response' | 'keepAlive' | 'payload' | 'disconnect';

/** The types as numbers on the wire. */
export const PACKET_TYPE_CODES: Readonly<Record<PacketType, number>> = Object.freeze({
  request: 0,
  denied: 1,
  challenge: 2,
  response: 3,
  keepAlive: 4,
  payload: 5,
  disconnect: 6,
});

/** Body of a challenge and a response: sequence and sealed token. */
export const CHALLENGE_BODY_BYTES: number = 8 + CHALLENGE_TOKEN_BYTES;
/** Body of a denied and a disconnect packet. */
export const NO_BODY: Uint8Array = new Uint8Array(0);
/** Body of a keep-alive. */
export const KEEP_ALIVE_BODY_BYTES = 8;

const PACKET_AD_BYTES = VERSION_INFO.length + 8 + 1;
const MIN_PACKET_BYTES = 18;
const MAX_SEQUENCE_BYTES = 8;
const TYPE_COUNT = 7;
/** Most bytes that a packet has besides its body. */
const MAX_OVERHEAD_BYTES = 1 + MAX_SEQUENCE_BYTES + MAC_BYTES;
const FIRST_REPLAY_PROTECTED_TYPE = PACKET_TYPE_CODES.keepAlive;

/** The types that one side accepts, one bit each. Type 0 is in the server's set: such a frame falls only after decryption. */
export const ALLOWED_TYPES: Readonly<Record<'server' | 'client', number>> = Object.freeze({ server: 0b111_1001, client: 0b111_0110 });

/** Fills in the associated data, all but the prefix, its last byte. */
function fillPacketAd(ad: Uint8Array, protocolId: bigint): void {
  const writer = new ByteWriter(ad);
  writer.raw(VERSION_INFO);
  writer.u64(protocolId);
}

function sequenceByteCount(hi: number, lo: number): number {
  if (hi === 0) return lo < 0x100 ? 1 : lo < 0x1_0000 ? 2 : lo < 0x100_0000 ? 3 : 4;
  return hi < 0x100 ? 5 : hi < 0x1_0000 ? 6 : hi < 0x100_0000 ? 7 : 8;
}

/** Seals packets into one buffer of its own. */
export class PacketWriter {
  /** Holds the packet of the last {@link seal}, from offset 0. */
  readonly bytes: Uint8Array;
  readonly #aead: Aead;
  readonly #ad: Uint8Array = new Uint8Array(PACKET_AD_BYTES);

  constructor(aead: Aead) {
    this.#aead = aead;
    const size = MAX_PAYLOAD_BYTES + MAX_OVERHEAD_BYTES;
    this.bytes = aead.alloc?.(size) ?? new Uint8Array(size);
  }

  /** Sets the u64 protocol id that packets are bound to. */
  setProtocolId(protocolId: bigint): void {
    fillPacketAd(this.#ad, protocolId);
  }

  /**
   * Seals one packet.
   *
   * @param type - its code, 1 … 6.
   * @param sequenceHi - upper half of the u64 sequence.
   * @param sequenceLo - lower half.
   * @returns the packet's length in {@link bytes}.
   */
  seal(
    key: AeadKey,
    type: number,
    sequenceHi: number,
    sequenceLo: number,
    body: Uint8Array,
    bodyOffset: number,
    bodyLength: number,
  ): number {
    const { bytes } = this;
    const count = sequenceByteCount(sequenceHi, sequenceLo);
    const prefix = (count << 4) | type;
    bytes[0] = prefix;
    this.#ad[PACKET_AD_BYTES - 1] = prefix;
    for (let i = 0; i < count; i++) bytes[1 + i] = i < 4 ? sequenceLo >>> (8 * i) : sequenceHi >>> (8 * (i - 4));
    const header = 1 + count;
    return header + this.#aead.seal(key, sequenceHi, sequenceLo, this.#ad, PACKET_AD_BYTES, body, bodyOffset, bodyLength, bytes, header);
  }
}

/** Opens packets into one buffer of its own; its fields describe the packet of the last successful {@link open}. */
export class PacketReader {
  /** The body, from offset 0. */
  readonly body: Uint8Array;
  bodyLength: number = 0;
  type: number = 0;
  sequenceHi: number = 0;
  sequenceLo: number = 0;
  readonly #aead: Aead;
  readonly #ad: Uint8Array = new Uint8Array(PACKET_AD_BYTES);
  readonly #allowed: number;

  /**
   * @param allowedTypes - see {@link ALLOWED_TYPES}.
   * @param capacity - longest packet that will be given to {@link open}, in bytes.
   */
  constructor(aead: Aead, allowedTypes: number, capacity: number) {
    this.#aead = aead;
    this.#allowed = allowedTypes;
    this.body = aead.alloc?.(capacity) ?? new Uint8Array(capacity);
  }

  /** Sets the u64 protocol id that packets are bound to. */
  setProtocolId(protocolId: bigint): void {
    fillPacketAd(this.#ad, protocolId);
  }

  /**
   * Reads one packet whose first byte is not 0: checks 9 to 23 of protocol section 8, in their order.
   *
   * @param key - the sender's key, `undefined` when there is none.
   * @param window - moved after authentication, before the size checks; `undefined`: no replay protection.
   * @returns the check that refused it, or `undefined` when it was opened.
   */
  open(
    bytes: Uint8Array,
    offset: number,
    length: number,
    key: AeadKey | undefined,
    window: ReplayWindow | undefined,
  ): DropReason | undefined {
    if (key === undefined) return 'no-read-key';
    if (length < MIN_PACKET_BYTES) return 'too-small';
    const prefix = bytes[offset]!;
    const type = prefix & 0x0f;
    if (type >= TYPE_COUNT) return 'type-invalid';
    if ((this.#allowed & (1 << type)) === 0) return 'type-not-allowed';
    const count = prefix >>> 4;
    if (count < 1 || count > MAX_SEQUENCE_BYTES) return 'sequence-bytes';
    const header = 1 + count;
    if (length < header + MAC_BYTES) return 'short-for-sequence';
    let hi = 0;
    let lo = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[offset + 1 + i]!;
      if (i < 4) lo = (lo | (byte << (8 * i))) >>> 0;
      else hi = (hi | (byte << (8 * (i - 4)))) >>> 0;
    }
    const isProtected = type >= FIRST_REPLAY_PROTECTED_TYPE && window !== undefined;
    if (isProtected && window.hasReceived(hi, lo)) return 'replay';
    this.#ad[PACKET_AD_BYTES - 1] = prefix;
    const bodyLength = this.#aead.open(key, hi, lo, this.#ad, PACKET_AD_BYTES, bytes, offset + header, length - header, this.body, 0);
    if (bodyLength < 0) return 'decrypt';
    if (isProtected) window.record(hi, lo);
    const refusal = checkBodySize(type, bodyLength);
    if (refusal !== undefined) return refusal;
    this.type = type;
    this.sequenceHi = hi;
    this.sequenceLo = lo;
    this.bodyLength = bodyLength;
    return undefined;
  }
}

function checkBodySize(type: number, length: number): DropReason | undefined {
  switch (type) {
    case PACKET_TYPE_CODES.denied:
      return length === 0 ? undefined : 'size-denied';
    case PACKET_TYPE_CODES.challenge:
      return length === CHALLENGE_BODY_BYTES ? undefined : 'size-challenge';
    case PACKET_TYPE_CODES.response:
      return length === CHALLENGE_BODY_BYTES ? undefined : 'size-response';
    case PACKET_TYPE_CODES.keepAlive:
      return length === KEEP_ALIVE_BODY_BYTES ? undefined : 'size-keep-alive';
    case PACKET_TYPE_CODES.payload:
      if (length < 1) return 'size-payload-small';
      return length <= MAX_PAYLOAD_BYTES ? undefined : 'size-payload-large';
    case PACKET_TYPE_CODES.disconnect:
      return length === 0 ? undefined : 'size-disconnect';
    default:
      return 'type-zero';
  }
}
