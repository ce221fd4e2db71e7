import { afterEach, describe, expect, it } from 'vitest';
import { formatAddress, MAX_PAYLOAD_BYTES } from '../../src/index.ts';
import type { NetcodeClient, NetcodeServer } from '../../src/index.ts';
import type { CreateClientOptions, CreateServerOptions } from '../../src/node/index.ts';
import { Closer, drive, mint, NO_IPV6, openClient, openServer } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

interface Pair {
  server: NetcodeServer;
  client: NetcodeClient;
  toServer: Uint8Array[];
  toClient: Uint8Array[];
}

async function openPair(serverOptions: Partial<CreateServerOptions>, clientOptions: CreateClientOptions): Promise<Pair> {
  const toServer: Uint8Array[] = [];
  const toClient: Uint8Array[] = [];
  const onServer = (_slot: number, bytes: Uint8Array, offset: number, length: number): void =>
    void toServer.push(bytes.slice(offset, offset + length));
  const onClient = (bytes: Uint8Array, offset: number, length: number): void => void toClient.push(bytes.slice(offset, offset + length));
  const server = closer.add(await openServer({ ...serverOptions, onPayload: onServer }));
  const client = closer.add(await openClient({ ...clientOptions, onPayload: onClient }));
  server.start(4);
  return { server, client, toServer, toClient };
}

function patterned(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + length * 7 + seed) & 0xff);
}

async function exchangeAllSizes({ server, client, toServer, toClient }: Pair): Promise<void> {
  const scratch = new Uint8Array(MAX_PAYLOAD_BYTES);
  const batch = 60;
  for (let first = 1; first <= MAX_PAYLOAD_BYTES; first += batch) {
    for (let length = first; length < first + batch; length++) {
      scratch.set(patterned(length, 1));
      client.send(scratch, 0, length);
      scratch.set(patterned(length, 2));
      server.send(0, scratch, 0, length);
      scratch.fill(0);
    }
    const expected = first + batch - 1;
    expect(await drive([server, client], () => toServer.length >= expected && toClient.length >= expected)).toBe(true);
  }
  for (let length = 1; length <= MAX_PAYLOAD_BYTES; length++) {
    expect(Buffer.compare(toServer[length - 1]!, patterned(length, 1)), `${length} bytes to the server`).toBe(0);
    expect(Buffer.compare(toClient[length - 1]!, patterned(length, 2)), `${length} bytes to the client`).toBe(0);
  }
}

const DUAL_SERVER = { address: '127.0.0.1:0', bindAddress: '127.0.0.1:0', address2: '[::1]:0', bindAddress2: '[::1]:0' };

const CASES: [string, boolean, Partial<CreateServerOptions>, CreateClientOptions, 'address' | 'address2'][] = [
  ['IPv4', false, {}, { address: '127.0.0.1:0' }, 'address'],
  ['IPv6', true, { address: '[::1]:0' }, { address: '[::1]:0' }, 'address'],
  ['a dual client and a dual server over IPv4', true, DUAL_SERVER, {}, 'address'],
  ['a dual client and a dual server over IPv6', true, DUAL_SERVER, {}, 'address2'],
  ['a dual client and an IPv4 server', false, {}, {}, 'address'],
  ['a dual client and an IPv6 server', true, { address: '[::1]:0' }, {}, 'address'],
];

describe('a session on loopback', () => {
  it.each(CASES)('carries payloads of 1 to 1200 bytes both ways: %s', async (name, needsIpv6, serverOptions, clientOptions, identity) => {
    if (needsIpv6 && NO_IPV6 !== undefined) {
      console.log(`skipped ${name}: ${NO_IPV6}`);
      return;
    }
    const pair = await openPair(serverOptions, clientOptions);
    const { server, client } = pair;
    const dialled = formatAddress(server[identity]!);
    expect(client.connect(mint([dialled], { clientId: 77n }))).toBeUndefined();
    expect(await drive([server, client], () => client.state === 'connected')).toBe(true);
    expect(server.clientId(0)).toBe(77n);
    expect(formatAddress(client.serverAddress!)).toBe(dialled);
    expect(server.clientAddress(0)?.type).toBe(server[identity]!.type);
    await exchangeAllSizes(pair);
    expect(server.connectedCount).toBe(1);
    client.disconnect();
    expect(await drive([server], () => server.connectedCount === 0)).toBe(true);
    expect(server.disconnectReason(0)).toBe('clientDisconnect');
  });

  it('tells the client when the server stops in the tick in which it closes', async () => {
    const { server, client } = await openPair({}, { address: '127.0.0.1:0' });
    client.connect(mint([formatAddress(server.address)]));
    expect(await drive([server, client], () => client.state === 'connected')).toBe(true);
    server.close();
    expect(await drive([client], () => client.state === 'disconnected', 1000)).toBe(true);
  });
});
