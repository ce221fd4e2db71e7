// Measures heap and off-heap growth per call of the built package and prints one line of JSON. Run by alloc.test.ts with --expose-gc and a young
// generation that is large enough to hold a whole measurement.
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { generateConnectToken, NetcodeClient, NetcodeServer, nobleAead, parseAddress } from '../../dist/index.js';
import { createSodiumAead } from '../../dist/sodium.js';

const CALLS = 20_000;
const ATTEMPTS = 6;
const PROTOCOL_ID = 7n;
const UNIX = 1_700_000_000n;
const SERVER = parseAddress('10.1.1.1:40000');
const CLIENT = parseAddress('10.2.0.1:50000');
const STRANGER = parseAddress('10.3.0.1:50000');
const privateKey = new Uint8Array(32).fill(7);

let collectedAt = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collectedAt = Math.max(collectedAt, entry.startTime);
}).observe({ entryTypes: ['gc'] });

/** Two ends with a ring of preallocated datagrams each: nothing is allocated after the start. */
class Link {
  kind = 'memory';
  maxDatagramBytes = 1300;
  stats = { datagramsSent: 0, datagramsReceived: 0, bytesSent: 0, bytesReceived: 0, sendErrors: 0, receiveErrors: 0, dropped: 0 };
  isCaughtUp = true;
  onReadable = undefined;
  onPeerClosed = undefined;
  peer = undefined;
  ring = Array.from({ length: 16 }, () => ({ from: undefined, bytes: new Uint8Array(1300), length: 0 }));
  first = 0;
  count = 0;

  constructor(own) {
    this.own = own;
  }

  boundPort() {
    return 0;
  }

  send(to, bytes, offset, length) {
    this.peer.put(this.own, bytes, offset, length);
    return true;
  }

  put(from, bytes, offset, length) {
    const slot = this.ring[(this.first + this.count) & 15];
    if (this.count === 16) this.first = (this.first + 1) & 15;
    else this.count++;
    slot.from = from;
    slot.length = length;
    for (let i = 0; i < length; i++) slot.bytes[i] = bytes[offset + i];
  }

  poll(handler) {
    while (this.count > 0) {
      const slot = this.ring[this.first];
      this.first = (this.first + 1) & 15;
      this.count--;
      handler(slot.from, slot.bytes, 0, slot.length);
    }
  }

  flush() {}

  startCatchUp() {}

  close() {}
}

/** Copies and appends a tag that depends on key and nonce: what is above the cipher is measured alone. Tokens are opened by noble. */
const fakeAead = {
  name: 'fake',
  createKey: (bytes) => ({ aead: fakeAead, sum: bytes[0] ^ bytes[31], noble: nobleAead.createKey(bytes) }),
  destroyKey: () => {},
  seal(key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset) {
    for (let i = 0; i < length; i++) out[outOffset + i] = src[srcOffset + i];
    for (let i = 0; i < 16; i++) out[outOffset + length + i] = key.sum ^ lo ^ i;
    return length + 16;
  },
  open(key, hi, lo, ad, adLength, src, srcOffset, length, out, outOffset) {
    const plain = length - 16;
    for (let i = 0; i < 16; i++) if (src[srcOffset + plain + i] !== ((key.sum ^ lo ^ i) & 0xff)) return -1;
    for (let i = 0; i < plain; i++) out[outOffset + i] = src[srcOffset + i];
    return plain;
  },
  sealX: (key, ...rest) => nobleAead.sealX(key.noble, ...rest),
  openX: (key, ...rest) => nobleAead.openX(key.noble, ...rest),
};

/** A connected pair. */
function connect(aead, onPayload) {
  const [serverLink, clientLink] = [new Link(SERVER), new Link(CLIENT)];
  serverLink.peer = clientLink;
  clientLink.peer = serverLink;
  const common = { time: 0, aead, unixSeconds: () => UNIX };
  const server = new NetcodeServer({
    ...common,
    transport: serverLink,
    address: '10.1.1.1:40000',
    protocolId: PROTOCOL_ID,
    privateKey,
    onPayload,
  });
  const client = new NetcodeClient({ ...common, transport: clientLink, onPayload });
  server.start(16);
  const token = { publicAddresses: ['10.1.1.1:40000'], clientId: 1n, protocolId: PROTOCOL_ID, privateKey, createTimestamp: UNIX };
  client.connect(generateConnectToken({ ...token, timeoutSeconds: -1 }));
  const pair = { server, client, serverLink, clientLink, time: 0 };
  for (let i = 0; i < 8; i++) step(pair);
  if (client.state !== 'connected') throw new Error('not connected');
  return pair;
}

/** Whole seconds, so that the harness itself makes no numbers on the heap; every step sends keep-alives. */
function step(pair) {
  pair.time++;
  pair.client.update(pair.time);
  pair.server.update(pair.time);
}

