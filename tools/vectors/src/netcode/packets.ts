import { ReplayWindow, readPacket, writePacket } from '@x/netcode/protocol';
import type { Packet } from '@x/netcode/protocol';
import { Fields, expectSame, expectSameBytes, isRecord } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseContext, CaseReplayer } from '../group.ts';
import { accepted, checkOf } from './refusal.ts';
import { encodeToken, readTokenInputs } from './tokens.ts';

type Side = 'server' | 'client';

/** Who reads packets that travel in a direction; the other side refuses their type. */
const READERS: Readonly<Record<string, readonly Side[]>> = {
  clientToServer: ['server'],
  serverToClient: ['client'],
  both: ['server', 'client'],
};

/** Types that the replay window guards. */
const GUARDED: readonly string[] = ['keepAlive', 'payload', 'disconnect'];

const NO_KEY = new Uint8Array(32);

/** Packets, both directions, on each side that may receive them. */
export const replayPacket: CaseReplayer = objectCase((fields, context) => {
  const type = fields.text('type');
  const readers = READERS[fields.text('direction')];
  if (readers === undefined) throw new Error(`direction: ${fields.text('direction')} is unknown`);
  const written = type === 'request' ? readRequest(fields, context) : readEncrypted(fields, type);
  const datagram = writePacket(written.packet, written);
  fields.expectBytes('packet', datagram);
  fields.expectNumber('typeId', datagram[0]! & 0x0f);

  for (const side of ['server', 'client'] as const) {
    const window = new ReplayWindow();
    const result = readPacket(fields.bytes('packet'), {
      side,
      protocolId: fields.u64('protocolId'),
      unixSeconds: written.unixSeconds,
      readKey: written.key,
      privateKey: written.privateKey,
      window,
    });
    if (!readers.includes(side)) {
      expectSame(`check of the ${side}`, checkOf(result), type === 'request' ? 'request-not-allowed' : 'type-not-allowed');
      continue;
    }
    const { packet, sequence } = accepted('packet', result);
    expectSame('type that was read', packet.type, type);
    if (packet.type !== 'request') fields.expectU64('sequence', sequence);
    expectBody(fields, packet, written.whenRead);
    expectSame('most recent sequence of the window', window.mostRecent, GUARDED.includes(type) ? sequence : 0n);
  }
});

interface WrittenPacket {
  readonly packet: Packet;
  /** The packet as it is read: a request then holds the opened private half. */
  readonly whenRead: Packet;
  readonly protocolId: bigint;
  readonly sequence: bigint;
  readonly key: Uint8Array;
  /** Key of the backend, for requests. */
  readonly privateKey: Uint8Array;
  /** A wall clock at which the packet is good. */
  readonly unixSeconds: bigint;
}

function readRequest(fields: Fields, { file }: CaseContext): WrittenPacket {
  const name = fields.text('connectToken');
  const tokens: readonly unknown[] = Array.isArray(file['connectTokens']) ? file['connectTokens'] : [];
  const found = tokens.find((token) => isRecord(token) && token['name'] === name);
  const inputs = readTokenInputs(new Fields(found, `connectToken ${name}`));
  const { protocolId, expireTimestamp, nonce, privateKey } = inputs;
  fields.expectU64('protocolId', protocolId);
  const { privatePlaintext, privateEncrypted } = encodeToken(inputs);
  const request = { type: 'request', protocolId, expireTimestamp, nonce } as const;
  return {
    packet: { ...request, privateData: privateEncrypted },
    whenRead: { ...request, privateData: privatePlaintext },
    protocolId,
    sequence: 0n,
    key: NO_KEY,
    privateKey,
    unixSeconds: expireTimestamp - 1n,
  };
}

function readEncrypted(fields: Fields, type: string): WrittenPacket {
  const packet = readBody(fields, type);
  return {
    packet,
    whenRead: packet,
    protocolId: fields.u64('protocolId'),
    sequence: fields.u64('sequence'),
    key: fields.bytes('key'),
    privateKey: NO_KEY,
    unixSeconds: 0n,
  };
}

function readBody(fields: Fields, type: string): Packet {
  switch (type) {
    case 'denied':
    case 'disconnect':
      return { type };
    case 'challenge':
    case 'response':
      return { type, challengeSequence: fields.u64('challengeSequence'), challengeData: fields.bytes('challengeData') };
    case 'keepAlive':
      return { type, clientIndex: fields.number('clientIndex'), maxClients: fields.number('maxClients') };
    case 'payload': {
      const payload = fields.bytes('payload');
      fields.expectNumber('payloadBytes', payload.length);
      return { type, payload };
    }
    default:
      throw new Error(`type: ${type} is unknown`);
  }
}

/** Compares what was read with the fields of the case; a request with what its token says. */
function expectBody(fields: Fields, packet: Packet, whenRead: Packet): void {
  switch (packet.type) {
    case 'denied':
    case 'disconnect':
      return;
    case 'challenge':
    case 'response':
      fields.expectU64('challengeSequence', packet.challengeSequence);
      fields.expectBytes('challengeData', packet.challengeData);
      return;
    case 'keepAlive':
      fields.expectNumber('clientIndex', packet.clientIndex);
      fields.expectNumber('maxClients', packet.maxClients);
      return;
    case 'payload':
      fields.expectBytes('payload', packet.payload);
      return;
    case 'request':
      if (whenRead.type !== 'request') throw new Error('a request was read where none was written');
      expectSame('protocol id of the request', packet.protocolId, whenRead.protocolId);
      expectSame('expire timestamp of the request', packet.expireTimestamp, whenRead.expireTimestamp);
      expectSameBytes('nonce of the request', packet.nonce, whenRead.nonce);
      expectSameBytes('private data of the request', packet.privateData, whenRead.privateData);
  }
}
