import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { KEY_BYTES, MAC_BYTES } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { copyBytes } from './internal/bytes.ts';
import { checkBytes } from './internal/check.ts';

/** A key that a backend has prepared. Opaque: what a backend keeps in it is its own, and is not shown by inspection. */
export interface AeadKey {
  readonly aead: Aead;
}

/**
 * Seals or opens one packet with ChaCha20-Poly1305. The 12-byte nonce is four zero bytes, then the 64-bit little-endian sequence given as halves.
 *
 * Reads `src[srcOffset … srcOffset + length)` and `ad[0 … adLength)`, writes from `out[outOffset]`; `out` may be `src` at the same offset.
 * Returns bytes written: `length + 16` for sealing, `length - 16` for opening, or -1 when opening fails, with nothing written.
 */
export type PacketCipher = (
  key: AeadKey,
  nonceHi: number,
  nonceLo: number,
  ad: Uint8Array,
  adLength: number,
  src: Uint8Array,
  srcOffset: number,
  length: number,
  out: Uint8Array,
  outOffset: number,
) => number;

/** As {@link PacketCipher} with XChaCha20-Poly1305 and a nonce of 24 bytes: the private half of connect tokens. */
export type TokenCipher = (
  key: AeadKey,
  nonce24: Uint8Array,
  ad: Uint8Array,
  adLength: number,
  src: Uint8Array,
  srcOffset: number,
  length: number,
  out: Uint8Array,
  outOffset: number,
) => number;

/** The one seam to a cipher library (protocol section 3). Synchronous; opening never throws on bad input. */
export interface Aead {
  readonly name: string;
  /** Copies exactly 32 bytes. Throws `INVALID_KEY` for any other length. */
  createKey(bytes: Uint8Array): AeadKey;
  /** Wipes the backend's copy of the key; the key is not used afterwards. */
  destroyKey(key: AeadKey): void;
  /** Memory in which sealing and opening work without a copy; taken at start, before the first packet. */
  alloc?(length: number): Uint8Array;
  readonly seal: PacketCipher;
  readonly open: PacketCipher;
  readonly sealX: TokenCipher;
  readonly openX: TokenCipher;
}

/** A key as both backends here keep it: its own copy of the 32 bytes, out of sight of inspection and JSON. */
export class CopiedKey implements AeadKey {
  readonly aead: Aead;
  readonly #bytes: Uint8Array;
  #isDestroyed: boolean = false;

  constructor(aead: Aead, bytes: Uint8Array) {
    checkBytes(bytes, KEY_BYTES, 'key', 'invalidKey');
    this.aead = aead;
    this.#bytes = copyBytes(bytes);
  }

  /**
   * The bytes of a key; borrowed.
   *
   * @throws {@link NetcodeError} `INVALID_KEY` if the key was made by another backend, or has been destroyed.
   */
  static bytesOf(key: AeadKey, aead: Aead): Uint8Array {
    if (key.aead === aead && #bytes in key) {
      if (!key.#isDestroyed) return key.#bytes;
      throw new NetcodeError('invalidKey', 'key: destroyed', { field: 'key' });
    }
    throw new NetcodeError('invalidKey', 'key: expected a key made by this backend, got one of another', { field: 'key' });
  }

  /** Wipes a key: from now on it neither seals nor opens. Idempotent. */
  static destroy(key: AeadKey): void {
    if (!(#bytes in key)) return;
    key.#bytes.fill(0);
    key.#isDestroyed = true;
  }
}

const nonce12 = new Uint8Array(12);
const nonceView = new DataView(nonce12.buffer);

function packetNonce(hi: number, lo: number): Uint8Array {
  nonceView.setUint32(4, lo, true);
  nonceView.setUint32(8, hi, true);
  return nonce12;
}

function associatedData(ad: Uint8Array, length: number): Uint8Array | undefined {
  if (length === 0) return undefined;
  return length === ad.length ? ad : ad.subarray(0, length);
}

interface NobleCipher {
  encrypt(plain: Uint8Array, output: Uint8Array): Uint8Array;
  decrypt(sealed: Uint8Array, output: Uint8Array): Uint8Array;
}

function sealWith(cipher: NobleCipher, src: Uint8Array, srcOffset: number, length: number, out: Uint8Array, outOffset: number): number {
  const sealedLength = length + MAC_BYTES;
  checkRoom(out, outOffset, sealedLength);
  cipher.encrypt(src.subarray(srcOffset, srcOffset + length), out.subarray(outOffset, outOffset + sealedLength));
  return sealedLength;
}

function openWith(cipher: NobleCipher, src: Uint8Array, srcOffset: number, length: number, out: Uint8Array, outOffset: number): number {
  const plainLength = length - MAC_BYTES;
  if (plainLength < 0) return -1;
  checkRoom(out, outOffset, plainLength);
  const output = out.subarray(outOffset, outOffset + plainLength);
  try {
    cipher.decrypt(src.subarray(srcOffset, srcOffset + length), output);
  } catch {
    return -1;
  }
  return plainLength;
}

function checkRoom(out: Uint8Array, offset: number, needed: number): void {
  if (out.length - offset >= needed) return;
  throw new NetcodeError('bufferTooSmall', `out: expected room for ${needed} bytes, got ${out.length - offset}`, { field: 'out' });
}

/**
 * The cipher of `@noble/ciphers`: audited, pure JavaScript, runs everywhere; allocates per call. The default of this package, and the oracle for
 * other backends.
 */
export const nobleAead: Aead = Object.freeze<Aead>({
  name: 'noble',
  createKey(bytes) {
    return new CopiedKey(nobleAead, bytes);
  },
  destroyKey(key) {
    CopiedKey.destroy(key);
  },
  seal(key, nonceHi, nonceLo, ad, adLength, src, srcOffset, length, out, outOffset) {
    const cipher = chacha20poly1305(CopiedKey.bytesOf(key, nobleAead), packetNonce(nonceHi, nonceLo), associatedData(ad, adLength));
    return sealWith(cipher, src, srcOffset, length, out, outOffset);
  },
  open(key, nonceHi, nonceLo, ad, adLength, src, srcOffset, length, out, outOffset) {
    const cipher = chacha20poly1305(CopiedKey.bytesOf(key, nobleAead), packetNonce(nonceHi, nonceLo), associatedData(ad, adLength));
    return openWith(cipher, src, srcOffset, length, out, outOffset);
  },
  sealX(key, nonce24, ad, adLength, src, srcOffset, length, out, outOffset) {
    const cipher = xchacha20poly1305(CopiedKey.bytesOf(key, nobleAead), nonce24, associatedData(ad, adLength));
    return sealWith(cipher, src, srcOffset, length, out, outOffset);
  },
  openX(key, nonce24, ad, adLength, src, srcOffset, length, out, outOffset) {
    const cipher = xchacha20poly1305(CopiedKey.bytesOf(key, nobleAead), nonce24, associatedData(ad, adLength));
    return openWith(cipher, src, srcOffset, length, out, outOffset);
  },
});
