import { expect, test } from 'vitest';
import { carrierAddress, parseAddress } from '../src/address.ts';
import { nobleAead } from '../src/aead.ts';
import { NetcodeClient } from '../src/client-machine.ts';
import { decodePrivateToken, encodePrivateToken, generateConnectToken, readConnectToken, sealPrivateToken } from '../src/connect-token.ts';
import { DROP_REASONS } from '../src/drop-reason.ts';
import type { DropReason } from '../src/drop-reason.ts';
import { NetcodeError } from '../src/errors.ts';
import type { NetcodeErrorKind } from '../src/errors.ts';
import { readPacket } from '../src/packet-codec.ts';
import { encodeRequest } from '../src/request-packet.ts';
import { NetcodeServer } from '../src/server-machine.ts';
import { NetworkSimulator } from '../src/simulator.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { forge } from './support/session-forge.ts';
import type { RawClient } from './support/session-kit.ts';
import {
  clientAddress,
  counted,
  FakeTransport,
  mint,
  PRIVATE_KEY,
  PROTOCOL_ID,
  SERVER,
  SERVER_ADDRESS,
  START,
} from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const nothing = new Uint8Array(0);
const filled = (length: number, first: number) => new Uint8Array(length).fill(first, 0, 1);

/** What the server counts when a connected client does something. */
function atServer(act: (rig: ServerRig, client: RawClient) => unknown): () => string[] {
  return () => {
    const rig = new ServerRig();
    act(rig, rig.connected(1));
    rig.at();
    return Object.keys(counted(rig.server.counters));
  };
}

/** What a connected client counts when its server does something. */
function atClient(act: (rig: ClientRig, key: Uint8Array) => unknown): () => string[] {
  return () => {
    const rig = new ClientRig().establish();
    act(rig, rig.minted.token.serverToClientKey);
    rig.at(0.06);
    return Object.keys(counted(rig.client.counters));
  };
}

/** A frame that the holder of a client's keys seals. */
const sealed = (type: number, length: number) =>
  atServer((rig, client) => rig.send(client, forge(client.minted.token.clientToServerKey, type, 50, new Uint8Array(length))));
const sealedAtClient = (type: number, length: number) =>
  atClient((rig, key) => rig.client.processPacket(SERVER_ADDRESS, forge(key, type, 50, new Uint8Array(length))));
const requested = (options: Parameters<ServerRig['raw']>[1]) => atServer((rig) => rig.request(rig.raw(2, options)));
const processed = (bytes: Uint8Array) => atServer((rig, client) => rig.server.processPacket(client.address, bytes));

function privateDataWithoutServers(): string[] {
  const rig = new ServerRig();
  const { token } = mint();
  const { clientToServerKey, serverToClientKey } = token;
  const plain = encodePrivateToken({
    clientId: 1n,
    timeoutSeconds: 5,
    serverAddresses: [],
    clientToServerKey,
    serverToClientKey,
    userData: new Uint8Array(256),
  });
  rig.deliver(clientAddress(1), encodeRequest({ ...token, privateData: sealPrivateToken(plain, { ...token, key: PRIVATE_KEY }) })).at(0);
  return Object.keys(counted(rig.server.counters));
}

function fill(count: number, isSpread: boolean): ServerRig {
  const rig = new ServerRig();
  for (let i = 0; i < count; i++) rig.deliver(clientAddress(isSpread ? i : 1), rig.raw(i).request());
  rig.at(0);
  rig.request(rig.raw(9999));
  return rig;
}

