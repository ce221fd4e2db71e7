import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineCatalogue } from '../src/index.ts';
import type { Fingerprint, TypedCatalogue } from '../src/index.ts';
import { b, CodecError, raw } from '../src/codec/index.ts';
import type { Codec } from '../src/codec/index.ts';
import { codecErrorOf, refusal } from './support/codec-errors.ts';

const channels = { chat: { delivery: 'reliableOrdered' }, state: { delivery: 'unreliableUnordered', capacity: 256 } } as const;

/** A codec that counts how often its decoder is asked. */
function counting(): Codec<number> & { asked: number } {
  const inner = b.uint(16);
  return {
    asked: 0,
    descriptor: inner.descriptor,
    maxBytes: inner.maxBytes,
    encodeInto: (value, out, offset) => inner.encodeInto(value, out, offset),
    decode(data) {
      this.asked++;
      return inner.decode(data);
    },
  };
}

const catalogue = defineCatalogue({
  version: 3,
  channels,
  events: {
    Move: { channel: 'state', direction: 'toServer', codec: b.struct({ x: b.q(-10, 10, 0.1), y: b.q(-10, 10, 0.1) }) },
    Chat: { channel: 'chat', codec: b.struct({ text: b.string(200) }), maxPayload: 100 },
    Blob: { channel: 'chat', raw: true, maxPayload: 8, codecVersion: 1 },
    Other: { channel: 'chat', codec: { descriptor: 'theirs', maxBytes: 4 } },
  },
});

/** The payload of an event. */
function encode<E, N extends keyof E & string>(of: TypedCatalogue<E>, name: N, value: Parameters<typeof of.encodeInto<N>>[1]): Uint8Array {
  const out = new Uint8Array(1024);
  return out.slice(0, of.encodeInto(name, value, out, 0));
}

