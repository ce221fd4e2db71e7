import { describe, expect, test } from 'vitest';
import { ChannelConfig, Schema } from '../src/index.ts';
import type { Channel, ChannelOptions } from '../src/index.ts';
import { thrownBy } from './support/thrown.ts';

function declared(config: ChannelConfig): Channel {
  const builder = Schema.builder(1);
  builder.channel(config);
  return builder.build().channels[0]!;
}

const RELIABLE = { capacity: 1024, overflow: 'fail', packetBudget: undefined, resendInterval: 0.1 };
const UNRELIABLE = { capacity: 1024, overflow: 'fail', packetBudget: undefined, resendInterval: 0 };

describe('defaults', () => {
  test('when a maker gets a name only, then the defaults of its delivery class are filled in', () => {
    expect(ChannelConfig.reliableOrdered('r')).toStrictEqual({ name: 'r', delivery: 'reliableOrdered', ...RELIABLE });
    expect(ChannelConfig.unreliableUnordered('u')).toStrictEqual({ name: 'u', delivery: 'unreliableUnordered', ...UNRELIABLE });
  });

  test('when a plain object is declared, then it gets the same defaults', () => {
    expect(declared({ name: 'r', delivery: 'reliableOrdered' })).toStrictEqual(declared(ChannelConfig.reliableOrdered('r')));
    expect(declared({ name: 'u', delivery: 'unreliableUnordered' })).toStrictEqual(declared(ChannelConfig.unreliableUnordered('u')));
  });

  test('when options are undefined, then they count as left out', () => {
    const options: ChannelOptions = { capacity: undefined, overflow: undefined, packetBudget: undefined, resendInterval: undefined };
    expect(ChannelConfig.reliableOrdered('r', options)).toStrictEqual(ChannelConfig.reliableOrdered('r'));
    expect(declared({ name: 'r', delivery: 'reliableOrdered', ...options })).toMatchObject(RELIABLE);
  });

  test('when options are given, then they are kept', () => {
    const options: ChannelOptions = { capacity: 7, overflow: 'dropOldest', packetBudget: 0, resendInterval: 2.5 };
    expect(declared(ChannelConfig.unreliableUnordered('u', options))).toMatchObject(options);
  });
});

describe('copies', () => {
  test('when a maker returns, then its result is frozen and the options are not looked at again', () => {
    const options: ChannelOptions = { capacity: 7 };
    const config = ChannelConfig.reliableOrdered('r', options);
    options.capacity = 8;
    expect(config.capacity).toBe(7);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(ChannelConfig)).toBe(true);
  });

  test('when options carry a name, then the name of the call stays', () => {
    const options = { name: 'other', delivery: 'unreliableUnordered', capacity: 3 };
    expect(ChannelConfig.reliableOrdered('r', options)).toMatchObject({ name: 'r', delivery: 'reliableOrdered', capacity: 3 });
  });

  test('when members are getters, then each is asked once', () => {
    const asked: string[] = [];
    const config = new Proxy({ name: 'r', delivery: 'reliableOrdered', capacity: 5 } as const, {
      get: (target, key) => {
        asked.push(String(key));
        return Reflect.get(target, key) as unknown;
      },
    });
    expect(declared(config).capacity).toBe(5);
    expect(asked.sort()).toEqual(['capacity', 'delivery', 'name', 'overflow', 'packetBudget', 'resendInterval']);
  });

  test('when members are inherited, then they count', () => {
    const config = Object.create({ name: 'r', delivery: 'reliableOrdered', capacity: 9 }) as ChannelConfig;
    expect(declared(config)).toMatchObject({ name: 'r', capacity: 9 });
  });
});

