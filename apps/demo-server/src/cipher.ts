import { nobleAead } from '@x/netcode';
import type { Aead } from '@x/netcode';
import { createSodiumAead } from '@x/netcode/sodium';
import type { CipherName } from './config.ts';

/** A cipher that works. */
export interface LoadedCipher {
  readonly name: CipherName;
  readonly aead: Aead;
  /** Why it is not the one that was asked for. */
  readonly note?: string;
}

/**
 * Loads a cipher; where libsodium does not load, noble takes its place.
 *
 * @param load - loads libsodium; replaced in tests.
 */
export async function loadCipher(wanted: CipherName, load: () => Promise<Aead> = createSodiumAead): Promise<LoadedCipher> {
  if (wanted === 'noble') return { name: 'noble', aead: nobleAead };
  try {
    return { name: 'sodium', aead: await load() };
  } catch (error) {
    return { name: 'noble', aead: nobleAead, note: `cipher: noble in place of sodium (${firstLine(error)})` };
  }
}

/** The first line of what an error says: nobody who runs the demo wants a stack. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? '';
}
