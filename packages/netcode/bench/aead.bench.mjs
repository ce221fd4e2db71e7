// aead/{seal,open}/{17,64,256,1200}/{backend} and aead/token/{seal,open}/{backend}: CPU per call, a new nonce for each call, noble as the anchor.
import { cpuPerCall } from '@x/bench/race';
import { nobleAead } from '@x/netcode';
import { createSodiumAead } from '@x/netcode/sodium';

const AD = new Uint8Array(22).fill(3);
const TOKEN_AD = new Uint8Array(29).fill(5);
const KEY = new Uint8Array(32).fill(7);
const TOKEN_BYTES = 1008;
const RESULTS = 64;

/** Seals `calls` packets of `size` bytes under one nonce each; every result is kept for a moment so that the work cannot be left out. */
function sealing(aead, size) {
  const key = aead.createKey(KEY);
  const plain = new Uint8Array(size).fill(9);
  const out = new Uint8Array(size + 16);
  let nonce = 0;
  let sum = 0;
  return {
    run(calls) {
      for (let i = 0; i < calls; i++) {
        plain[0] = i;
        aead.seal(key, 0, nonce++ >>> 0, AD, AD.length, plain, 0, size, out, 0);
        sum += out[size];
      }
      return sum;
    },
    check() {
      aead.seal(key, 0, 1, AD, AD.length, plain, 0, size, out, 0);
      const expected = new Uint8Array(size + 16);
      nobleAead.seal(nobleAead.createKey(KEY), 0, 1, AD, AD.length, plain, 0, size, expected, 0);
      if (Buffer.compare(out, expected) !== 0) throw new Error(`${aead.name} sealed ${size} bytes to something else than noble`);
    },
  };
}

/** Opens packets of `size` bytes, each of several in turn. */
function opening(aead, size) {
  const key = aead.createKey(KEY);
  const out = new Uint8Array(size);
  const sealed = Array.from({ length: RESULTS }, (_, i) => {
    const bytes = new Uint8Array(size + 16);
    nobleAead.seal(nobleAead.createKey(KEY), 0, i, AD, AD.length, new Uint8Array(size).fill(i), 0, size, bytes, 0);
    return bytes;
  });
  const open = (i) => aead.open(key, 0, i, AD, AD.length, sealed[i], 0, size + 16, out, 0);
  return {
    run(calls) {
      for (let i = 0; i < calls; i++) if (open(i % RESULTS) !== size) throw new Error(`${aead.name} refused a good packet`);
    },
    check() {
      if (open(3) !== size || !out.every((byte) => byte === 3)) throw new Error(`${aead.name} opened to the wrong text`);
    },
  };
}

/** The private half of a token, sealed and opened. */
function token(aead, opens) {
  const key = aead.createKey(KEY);
  const nonce = new Uint8Array(24);
  const plain = new Uint8Array(TOKEN_BYTES).fill(9);
  const sealed = new Uint8Array(TOKEN_BYTES + 16);
  const out = new Uint8Array(TOKEN_BYTES);
  const seal = () => aead.sealX(key, nonce, TOKEN_AD, TOKEN_AD.length, plain, 0, TOKEN_BYTES, sealed, 0);
  const open = () => aead.openX(key, nonce, TOKEN_AD, TOKEN_AD.length, sealed, 0, TOKEN_BYTES + 16, out, 0);
  seal();
  return {
    run(calls) {
      for (let i = 0; i < calls; i++) {
        if (opens) {
          if (open() !== TOKEN_BYTES) throw new Error(`${aead.name} refused a good token`);
        } else {
          nonce[0] = i;
          seal();
        }
      }
      nonce[0] = 0;
      if (!opens) seal();
    },
    check() {
      if (open() !== TOKEN_BYTES || Buffer.compare(out, plain) !== 0) throw new Error(`${aead.name} opened a token to the wrong text`);
    },
  };
}

function race(name, make, callsOf, limits, sodium) {
  const contenders = [nobleAead, sodium].map((aead) => {
    const work = make(aead);
    const calls = callsOf(aead);
    const own = aead === nobleAead ? {} : { ratios: ['noble'], ...limits };
    return { name: aead.name, check: () => work.check(), measure: () => cpuPerCall((n) => work.run(n), calls), ...own };
  });
  return { name, unit: 'ns', contenders };
}

export async function races() {
  const sodium = await createSodiumAead();
  const limitsOf = (size) => (size === 64 ? { floor: 1 / 8, aim: 1 / 16 } : size === 1200 ? { floor: 1 / 4, aim: 1 / 6.5 } : {});
  const packets = ['seal', 'open'].flatMap((direction) =>
    [17, 64, 256, 1200].map((size) =>
      race(
        `aead/${direction}/${size}`,
        (aead) => (direction === 'seal' ? sealing(aead, size) : opening(aead, size)),
        (aead) => (aead === nobleAead ? 2000 : 30_000),
        limitsOf(size),
        sodium,
      ),
    ),
  );
  const tokens = ['seal', 'open'].map((direction) =>
    race(
      `aead/token/${direction}`,
      (aead) => token(aead, direction === 'open'),
      (aead) => (aead === nobleAead ? 1000 : 6000),
      { floor: 1 / 3, aim: 1 / 5 },
      sodium,
    ),
  );
  return [...packets, ...tokens];
}
