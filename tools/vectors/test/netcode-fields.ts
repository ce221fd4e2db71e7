import { inside, steps, words } from './field-kinds.ts';
import type { FieldKinds } from './field-kinds.ts';

const TOKEN_INPUTS = words(`
  protocolId createTimestamp expireTimestamp clientId timeoutSeconds nonce privateKey clientToServerKey serverToClientKey userData
  publicServerAddresses publicServerAddresses[] internalServerAddresses internalServerAddresses[]`);

const REFERENCE_TOKENS = ['tokens', ...inside('tokens', ['name', ...TOKEN_INPUTS])];

/** Every field of every group of netcode.json whose cases are objects. */
export const NETCODE_FIELDS: Readonly<Record<string, FieldKinds>> = {
  connectTokens: {
    compared: [...TOKEN_INPUTS, ...words('privatePlaintext privateEncrypted token')],
    others: ['name'],
    resultsOnly: false,
    places: 'all',
  },
  challengeTokens: {
    compared: words('clientId userData sequence key plaintext encrypted'),
    others: ['name'],
    resultsOnly: false,
    places: 'all',
  },
  packets: {
    compared: words(`
      type typeId direction protocolId connectToken key sequence challengeSequence challengeData clientIndex maxClients payload
      payloadBytes packet`),
    others: [],
    resultsOnly: false,
    places: 'all',
  },
  rejectedPackets: {
    compared: words('check mostRecentSequenceAfter'),
    others: words(`
      name side readKey protocolId currentTimestamp minExpireTimestamp privateKey alreadyReceived alreadyReceived[] packet`),
    resultsOnly: true,
    places: 'all',
  },
  rejectedConnectTokens: { compared: ['check'], others: words('name token'), resultsOnly: true, places: 'all' },
  rejectedPrivateTokens: { compared: ['check'], others: words('name plaintext'), resultsOnly: true, places: 'all' },
  rejectedChallengeTokens: { compared: ['check'], others: words('name sequence key encrypted'), resultsOnly: true, places: 'all' },
  'addresses.valid': { compared: words('canonical type bytes port'), others: ['input'], resultsOnly: true, places: 'all' },
  replayScripts: {
    compared: steps('alreadyReceived mostRecent'),
    others: ['name', 'steps', ...steps('op sequence')],
    resultsOnly: true,
    places: 'all',
  },
  serverTranscripts: {
    compared: steps(`
      out out[].to out[].data outCount outBytes outFnv events events[].slot events[].connected
      received received[].slot received[].sequence received[].data connectedCount globalSequence challengeSequence
      slots slots[].connected slots[].clientId slots[].disconnectReason slots[].nextSequence slots[].confirmed`),
    others: [
      ...words('name serverAddress protocolId privateKey maxConnectTokenLifetimeSeconds createTime steps'),
      ...REFERENCE_TOKENS,
      ...steps(`
        op note unixSeconds maxClients challengeKey time in in[].from in[].data slot payload from first count expireTimestamp`),
    ],
    resultsOnly: true,
    places: 'some',
  },
  clientTranscripts: {
    compared: steps(`
      out out[].to out[].data transitions transitions[] transitions[][] state clientIndex maxClients nextSequence serverAddress
      received received[].sequence received[].data`),
    others: [
      ...words('name createTime steps'),
      ...REFERENCE_TOKENS,
      ...steps('op note token time unixSeconds in in[].from in[].data payload'),
    ],
    resultsOnly: true,
    places: 'some',
  },
};

/** The compared fields of the group `simulator`. */
export const SIMULATOR_FIELDS: readonly string[] = words(`
  randomUint64[] randomFloat0to100[] runs[].deliveries runs[].deliveries[].time runs[].deliveries[].packets
  runs[].deliveries[].packets[]`);
