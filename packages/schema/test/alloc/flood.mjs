// Gives a million random payloads to decoders of the built package, looks at the heap around each, and prints one line of JSON. Run by hostile.test.ts
// with a young generation that is large enough for the collector to stay away most of the time.
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { b, CodecError } from '../../dist/codec/index.js';

const PAYLOADS = 1_000_000;
/** Payloads between two collections that are asked for, outside of any measurement. */
const ROUND = 5000;
const MAX_BYTES = 96;

let state = Number(process.argv[2] ?? 1) >>> 0;
function uint32() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return (t ^ (t >>> 14)) >>> 0;
}
const below = (limit) => Math.floor((uint32() / 0x1_0000_0000) * limit);

const tree = b.lazy(() => b.struct({ v: b.uint(3), kids: b.array(tree, 3) }), 4);
const point = b.vec3(-100, 100, 0.01);
const codecs = [
  b.struct({ id: b.uint(16), name: b.string(16), pos: point, yaw: b.angle(10), hp: b.int(0, 100), ok: b.bool(), tick: b.uint(32) }),
  b.array(b.union({ a: b.struct({}), b: b.struct({ x: b.varuint() }), c: b.struct({ y: b.optional(b.float32()) }) }), 1_000_000),
  b.struct({ turn: b.quat(9), look: b.direction(8), f: b.float64(), e: b.enum(['x', 'y', 'z']), flags: b.flags(['p', 'q']) }),
  b.array(b.bool(), 10_000_000),
  b.struct({ text: b.string(1_000_000), key: b.bytes(1_000_000), n: b.u64(), m: b.i64() }),
  b.fixed(b.optional(b.array(b.int(-3, 3), 7)), 5),
  b.float32({ nan: true }),
  tree,
];
const valid = [
  { id: 1, name: 'Ada', pos: { x: 1, y: 2, z: 3 }, yaw: 1, hp: 50, ok: true, tick: 5 },
  [{ type: 'a' }, { type: 'b', x: 70_000 }, { type: 'c', y: 0.5 }],
  { turn: { x: 0, y: 0, z: 0, w: 1 }, look: { x: 1, y: 0, z: 0 }, f: 0.1, e: 'y', flags: { p: true, q: false } },
  Array.from({ length: 100 }, (_, i) => i % 3 === 0),
  { text: 'Grüße 🦊', key: new Uint8Array(9), n: 7n, m: -7n },
  [undefined, [1, 2], [], [-3, 3], undefined],
  0.5,
  {
    v: 1,
    kids: [
      { v: 2, kids: [{ v: 3, kids: [] }] },
      { v: 4, kids: [] },
    ],
  },
].map((value, i) => {
  const out = new Uint8Array(200);
  return out.slice(0, codecs[i].encodeInto(value, out, 0));
});

const scratch = new Uint8Array(MAX_BYTES);
/** Half of the payloads are random bytes, the others are right ones with some bits changed, cut or longer. */
function payload(which) {
  const right = valid[which];
  if (below(2) === 0) {
    const length = below(MAX_BYTES);
    for (let i = 0; i < length; i++) scratch[i] = uint32();
    return scratch.slice(0, length);
  }
  const length = Math.max(0, right.length + below(3) - 1);
  const bytes = new Uint8Array(length);
  bytes.set(right.subarray(0, length));
  for (let flips = below(4); flips > 0 && length > 0; flips--) bytes[below(length)] ^= 1 << below(8);
  return bytes;
}

/** Bytes of the heap and of the arrays outside of it. */
function used() {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** Decodes once; the outcome and what the heap grew by, which is negative when the collector came in between. */
function attempt(codec, data) {
  const before = used();
  let code;
  try {
    codec.decode(data);
  } catch (error) {
    code = CodecError.is(error) ? error.code : `not a CodecError: ${error}`;
  }
  return { code, bytes: used() - before };
}

const result = { payloads: 0, accepted: 0, refused: {}, others: [], largestBytes: 0, seconds: 0 };
const begin = performance.now();
for (let round = 0; round < PAYLOADS / ROUND; round++) {
  const payloads = Array.from({ length: ROUND }, (_, i) => payload(i % codecs.length));
  globalThis.gc();
  for (let i = 0; i < ROUND; i++) {
    const codec = codecs[i % codecs.length];
    const first = attempt(codec, payloads[i]);
    const { code } = first;
    let { bytes } = first;
    // The engine allocates too, when it compiles; what a payload costs, it costs each time.
    for (let again = 0; again < 5 && bytes > result.largestBytes; again++) bytes = Math.min(bytes, attempt(codec, payloads[i]).bytes);
    result.largestBytes = Math.max(result.largestBytes, bytes);
    result.payloads++;
    if (code === undefined) result.accepted++;
    else if (code.startsWith('not')) result.others.push(code);
    else result.refused[code] = (result.refused[code] ?? 0) + 1;
  }
}
result.seconds = (performance.now() - begin) / 1000;
process.stdout.write(`${JSON.stringify(result)}\n`);
