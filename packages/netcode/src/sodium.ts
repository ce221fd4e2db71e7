import { CopiedKey } from './aead.ts';
import type { Aead, AeadKey } from './aead.ts';
import { CONNECT_TOKEN_NONCE_BYTES, KEY_BYTES, MAC_BYTES } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { verifyAead } from './aead-self-test.ts';
import { checkBytes, describe } from './internal/check.ts';

// One block of the module's memory, taken once: nothing is allocated in the module afterwards, so its memory never grows and no view detaches.
//
//   offset   bytes      area
//   0        32         key of sealing
//   32       32         key of opening
//   64       16         nonce of packets, 12 bytes: four zero bytes, then the sequence
//   80       32         nonce of tokens, 24 bytes
//   112      1024       associated data
//   1136     65_536     input scratch
//   66_672   65_536     output scratch
//   132_208  4_194_304  arena of `alloc`
//
// Every area starts at a multiple of 16.
const AD_BYTES = 1024;
/** A whole UDP datagram. */
const SCRATCH_BYTES = 65_536;
const ARENA_BYTES = 4_194_304;
const ALIGNMENT = 16;

const SEAL_KEY_AT = 0;
const OPEN_KEY_AT = 32;
const PACKET_NONCE_AT = 64;
const TOKEN_NONCE_AT = 80;
const AD_AT = 112;
const INPUT_AT = AD_AT + AD_BYTES;
const OUTPUT_AT = INPUT_AT + SCRATCH_BYTES;
const ARENA_AT = OUTPUT_AT + SCRATCH_BYTES;
const BLOCK_BYTES = ARENA_AT + ARENA_BYTES;

/** Arrays up to this length are copied in whole: that costs less than the view which would copy only the part that is read. */
const WHOLE_COPY_BYTES = 4096;
/** Longest result for which the view of the output scratch is kept. */
const CACHED_VIEW_BYTES = 2064;
/** Arrays up to this length may live in the JavaScript heap, where asking for `buffer` would move them out. */
const ON_HEAP_BYTES = 64;

/** `(c, cLengthOut, m, mLengthLow, mLengthHigh, ad, adLengthLow, adLengthHigh, secretNonce, nonce, key)`, all pointers and 32-bit halves. */
type SealByPointer = (
  c: number,
  cLengthOut: number,
  m: number,
  mLow: number,
  mHigh: number,
  ad: number,
  adLow: number,
  adHigh: number,
  secretNonce: number,
  nonce: number,
  key: number,
) => number;

/** `(m, mLengthOut, secretNonce, c, cLengthLow, cLengthHigh, ad, adLengthLow, adLengthHigh, nonce, key)`; 0 when the tag is right. */
type OpenByPointer = (
  m: number,
  mLengthOut: number,
  secretNonce: number,
  c: number,
  cLow: number,
  cHigh: number,
  ad: number,
  adLow: number,
  adHigh: number,
  nonce: number,
  key: number,
) => number;

/** The part of the raw module that is used. */
interface SodiumModule {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  readonly _malloc: (bytes: number) => number;
  readonly _crypto_aead_chacha20poly1305_ietf_encrypt: SealByPointer;
  readonly _crypto_aead_chacha20poly1305_ietf_decrypt: OpenByPointer;
  readonly _crypto_aead_xchacha20poly1305_ietf_encrypt: SealByPointer;
  readonly _crypto_aead_xchacha20poly1305_ietf_decrypt: OpenByPointer;
}

const MODULE_FUNCTIONS = [
  '_malloc',
  '_crypto_aead_chacha20poly1305_ietf_encrypt',
  '_crypto_aead_chacha20poly1305_ietf_decrypt',
  '_crypto_aead_xchacha20poly1305_ietf_encrypt',
  '_crypto_aead_xchacha20poly1305_ietf_decrypt',
] as const satisfies readonly (keyof SodiumModule)[];

async function loadModule(): Promise<SodiumModule> {
  try {
    // @ts-expect-error -- the package ships no types
    const { default: create } = (await import('libsodium')) as { default: () => Promise<SodiumModule> };
    const module = await create();
    const missing = MODULE_FUNCTIONS.find((name) => typeof module[name] !== 'function');
    if (missing !== undefined) throw new TypeError(`${missing} is not a function`);
    return module;
  } catch (cause) {
    const message = 'aead: expected the package libsodium to load, got an error; install it with `npm install libsodium@^0.8.4`';
    throw new NetcodeError('invalidOption', message, { field: 'aead', cause });
  }
}

function checkNumberOfBytes(value: number, most: number, field: string): void {
  if (value >= 0 && value <= most) return;
  throw new NetcodeError('payloadSize', `${field}: expected 0 … ${most} bytes, got ${value}`, { field });
}

/** The comparisons are written so that NaN fails. */
function holds(array: Uint8Array, offset: number, length: number): boolean {
  return offset >= 0 && offset + length <= array.length;
}

