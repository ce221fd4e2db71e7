import { SeededRandom } from '@x/testkit';
import { expect } from 'vitest';
import { parseAddress } from '../../src/address.ts';
import type { ConnectToken, ConnectTokenOptions, PrivateConnectToken } from '../../src/connect-token.ts';
import { NetcodeError } from '../../src/errors.ts';

const random = new SeededRandom(1021);

/** A protocol id with eight different bytes. */
export const PROTOCOL_ID = 0x1122_3344_5566_7788n;
/** The key that backend and server share. */
export const PRIVATE_KEY: Uint8Array = random.bytes(32);
/** The key of a foreign backend. */
export const OTHER_KEY: Uint8Array = random.bytes(32);
/** A session key. */
export const SESSION_KEY: Uint8Array = random.bytes(32);
/** The wall clock of the samples, Unix seconds. */
export const NOW = 1_790_000_000n;

/** Public token fields in which every field is different from zero. */
export function sampleToken(parts: Partial<ConnectToken> = {}): ConnectToken {
  const own = new SeededRandom(7);
  return {
    protocolId: PROTOCOL_ID,
    createTimestamp: NOW,
    expireTimestamp: NOW + 30n,
    nonce: own.bytes(24),
    privateData: own.bytes(1024),
    timeoutSeconds: 5,
    serverAddresses: [parseAddress('10.1.2.3:40000'), parseAddress('[2001:db8::1234]:40001')],
    clientToServerKey: own.bytes(32),
    serverToClientKey: own.bytes(32),
    ...parts,
  };
}

/** Private token fields in which every field is different from zero. */
export function samplePrivateToken(parts: Partial<PrivateConnectToken> = {}): PrivateConnectToken {
  const own = new SeededRandom(8);
  return {
    clientId: 0x8877_6655_4433_2211n,
    timeoutSeconds: 5,
    serverAddresses: [parseAddress('192.168.0.9:40000'), parseAddress('[fe80::9]:40001')],
    clientToServerKey: own.bytes(32),
    serverToClientKey: own.bytes(32),
    userData: own.bytes(256),
    ...parts,
  };
}

/** Options that mint a token. */
export function mintOptions(parts: Partial<ConnectTokenOptions> = {}): ConnectTokenOptions {
  return {
    publicAddresses: ['203.0.113.7:40000', '[2001:db8::7]:40001'],
    clientId: 1234n,
    protocolId: PROTOCOL_ID,
    privateKey: PRIVATE_KEY,
    createTimestamp: NOW,
    ...parts,
  };
}

/** What a call throws, which has to be an error of this package. */
export function failureOf(call: () => unknown): NetcodeError {
  try {
    call();
  } catch (error) {
    if (error instanceof NetcodeError) return error;
    expect.fail(`threw something else: ${String(error)}`);
  }
  return expect.fail('threw nothing');
}

/** A copy with one byte changed by exclusive or. */
export function flip(bytes: Uint8Array, index: number, mask: number = 1): Uint8Array {
  const copy = bytes.slice();
  copy[index] = copy[index]! ^ mask;
  return copy;
}
