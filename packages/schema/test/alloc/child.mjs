// Measures heap and off-heap growth per call of the built package and prints one line of JSON. Run by alloc.test.ts with --expose-gc and a young
// generation that is large enough to hold a whole measurement.
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { defineCatalogue } from '../../dist/index.js';
import { b } from '../../dist/codec/index.js';

const CALLS = 20_000;
const ATTEMPTS = 6;

let collectedAt = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collectedAt = Math.max(collectedAt, entry.startTime);
}).observe({ entryTypes: ['gc'] });

function loop(call, count) {
  for (let i = 0; i < count; i++) call(i);
}

async function measure(name, call) {
  let best = { name, heap: Infinity, buffers: Infinity };
  for (let attempt = 0; attempt < ATTEMPTS && (best.heap > 2 || best.buffers > 0); attempt++) {
    loop(call, CALLS);
    await turn();
    globalThis.gc();
    await turn();
    const before = process.memoryUsage();
    const begin = performance.now();
    loop(call, CALLS);
    const end = performance.now();
    const after = process.memoryUsage();
    await turn();
    const isDisturbed = collectedAt >= begin && collectedAt <= end;
    const heap = (after.heapUsed - before.heapUsed) / CALLS;
    const buffers = (after.arrayBuffers - before.arrayBuffers) / CALLS;
    if (!isDisturbed && heap < best.heap) best = { name, heap, buffers };
  }
  if (best.heap === Infinity) throw new Error(`${name}: the collector ran in every attempt`);
  return best;
}

/** One codec and values of it that differ, in turn: made before, so that the loop itself makes nothing. */
function pair(name, codec, make) {
  const values = Array.from({ length: 8 }, (_, i) => make(i));
  const out = new Uint8Array(codec.maxBytes + 3);
  const payloads = values.map((value) => out.slice(0, codec.encodeInto(value, out, 0)));
  let into = codec.decode(payloads[0]);
  if (!codec.equals(into, values[0])) throw new Error(`${name} comes back as another value`);
  const encode = (i) => codec.encodeInto(values[i & 7], out, 3);
  const decode = (i) => {
    into = codec.decodeInto(payloads[i & 7], into);
  };
  return [
    [`${name}: encodeInto`, encode],
    [`${name}: decodeInto`, decode],
  ];
}

const sample = b.struct({
  id: b.uint(16),
  name: b.string(16),
  pos: b.vec3(-1000, 1000, 0.01),
  yaw: b.angle(10),
  hp: b.int(0, 100),
  jump: b.bool(),
  run: b.bool(),
  aim: b.bool(),
  tick: b.uint(32),
});
const rotations = b.struct({ turn: b.quat(10), look: b.direction(12), speed: b.float32(), exact: b.float64(), at: b.vec2(0, 1, 0.001) });
const mixed = b.struct({
  kind: b.enum(['a', 'b', 'c']),
  can: b.flags(['jump', 'shoot']),
  count: b.varuint(),
  q: b.q(-1, 1, 0.001),
  maybe: b.optional(b.struct({ deep: b.int(-5, 5) })),
  numbers: b.array(b.q(0, 1, 0.01), 8),
  whole: b.array(b.uint(8), 8),
  points: b.array(b.vec2(0, 1, 0.01), 4),
  four: b.fixed(b.float32(), 4),
  key: b.bytes(16),
});
const shapes = b.union({ circle: b.struct({ r: b.q(0, 10, 0.1) }), box: b.struct({ w: b.q(0, 10, 0.1), h: b.q(0, 10, 0.1) }) });
const tree = b.lazy(() => b.struct({ v: b.uint(8), next: b.optional(tree) }), 4);
const catalogue = defineCatalogue({
  version: 1,
  channels: { state: { delivery: 'unreliableUnordered' } },
  events: { Move: { channel: 'state', codec: sample }, Blob: { channel: 'state', raw: true, maxPayload: 64 } },
});

const player = (i) => ({
  id: 311,
  name: 'Ada',
  pos: { x: 12.5 + i, y: -3.2, z: 8.75 },
  yaw: 0.25 * i + 0.1,
  hp: 80 + i,
  jump: true,
  run: false,
  aim: i > 3,
  tick: 4_000_000_000 + i,
});
const turning = (i) => ({
  turn: { x: 0.1 + i / 10, y: 0.2, z: 0.3, w: 0.9 },
  look: { x: 0.5, y: -0.5 + i / 10, z: -0.7 },
  speed: 0.5 + i,
  exact: 0.1 * i + 0.1,
  at: { x: 0.5, y: 0.25 },
});
const things = (i) => ({
  kind: 'b',
  can: { jump: true, shoot: i > 3 },
  count: 3_000_000_000 + i,
  q: 0.05 + i / 10,
  maybe: { deep: i - 5 },
  numbers: [0.1, 0.2, i / 10 + 0.05],
  whole: [1, 2, i],
  points: [
    { x: 0.1, y: 0.2 },
    { x: 0.3, y: 0.4 + i / 20 },
  ],
  four: [0.5, 1.5, 2.5, 3.5 + i],
  key: new Uint8Array(16).fill(i),
});
const out = new Uint8Array(64);
const blob = new Uint8Array(40);
const one = player(0);
const paths = [
  ['empty loop', () => {}],
  ...pair('sample', sample, player),
  ...pair('rotations', rotations, turning),
  ...pair('mixed', mixed, things),
  ...pair('union', shapes, (i) => ({ type: 'box', w: 2.5 + i, h: 3.5 })),
  ...pair('lazy', tree, (i) => ({ v: i, next: { v: 2, next: { v: 3, next: undefined } } })),
  ['catalogue: encodeInto', () => catalogue.encodeInto('Move', one, out, 0)],
  ['catalogue: encodeInto of raw', () => catalogue.encodeInto('Blob', blob, out, 0)],
];
const results = [];
for (const [name, call] of paths) results.push(await measure(name, call));
process.stdout.write(`${JSON.stringify(results)}\n`);
