/* global gc */
// Measures what calls on warm connections allocate. Prints one JSON object: workload to bytes per call, on and off the heap.
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const dist = pathToFileURL(`${process.argv[2]}/`);
const { Connection, ConnectionShared, Inbox, PeerId } = await import(new URL('index.js', dist).href);
const { Pair } = await import(new URL('simulator/index.js', dist).href);

const CALLS = Number(process.argv[3] ?? 20_000);
const RETRIES = 6;
let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] });

const CHANNELS = [
  { delivery: 'reliableOrdered', capacity: 1024, overflow: 'fail', packetBudget: undefined, resendInterval: 0.1, maxPayload: 8192 },
  { delivery: 'unreliableUnordered', capacity: 1024, overflow: 'dropOldest', packetBudget: undefined, resendInterval: 0, maxPayload: 1024 },
];
const EVENTS = [
  { name: 'Reliable', channel: 0, maxPayload: 8192 },
  { name: 'State', channel: 1, maxPayload: 1024 },
];
const CATALOGUE = { maxMessagesPerPacket: 64, fingerprint: { bytes: new Uint8Array(16).fill(7) }, channels: CHANNELS, events: EVENTS };
const shared = ConnectionShared.create(CATALOGUE);
const peer = PeerId.of(0, 1);

// Times are made beforehand, in a list of objects: a number that is not a small integer is one when it is handed to a function.
const FRAMES = 200_000;
const times = [undefined, ...Array.from({ length: FRAMES }, (_, i) => i / 60)];

/** Two connections that hand datagrams over directly, through the buffers that a socket would have. */
function direct() {
  const a = new Connection(shared, peer, 0);
  const b = new Connection(shared, peer, 0);
  const inboxes = [new Inbox(1), new Inbox(1)];
  for (const inbox of inboxes) inbox.openSlot(peer);
  const slots = Array.from({ length: 256 }, () => new Uint8Array(1200));
  const scratch = new Uint8Array(1200);
  const lengths = new Int32Array(256);
  let used = 0;
  const transmit = (bytes, offset, length) => {
    const slot = slots[used];
    for (let i = 0; i < length; i++) slot[i] = bytes[offset + i];
    lengths[used++] = length;
  };
  const deliver = (to, inbox) => {
    const count = used;
    used = 0;
    for (let i = 0; i < count; i++) {
      scratch.set(slots[i]);
      to.receive(scratch, inbox, transmit, 0, lengths[i]);
    }
  };
  let frame = 1;
  return (work, poll) => {
    const time = times[frame++];
    inboxes[0].compact();
    inboxes[1].compact();
    a.update(time);
    b.update(time);
    work(a, b);
    a.writePackets(transmit);
    deliver(b, inboxes[1]);
    b.writePackets(transmit);
    deliver(a, inboxes[0]);
    poll(inboxes[1]);
    poll(inboxes[0]);
  };
}

const buffer = new Uint8Array(8192);
const pop = (inbox) => {
  while (inbox.pop() !== undefined);
};
const popInto = (inbox) => {
  while (inbox.popInto(buffer) !== undefined);
};

/** A frame of fixed traffic, 8 reliable events one way and 8 unreliable ones the other. */
function frames(reliableLength, stateLength, poll) {
  const frame = direct();
  const reliable = new Uint8Array(reliableLength);
  const state = new Uint8Array(stateLength);
  const work = (a, b) => {
    for (let i = 0; i < 8; i++) a.trySend(0, reliable);
    for (let i = 0; i < 8; i++) b.trySend(1, state);
  };
  return () => frame(work, poll);
}

/** The same over links. */
function linked(link) {
  const pair = Pair.symmetric(shared, link, 7);
  const reliable = new Uint8Array(4);
  const state = new Uint8Array(48);
  return () => {
    for (let i = 0; i < 8; i++) pair.a.trySend(0, reliable);
    for (let i = 0; i < 8; i++) pair.b.trySend(1, state);
    pair.step(1 / 60);
    pop(pair.aInbox);
    pop(pair.bInbox);
  };
}

/** Payloads whose lengths change all the time, in a cycle. */
function mixedLengths() {
  const frame = direct();
  const payloads = Array.from({ length: 64 }, (_, i) => new Uint8Array((i * 37) % 400));
  let next = 0;
  const work = (a, b) => {
    for (let i = 0; i < 4; i++) a.trySend(0, payloads[next++ & 63]);
    for (let i = 0; i < 4; i++) b.trySend(1, payloads[next++ & 63]);
  };
  return () => frame(work, pop);
}

function idle() {
  const frame = direct();
  const nothing = () => {};
  return () => frame(nothing, pop);
}

function refused() {
  const connection = new Connection(ConnectionShared.create(CATALOGUE, { malformedLimit: 2 ** 30 }), peer, 0);
  const inbox = new Inbox(1);
  inbox.openSlot(peer);
  const datagrams = ['3e00000100000000ffffff', '3e00000100000000', '3e0000010000000001', '3e00', '0105000201'];
  const bytes = datagrams.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
  const transmit = () => {};
  let i = 0;
  return () => connection.receive(bytes[i++ % bytes.length], inbox, transmit);
}

const workloads = {
  'idle frame': idle(),
  'refused datagrams': refused(),
  'frame of 4 and 48 bytes, pop': frames(4, 48, pop),
  'frame of 64 and 256 bytes, popInto': frames(64, 256, popInto),
  'frame of 1000 and 1000 bytes, pop': frames(1000, 1000, pop),
  'frame of mixed lengths': mixedLengths(),
  'perfect link': linked({}),
  '50 ms link': linked({ latency: 0.05 }),
  'link of 20 ms, 30 ms jitter, 5 % duplicates': linked({ latency: 0.02, jitter: 0.03, duplicate: 0.05 }),
};
const only = process.argv[4];

const results = {};
for (const [name, call] of Object.entries(workloads)) {
  if (only !== undefined && name !== only) continue;
  for (let i = 0; i < CALLS; i++) call();
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    gc();
    await turn();
    await turn();
    collections = 0;
    const before = process.memoryUsage();
    for (let i = 0; i < CALLS; i++) call();
    const after = process.memoryUsage();
    await turn();
    await turn();
    const heap = (after.heapUsed - before.heapUsed) / CALLS;
    results[name] = { heap, external: (after.arrayBuffers - before.arrayBuffers) / CALLS, collections };
    if (collections === 0 && heap <= 2) break;
  }
}
console.log(JSON.stringify(results));