function checkRoom(out: Uint8Array, offset: number, needed: number): void {
  if (holds(out, offset, needed)) return;
  throw new NetcodeError('bufferTooSmall', `out: expected room for ${needed} bytes, got ${out.length - offset}`, { field: 'out' });
}

function checkSource(src: Uint8Array, offset: number, length: number): void {
  checkNumberOfBytes(length, SCRATCH_BYTES - MAC_BYTES, 'length');
  if (holds(src, offset, length)) return;
  throw new NetcodeError('bufferTooSmall', `src: expected ${length} bytes at ${offset}, got ${src.length - offset}`, { field: 'src' });
}

function buildAead(module: SodiumModule): Aead {
  const allocated = module._malloc(BLOCK_BYTES + ALIGNMENT);
  const block = Math.ceil(allocated / ALIGNMENT) * ALIGNMENT;
  // Taking the block may have grown the memory, which replaces this array.
  const heap = module.HEAPU8;
  const memory = heap.buffer;
  heap.fill(0, block, block + BLOCK_BYTES);

  const sealPacket = module._crypto_aead_chacha20poly1305_ietf_encrypt;
  const openPacket = module._crypto_aead_chacha20poly1305_ietf_decrypt;
  const sealToken = module._crypto_aead_xchacha20poly1305_ietf_encrypt;
  const openToken = module._crypto_aead_xchacha20poly1305_ietf_decrypt;

  const sealKey = block + SEAL_KEY_AT;
  const openKey = block + OPEN_KEY_AT;
  const packetNonce = block + PACKET_NONCE_AT;
  const tokenNonce = block + TOKEN_NONCE_AT;
  const adArea = block + AD_AT;
  const input = block + INPUT_AT;
  const output = block + OUTPUT_AT;
  const arena = block + ARENA_AT;
  const sequence = new DataView(memory, packetNonce + 4, 8);
  const outputViews = Array.from<Uint8Array | undefined>({ length: CACHED_VIEW_BYTES + 1 });

  let arenaUsed = 0;
  // Sealing and opening have a key area each, so that a client, which takes turns between its two keys, loads each of them once.
  let loadedForSealing: AeadKey | undefined;
  let loadedForOpening: AeadKey | undefined;
  // Arrays of `alloc` that were met last. Others are never held.
  let recentSource: Uint8Array | undefined;
  let recentSourcePointer = 0;
  let recentTarget: Uint8Array | undefined;
  let recentTargetPointer = 0;

  function loadForSealing(key: AeadKey): void {
    if (key === loadedForSealing) return;
    heap.set(CopiedKey.bytesOf(key, aead), sealKey);
    loadedForSealing = key;
  }

  function loadForOpening(key: AeadKey): void {
    if (key === loadedForOpening) return;
    heap.set(CopiedKey.bytesOf(key, aead), openKey);
    loadedForOpening = key;
  }

  function loadSequence(hi: number, lo: number): void {
    sequence.setUint32(0, lo, true);
    sequence.setUint32(4, hi, true);
  }

  function loadTokenNonce(nonce24: Uint8Array): void {
    checkBytes(nonce24, CONNECT_TOKEN_NONCE_BYTES, 'nonce24', 'invalidOption');
    heap.set(nonce24, tokenNonce);
  }

  function loadAssociatedData(ad: Uint8Array, length: number): void {
    if (length === 0) return;
    checkNumberOfBytes(length, Math.min(ad.length, AD_BYTES), 'adLength');
    heap.set(ad.length <= AD_BYTES ? ad : ad.subarray(0, length), adArea);
  }

  /** Whether the array can lie in the module's memory. Asking for its buffer costs as much as a copy, so it is asked only where that can pay. */
  function mayBeShared(array: Uint8Array): boolean {
    return arenaUsed > 0 && array.length > ON_HEAP_BYTES;
  }

  /** The pointer to the bytes to read: where they are, or a copy of them. */
  function sourcePointer(src: Uint8Array, offset: number, length: number): number {
    if (src === recentSource) return recentSourcePointer + offset;
    if (mayBeShared(src) && src.buffer === memory) {
      recentSource = src;
      recentSourcePointer = src.byteOffset;
      return recentSourcePointer + offset;
    }
    if (src.length <= WHOLE_COPY_BYTES) {
      heap.set(src, input);
      return input + offset;
    }
    heap.set(src.subarray(offset, offset + length), input);
    return input;
  }

  /** The pointer to write ciphertext to: its final place, unless that is outside the module or partly overlaps the source; then the scratch. */
  function targetPointer(out: Uint8Array, offset: number, source: number, length: number): number {
    if (out !== recentTarget) {
      if (!mayBeShared(out) || out.buffer !== memory) return output;
      recentTarget = out;
      recentTargetPointer = out.byteOffset;
    }
    const target = recentTargetPointer + offset;
    const apart = target + length + MAC_BYTES <= source || source + length <= target;
    return apart || target === source ? target : output;
  }

  function outputView(length: number): Uint8Array {
    if (length > CACHED_VIEW_BYTES) return heap.subarray(output, output + length);
    return (outputViews[length] ??= heap.subarray(output, output + length));
  }

  const aead: Aead = Object.freeze<Aead>({
    name: 'libsodium',
    createKey(bytes) {
      return new CopiedKey(aead, bytes);
    },
    destroyKey(key) {
      CopiedKey.destroy(key);
      if (key === loadedForSealing) {
        heap.fill(0, sealKey, sealKey + KEY_BYTES);
        loadedForSealing = undefined;
      }
      if (key === loadedForOpening) {
        heap.fill(0, openKey, openKey + KEY_BYTES);
        loadedForOpening = undefined;
      }
    },
    alloc(length) {
      if (!Number.isSafeInteger(length) || length < 0) {
        throw new NetcodeError('invalidOption', `length: expected a number of bytes, got ${describe(length)}`, { field: 'length' });
      }
      if (length > ARENA_BYTES - arenaUsed) return new Uint8Array(length);
      const view = new Uint8Array(memory, arena + arenaUsed, length);
      arenaUsed += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
      return view;
    },
    seal(key, nonceHi, nonceLo, ad, adLength, src, srcOffset, length, out, outOffset) {
      checkSource(src, srcOffset, length);
      checkRoom(out, outOffset, length + MAC_BYTES);
      loadAssociatedData(ad, adLength);
      loadForSealing(key);
      loadSequence(nonceHi, nonceLo);
      const source = sourcePointer(src, srcOffset, length);
      const target = targetPointer(out, outOffset, source, length);
      sealPacket(target, 0, source, length, 0, adArea, adLength, 0, 0, packetNonce, sealKey);
      if (target === output) out.set(outputView(length + MAC_BYTES), outOffset);
      return length + MAC_BYTES;
    },
    // Opening goes through the output scratch always: on a wrong tag the library fills its output with zeros, and ours is to stay untouched.
    open(key, nonceHi, nonceLo, ad, adLength, src, srcOffset, length, out, outOffset) {
      const plainLength = length - MAC_BYTES;
      if (!(plainLength >= 0 && length <= SCRATCH_BYTES && holds(src, srcOffset, length))) return -1;
      checkRoom(out, outOffset, plainLength);
      loadAssociatedData(ad, adLength);
      loadForOpening(key);
      loadSequence(nonceHi, nonceLo);
      const source = sourcePointer(src, srcOffset, length);
      if (openPacket(output, 0, 0, source, length, 0, adArea, adLength, 0, packetNonce, openKey) !== 0) return -1;
      out.set(outputView(plainLength), outOffset);
      return plainLength;
    },
    sealX(key, nonce24, ad, adLength, src, srcOffset, length, out, outOffset) {
      checkSource(src, srcOffset, length);
      checkRoom(out, outOffset, length + MAC_BYTES);
      loadAssociatedData(ad, adLength);
      loadForSealing(key);
      loadTokenNonce(nonce24);
      const source = sourcePointer(src, srcOffset, length);
      const target = targetPointer(out, outOffset, source, length);
      sealToken(target, 0, source, length, 0, adArea, adLength, 0, 0, tokenNonce, sealKey);
      if (target === output) out.set(outputView(length + MAC_BYTES), outOffset);
      if (source === input + srcOffset || source === input) heap.fill(0, source, source + length);
      return length + MAC_BYTES;
    },
    openX(key, nonce24, ad, adLength, src, srcOffset, length, out, outOffset) {
      const plainLength = length - MAC_BYTES;
      if (!(plainLength >= 0 && length <= SCRATCH_BYTES && holds(src, srcOffset, length))) return -1;
      checkRoom(out, outOffset, plainLength);
      loadAssociatedData(ad, adLength);
      loadForOpening(key);
      loadTokenNonce(nonce24);
      const source = sourcePointer(src, srcOffset, length);
      if (openToken(output, 0, 0, source, length, 0, adArea, adLength, 0, tokenNonce, openKey) !== 0) return -1;
      out.set(outputView(plainLength), outOffset);
      // What a token holds, session keys among it, does not stay behind.
      heap.fill(0, output, output + plainLength);
      return plainLength;
    },
  });
  return aead;
}

/**
 * Creates a backend on `libsodium` (optional peer, WebAssembly, no native code): 4 MiB of module memory for `alloc`, and no allocation per packet.
 *
 * Takes up to 65 536 bytes sealed and 1024 bytes of associated data. What `alloc` gives is zeroed, aligned to 16 bytes and never given back; when
 * the memory is used up, `alloc` gives plain arrays, which work as well at the price of a copy. `buffer` of such an array is the module's whole
 * memory, the loaded keys included: keep it to yourself. Create one backend per process and share it.
 *
 * @returns the backend, after it has given the same results as the default one on a few packets.
 * @throws {@link NetcodeError} `INVALID_OPTION` if the package is missing or another version; `AEAD_SELF_TEST` if a result differs.
 */
export async function createSodiumAead(): Promise<Aead> {
  const aead = buildAead(await loadModule());
  verifyAead(aead);
  return aead;
}