const REASONS: Record<Exclude<DropReason, 'response-no-mapping'>, () => string[]> = {
  'not-running': atServer((rig, client) => (rig.server.stop(), rig.send(client, filled(20, 1)))),
  'too-long': processed(filled(1301, 0x15)),
  tiny: processed(filled(1, 0x15)),
  empty: atClient((rig) => rig.client.processPacket(SERVER_ADDRESS, nothing)),
  'request-not-allowed': atClient((rig) => rig.client.processPacket(SERVER_ADDRESS, filled(1078, 0))),
  'request-length': processed(filled(1077, 0)),
  'request-no-private-key': () => {
    const read = readPacket(encodeRequest(mint().token), { side: 'server', protocolId: PROTOCOL_ID, unixSeconds: 0n });
    return 'refused' in read ? [read.refused] : [];
  },
  'request-version': processed(filled(1078, 0)),
  'request-protocol-id': requested({ protocolId: 1n }),
  'request-expired': requested({ expireSeconds: 0 }),
  'request-predates-start': requested({ expireSeconds: 29 }),
  'request-decrypt': requested({ privateKey: new Uint8Array(32) }),
  'no-read-key': atServer((rig) => rig.deliver(clientAddress(9), filled(30, 0x15))),
  'too-small': processed(filled(17, 0x15)),
  'type-invalid': processed(filled(30, 0x17)),
  'type-not-allowed': processed(filled(30, 0x12)),
  'sequence-bytes': processed(filled(30, 0x95)),
  'short-for-sequence': processed(filled(24, 0x85)),
  replay: atServer((rig, client) => {
    const packet = client.keepAlive();
    rig.send(client, packet).send(client, packet);
  }),
  decrypt: processed(filled(30, 0x15)),
  'size-denied': sealedAtClient(1, 1),
  'size-challenge': sealedAtClient(2, 307),
  'size-response': sealed(3, 309),
  'size-keep-alive': sealed(4, 7),
  'size-payload-small': sealed(5, 0),
  'size-payload-large': sealed(5, 1201),
  'size-disconnect': sealed(6, 1),
  'type-zero': sealed(0, 5),
  'request-private-data': privateDataWithoutServers,
  'request-not-our-address': requested({ publicAddresses: ['10.1.1.9:1'] }),
  'request-address-connected': atServer((rig, client) => rig.request(rig.raw(2, {}, client.address))),
  'request-id-connected': atServer((rig) => rig.request(rig.raw(1, {}, clientAddress(9)))),
  'request-token-used': atServer((rig, client) => (rig.server.disconnectClient(0), rig.request(client))),
  'request-history-full': () => Object.keys(counted(fill(2048, false).server.counters)),
  'request-no-mapping-room': () => Object.keys(counted(fill(1024, true).server.counters)),
  'response-challenge': sealed(3, 308),
  'response-address-connected': atServer((rig) => {
    const client = rig.raw(2);
    const challenge = rig.request(client)!;
    rig.send(client, client.response(challenge)).send(client, client.response(challenge));
  }),
  'response-id-connected': atServer((rig) => {
    const [first, second] = [rig.raw(2), rig.raw(2, {}, clientAddress(9))];
    const [one, two] = [rig.request(first)!, rig.request(second)!];
    rig.send(first, first.response(one)).send(second, second.response(two));
  }),
  unexpected: atClient((rig) => rig.denied()),
  'other-sender': atClient((rig) => rig.kick(clientAddress(1))),
  'queue-full': atClient((rig) => Array.from({ length: 257 }, () => rig.payload(1))),
};

test.each(Object.entries(REASONS))('when a datagram is built for it, then %s is counted and nothing else', (reason, count) => {
  expect(count()).toEqual([reason]);
});

test('when the mapping of a response is gone, then its packet cannot be opened either: response-no-mapping is never reached', () => {
  // The key that opens a response is taken from the mapping of its sender, looked up for the same datagram: whoever gets as far as check 2 of
  // protocol section 13.3 has a mapping. An expired, replaced or removed one falls at check 9 or 16 of section 8.
  const rig = new ServerRig();
  const [late, replaced, gone] = [rig.raw(1), rig.raw(2), rig.raw(3)];
  const [one, two, three] = [late, replaced, gone].map((client) => rig.request(client)!);
  rig.at(5.1).send(late, late.response(one!));
  rig.request(replaced);
  rig.request(rig.raw(4, {}, replaced.address));
  rig.send(replaced, replaced.response(two!));
  rig.request(gone);
  rig.send(gone, gone.response(three!)).server.disconnectClient(0);
  rig.send(gone, gone.response(three!));
  expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 2, decrypt: 1 });
  expect(DROP_REASONS.filter((reason) => !(reason in REASONS))).toEqual(['response-no-mapping']);
});

