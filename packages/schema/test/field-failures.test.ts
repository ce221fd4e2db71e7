import { describe, expect, test } from 'vitest';
import { ChannelConfig, Schema } from '../src/index.ts';
import type { ChannelOptions } from '../src/index.ts';

const { reliableOrdered, unreliableUnordered } = ChannelConfig;

describe('FF-55 ids must not come from a short hash', () => {
  const colliding = ['DoorLeave', 'DoorPing', 'EnemySpawnPacket', 'DoorPingRequest', 'ChatSyncV2', 'WorldSpawnPacket'];
  const names = [...colliding, ...Array.from({ length: 2000 }, (_, i) => `Further.${(i * 1009) % 2000}`)];

  function build(all: readonly string[]): Schema {
    const builder = Schema.builder(1);
    const channel = builder.channel(reliableOrdered('reliable'));
    for (const name of all) builder.event(name, channel, 16);
    return builder.build();
  }

  test('when names collide under a 16-bit hash, then ids are 0 to n - 1 in byte order', () => {
    const schema = build(names);
    const inBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(schema.events.map(({ id }) => id)).toEqual(names.map((_, i) => i));
    expect(schema.events.map(({ name }) => name)).toEqual(inBytes);
    for (const [id, name] of inBytes.entries()) expect(schema.eventId(name)).toBe(id);
  });

  test('when one name is added, then the ids after it shift and the fingerprint changes', () => {
    const before = build(names);
    const after = build([...names, 'DoorNew']);
    const added = after.eventId('DoorNew')!;
    for (const { id, name } of before.events) expect(after.eventId(name)).toBe(id < added ? id : id + 1);
    expect(after.fingerprint.equals(before.fingerprint)).toBe(false);
  });
});

describe('FF-56 declaration order and drift', () => {
  interface Variation {
    readonly first?: ChannelOptions;
    readonly second?: ChannelOptions;
    readonly maxPayload?: number;
    readonly codecVersion?: number;
    readonly areChannelsSwapped?: boolean;
    readonly areEventsReversed?: boolean;
  }

  function fingerprint({ first, second, maxPayload = 64, codecVersion, areChannelsSwapped, areEventsReversed }: Variation): string {
    const builder = Schema.builder(1);
    const chat = (): number => builder.channel(reliableOrdered('chat', first));
    const state = (): number => builder.channel(unreliableUnordered('state', second));
    const ids = areChannelsSwapped === true ? [state(), chat()].reverse() : [chat(), state()];
    const declare = [
      () => builder.event('Say', ids[0]!, 256),
      () => builder.event('Move', ids[1]!, maxPayload, codecVersion),
      () => builder.event('Emote', ids[0]!, 16),
    ];
    for (const event of areEventsReversed === true ? declare.reverse() : declare) event();
    return String(builder.build().fingerprint);
  }

  const base = fingerprint({});

  test.each<[string, Variation]>([
    ['the events are declared in another order', { areEventsReversed: true }],
    ['a resend interval changes', { first: { resendInterval: 0.5 }, second: { resendInterval: 0.5 } }],
    ['an overflow policy changes', { second: { overflow: 'dropOldest' } }],
    ['a packet budget changes', { first: { packetBudget: 0 }, second: { packetBudget: 500 } }],
  ])('when %s, then the fingerprint stays', (_, variation) => {
    expect(fingerprint(variation)).toBe(base);
  });

  test.each<[string, Variation]>([
    ['a largest payload changes from 64 to 65', { maxPayload: 65 }],
    ['the capacity of the reliable channel changes', { first: { capacity: 1023 } }],
    ['the capacity of the unreliable channel changes', { second: { capacity: 1025 } }],
    ['a codec version changes from 0 to 1', { codecVersion: 1 }],
    ['two channels are declared in swapped order', { areChannelsSwapped: true }],
  ])('when %s, then the fingerprint changes', (_, variation) => {
    expect(fingerprint(variation)).not.toBe(base);
  });

  test('when version, name, channel, delivery or maximum per packet change, then the fingerprint changes', () => {
    const make = (version: number, channel: ChannelConfig, event: string, count: number): string => {
      const builder = Schema.builder(version).maxMessagesPerPacket(count);
      return String(builder.event(event, builder.channel(channel), 1).build().fingerprint);
    };
    const all = [
      make(1, reliableOrdered('c'), 'E', 64),
      make(2, reliableOrdered('c'), 'E', 64),
      make(1, reliableOrdered('d'), 'E', 64),
      make(1, unreliableUnordered('c'), 'E', 64),
      make(1, reliableOrdered('c'), 'F', 64),
      make(1, reliableOrdered('c'), 'E', 63),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('FF-57 a built schema is frozen', () => {
  test('when one config object is edited between and after the calls, then each channel keeps the values of its call', () => {
    const config: { name: string; delivery: 'unreliableUnordered'; capacity: number; overflow: 'fail' | 'dropOldest' } = {
      name: 'first',
      delivery: 'unreliableUnordered',
      capacity: 10,
      overflow: 'fail',
    };
    const builder = Schema.builder(1);
    builder.channel(config);
    Object.assign(config, { name: 'second', capacity: 20, overflow: 'dropOldest' });
    builder.channel(config);
    const schema = builder.build();
    const text = String(schema.fingerprint);
    Object.assign(config, { name: 'third', capacity: 30 });
    expect(schema.channels).toMatchObject([
      { name: 'first', capacity: 10, overflow: 'fail' },
      { name: 'second', capacity: 20, overflow: 'dropOldest' },
    ]);
    expect(String(builder.build().fingerprint)).toBe(text);
  });

  test('when what the schema returns is edited, then it throws or has no effect', () => {
    const builder = Schema.builder(1);
    const schema = builder.event('E', builder.channel(reliableOrdered('r')), 5).build();
    const text = String(schema.fingerprint);
    const mutable = <T>(value: T): { -readonly [K in keyof T]: T[K] } => value;
    const channels = schema.channels as unknown[];
    const ids = schema.channels[0]!.events as unknown[];
    const edits = [
      () => channels.push({}),
      () => (channels.length = 0),
      () => (schema.events as unknown[]).reverse().splice(0),
      () => ids.push(7),
      () => (mutable(schema.channels[0]!).capacity = 1),
      () => (mutable(schema.events[0]!).maxPayload = 1),
      () => (mutable(schema).schemaVersion = 9),
      () => (mutable(schema).fingerprint = schema.fingerprint),
    ];
    for (const edit of edits) expect(edit).toThrow(TypeError);
    schema.fingerprint.bytes.fill(0);
    expect(schema.channels[0]).toMatchObject({ capacity: 1024, events: [0] });
    expect(schema.event(0)).toMatchObject({ maxPayload: 5 });
    expect(String(schema.fingerprint)).toBe(text);
  });
});