describe('defineCatalogue', () => {
  test('when a catalogue is defined, then channels and events have the ids of a schema, names and values go both ways', () => {
    expect(catalogue.schema.channels.map(({ name, id, capacity }) => [name, id, capacity])).toEqual([
      ['chat', 0, 1024],
      ['state', 1, 256],
    ]);
    expect(catalogue.schema.events.map(({ name }) => name)).toEqual(['Blob', 'Chat', 'Move', 'Other']);
    expect(catalogue.id('Move')).toBe(2);
    expect(catalogue.name(catalogue.id('Chat'))).toBe('Chat');
    expect(catalogue.name(9 as never)).toBe(undefined);
    expect(catalogue.decode(catalogue.id('Chat'), encode(catalogue, 'Chat', { text: 'hi' }))).toEqual({ text: 'hi' });
    expect(catalogue.decode(catalogue.id('Move'), encode(catalogue, 'Move', { x: 1, y: -2 }))).toEqual({ x: 1, y: -2 });
  });

  test('when an event names a codec, then its size and version are those of the codec unless they are given', () => {
    expect(catalogue.schema.events.map(({ maxPayload }) => maxPayload)).toEqual([8, 100, 2, 4]);
    const [blob, chat] = catalogue.schema.events;
    expect(blob!.codecVersion).toBe(1);
    expect(chat!.codecVersion).toBe(734_279_451);
    const theirs = defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', codec: b.bool(), codecVersion: 77 } } });
    expect(theirs.schema.events[0]!.codecVersion).toBe(77);
  });

  test('when an event is raw, then bytes are copied in and handed out as they came', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(encode(catalogue, 'Blob', bytes)).toEqual(bytes);
    expect(catalogue.decode(catalogue.id('Blob'), bytes)).toBe(bytes);
    expect(encode(catalogue, 'Other', bytes)).toEqual(bytes);
    expect(refusal(() => encode(catalogue, 'Blob', new Uint8Array(9)))).toBe('TOO_LARGE');
    expect(refusal(() => encode(catalogue, 'Blob', 'text' as never))).toBe('TYPE');
    expect(refusal(() => catalogue.encodeInto('Blob', bytes, new Uint8Array(2), 0))).toBe('TOO_LARGE');
    expect(refusal(() => catalogue.encodeInto('Blob', bytes, new Uint8Array(9), 10))).toBe('RANGE');
    expect(refusal(() => catalogue.encodeInto('Blob', bytes, new Uint8Array(9), 0.5))).toBe('RANGE');
  });

  test('when a value or a payload is not one of the event, then it is a CodecError with the place', () => {
    expect(refusal(() => encode(catalogue, 'Move', { x: 1, y: NaN }))).toBe('NON_FINITE y');
    expect(refusal(() => encode(catalogue, 'Move', { x: 1 } as never))).toBe('TYPE y');
    expect(refusal(() => encode(catalogue, 'Chat', { text: 'x'.repeat(150) }))).toBe('TOO_LARGE');
    expect(refusal(() => catalogue.decode(catalogue.id('Chat'), new Uint8Array(101)))).toBe('TOO_LARGE');
    expect(refusal(() => catalogue.decode(catalogue.id('Move'), Uint8Array.of(0xff, 0xff)))).toBe('RANGE x');
    expect(refusal(() => catalogue.decode(catalogue.id('Move'), Uint8Array.of(0)))).toBe('TRUNCATED y');
    expect(refusal(() => catalogue.decode(4 as never, new Uint8Array()))).toBe('RANGE');
    expect(refusal(() => catalogue.decode(-1 as never, new Uint8Array()))).toBe('RANGE');
    expect(refusal(() => catalogue.decode(0.5 as never, new Uint8Array()))).toBe('RANGE');
    expect(refusal(() => catalogue.decode(catalogue.id('Blob'), 'bytes' as never))).toBe('TYPE');
    expect(() => catalogue.id('Jump' as never)).toThrow('no event "Jump"');
  });

  test('when the definition is changed afterwards, then the catalogue is not', () => {
    const events = { E: { channel: 'chat' as const, codec: b.bool() as Codec<boolean>, maxPayload: 1 } };
    const defined = defineCatalogue({ version: 1, channels, events });
    const text = String(defined.schema.fingerprint);
    events.E.codec = raw(1, { version: 1 }) as never;
    events.E.maxPayload = 0;
    expect(encode(defined, 'E', true)).toEqual(Uint8Array.of(1));
    expect(String(defined.schema.fingerprint)).toBe(text);
    expect(Object.isFrozen(defined) && Object.isFrozen(defined.events) && Object.isFrozen(defined.events.E)).toBe(true);
  });

  test('when names are those of Object.prototype, then they are names like others', () => {
    const defined = defineCatalogue({
      version: 1,
      channels: { toString: { delivery: 'reliableOrdered' } },
      events: { valueOf: { channel: 'toString', codec: b.uint(3) } },
    });
    expect(defined.decode(defined.id('valueOf'), encode(defined, 'valueOf', 5))).toBe(5);
    expect(defined.name(0 as never)).toBe('valueOf');
    expect(() => defined.id('hasOwnProperty' as never)).toThrow('no event "hasOwnProperty"');
  });

  test('when there is nothing in it, then it is a catalogue', () => {
    const empty = defineCatalogue({ version: 1, channels: {}, events: {} });
    expect(empty.schema.events).toEqual([]);
    expectTypeOf(empty.id).parameter(0).toEqualTypeOf<never>();
  });
});

