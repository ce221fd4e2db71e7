import { describe, expect, test } from 'vitest';
import { EVENTS_FILE } from '../src/events/index.ts';
import { EVENTS_FIELDS, EVENT_ID } from './events-fields.ts';
import { VectorFile, describeTampering } from './tampered-groups.ts';
import type { JsonObject } from './tampered-groups.ts';

const file = new VectorFile('events.json', EVENTS_FILE);

test('every group is listed with its fields', () => {
  expect(Object.keys(EVENTS_FIELDS).sort()).toEqual(Object.keys(EVENTS_FILE.groups).sort());
});

for (const [group, kinds] of Object.entries(EVENTS_FIELDS)) {
  describeTampering(file, group, kinds, (kind) => kind.replace(/^eventIds\..*/, EVENT_ID));
}

describe('captures', () => {
  const find = (name: string): JsonObject => (file.casesOf('captures') as readonly JsonObject[]).find((entry) => entry['name'] === name)!;
  const good = find('five_kinds_with_payloads');
  const without = find('five_kinds_without_payloads');
  const records = good['records'] as readonly JsonObject[];
  const record = (index: number, change: JsonObject): JsonObject[] => records.map((one, i) => (i === index ? { ...one, ...change } : one));

  test.each<[string, JsonObject, JsonObject]>([
    ['another schema', good, { schema: 'testV2' }],
    ['another order of records', good, { records: records.toReversed() }],
    ['another kind of a record', good, { records: record(1, { kind: 'sent' }) }],
    ['-0 for a time', good, { records: record(0, { time: '-0' }) }],
    ['another payload', good, { records: record(1, { payload: '68656c6c70' }) }],
    ['a longer payload', without, { records: record(1, { payload: '68656c6c6f6f' }) }],
    ['cut bytes', good, { hex: (good['hex'] as string).slice(0, -2) }],
    ['other bytes', good, { hex: `${(good['hex'] as string).slice(0, -2)}00` }],
    ['the other flag', good, { payloads: false }],
    ['the other flag', without, { payloads: true }],
  ])('when a case has %s, then it fails', (what, entry, change) => {
    file.expectRefused('captures', { ...entry, ...change }, what);
  });
});

describe('schemaBuilder', () => {
  const channel = { name: 'a', delivery: 'reliableOrdered' };
  const nameless = { ...channel, name: '' };
  const long = { name: 'E', channel: 0, maxPayload: 1 };

  test.each<[string, JsonObject]>([
    ['an accepted case that should be refused', { steps: [{ channel }], error: { kind: 'invalidName' } }],
    ['a refused case that should be accepted', { steps: [{ channel: nameless }], error: null }],
    ['another kind', { steps: [{ channel: nameless }], error: { kind: 'duplicateChannel' } }],
    ['another text', { steps: [{ channel: nameless }], error: { kind: 'invalidName', message: 'x' } }],
    ['an error without a step', { steps: [], error: { kind: 'invalidName' } }],
    ['a refusal of another step than the last', { steps: [{ channel: nameless }, { channel }], error: { kind: 'invalidName' } }],
    ['a step with two declarations', { steps: [{ channel }, { channel: { ...channel, name: 'b' }, event: long }], error: null }],
    ['a step without a declaration', { steps: [{}], error: null }],
  ])('when the case is %s, then it fails', (what, entry) => {
    file.expectRefused('schemaBuilder', { name: 'x', ...entry }, what);
  });
});

describe('runs', () => {
  test('words that are not understood make the replay fail', () => {
    const [run] = file.casesOf('runs') as readonly [JsonObject];
    file.expectRefused('runs', { ...run, how: 'wait and see' }, 'other words', 'wait and see is not understood');
  });

  test('figures that the script does not take make the replay fail', () => {
    const [run] = file.casesOf('runs') as readonly [JsonObject];
    const expected = { ...(run['expect'] as JsonObject), maxPacketsInOneStep: 1 };
    file.expectRefused('runs', { ...run, expect: expected }, 'another figure', 'expect.maxPacketsInOneStep: no replayer reads this field');
  });
});
