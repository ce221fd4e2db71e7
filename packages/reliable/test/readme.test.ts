import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpointSettings } from '../src/endpoint-config.ts';
import { newCounters as newEndpointCounters } from '../src/endpoint-report.ts';
import { DELTA_LOW, DELTA_TOP, DELTA_VALUE_BITS } from '../src/id-delta.ts';
import { DEFAULT_TRANSPORT_CONFIG, MALFORMED_TEXTS, ReliableError, transportConfig, validateTransportConfig } from '../src/index.ts';
import { COUNTER_NAMES } from '../src/stats.ts';
import * as wire from '../src/wire.ts';

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = text('../README.md');

/** The rows of the table whose head begins with a title, as cells. */
function table(title: string): string[][] {
  const lines = readme.split('\n');
  const head = lines.findIndex((line) => line.startsWith('|') && line.split('|')[1]!.trim() === title);
  expect(head, `a table headed "${title}"`).toBeGreaterThan(0);
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

const codes = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code!);
const firstCodes = (title: string): string[] => table(title).flatMap(([first]) => codes(first!));
/** The words in quotes of a declaration in a source file. */
const union = (path: string, name: string, pattern: RegExp): string[] =>
  Array.from(new RegExp(`export type ${name}[^=]*=([^;]+|.*?\\n\\n)`, 's').exec(text(path))![0].matchAll(pattern), ([, word]) => word!);

/** The field that a configuration is refused for. */
function refusedField(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (ReliableError.is(error)) return error.field;
    throw error;
  }
}

/** Checks the numbers of a range like `1 … 1191`, `above 0, at most 1` or `1 or more` against what is refused for the field. */
function expectRange(field: string, range: string, refuses: (value: number) => boolean): void {
  const [, low, high] = /^(\d+) … (\d+)/.exec(range) ?? [];
  const [, least] = /^(\d+) or more$/.exec(range) ?? [];
  const isWhole = !field.endsWith('Factor') && !/Interval|Linger|Timeout/.test(field);
  if (low !== undefined && high !== undefined) {
    expect([Number(low), Number(high)].map(refuses), `${field} ${range}`).toEqual([false, false]);
    expect([Number(low) - 1, Number(high) + 1].map(refuses), `${field} beyond ${range}`).toEqual([true, true]);
    if (range.endsWith('a power of two')) expect(refuses(96)).toBe(true);
  } else if (least !== undefined) {
    expect([Number(least), Number(least) + 1000].map(refuses), `${field} ${range}`).toEqual([false, false]);
    expect(refuses(Number(least) - 1), `${field} below ${range}`).toBe(true);
  } else if (range.startsWith('above 0')) {
    expect([0, -1].map(refuses), `${field} ${range}`).toEqual([true, true]);
    expect(refuses(1)).toBe(false);
    expect(refuses(1.5)).toBe(range.endsWith('at most 1'));
  } else {
    expect(range).toMatch(/`|payload|text/);
  }
  if (isWhole && range !== 'text') expect(refuses(1.5), `${field} 1.5`).toBe(true);
}

describe('options', () => {
  const rows = table('option');

  test('when the README lists the options of a transport, then names and defaults are those of the source', () => {
    const stated = rows.map(([name, , value]) => [codes(name!)[0], Number(value)]);
    expect(stated).toEqual(Object.entries(DEFAULT_TRANSPORT_CONFIG));
  });

  test.each(rows)('when the README gives %s a range (%s, %s, %s), then it is the one that is checked', (name, _unit, _default, range) => {
    const field = codes(name)[0]!;
    expectRange(field, range, (value) => refusedField(() => validateTransportConfig(transportConfig({ [field]: value }))) === field);
  });

  test('when the README speaks of the fragment size, then it says that both ends must have the same and that nothing checks it', () => {
    expect(rows.find(([name]) => name === '`fragmentSize`')!.at(-1)).toContain('the same at both ends');
    expect(readme.replaceAll('\n', ' ')).toContain(
      'it must be the same at both ends, nothing on the wire tells it, and the fingerprint does not cover it',
    );
  });

  const endpointRows = table('endpoint option');

  test('when the README lists the options of an endpoint, then names and defaults are those of the source', () => {
    const stated = endpointRows.map(([name, , value]) => [
      codes(name!)[0],
      Number.isNaN(Number(value)) ? codes(value!)[0] : Math.fround(Number(value)),
    ]);
    const actual = Object.entries(endpointSettings({})).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.fround(value) : value,
    ]);
    expect(stated).toEqual(actual);
  });

  test.each(endpointRows)(
    'when the README gives the endpoint %s a range (%s, %s, %s), then it is the one that is checked',
    (name, _unit, _default, range) => {
      const field = codes(name)[0]!;
      // Large enough that the other options fit any value of this one.
      const roomy = { maxFragments: 256, fragmentAbove: 2 ** 30 };
      expectRange(field, range, (value) => refusedField(() => endpointSettings({ ...roomy, [field]: value })) === field);
    },
  );
});

describe('errors', () => {
  test('when the README lists error codes, then they are those of the source', () => {
    const kinds = union('../src/errors.ts', 'ReliableErrorKind', /'(\w+)'/g);
    expect(kinds.length).toBe(8);
    expect(firstCodes('code').sort()).toEqual(kinds.map((kind) => kind.replaceAll(/[A-Z]/g, '_$&').toUpperCase()).sort());
  });

  test('when the README lists refusals and failures, then they are those of the source', () => {
    expect(firstCodes('refusal')).toEqual(union('../src/connection.ts', 'SendRefusal', /'(\w+)'/g));
    expect(firstCodes('failure')).toEqual(
      Array.from(/export type Failure<.*?\n\n/s.exec(text('../src/failure.ts'))![0].matchAll(/type: '(\w+)'/g), ([, type]) => type!),
    );
  });

  test('when the README lists malformed packets, then kinds and texts are those of the source, in its order', () => {
    expect(table('malformed').map(([kind, words]) => [codes(kind!)[0], words])).toEqual(Object.entries(MALFORMED_TEXTS));
  });

  test('when the README lists drop reasons, then they are those of the codecs', () => {
    const source = text('../src/packet-header.ts') + text('../src/fragment.ts');
    const reasons = new Set(Array.from(source.matchAll(/return '([a-z0-9]+(?:-[a-z0-9]+)+)'/g), ([, reason]) => reason!));
    expect(reasons.size).toBeGreaterThan(12);
    expect(firstCodes('drop reason').sort()).toEqual([...reasons].sort());
  });

  test('when the README lists counters, then they are those of the source', () => {
    expect(firstCodes('counter')).toEqual([...COUNTER_NAMES]);
    const section = readme.slice(readme.indexOf('| drop reason'), readme.indexOf('Those of a connection:'));
    for (const name of Object.keys(newEndpointCounters())) expect(section).toContain(`\`${name}\``);
  });

  test('when the README lists estimates, then they are those of the source', () => {
    expect(firstCodes('estimate in `stats`')).toEqual(
      Array.from(text('../src/stats.ts').matchAll(/^ {4}get (\w+)\(\)/gm), ([, name]) => name!),
    );
  });
});