describe('what only an untyped caller can write', () => {
  const base = { name: 'c', delivery: 'unreliableUnordered' };
  const cases: readonly (readonly [string, unknown, string, string, string])[] = [
    ['no object', 'chat', 'INVALID_OPTION', 'config', 'config: expected an object, got "chat"'],
    ['null', null, 'INVALID_OPTION', 'config', 'config: expected an object, got null'],
    ['no name', { delivery: 'reliableOrdered' }, 'INVALID_OPTION', 'name', 'name: expected a text, got undefined'],
    [
      'an unknown delivery',
      { name: 'c', delivery: 'reliable' },
      'INVALID_OPTION',
      'delivery',
      'delivery: expected reliableOrdered or unreliableUnordered, got "reliable"',
    ],
    [
      'an unknown policy',
      { ...base, overflow: 'drop' },
      'INVALID_OPTION',
      'overflow',
      'overflow: expected fail or dropOldest or dropNewest, got "drop"',
    ],
    ['a fractional capacity', { ...base, capacity: 1.5 }, 'INVALID_CAPACITY', 'capacity', 'channel "c" has invalid capacity 1.5'],
    ['a negative capacity', { ...base, capacity: -1 }, 'INVALID_CAPACITY', 'capacity', 'channel "c" has invalid capacity -1'],
    ['a capacity of 17 bits', { ...base, capacity: 65_536 }, 'INVALID_CAPACITY', 'capacity', 'channel "c" has invalid capacity 65536'],
    ['capacity NaN', { ...base, capacity: Number.NaN }, 'INVALID_CAPACITY', 'capacity', 'channel "c" has invalid capacity NaN'],
    ['a text as capacity', { ...base, capacity: '64' }, 'INVALID_CAPACITY', 'capacity', 'channel "c" has invalid capacity "64"'],
    [
      'a fractional budget',
      { ...base, packetBudget: 0.5 },
      'INVALID_OPTION',
      'packetBudget',
      'packetBudget: expected an integer of 0 or more bytes, got 0.5',
    ],
    [
      'a negative budget',
      { ...base, packetBudget: -1 },
      'INVALID_OPTION',
      'packetBudget',
      'packetBudget: expected an integer of 0 or more bytes, got -1',
    ],
    [
      'an infinite budget',
      { ...base, packetBudget: Infinity },
      'INVALID_OPTION',
      'packetBudget',
      'packetBudget: expected an integer of 0 or more bytes, got Infinity',
    ],
    [
      'a text as interval',
      { ...base, resendInterval: '1' },
      'INVALID_OPTION',
      'resendInterval',
      'resendInterval: expected a number of seconds, got "1"',
    ],
  ];

  test.each(cases)('when a channel is %#: %s, then it is refused before all rules', (_, config, code, field, message) => {
    expect(thrownBy(() => declared(config as ChannelConfig))).toMatchObject({ code, field, message });
  });

  test('when makers get options that are no object, then INVALID_OPTION', () => {
    expect(thrownBy(() => ChannelConfig.reliableOrdered('r', null as never))).toMatchObject({ code: 'INVALID_OPTION', field: 'options' });
    expect(thrownBy(() => ChannelConfig.unreliableUnordered('u', 5 as never))).toMatchObject({ code: 'INVALID_OPTION', field: 'options' });
  });
});

describe('limits', () => {
  const accepted: readonly ChannelConfig[] = [
    ChannelConfig.reliableOrdered('c', { capacity: 1 }),
    ChannelConfig.reliableOrdered('c', { capacity: 32_768 }),
    ChannelConfig.unreliableUnordered('c', { capacity: 32_769 }),
    ChannelConfig.unreliableUnordered('c', { capacity: 65_535 }),
    ChannelConfig.reliableOrdered('c', { resendInterval: 0 }),
    ChannelConfig.reliableOrdered('c', { resendInterval: -0 }),
    ChannelConfig.reliableOrdered('c', { resendInterval: Number.MAX_VALUE }),
    ChannelConfig.unreliableUnordered('c', { packetBudget: Number.MAX_SAFE_INTEGER }),
  ];

  test.each(accepted)('when a channel is at a limit (%o), then it is accepted', (config) => {
    expect(declared(config)).toMatchObject(config);
  });

  test.each([-1, -Number.MIN_VALUE, Number.NaN, Infinity, -Infinity])(
    'when the resend interval is %d, then it is refused',
    (resendInterval) => {
      for (const make of [ChannelConfig.reliableOrdered, ChannelConfig.unreliableUnordered]) {
        expect(thrownBy(() => declared(make('c', { resendInterval }))).kind).toBe('invalidResendInterval');
      }
    },
  );
});
