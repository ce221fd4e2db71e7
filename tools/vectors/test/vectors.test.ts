import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OWN_DATA, REGISTRY, replayDirectory, replayFile } from '../src/index.ts';
import type { GroupResult } from '../src/index.ts';
import { NETCODE_FILE } from '../src/netcode/index.ts';
import { NETCODE_FIELDS, SIMULATOR_FIELDS } from './netcode-fields.ts';
import { changeDigit, lengthen, pathText, placesOf, replaceAt, shorten } from './tampering.ts';
import type { Json, Path, Place } from './tampering.ts';

type JsonObject = Readonly<Record<string, Json>>;

const netcode = JSON.parse(readFileSync(join(OWN_DATA, 'netcode.json'), 'utf8')) as JsonObject;

describe("the repository's copy", () => {
  const files = replayDirectory(OWN_DATA, { registry: REGISTRY, complete: true });

  test('every group of netcode.json passes with all its cases', () => {
    const result = files.find(({ file }) => file === 'netcode.json');
    expect(result?.built).toBe(true);
    expect(result?.groups.filter(({ failed }) => failed > 0)).toEqual([]);
    const counts = Object.entries(netcode).flatMap(([key, value]): [string, number][] => {
      if (typeof value !== 'object' || value === null) return [];
      if (Array.isArray(value)) return [[key, value.length]];
      const members = Object.entries(value).map(([inner, list]): [string, number] => [`${key}.${inner}`, (list as readonly Json[]).length]);
      return key === 'simulator' ? [[key, members.reduce((sum, [, count]) => sum + count, 0)]] : members;
    });
    expect(counts.every(([, count]) => count > 0)).toBe(true);
    expect(result?.groups.map(({ name, cases, passed }) => [name, cases, passed])).toEqual(
      counts.map(([name, count]) => [name, count, count]),
    );
  });

  test('files of packages that do not exist yet are listed and not counted as passed', () => {
    expect(files.map(({ file, built }) => [file, built])).toEqual([
      ['bitstream.json', false],
      ['events.json', false],
      ['netcode.json', true],
      ['reliable.json', false],
    ]);
    for (const { file, groups } of files.filter(({ built }) => !built)) {
      const content = JSON.parse(readFileSync(join(OWN_DATA, file), 'utf8')) as JsonObject;
      const lists = Object.entries(content).filter(([, value]) => Array.isArray(value));
      expect(groups).toEqual(lists.map(([name, list]) => ({ name, cases: (list as readonly Json[]).length, passed: 0, failed: 0 })));
    }
  });
});

/** Replays one case alone. */
function replayCase(group: string, entry: Json): GroupResult | undefined {
  const [outer, inner] = group.split('.') as [string, string | undefined];
  const value = inner === undefined ? [entry] : { [inner]: [entry] };
  // Requests name a token of another group, which is not replayed here.
  const tokens = group === 'packets' ? { connectTokens: netcode['connectTokens'] } : {};
  const registry = { 'netcode.json': { groups: { [group]: NETCODE_FILE.groups[group] } } };
  return replayFile('netcode.json', { ...tokens, [outer]: value }, { registry, complete: false }).groups.find(({ name }) => name === group);
}

function casesOf(group: string): readonly Json[] {
  return group.split('.').reduce<Json>((value, key) => (value as JsonObject)[key]!, netcode) as readonly Json[];
}

/** Replays a case that was changed; it must fail, and where a place is given the failure must name it. */
function expectRefused(group: string, entry: Json, what: string, place = ''): void {
  const result = replayCase(group, entry);
  expect({ what, failed: result?.failed }).toEqual({ what, failed: 1 });
  expect(result?.firstFailure).toContain(place);
}