describe('C7: two builds with different codecs', () => {
  /** What an end does when it connects: it sends its fingerprint, and reads events only once the other one's is the same. */
  class End {
    readonly delivered: unknown[] = [];
    state: 'waiting' | 'open' | 'schemaMismatch' = 'waiting';
    readonly #catalogue: TypedCatalogue<unknown>;

    constructor(of: { readonly schema: { readonly fingerprint: Fingerprint } }) {
      this.#catalogue = of as TypedCatalogue<unknown>;
    }

    hello(): Uint8Array {
      return this.#catalogue.schema.fingerprint.bytes;
    }

    receiveHello(bytes: Uint8Array): void {
      const ours = this.#catalogue.schema.fingerprint;
      this.state = Buffer.compare(ours.bytes, bytes) === 0 ? 'open' : 'schemaMismatch';
    }

    receiveEvent(id: number, payload: Uint8Array): void {
      if (this.state === 'open') this.delivered.push(this.#catalogue.decode(id as never, payload));
    }
  }

  const withText = (codec: Codec<{ text: string }>) =>
    defineCatalogue({ version: 1, channels, events: { Chat: { channel: 'chat', codec } } });

  function connect(ours: ReturnType<typeof withText>, theirs: ReturnType<typeof withText>): readonly [End, End] {
    const [a, c] = [new End(ours), new End(theirs)];
    a.receiveHello(c.hello());
    c.receiveHello(a.hello());
    c.receiveEvent(ours.id('Chat'), encode(ours, 'Chat', { text: 'hi' }));
    a.receiveEvent(theirs.id('Chat'), encode(theirs, 'Chat', { text: 'ho' }));
    return [a, c];
  }

  test.each<[string, Codec<{ text: string }>]>([
    ['a bound', b.struct({ text: b.string(201) })],
    ['a version', b.struct({ text: b.string(200) }).version('2')],
    ['names', b.struct({ text: b.string(200) }, { names: false })],
  ])('C7: when %s differs, then both ends report a schema mismatch and nothing is delivered', (_, codec) => {
    const [a, c] = connect(withText(b.struct({ text: b.string(200) })), withText(codec));
    expect([a.state, c.state]).toEqual(['schemaMismatch', 'schemaMismatch']);
    expect([a.delivered, c.delivered]).toEqual([[], []]);
  });

  test('C7: when the codecs are equal, then events are delivered', () => {
    const [a, c] = connect(withText(b.struct({ text: b.string(200) })), withText(b.struct({ text: b.string(200) })));
    expect([a.delivered, c.delivered]).toEqual([[{ text: 'ho' }], [{ text: 'hi' }]]);
  });
});

describe('C8: directions', () => {
  const [up, down, both] = [counting(), counting(), counting()];
  const directed = defineCatalogue({
    version: 1,
    channels,
    events: {
      Up: { channel: 'state', direction: 'toServer', codec: up },
      Down: { channel: 'state', direction: 'toClient', codec: down },
      Both: { channel: 'state', direction: 'both', codec: both },
      Free: { channel: 'state', codec: both },
      RawDown: { channel: 'state', direction: 'toClient', raw: true, maxPayload: 2 },
    },
  });
  const payload = Uint8Array.of(7, 0);

  test('C8: an event in the wrong direction is refused before its codec is asked', () => {
    const error = codecErrorOf(() => directed.decode(directed.id('Down'), payload, 'server'));
    expect(error).toMatchObject({ code: 'TYPE', message: 'event Down is not received by the server' });
    expect(refusal(() => directed.decode(directed.id('Up'), payload, 'client'))).toBe('TYPE');
    expect(refusal(() => directed.decode(directed.id('RawDown'), payload, 'server'))).toBe('TYPE');
    expect([up.asked, down.asked]).toEqual([0, 0]);
  });

  test('C8: an event in its direction is read, and where the side is not told any is', () => {
    expect(directed.decode(directed.id('Up'), payload, 'server')).toBe(7);
    expect(directed.decode(directed.id('Down'), payload, 'client')).toBe(7);
    for (const side of ['server', 'client'] as const) {
      expect(directed.decode(directed.id('Both'), payload, side)).toBe(7);
      expect(directed.decode(directed.id('Free'), payload, side)).toBe(7);
    }
    expect(directed.decode(directed.id('Down'), payload)).toBe(7);
    expect(directed.events.Up.direction).toBe('toServer');
  });

  test('C8: the direction is not in the fingerprint', () => {
    const make = (direction: 'toServer' | 'toClient' | 'both' | undefined) =>
      String(defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', codec: b.bool(), direction } } }).schema.fingerprint);
    expect(new Set([make('toServer'), make('toClient'), make('both'), make(undefined)]).size).toBe(1);
  });
});

test('when a codec throws something else, then it reaches the caller', () => {
  const broken: Codec<number> = {
    descriptor: 'broken',
    maxBytes: 1,
    encodeInto: () => {
      throw new RangeError('mine');
    },
    decode: () => {
      throw new CodecError('VALIDATION', 'mine', 'a.b');
    },
  };
  const defined = defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', codec: broken } } });
  expect(() => encode(defined, 'E', 1)).toThrow(RangeError);
  expect(refusal(() => defined.decode(defined.id('E'), new Uint8Array(1)))).toBe('VALIDATION a.b');
});
