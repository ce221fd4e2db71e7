// Datagrams. The first byte of an input says what is done with the rest:
//
//   0, 1   the rest is a datagram: read by a server, by a client
//   2, 3   the rest is type (1), number of sequence bytes (1), sequence (8) and body: sealed under the right key first, so that what lies behind
//          authentication is reached; read by a server, by a client
//   4, 5   as 0 and 2, given to a server with a connected client, from that client's address
//   6, 7   the same, given to that client, from the server's address
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { generateConnectToken, NetcodeClient, NetcodeServer, parseAddress } from '@x/netcode';
import { readPacket, ReplayWindow, writePacket } from '@x/netcode/protocol';
import { readConnectToken } from '@x/netcode/token';
import { assert, assertSame } from '../check.mjs';

const protocolId = 0x1122334455667788n;
const privateKey = new Uint8Array(32).fill(42);
const unixSeconds = 1000n;
const serverAddress = parseAddress('127.0.0.1:40000');
const clientAddress = parseAddress('127.0.0.1:50000');
const token = generateConnectToken({
  publicAddresses: ['127.0.0.1:40000'],
  clientId: 7n,
  protocolId,
  privateKey,
  createTimestamp: unixSeconds,
  timeoutSeconds: -1,
});
const keys = readConnectToken(token);
const VERSION = new Uint8Array(Buffer.from('NETCODE 1.02\0', 'latin1'));
/** Inputs that one connected pair takes before it is made anew. */
const INPUTS_PER_PAIR = 200;

/** Seals a body under any type and any number of sequence bytes, also those that no writer makes. */
function seal(rest, key) {
  const type = (rest[0] ?? 0) & 0x0f;
  const count = (rest[1] ?? 0) & 0x0f;
  const sequence = new Uint8Array(8);
  sequence.set(rest.subarray(2, 10));
  sequence.fill(0, count);
  const prefix = (count << 4) | type;
  const ad = new Uint8Array(22);
  ad.set(VERSION);
  new DataView(ad.buffer).setBigUint64(13, protocolId, true);
  ad[21] = prefix;
  const nonce = new Uint8Array(12);
  nonce.set(sequence, 4);
  const sealed = chacha20poly1305(key, nonce, ad).encrypt(rest.subarray(10));
  return Uint8Array.from([prefix, ...sequence.subarray(0, Math.min(count, 8)), ...sealed]);
}

/** A read must not change the datagram; what was accepted must be written to the same packet when its sequence has the fewest bytes. */
function read(datagram, side, key) {
  const before = datagram.slice();
  const window = new ReplayWindow();
  const result = readPacket(datagram, { side, protocolId, unixSeconds, readKey: key, privateKey, window });
  assertSame(datagram, before, 'the datagram before and after');
  if ('refused' in result) return;
  const { packet, sequence } = result;
  if (packet.type === 'request') return;
  const isProtected = ['keepAlive', 'payload', 'disconnect'].includes(packet.type);
  assert(window.alreadyReceived(sequence) === isProtected, 'the replay window');
  const again = writePacket(packet, { protocolId, sequence, key });
  if (again.length === datagram.length) assertSame(again, datagram, 'the packet and its fields written again');
}

let pair;

function makePair() {
  const toServer = [];
  const toClient = [];
  const way = (outgoing, from, incoming) => ({
    sendPacket: (to, bytes) => outgoing.push({ from, bytes: Uint8Array.from(bytes) }),
    receivePacket: () => incoming.shift(),
  });
  const server = new NetcodeServer({
    time: 0,
    address: '127.0.0.1:40000',
    protocolId,
    privateKey,
    unixSeconds: () => unixSeconds,
    override: way(toClient, serverAddress, toServer),
    onError: rethrow,
  });
  const client = new NetcodeClient({ time: 0, override: way(toServer, clientAddress, toClient), onError: rethrow });
  server.start(2);
  client.connect(token);
  let time = 0;
  for (; client.state !== 'connected' || server.connectedCount !== 1; time += 0.2) {
    assert(time < 5, 'the pair does not connect');
    client.update(time);
    server.update(time);
  }
  return { server, client, time, inputs: 0 };
}

function rethrow(error) {
  throw error;
}

const total = (counters) => Object.values(counters).reduce((sum, count) => sum + count, 0);

/** A datagram is ignored with exactly one counter, or it has an effect. */
function feed(datagram, atServer) {
  if (pair === undefined || pair.inputs++ >= INPUTS_PER_PAIR || pair.client.state !== 'connected' || pair.server.connectedCount !== 1)
    pair = makePair();
  const machine = atServer ? pair.server : pair.client;
  const before = total(machine.counters);
  machine.processPacket(atServer ? clientAddress : serverAddress, datagram);
  assert(total(machine.counters) - before <= 1, 'one datagram, several counters');
  for (let got = pair.server.receive(0); got !== undefined; got = pair.server.receive(0)) checkPayload(got.data);
  for (let got = pair.client.receive(); got !== undefined; got = pair.client.receive()) checkPayload(got.data);
  pair.time += 0.01;
  machine.update(pair.time);
}

function checkPayload(data) {
  assert(data.length >= 1 && data.length <= 1200, `a payload of ${data.length} bytes`);
}

function sealedSeed(mode, type, count, sequence, body) {
  return Uint8Array.from([mode, type, count, sequence, 0, 0, 0, 0, 0, 0, 0, ...body]);
}

export const target = {
  name: 'netcode-packet',
  maxBytes: 1400,
  seeds: () => [
    Uint8Array.from([0, ...request()]),
    Uint8Array.from([4, ...request()]),
    Uint8Array.from([0, 0x15, 9, ...new Uint8Array(30)]),
    ...[2, 3, 5, 7].flatMap((mode) => [
      sealedSeed(mode, 1, 1, 1, []),
      sealedSeed(mode, 2, 8, 2, new Uint8Array(308)),
      sealedSeed(mode, 3, 1, 3, new Uint8Array(308)),
      sealedSeed(mode, 4, 1, 4, new Uint8Array(8)),
      sealedSeed(mode, 5, 2, 5, new Uint8Array(64)),
      sealedSeed(mode, 5, 2, 6, new Uint8Array(1200)),
      sealedSeed(mode, 6, 1, 7, []),
    ]),
  ],
  run(input) {
    const mode = (input[0] ?? 0) & 7;
    const rest = input.subarray(1);
    const atServer = mode === 0 || mode === 2 || mode === 4 || mode === 5;
    const key = atServer ? keys.clientToServerKey : keys.serverToClientKey;
    const datagram = [2, 3, 5, 7].includes(mode) ? seal(rest, key) : rest.slice();
    if (mode < 4) read(datagram, atServer ? 'server' : 'client', key);
    else feed(datagram, atServer);
  },
};

function request() {
  const { nonce, privateData, expireTimestamp } = keys;
  return writePacket({ type: 'request', protocolId, expireTimestamp, nonce, privateData }, { protocolId, sequence: 0n, key: privateKey });
}
