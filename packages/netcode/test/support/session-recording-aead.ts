import { toHex } from '@x/testkit';
import { nobleAead } from '../../src/aead.ts';
import type { Aead, AeadKey } from '../../src/aead.ts';

class RecordedKey implements AeadKey {
  readonly aead: Aead;
  readonly inner: AeadKey;
  readonly name: string;

  constructor(aead: Aead, inner: AeadKey, name: string) {
    this.aead = aead;
    this.inner = inner;
    this.name = name;
  }
}

const GLOBAL_HI = 0x8000_0000;

/** Every sealed packet of one test, by key and nonce. */
export class SealLog {
  readonly faults: string[] = [];
  sealed: number = 0;
  readonly #pairs: Set<string> = new Set();
  readonly #next: Map<string, number> = new Map();

  /** @param isConsecutive - whether the sequences below 2^63 of one key go up by one; else they only go up. */
  add(key: string, hi: number, lo: number, isConsecutive: boolean): void {
    this.sealed++;
    const pair = `${key} ${hi} ${lo}`;
    if (this.#pairs.has(pair)) this.faults.push(`key and nonce repeated: sequence ${hi}:${lo}`);
    this.#pairs.add(pair);
    if (hi >= GLOBAL_HI) return;
    const sequence = hi * 0x1_0000_0000 + lo;
    const next = this.#next.get(key) ?? 0;
    if (isConsecutive ? sequence !== next : sequence < next) this.faults.push(`sequence ${sequence} follows ${next - 1}`);
    this.#next.set(key, sequence + 1);
  }
}

/** A cipher that writes down what it seals. */
export function recordingAead(log: SealLog, isConsecutive: boolean): Aead {
  const recorded = (key: AeadKey): RecordedKey => {
    if (key instanceof RecordedKey) return key;
    throw new Error('a key of another cipher');
  };
  const inner = (key: AeadKey) => recorded(key).inner;
  const aead: Aead = {
    name: 'recording',
    createKey: (bytes) => new RecordedKey(aead, nobleAead.createKey(bytes), toHex(bytes)),
    destroyKey: (key) => nobleAead.destroyKey(inner(key)),
    seal: (key, hi, lo, ...rest) => {
      log.add(recorded(key).name, hi, lo, isConsecutive);
      return nobleAead.seal(inner(key), hi, lo, ...rest);
    },
    open: (key, ...rest) => nobleAead.open(inner(key), ...rest),
    sealX: (key, ...rest) => nobleAead.sealX(inner(key), ...rest),
    openX: (key, ...rest) => nobleAead.openX(inner(key), ...rest),
  };
  return aead;
}
