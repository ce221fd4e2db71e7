import { parseAddress } from '@x/netcode';
import type { Address } from '@x/netcode';
import { encodeConnectToken, encodePrivateToken, sealPrivateToken } from '@x/netcode/protocol';
import type { TokenSealing } from '@x/netcode/protocol';
import type { Fields } from '../fields.ts';

/** The inputs of one connect token, as vector files give them. */
export interface TokenInputs {
  readonly protocolId: bigint;
  readonly createTimestamp: bigint;
  readonly expireTimestamp: bigint;
  readonly clientId: bigint;
  readonly timeoutSeconds: number;
  readonly nonce: Uint8Array;
  readonly privateKey: Uint8Array;
  readonly publicServerAddresses: readonly Address[];
  readonly internalServerAddresses: readonly Address[];
  readonly clientToServerKey: Uint8Array;
  readonly serverToClientKey: Uint8Array;
  readonly userData: Uint8Array;
}

/** A connect token in its three stages. */
export interface EncodedToken {
  readonly privatePlaintext: Uint8Array;
  readonly privateEncrypted: Uint8Array;
  readonly token: Uint8Array;
}

/** Reads the inputs of a token. */
export function readTokenInputs(fields: Fields): TokenInputs {
  fields.describe('name');
  return {
    protocolId: fields.u64('protocolId'),
    createTimestamp: fields.u64('createTimestamp'),
    expireTimestamp: fields.u64('expireTimestamp'),
    clientId: fields.u64('clientId'),
    timeoutSeconds: fields.number('timeoutSeconds'),
    nonce: fields.bytes('nonce'),
    privateKey: fields.bytes('privateKey'),
    publicServerAddresses: fields.texts('publicServerAddresses').map(parseAddress),
    internalServerAddresses: fields.texts('internalServerAddresses').map(parseAddress),
    clientToServerKey: fields.bytes('clientToServerKey'),
    serverToClientKey: fields.bytes('serverToClientKey'),
    userData: fields.bytes('userData'),
  };
}

/** What the private part of a token is sealed with. */
export function sealingOf(inputs: TokenInputs): TokenSealing {
  return { protocolId: inputs.protocolId, expireTimestamp: inputs.expireTimestamp, nonce: inputs.nonce, key: inputs.privateKey };
}

/** Builds a token from its inputs. */
export function encodeToken(inputs: TokenInputs): EncodedToken {
  const { protocolId, createTimestamp, expireTimestamp, clientId, timeoutSeconds, nonce, clientToServerKey, serverToClientKey, userData } =
    inputs;
  const keys = { timeoutSeconds, clientToServerKey, serverToClientKey };
  const privatePlaintext = encodePrivateToken({ ...keys, clientId, serverAddresses: inputs.internalServerAddresses, userData });
  const privateEncrypted = sealPrivateToken(privatePlaintext, sealingOf(inputs));
  const token = encodeConnectToken({
    ...keys,
    protocolId,
    createTimestamp,
    expireTimestamp,
    nonce,
    privateData: privateEncrypted,
    serverAddresses: inputs.publicServerAddresses,
  });
  return { privatePlaintext, privateEncrypted, token };
}

/**
 * Reads the tokens that a transcript lists for reference. Its datagrams are given in full, so nothing is compared here beyond
 * that the inputs are those of tokens that can be encoded.
 */
export function readReferenceTokens(transcript: Fields): void {
  transcript.each('tokens', (token) => encodeToken(readTokenInputs(token)));
}
