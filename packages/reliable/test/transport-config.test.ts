import { describe, expect, test } from 'vitest';
import {
  ConnectionShared,
  DEFAULT_TRANSPORT_CONFIG,
  EventTooLargeError,
  transportConfig,
  validateTransportConfig,
  validateTransportConfigFor,
} from '../src/index.ts';
import type { TransportOptions } from '../src/index.ts';
import { TEST, catalogue, golden } from './support/catalogues.ts';
import { thrown } from './support/thrown.ts';

const SMOOTHING = 'smoothing factors must be in (0, 1]';

/** Every row of the specification's table, in its order, with values on the wrong side of the rule. */
const ROWS: readonly [TransportOptions, string][] = [
  ...[0, 1187, 1.5, -1].map((fragmentSize): [TransportOptions, string] => [
    { fragmentSize },
    'fragment_size must be in [1, MAX_FRAGMENT_SIZE]',
  ]),
  ...[0, 1192, Number.NaN].map((fragmentAbove): [TransportOptions, string] => [
    { fragmentAbove },
    'fragment_above must be in [1, MAX_UNFRAGMENTED_PACKET]',
  ]),
  [{ maxPacketSize: 1190 }, 'max_packet_size must be at least fragment_above'],
  [{ maxPacketSize: 2000.5 }, 'max_packet_size must be at least fragment_above'],
  [{ maxPacketSize: 256 * 1186 + 1 }, 'max_packet_size needs more than 256 fragments'],
  [{ packetBudget: 0 }, 'packet_budget must be in [1, max_packet_size]'],
  [{ packetBudget: 32_769 }, 'packet_budget must be in [1, max_packet_size]'],
  [{ maxPacketsPerFlush: 0 }, 'max_packets_per_flush must be at least 1'],
  ...[0, -1, Infinity, Number.NaN].map((handshakeTimeout): [TransportOptions, string] => [
    { handshakeTimeout },
    'handshake_timeout must be a positive number of seconds',
  ]),
  [{ mismatchLinger: -1 }, 'mismatch_linger must be a non-negative number of seconds'],
  [{ idlePacketInterval: Infinity }, 'idle_packet_interval must be a non-negative number of seconds'],
  [{ maxPendingEvents: 0 }, 'max_pending_events must be at least 1'],
  [{ malformedLimit: 0 }, 'malformed_limit must be at least 1'],
  ...[0, 1, 3, 65_536].map((sentPacketsBufferSize): [TransportOptions, string] => [
    { sentPacketsBufferSize },
    'sent_packets_buffer_size must be a power of two <= 32768',
  ]),
  ...[0, 1, 100, 65_536].map((receivedPacketsBufferSize): [TransportOptions, string] => [
    { receivedPacketsBufferSize },
    'received_packets_buffer_size must be a power of two <= 32768',
  ]),
  [{ rttHistorySize: 0 }, 'rtt_history_size must be at least 1'],
  [{ fragmentReassemblyBufferSize: 0 }, 'fragment_reassembly_buffer_size must be at least 1'],
  [{ fragmentReassemblyBufferSize: 12 }, 'fragment_reassembly_buffer_size must be a power of two <= 32768'],
  [{ rttSmoothingFactor: 0 }, SMOOTHING],
  [{ packetLossSmoothingFactor: 1.01 }, SMOOTHING],
  [{ bandwidthSmoothingFactor: Number.NaN }, SMOOTHING],
  [{ maxPendingBytes: -1 }, 'max_pending_bytes must be a whole number of bytes'],
  [{ maxPooledBytes: 0.5 }, 'max_pooled_bytes must be a whole number of bytes'],
];

describe('validateTransportConfig', () => {
  test.each(ROWS)('refuses %o', (options, what) => {
    const error = thrown(() => validateTransportConfig(transportConfig(options)));
    expect(error).toMatchObject({ kind: 'transport', code: 'TRANSPORT', field: Object.keys(options)[0] });
    expect(error.message).toBe(`invalid transport configuration: ${what}`);
  });

  test('reports the first of two broken rules, in the order of the table', () => {
    const bad = ROWS.filter(([options], i) => i === 0 || Object.keys(options)[0] !== Object.keys(ROWS[i - 1]![0])[0]);
    for (let first = 0; first < bad.length; first++) {
      for (let later = first + 1; later < bad.length; later++) {
        // These share a limit: changing one moves the other's.
        const options = { ...bad[later]![0], ...bad[first]![0] };
        if ('fragmentSize' in options || 'maxPacketSize' in options) continue;
        expect(thrown(() => validateTransportConfig(transportConfig(options))).message).toContain(bad[first]![1]);
      }
    }
  });

  test.each<TransportOptions>([
    {},
    { fragmentSize: 1186, maxPacketSize: 256 * 1186 },
    { maxPacketSize: 1191, fragmentAbove: 1191 },
    { mismatchLinger: 0, idlePacketInterval: 0 },
    { sentPacketsBufferSize: 2, receivedPacketsBufferSize: 32_768, fragmentReassemblyBufferSize: 1 },
    { rttSmoothingFactor: 1, maxParkedBytes: 0, maxPooledBytes: 0, packetHeaderSize: 0, malformedLimit: 4_294_967_295 },
  ])('accepts %o', (options) => {
    validateTransportConfig(transportConfig(options));
  });
});

