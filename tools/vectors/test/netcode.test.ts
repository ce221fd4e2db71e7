import { describe, expect, test } from 'vitest';
import { REGISTRY, replayFile } from '../src/index.ts';
import { NETCODE_FILE } from '../src/netcode/index.ts';
import { NETCODE_FIELDS, SIMULATOR_FIELDS } from './netcode-fields.ts';
import { VectorFile, describeTampering } from './tampered-groups.ts';
import type { JsonObject } from './tampered-groups.ts';
import { changeDigit, lengthen, placesOf, replaceAt, shorten } from './tampering.ts';
import type { Json } from './tampering.ts';

const file = new VectorFile('netcode.json', NETCODE_FILE);

for (const [group, kinds] of Object.entries(NETCODE_FIELDS)) describeTampering(file, group, kinds);

describe('cases that are plain values', () => {
  test('addresses.invalid: a text that is an address makes the replay fail', () => {
    file.expectRefused('addresses.invalid', '127.0.0.1:40000', 'a good address');
    file.expectRefused('addresses.invalid', 7, 'no text');
    expect(file.replayCase('addresses.invalid', '127.0.0.1:65536')).toMatchObject({ passed: 1, failed: 0 });
  });

  const simulator = file.content['simulator'] as JsonObject;

  test.each(SIMULATOR_FIELDS)('simulator %s: the replay fails', (kind) => {
    const all = placesOf(simulator).filter((place) => place.kind === kind);
    expect(all.length).toBeGreaterThan(0);
    for (const { path, isList } of all) {
      for (const change of isList ? [shorten, lengthen] : [changeDigit]) {
        const content = { format: file.content['format'], simulator: replaceAt(simulator, path, change) };
        const [result] = replayFile('netcode.json', content, { registry: REGISTRY, complete: false }).groups;
        expect({ path, failed: result?.failed }).toEqual({ path, failed: 1 });
      }
    }
  });
});

describe('packets', () => {
  test('a direction that is wider than true makes the replay fail', () => {
    for (const entry of file.casesOf('packets') as readonly JsonObject[]) {
      if (entry['direction'] !== 'both') file.expectRefused('packets', { ...entry, direction: 'both' }, JSON.stringify(entry['type']));
    }
  });
});

describe('serverTranscripts', () => {
  test('a stopped server may show the global sequence as 0 or 2^63, nothing else', () => {
    const transcript = file.casesOf('serverTranscripts')[0] as { readonly steps: readonly JsonObject[] };
    const at = transcript.steps.findIndex((step) => step['op'] === 'update' && step['globalSequence'] === '0');
    expect(at).toBeGreaterThan(0);
    const showing = (value: string): Json => replaceAt(transcript, ['steps', at, 'globalSequence'], () => value);
    for (const value of ['0', '9223372036854775808'])
      expect(file.replayCase('serverTranscripts', showing(value))).toMatchObject({ failed: 0 });
    for (const value of ['1', '9223372036854775809']) {
      file.expectRefused('serverTranscripts', showing(value), value, `steps[${at}].globalSequence`);
    }
  });
});
