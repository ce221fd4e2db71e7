import { formatAddress } from '@x/netcode';
import { decodeConnectToken, decodePrivateToken, openPrivateToken } from '@x/netcode/protocol';
import type { PrivateConnectToken } from '@x/netcode/protocol';
import { openConnectToken, readConnectToken } from '@x/netcode/token';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import type { Fields } from '../fields.ts';
import { accepted } from './refusal.ts';
import { encodeToken, readTokenInputs, sealingOf } from './tokens.ts';

/** Connect tokens: built from the inputs, then taken apart again with the functions for tools and with those for applications. */
export const replayConnectToken: CaseReplayer = objectCase((fields) => {
  const inputs = readTokenInputs(fields);
  const encoded = encodeToken(inputs);
  fields.expectBytes('privatePlaintext', encoded.privatePlaintext);
  fields.expectBytes('privateEncrypted', encoded.privateEncrypted);
  fields.expectBytes('token', encoded.token);

  const decoded = accepted('token', decodeConnectToken(fields.bytes('token')));
  for (const token of [decoded, readConnectToken(fields.bytes('token'))]) {
    fields.expectU64('protocolId', token.protocolId);
    fields.expectU64('createTimestamp', token.createTimestamp);
    fields.expectU64('expireTimestamp', token.expireTimestamp);
    fields.expectBytes('nonce', token.nonce);
    fields.expectBytes('privateEncrypted', token.privateData);
    fields.expectTexts('publicServerAddresses', token.serverAddresses.map(formatAddress));
    expectSharedFields(fields, token);
    const opened = openConnectToken(token, inputs.privateKey);
    if (opened === undefined) throw new Error('token: openConnectToken refuses it');
    expectPrivateFields(fields, opened);
  }

  const plaintext = accepted('privateEncrypted', openPrivateToken(fields.bytes('privateEncrypted'), sealingOf(inputs)));
  fields.expectBytes('privatePlaintext', plaintext);
  expectPrivateFields(fields, accepted('privatePlaintext', decodePrivateToken(fields.bytes('privatePlaintext'))));
});

/** Compares what the public and the private part both hold. */
function expectSharedFields(
  fields: Fields,
  token: Pick<PrivateConnectToken, 'timeoutSeconds' | 'clientToServerKey' | 'serverToClientKey'>,
): void {
  fields.expectNumber('timeoutSeconds', token.timeoutSeconds);
  fields.expectBytes('clientToServerKey', token.clientToServerKey);
  fields.expectBytes('serverToClientKey', token.serverToClientKey);
}

function expectPrivateFields(fields: Fields, token: PrivateConnectToken): void {
  fields.expectU64('clientId', token.clientId);
  fields.expectTexts('internalServerAddresses', token.serverAddresses.map(formatAddress));
  fields.expectBytes('userData', token.userData);
  expectSharedFields(fields, token);
}