function loop(call, count) {
  for (let i = 0; i < count; i++) call();
}

async function measure(name, call, calls = CALLS) {
  let best = { name, heap: Infinity, buffers: Infinity };
  for (let attempt = 0; attempt < ATTEMPTS && (best.heap > 2 || best.buffers > 0); attempt++) {
    loop(call, calls);
    await turn();
    globalThis.gc();
    await turn();
    const before = process.memoryUsage();
    const begin = performance.now();
    loop(call, calls);
    const end = performance.now();
    const after = process.memoryUsage();
    await turn();
    const isDisturbed = collectedAt >= begin && collectedAt <= end;
    const heap = (after.heapUsed - before.heapUsed) / calls;
    const buffers = (after.arrayBuffers - before.arrayBuffers) / calls;
    if (!isDisturbed && heap < best.heap) best = { name, heap, buffers };
  }
  if (best.heap === Infinity) throw new Error(`${name}: the collector ran in every attempt`);
  return best;
}

/** Everything that must not allocate, with one cipher. */
async function paths(aead) {
  const payload = new Uint8Array(200).fill(5);
  const out = new Uint8Array(1200);
  let seen = 0;
  const quiet = connect(aead);
  const plain = connect(aead, function onPayload() {
    seen++;
  });
  const expired = new Uint8Array(1078);
  expired.set(Buffer.from('NETCODE 1.02\0'), 1);
  new DataView(expired.buffer).setBigUint64(14, PROTOCOL_ID, true);
  const stranger = new Uint8Array(60).fill(0x15);
  // Sequence 0x7f151515, not received yet. Halves of 2^31 and more would be boxed on their way into the cipher: 32 bytes that no session reaches.
  const forged = new Uint8Array(60).fill(0x15);
  forged.set([0x45, 0x15, 0x15, 0x15, 0x7f]);
  const junk = (from, bytes) => () => {
    quiet.serverLink.put(from, bytes, 0, bytes.length);
    quiet.server.update(quiet.time);
  };
  const results = [
    await measure('empty loop', () => {}),
    await measure('client.send', () => quiet.client.send(payload)),
    await measure('server.send', () => quiet.server.send(0, payload)),
    await measure('client.update, server.update with keep-alives', () => step(quiet)),
    await measure('server.send, client.update, receiveInto', () => {
      quiet.server.send(0, payload);
      quiet.client.update(quiet.time);
      quiet.client.receiveInto(out);
    }),
    await measure('client.send, server.update, receiveInto', () => {
      quiet.client.send(payload);
      quiet.server.update(quiet.time);
      quiet.server.receiveInto(0, out);
    }),
    await measure('client.send, server.update, onPayload', () => {
      plain.client.send(payload);
      plain.server.update(plain.time);
    }),
    await measure('server.send, client.update, onPayload', () => {
      plain.server.send(0, payload);
      plain.client.update(plain.time);
    }),
    await measure('junk from a stranger', junk(STRANGER, stranger)),
    await measure('forged packet of a client', junk(CLIENT, forged)),
    await measure('expired request', junk(STRANGER, expired)),
    await measure('server.processPacket of junk', () => quiet.server.processPacket(STRANGER, stranger)),
    await measure('client.processPacket of junk', () => quiet.client.processPacket(SERVER, forged)),
  ];
  if (seen === 0) throw new Error('no payload was handed over');
  const { counters } = quiet.server;
  if (counters['no-read-key'] === 0 || counters.decrypt === 0 || counters['request-expired'] === 0) throw new Error('no junk was refused');
  return results;
}

/** One seal and one open of a packet, the cipher alone. */
async function cipher(aead, length) {
  const ad = new Uint8Array(22);
  const key = aead.createKey(new Uint8Array(32).fill(3));
  const alloc = (bytes) => aead.alloc?.(bytes) ?? new Uint8Array(bytes);
  const [plain, sealed, opened] = [alloc(1300), alloc(1300), alloc(1300)];
  let sequence = 0;
  const call = () => {
    sequence = (sequence + 1) & 0xffff;
    aead.seal(key, 0, sequence, ad, 22, plain, 0, length, sealed, 0);
    if (aead.open(key, 0, sequence, ad, 22, sealed, 0, length + 16, opened, 0) !== length) throw new Error('not opened');
  };
  return measure(`${aead.name}: seal and open of ${length} bytes`, call, aead === nobleAead ? CALLS / 10 : CALLS);
}

const sodium = await createSodiumAead();
const ciphers = [];
for (const aead of [sodium, nobleAead]) for (const length of [64, 1200]) ciphers.push(await cipher(aead, length));
process.stdout.write(`${JSON.stringify({ fake: await paths(fakeAead), sodium: await paths(sodium), ciphers })}\n`);
