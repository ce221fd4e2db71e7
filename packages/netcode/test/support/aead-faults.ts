import type { Aead, AeadKey } from '../../src/aead.ts';
import { nobleAead } from '../../src/aead.ts';

/** A key that no caller asked for. */
const spare = nobleAead.createKey(new Uint8Array(32));

/** Makes a backend that is right but for the parts given. */
function planted(name: string, parts: Partial<Aead>): Aead {
  return { ...nobleAead, name, ...parts };
}

/** The nonce as an adapter sees it that knows nonces of 16 bytes only. */
function cut(nonce24: Uint8Array): Uint8Array {
  const nonce = nonce24.slice();
  return nonce.fill(0, 16);
}

/** Opens without looking at the tag: ChaCha20 is its own inverse, so sealing the ciphertext gives the text back. */
function openUnchecked(...[key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset]: Parameters<Aead['open']>): number {
  if (length < 16) return -1;
  const scratch = new Uint8Array(length);
  nobleAead.seal(key, hi, lo, ad, adLength, src, srcOffset, length - 16, scratch, 0);
  out.set(scratch.subarray(0, length - 16), outOffset);
  return length - 16;
}

function keepsFirstKey(): Aead {
  let first: AeadKey | undefined;
  return planted('keeps the key of the first packet', {
    seal: (key, ...rest) => nobleAead.seal((first ??= key), ...rest),
    open: (key, ...rest) => nobleAead.open((first ??= key), ...rest),
  });
}

/** Backends with one fault each, as a careless adapter would have it. */
export const FAULTY_BACKENDS: readonly Aead[] = [
  planted('skips the tag check', { open: openUnchecked }),
  planted('ignores the key', { seal: (_key, ...rest) => nobleAead.seal(spare, ...rest) }),
  keepsFirstKey(),
  planted('swaps the halves of the sequence', {
    seal: (key, hi, lo, ...rest) => nobleAead.seal(key, lo, hi, ...rest),
    open: (key, hi, lo, ...rest) => nobleAead.open(key, lo, hi, ...rest),
  }),
  planted('drops the high half of the sequence', {
    seal: (key, _hi, lo, ...rest) => nobleAead.seal(key, 0, lo, ...rest),
    open: (key, _hi, lo, ...rest) => nobleAead.open(key, 0, lo, ...rest),
  }),
  planted('ignores the associated data', {
    seal: (key, hi, lo, ad, _adLength, ...rest) => nobleAead.seal(key, hi, lo, ad, 0, ...rest),
    open: (key, hi, lo, ad, _adLength, ...rest) => nobleAead.open(key, hi, lo, ad, 0, ...rest),
  }),
  planted('writes on failure', {
    open: (key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset) => {
      const written = nobleAead.open(key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset);
      if (written < 0) out.fill(0, outOffset, outOffset + Math.max(0, length - 16));
      return written;
    },
  }),
  planted('writes past the end', {
    seal: (key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset) => {
      const written = nobleAead.seal(key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset);
      out[outOffset + written] = 0;
      return written;
    },
  }),
  planted('counts without the tag', { seal: (...call) => nobleAead.seal(...call) - 16 }),
  planted('refuses everything', { open: () => -1 }),
  planted('throws at forgeries', {
    open: (...call) => {
      const written = nobleAead.open(...call);
      if (written < 0) throw new Error('wrong tag');
      return written;
    },
  }),
  planted('ignores the end of a token nonce', {
    sealX: (key, nonce, ...rest) => nobleAead.sealX(key, cut(nonce), ...rest),
    openX: (key, nonce, ...rest) => nobleAead.openX(key, cut(nonce), ...rest),
  }),
  planted('opens no token', { openX: () => -1 }),
];