describe.each(Object.entries(NETCODE_FIELDS))('%s, changed in one place', (group, { compared, others, resultsOnly, places }) => {
  const cases = casesOf(group);
  const found = new Map<string, { readonly index: number; readonly place: Place }[]>();
  for (const [index, entry] of cases.entries()) {
    for (const place of placesOf(entry)) {
      const list = found.get(place.kind) ?? [];
      list.push({ index, place });
      found.set(place.kind, list);
    }
  }

  test('every case passes alone when nothing is changed', () => {
    for (const entry of cases) expect(replayCase(group, entry)).toEqual({ name: group, cases: 1, passed: 1, failed: 0 });
  });

  test('every kind of field in the data is known to this test', () => {
    expect([...found.keys()].sort()).toEqual([...compared, ...others].sort());
  });

  test.each(compared)('%s: the replay fails', (kind) => {
    const all = found.get(kind) ?? [];
    const chosen = places === 'all' ? all : [...new Set([all[0]!, all[all.length >> 1]!, all.at(-1)!])];
    for (const { index, place } of chosen) {
      const where = pathText(place.path);
      for (const change of place.isList ? [shorten, lengthen] : [changeDigit]) {
        expectRefused(group, replaceAt(cases[index]!, place.path, change), `case ${index}: ${where}`, resultsOnly ? where : '');
      }
    }
  });

  test.each(compared.filter((kind) => !kind.endsWith(']')))('%s: without it the replay fails', (kind) => {
    const { index, place } = found.get(kind)![0]!;
    const key = place.path.at(-1)!;
    const removeField = (value: Json): Json => Object.fromEntries(Object.entries(value as JsonObject).filter(([name]) => name !== key));
    const where = pathText(place.path);
    expectRefused(group, replaceAt(cases[index]!, place.path.slice(0, -1), removeField), `case ${index}: no ${where}`, `${where}: missing`);
  });

  test('a field that nobody knows makes the replay fail, at every depth', () => {
    const parents = new Map<string, { readonly index: number; readonly path: Path }>();
    for (const { index, place } of [...found.values()].map((list) => list[0]!)) {
      const path = place.path.slice(0, -1);
      if (typeof place.path.at(-1) === 'string') parents.set(place.kind.replace(/\.?[^.]*$/, ''), { index, path });
    }
    for (const { index, path } of parents.values()) {
      const addField = (value: Json): Json => ({ ...(value as JsonObject), unheardOf: 1 });
      const where = pathText([...path, 'unheardOf']);
      expectRefused(group, replaceAt(cases[index]!, path, addField), where, `${where}: no replayer reads this field`);
    }
  });
});

describe('cases that are plain values', () => {
  test('addresses.invalid: a text that is an address makes the replay fail', () => {
    expectRefused('addresses.invalid', '127.0.0.1:40000', 'a good address');
    expectRefused('addresses.invalid', 7, 'no text');
    expect(replayCase('addresses.invalid', '127.0.0.1:65536')).toMatchObject({ passed: 1, failed: 0 });
  });

  const simulator = netcode['simulator'] as JsonObject;

  test.each(SIMULATOR_FIELDS)('simulator %s: the replay fails', (kind) => {
    const all = placesOf(simulator).filter((place) => place.kind === kind);
    expect(all.length).toBeGreaterThan(0);
    for (const { path, isList } of all) {
      for (const change of isList ? [shorten, lengthen] : [changeDigit]) {
        const content = { format: netcode['format'], simulator: replaceAt(simulator, path, change) };
        const [result] = replayFile('netcode.json', content, { registry: REGISTRY, complete: false }).groups;
        expect({ path, failed: result?.failed }).toEqual({ path, failed: 1 });
      }
    }
  });
});

describe('packets', () => {
  test('a direction that is wider than true makes the replay fail', () => {
    for (const entry of casesOf('packets') as readonly JsonObject[]) {
      if (entry['direction'] !== 'both') expectRefused('packets', { ...entry, direction: 'both' }, JSON.stringify(entry['type']));
    }
  });
});

describe('serverTranscripts', () => {
  test('a stopped server may show the global sequence as 0 or 2^63, nothing else', () => {
    const transcript = casesOf('serverTranscripts')[0] as { readonly steps: readonly JsonObject[] };
    const at = transcript.steps.findIndex((step) => step['op'] === 'update' && step['globalSequence'] === '0');
    expect(at).toBeGreaterThan(0);
    const showing = (value: string): Json => replaceAt(transcript, ['steps', at, 'globalSequence'], () => value);
    for (const value of ['0', '9223372036854775808']) expect(replayCase('serverTranscripts', showing(value))).toMatchObject({ failed: 0 });
    for (const value of ['1', '9223372036854775809']) {
      expectRefused('serverTranscripts', showing(value), value, `steps[${at}].globalSequence`);
    }
  });
});
