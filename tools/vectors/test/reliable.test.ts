import { describe, test } from 'vitest';
import { RELIABLE_FILE } from '../src/reliable/index.ts';
import { RELIABLE_FIELDS } from './reliable-fields.ts';
import { VectorFile, describeTampering } from './tampered-groups.ts';
import type { JsonObject } from './tampered-groups.ts';
import { changeDigit, lengthen, replaceAt, shorten } from './tampering.ts';
import type { Json } from './tampering.ts';

const file = new VectorFile('reliable.json', RELIABLE_FILE);

for (const [group, kinds] of Object.entries(RELIABLE_FIELDS)) describeTampering(file, group, kinds);

describe('cases that are rows', () => {
  test('sequenceCompare: another answer makes the replay fail, and so does a row of another length', () => {
    for (const [index, row] of file.casesOf('sequenceCompare').entries()) {
      for (const [at, name] of [
        [2, 'greaterThan'],
        [3, 'lessThan'],
      ] as const) {
        file.expectRefused('sequenceCompare', replaceAt(row, [at], changeDigit), `row ${index}`, `${name}: expected`);
      }
      for (const change of [shorten, lengthen]) file.expectRefused('sequenceCompare', change(row), `row ${index}`, 'expected a list of 4');
    }
  });

  test('sequenceBuffer: another result or state makes the replay fail, and so does a row of another length or operation', () => {
    for (const [index, entry] of file.casesOf('sequenceBuffer').entries()) {
      for (const i of ((entry as JsonObject)['ops'] as readonly Json[]).keys()) {
        const what = `case ${index}: ops[${i}]`;
        for (const at of [2, 3, 4, 5]) {
          file.expectRefused('sequenceBuffer', replaceAt(entry, ['ops', i, at], changeDigit), what, `ops[${i}] `);
        }
        for (const change of [shorten, lengthen]) {
          file.expectRefused('sequenceBuffer', replaceAt(entry, ['ops', i], change), what, `ops[${i}]: expected a list of 6`);
        }
        file.expectRefused('sequenceBuffer', replaceAt(entry, ['ops', i, 0], changeDigit), what, `ops[${i}]: `);
      }
      file.expectRefused(
        'sequenceBuffer',
        { ...(entry as JsonObject), unheardOf: 1 },
        `case ${index}`,
        'unheardOf: no replayer reads this',
      );
    }
  });
});