const base = () => ({ time: START, transport: new FakeTransport() });
const serverBase = () => ({ ...base(), address: SERVER, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY });
const noMemory = {
  ...nobleAead,
  alloc: () => {
    throw new Error('out of memory');
  },
};
const token = { publicAddresses: [SERVER], clientId: 1n, protocolId: PROTOCOL_ID, privateKey: PRIVATE_KEY };
type SocketKind = 'createSocketIpv4Failed' | 'createSocketIpv6Failed' | 'bindSocketIpv4Failed' | 'bindSocketIpv6Failed';

/** Sockets and the self-test of cipher backends have suites of their own. */
const KINDS: Record<Exclude<NetcodeErrorKind, SocketKind | 'aeadSelfTest'>, () => unknown> = {
  parseAddressFailed: () => new NetcodeServer({ ...serverBase(), address: 'localhost' }),
  parseAddress2Failed: () => new NetcodeServer({ ...serverBase(), address2: 'localhost' }),
  simulatorRequiresPort: () => new NetcodeClient({ time: START, simulator: new NetworkSimulator() }),
  allocateClientFailed: () => new NetcodeClient({ ...base(), aead: noMemory }),
  allocateServerFailed: () => new NetcodeServer({ ...serverBase(), aead: noMemory }),
  missingOverrideCallback: () => new NetcodeClient({ time: START, override: {} as never }),
  wildcardAddress: () => new NetcodeServer({ ...serverBase(), address: '0.0.0.0:1' }),
  invalidOption: () => new NetcodeClient({ time: START }),
  invalidAddress: () => parseAddress('localhost'),
  invalidKey: () => nobleAead.createKey(new Uint8Array(31)),
  invalidId: () => new NetcodeServer({ ...serverBase(), protocolId: -1n }),
  invalidUserData: () => generateConnectToken({ ...token, userData: new Uint8Array(257) }),
  addressCount: () => generateConnectToken({ ...token, publicAddresses: [] }),
  addressCountMismatch: () => generateConnectToken({ ...token, internalAddresses: [SERVER, SERVER] }),
  invalidExpiry: () => generateConnectToken({ ...token, expireSeconds: 0.5 }),
  invalidTimeout: () => generateConnectToken({ ...token, timeoutSeconds: 2 ** 31 }),
  invalidConnectToken: () => readConnectToken(nothing),
  payloadSize: () => new ClientRig().client.send(nothing),
  bufferTooSmall: () => new ClientRig().establish().payload(1, 2).at(0.06).client.receiveInto(nothing),
  maxClients: () => new ServerRig({}, 257),
  reentrant: () => {
    let thrown: unknown;
    const rig: ClientRig = new ClientRig({
      onStateChange: () => {
        try {
          rig.client.disconnect();
        } catch (error) {
          thrown = error;
        }
      },
    });
    rig.connect();
    throw thrown;
  },
  closed: () => {
    const { client } = new ClientRig();
    client.close();
    client.update(START);
  },
};

test.each(Object.entries(KINDS))(
  'when the caller is at fault in that way, then %s is thrown, with its code in UPPER_SNAKE and a text',
  (kind, call) => {
    try {
      call();
      expect.unreachable('nothing thrown');
    } catch (error) {
      if (!NetcodeError.is(error)) throw error;
      expect([error.kind, error.code, error.message.length > 10]).toEqual([
        kind,
        kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
        true,
      ]);
    }
  },
);

test('when carriers or short private halves are given, then the errors say which', () => {
  expect(() => carrierAddress('', 1n)).toThrow(expect.objectContaining({ kind: 'invalidAddress', field: 'carrier' }) as Error);
  expect(() => decodePrivateToken(new Uint8Array(100))).toThrow(expect.objectContaining({ kind: 'invalidConnectToken' }) as Error);
});
