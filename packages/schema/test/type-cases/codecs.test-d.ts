// What is inferred of codecs and what must not compile; see catalogue.test-d.ts.
import { b, custom, json, mapped, quantise, raw, withSchema } from '@x/schema/codec';
import type { BitCodec, Codec, DeltaCodec, Infer, NearCodec, StandardSchema, StructCodec } from '@x/schema/codec';
import { msgpack } from '@x/schema/msgpack';
import { assertTrue } from './equal.ts';
import type { Equal } from './equal.ts';

const player = b.struct({
  id: b.uint(16),
  serial: b.u64(),
  name: b.string(16),
  pos: b.vec3(-1000, 1000, 0.01),
  at: b.vec2([0, 0], [1, 2], 0.1),
  turn: b.quat(9),
  team: b.enum(['red', 'blue']),
  can: b.flags(['jump', 'shoot']),
  items: b.array(b.struct({ kind: b.uint(4), count: b.optional(b.varuint()) }), 8),
  corners: b.fixed(b.float32(), 3),
  note: b.optional(b.string(9)),
  key: b.bytes(16),
});

assertTrue<
  Equal<
    Infer<typeof player>,
    {
      id: number;
      serial: bigint;
      name: string;
      pos: { x: number; y: number; z: number };
      at: { x: number; y: number };
      turn: { x: number; y: number; z: number; w: number };
      team: 'red' | 'blue';
      can: { jump: boolean; shoot: boolean };
      items: { kind: number; count?: number | undefined }[];
      corners: [number, number, number];
      key: Uint8Array;
      note?: string | undefined;
    }
  >
>();

const action = b.union({ jump: b.struct({}), shoot: b.struct({ at: b.vec2(0, 1, 0.1), hard: b.optional(b.bool()) }) });
type Action = Infer<typeof action>;
assertTrue<Equal<Action['type'], 'jump' | 'shoot'>>();
assertTrue<Equal<Extract<Action, { type: 'shoot' }>, { type: 'shoot'; at: { x: number; y: number }; hard?: boolean | undefined }>>();
assertTrue<Equal<Extract<Action, { type: 'jump' }>, { type: 'jump' }>>();

interface Tree {
  readonly v: number;
  readonly kids: readonly Tree[];
}
export const tree: BitCodec<Tree> = b.lazy(() => b.struct({ v: b.uint(8), kids: b.array(tree, 3) }), 4);

export const list: readonly Codec<unknown>[] = [player, action, tree, raw(1, { version: 1 })];
assertTrue<Equal<Infer<BitCodec<number[]>>, number[]>>();
assertTrue<Equal<Infer<string>, never>>();
assertTrue<Equal<Infer<ReturnType<typeof b.int>>, number>>();
assertTrue<Equal<typeof player.delta, DeltaCodec<Infer<typeof player>>>>();
assertTrue<Equal<ReturnType<typeof player.decode>, Infer<typeof player>>>();
export const many = b.fixed(b.bool(), 1200);
assertTrue<Equal<Infer<typeof many>, boolean[]>>();
declare const count: number;
export const some = b.fixed(b.bool(), count);
assertTrue<Equal<Infer<typeof some>, boolean[]>>();
export const lone = b.fixed(b.bool(), 1);
assertTrue<Equal<Infer<typeof lone>, [boolean]>>();
assertTrue<Equal<Infer<ReturnType<typeof b.optional<string>>>, string | undefined>>();

const names: string[] = ['a'];
export const open = b.enum(names);
assertTrue<Equal<Infer<typeof open>, string>>();

class Point {
  readonly x: number = 0;
  readonly y: number = 0;
}
export const points = mapped(b.vec2(0, 1, 0.1), { to: ({ x, y }: Point) => ({ x, y }), from: () => new Point() });
assertTrue<Equal<typeof points, BitCodec<Point>>>();
export const sets = mapped(json<string[]>({ maxBytes: 9, version: 1 }), {
  to: (value: Set<string>) => [...value],
  from: (value) => new Set(value),
});
assertTrue<Equal<typeof sets, Codec<Set<string>>>>();
export const dates = custom('date', {
  version: 1,
  maxBytes: 8,
  encode: (value: Date) => new Uint8Array(value.getDate()),
  decode: () => new Date(),
});
assertTrue<Equal<typeof dates, Codec<Date>>>();
assertTrue<Equal<Infer<ReturnType<typeof msgpack>>, unknown>>();

declare const even: StandardSchema<{ n: number }, { n: 2 | 4 }>;
export const checked = withSchema(b.struct({ n: b.uint(3) }), even, { version: 1 });
assertTrue<Equal<typeof checked, Codec<{ n: 2 | 4 }>>>();
export const packed = msgpack({ maxBytes: 9, version: 1, schema: even });
assertTrue<Equal<typeof packed, Codec<{ n: 2 | 4 }>>>();
export const seen = quantise(player, player.decode(new Uint8Array()));
assertTrue<Equal<typeof seen, Infer<typeof player>>>();

const near = b.struct({ x: b.q(0, 1, 0.1).near(4), n: b.int(0, 9).near(2) });
assertTrue<Equal<Infer<typeof near>, { x: number; n: number }>>();
assertTrue<Equal<ReturnType<typeof near.version>, StructCodec<{ x: number; n: number }>>>();
b.union({ a: near.version('2') });

const data = new Uint8Array(4);
// @ts-expect-error - another value.
player.encodeInto({ id: 1 }, data, 0);
// @ts-expect-error - no offset.
near.encodeInto({ x: 1, n: 2 }, data);
// @ts-expect-error - bytes only.
near.decode('text');
// @ts-expect-error - another name.
b.enum(['a', 'b']).encodeInto('c', data, 0);
// @ts-expect-error - null is not undefined.
b.optional(b.bool()).encodeInto(null, data, 0);
// @ts-expect-error - too few elements.
b.fixed(b.bool(), 3).encodeInto([true, false], data, 0);
// @ts-expect-error - the members of a union are structs.
b.union({ a: b.bool() });
// @ts-expect-error - another member.
action.encodeInto({ type: 'fly' }, data, 0);
// @ts-expect-error - the fields of another member.
action.encodeInto({ type: 'jump', at: { x: 0, y: 0 } }, data, 0);
// @ts-expect-error - a number is no bigint.
b.u64().encodeInto(5, data, 0);
// @ts-expect-error - whole payloads are no fields.
b.struct({ a: raw(1, { version: 1 }) });
// @ts-expect-error - a version is asked for.
json({ maxBytes: 9 });
// @ts-expect-error - a size is asked for.
msgpack({ version: 1 });
// @ts-expect-error - its output cannot be written.
withSchema(b.bool(), even, { version: 1 });
// @ts-expect-error - angles have no near.
export const angle: NearCodec = b.angle(8);
// @ts-expect-error - three axes are needed.
b.vec3([0, 0], 1, 0.1);
// @ts-expect-error - a codec is not changed.
near.maxBytes = 3;
