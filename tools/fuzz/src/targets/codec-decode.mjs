// Payloads. The first byte of an input says which codec reads the rest: any bytes are a CodecError or a value that is written to the same bytes again
// (the general serialisers: to bytes that come back to themselves; rotations and directions only to some bytes). What lies behind the payload in memory is never
// read, the payload is not changed, and nothing is added to Object.prototype.
import { b, CodecError, json } from '@x/schema/codec';
import { msgpack } from '@x/schema/msgpack';
import { isDeepStrictEqual } from 'node:util';
import { assert, assertSame } from '../check.mjs';

const tree = b.lazy(() => b.struct({ v: b.uint(3), kids: b.array(tree, 3) }), 4);
const shape = b.union({
  dot: b.struct({}),
  ring: b.struct({ r: b.q(0, 10, 0.5), hole: b.optional(b.varuint()) }),
  text: b.struct({ t: b.string(20) }),
});
const player = b.struct({
  id: b.uint(16),
  name: b.string(16),
  pos: b.vec3(-1000, 1000, 0.01),
  yaw: b.angle(10),
  hp: b.int(0, 100),
  can: b.flags(['jump', 'shoot', 'toString']),
  team: b.enum(['red', 'green', 'blue']),
  tick: b.uint(32),
});
const mixture = b.struct({
  serial: b.u64(),
  debt: b.i64(),
  exact: b.float64({ nan: true }),
  near: b.float32(),
  at: b.vec2([0, -1], 1, 0.25),
  list: b.array(shape, 6),
  pair: b.fixed(b.optional(b.bytes(5)), 2),
});
const turns = b.struct({ turn: b.quat(9), look: b.direction(8) });
const text = json({ maxBytes: 4096, version: 1 });
const packed = msgpack({ maxBytes: 4096, version: 1 });

const move = {
  id: 311,
  name: 'Ada',
  pos: { x: 12.5, y: -3.2, z: 8.75 },
  yaw: 1.57,
  hp: 87,
  can: { jump: true, shoot: false, toString: true },
  team: 'blue',
  tick: 7,
};
const things = {
  serial: 2n ** 63n,
  debt: -5n,
  exact: NaN,
  near: 0.5,
  at: { x: 1, y: -0.5 },
  list: [{ type: 'dot' }, { type: 'ring', r: 2.5, hole: 70_000 }, { type: 'text', t: 'Grüße 🦊' }],
  pair: [undefined, new Uint8Array(5)],
};
const plain = { a: [1, -200, 'é', null, true, { b: 1.5 }], c: 'x'.repeat(40), __c: {} };

/** `isCanonical`: what is read is written to the same bytes. Otherwise writing comes to rest: what is written is read and written to the same bytes. */
const CODECS = [
  { codec: player, isCanonical: true, seeds: [move] },
  { codec: mixture, isCanonical: true, seeds: [things] },
  {
    codec: tree,
    isCanonical: true,
    seeds: [
      {
        v: 5,
        kids: [
          { v: 1, kids: [] },
          { v: 2, kids: [{ v: 3, kids: [] }] },
        ],
      },
    ],
  },
  { codec: turns, isCanonical: false, seeds: [{ turn: { x: 0.1, y: -0.7, z: 0.3, w: 0.2 }, look: { x: 0, y: 0, z: -1 } }] },
  { codec: text, isCanonical: false, seeds: [plain, '["', { '[': '\\"' }] },
  { codec: packed, isCanonical: false, seeds: [plain, [new Uint8Array(3), 5n, -5n, 2 ** 40], 'x'.repeat(250)] },
];
const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).join();
const POISON = 8;

function encode(codec, value) {
  const out = new Uint8Array(codec.maxBytes);
  return out.slice(0, codec.encodeInto(value, out, 0));
}

/** The value, or the code of the refusal. */
function read(codec, data) {
  try {
    return { value: codec.decode(data) };
  } catch (error) {
    assert(CodecError.is(error), `unexpected error: ${error}`);
    return { code: error.code };
  }
}

export const target = {
  name: 'codec-decode',
  maxBytes: 600,
  seeds: () => CODECS.flatMap(({ codec, seeds }, i) => seeds.map((value) => Uint8Array.of(i, ...encode(codec, value)))),
  run(input) {
    const { codec, isCanonical } = CODECS[(input[0] ?? 0) % CODECS.length];
    const payload = input.slice(1);
    const memory = new Uint8Array(payload.length + 2 * POISON).fill(0xff);
    memory.set(payload, POISON);
    const inside = memory.subarray(POISON, POISON + payload.length);

    const { value, code } = read(codec, payload);
    const again = read(codec, inside);
    assertSame(inside, payload, 'the payload before and after');
    assert(again.code === code && isDeepStrictEqual(again.value, value), 'the memory around a payload changes what is read');
    assert(Object.getOwnPropertyNames(Object.prototype).join() === PROTOTYPE, 'Object.prototype has changed');
    if (code !== undefined) return;
    assert(payload.length <= codec.maxBytes, 'a payload longer than maxBytes was read');
    const written = encode(codec, value);
    if (isCanonical) assertSame(written, payload, 'the payload and its value written');
    if (codec.decodeInto !== undefined) {
      const into = codec.decode(written);
      assert(isDeepStrictEqual(codec.decodeInto(payload, into), value), 'read into a value of before it is another');
      assert(codec.equals(value, into) || !isCanonical, 'a value is not equal to itself');
    }
    // -0 becomes 0 in both general serialisers, and MessagePack has several ways to write a number: the second writing comes to rest.
    if (!isCanonical && codec !== turns) assertSame(encode(codec, codec.decode(written)), written, 'the value written once and twice');
  },
};
