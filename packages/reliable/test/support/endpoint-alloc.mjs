// Measures what calls on warm endpoints allocate. Prints one JSON object: workload to bytes per call, on and off the heap.
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const dist = pathToFileURL(`${process.argv[2]}/`);
const { ReliableEndpoint } = await import(new URL('index.js', dist).href);

const CALLS = 20_000;
const RETRIES = 5;
let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] });

/** Two endpoints; what one transmits goes into fixed slots, as a socket's buffer would be. */
function pair(config) {
  const slots = Array.from({ length: 32 }, () => new Uint8Array(1400));
  const lengths = new Int32Array(32);
  let used = 0;
  const handlers = {
    transmit(bytes, offset, length) {
      const slot = slots[used];
      for (let i = 0; i < length; i++) slot[i] = bytes[offset + i];
      lengths[used++] = length;
    },
    process: () => true,
  };
  const a = new ReliableEndpoint(config, handlers, 100);
  const b = new ReliableEndpoint(config, handlers, 100);
  const deliver = (to) => {
    const count = used;
    used = 0;
    for (let i = 0; i < count; i++) to.receive(slots[i], 0, lengths[i]);
  };
  return { a, b, deliver };
}

// A number that is not a small integer is an object when it is handed to a function: the times are made beforehand, and a text among them
// makes the array hold objects, not bare doubles that would be wrapped anew at every call.
const times = ['', ...Array.from({ length: 4096 }, (_, i) => 100 + i / 60)].slice(1);

function exchange(config, length) {
  const { a, b, deliver } = pair(config);
  const payload = new Uint8Array(2048 + length);
  let i = 0;
  return () => {
    const time = times[i++ & 4095];
    a.update(time);
    b.update(time);
    a.send(payload, 7, length);
    deliver(b);
    b.send(payload, 7, length);
    deliver(a);
    a.clearAcks();
    b.clearAcks();
  };
}

function idle() {
  const { a } = pair({});
  let i = 0;
  return () => a.update(times[i++ & 4095]);
}

function refused() {
  const { a } = pair({});
  const datagrams = ['00', '2000', '0105000201', '0305000001', '3e000001000000'].map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
  let i = 0;
  return () => a.receive(datagrams[i++ % datagrams.length]);
}

const WIDE = { maxPacketSize: 32_768, fragmentAbove: 1191, fragmentSize: 1186, maxFragments: 28, fragmentReassemblyBufferSize: 16 };
const workloads = {
  'idle update': idle(),
  'refused datagrams': refused(),
  'exchange of 64 bytes': exchange({}, 64),
  'exchange of 1000 bytes': exchange({}, 1000),
  'exchange of 8192 bytes in fragments': exchange(WIDE, 8192),
};

const results = {};
for (const [name, call] of Object.entries(workloads)) {
  for (let i = 0; i < CALLS; i++) call();
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    globalThis.gc();
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