describe('wire', () => {
  test('when the README lists constants, then they are the exported numbers', () => {
    const numbers = Object.entries(wire).filter(([, value]) => typeof value === 'number');
    const stated = table('constant (`/wire`)').map(([name, value]) => [codes(name!)[0]!, Number(value)] as const);
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(numbers));
  });

  test('when the README shows the id distances, then they are those of the code', () => {
    const stated = table('id distance').map(([range, selector, bits]) => {
      const [low, top] = range!.split(' … ').map(Number);
      return [low, (top ?? low)! - low!, selector!.length - 1, Number(bits)];
    });
    expect(stated).toEqual(Array.from(DELTA_VALUE_BITS, (bits, tier) => [DELTA_LOW[tier], DELTA_TOP[tier], tier, bits]));
  });

  test('when the README gives bounds, then they follow from the defaults', () => {
    const { maxPendingBytes, maxParkedBytes, maxPendingEvents, maxPacketSize, fragmentSize, sentPacketsBufferSize } =
      DEFAULT_TRANSPORT_CONFIG;
    const rows = Object.fromEntries(table('what').map(([what, , value]) => [what!, value!]));
    expect(rows['payload held on receive']).toBe(`${(maxPendingBytes + 2 * maxParkedBytes) / 2 ** 20} MiB`);
    expect(rows['events in the inbox']!.replace(' ', '')).toBe(String(maxPendingEvents + maxParkedBytes / 32));
    const fragments = Math.ceil(maxPacketSize / fragmentSize);
    expect(rows['packets in reassembly']!.replaceAll(' ', '')).toBe(
      `${DEFAULT_TRANSPORT_CONFIG.fragmentReassemblyBufferSize + 2}×${fragments * fragmentSize}bytes`,
    );
    expect(rows['packets with events in flight']).toBe(String(sentPacketsBufferSize / 2));
  });
});
