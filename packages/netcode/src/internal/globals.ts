/** The few web globals that every runtime has and neither `lib.es2023` nor Node's types are loaded for. */
interface WebGlobals {
  crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
  performance: { now(): number };
}

const globals = globalThis as unknown as WebGlobals;

/** Most bytes that one call of `getRandomValues` gives. */
const RANDOM_CHUNK_BYTES = 65_536;

/** Fills the array from the system's cryptographic generator. */
export function fillRandom(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i += RANDOM_CHUNK_BYTES) globals.crypto.getRandomValues(bytes.subarray(i, i + RANDOM_CHUNK_BYTES));
}

/** Milliseconds on a clock that never goes back. */
export function monotonicMilliseconds(): number {
  return globals.performance.now();
}

let second = 0;
let secondAsBigint = 0n;

/** Whole seconds since 1970 on the wall clock. A new BigInt is made once a second, not at each call. */
export function wallClockSeconds(): bigint {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    secondAsBigint = BigInt(now);
  }
  return secondAsBigint;
}