test('when a configuration is completed, then it is frozen and has the defaults for what is left out or undefined', () => {
  const config = transportConfig({ maxPendingEvents: 7, malformedLimit: undefined });
  expect(config).toEqual({ ...DEFAULT_TRANSPORT_CONFIG, maxPendingEvents: 7 });
  expect(Object.isFrozen(config) && Object.isFrozen(DEFAULT_TRANSPORT_CONFIG)).toBe(true);
  expect(transportConfig()).toEqual(DEFAULT_TRANSPORT_CONFIG);
});

describe('validateTransportConfigFor', () => {
  const check = (options: TransportOptions, schema = TEST) => thrown(() => validateTransportConfigFor(transportConfig(options), schema));

  test('refuses the first event in id order that no packet can carry', () => {
    const schema = catalogue(
      [{}],
      [
        [0, 10],
        [0, 2000],
        [0, 3000],
      ],
    );
    const error = check({ maxPacketSize: 1191 }, schema as typeof TEST);
    expect(error).toBeInstanceOf(EventTooLargeError);
    expect(error).toMatchObject({ kind: 'eventTooLarge', code: 'EVENT_TOO_LARGE', event: 'e1', maxPayload: 2000, limit: 1167 });
    expect(error.message).toBe('event "e1" allows 2000 byte payloads, but at most 1167 fit');
  });

  test('refuses a window in which a late id could be taken for a new one', () => {
    const text = 'received_packets_buffer_size * max_messages_per_packet + 2 * the largest reliable window must not exceed 65536';
    const schema = (capacity: number, messages: number) => catalogue([{ capacity }], [[0, 4]], messages) as typeof TEST;
    expect(check({}, schema(1024, 256)).message).toContain(text);
    expect(check({}, schema(24_577, 64)).message).toContain(text);
    validateTransportConfigFor(transportConfig(), schema(24_576, 64));
    expect(check({ receivedPacketsBufferSize: 2 }, golden('wide')).message).toContain(text);
    expect(check({}, catalogue([{ reliable: false }], [[0, 4]], 257) as typeof TEST).message).toContain(text);
  });

  test('refuses budgets that the largest payload does not fit, and checks the parked one only with a reliable channel', () => {
    expect(check({ maxPendingBytes: 7999 }).message).toContain('max_pending_bytes is smaller than the largest event payload');
    expect(check({ maxParkedBytes: 8063 }).message).toContain('max_parked_bytes cannot hold the largest reliable event payload');
    validateTransportConfigFor(transportConfig({ maxPendingBytes: 8000, maxParkedBytes: 8064 }), TEST);
    validateTransportConfigFor(transportConfig({ maxParkedBytes: 0 }), golden('single'));
  });

  test('refuses a catalogue that no builder makes', () => {
    const base = catalogue(
      [{}, { reliable: false }],
      [
        [0, 4],
        [1, 8],
      ],
    );
    const broken: [string, object][] = [
      ['maxMessagesPerPacket', { maxMessagesPerPacket: 0 }],
      ['maxMessagesPerPacket', { maxMessagesPerPacket: 4097 }],
      ['fingerprint', { fingerprint: { bytes: new Uint8Array(15) } }],
      ['channels', { channels: new Array(65).fill(base.channels[0]) }],
      ['channel', { events: [{ name: 'x', channel: 2, maxPayload: 4 }] }],
      ['maxPayload', { events: [{ name: 'x', channel: 0, maxPayload: 2 ** 24 + 1 }] }],
      ['maxPayload', { channels: [{ ...base.channels[0]!, maxPayload: 3 }, base.channels[1]!] }],
      ['delivery', { channels: [{ ...base.channels[0]!, delivery: 'odd' }, base.channels[1]!] }],
      ['overflow', { channels: [{ ...base.channels[0]!, overflow: 'odd' }, base.channels[1]!] }],
      ['capacity', { channels: [{ ...base.channels[0]!, capacity: 32_769 }, base.channels[1]!] }],
      ['capacity', { channels: [base.channels[0]!, { ...base.channels[1]!, capacity: 65_536 }] }],
      ['packetBudget', { channels: [{ ...base.channels[0]!, packetBudget: -1 }, base.channels[1]!] }],
      ['resendInterval', { channels: [{ ...base.channels[0]!, resendInterval: Infinity }, base.channels[1]!] }],
    ];
    for (const [field, change] of broken) {
      expect(check({}, { ...base, ...change } as typeof TEST)).toMatchObject({ kind: 'invalidOption', field });
    }
  });
});

test('when the configuration cannot carry the hello, then no connection can be made of it', () => {
  const options = { maxPacketSize: 18, fragmentAbove: 18, packetBudget: 18 };
  expect(thrown(() => ConnectionShared.create(golden('empty'), options)).message).toContain('max_packet_size cannot hold the hello');
  ConnectionShared.create(golden('empty'), { maxPacketSize: 19, fragmentAbove: 19, packetBudget: 19 });
});
