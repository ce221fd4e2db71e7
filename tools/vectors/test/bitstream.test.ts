import { describe, expect, test } from 'vitest';
import { BITSTREAM_FILE } from '../src/bitstream/index.ts';
import { BITSTREAM_FIELDS } from './bitstream-fields.ts';
import { VectorFile, describeTampering } from './tampered-groups.ts';
import type { JsonObject } from './tampered-groups.ts';
import { changeDigit, lengthen, replaceAt, shorten } from './tampering.ts';
import type { Json } from './tampering.ts';

const file = new VectorFile('bitstream.json', BITSTREAM_FILE);

for (const [group, kinds] of Object.entries(BITSTREAM_FIELDS)) describeTampering(file, group, kinds);

describe('bitsRequired', () => {
  test('another width makes the replay fail, and so does a row of another length', () => {
    for (const [index, row] of file.casesOf('bitsRequired').entries()) {
      file.expectRefused('bitsRequired', replaceAt(row, [2], changeDigit), `row ${index}`, 'bits: expected');
      for (const change of [shorten, lengthen]) file.expectRefused('bitsRequired', change(row), `row ${index}`, 'expected a list of 3');
    }
  });
});

describe('operations', () => {
  const opsOf = (entry: Json): readonly (readonly Json[])[] => (entry as JsonObject)['ops'] as readonly (readonly Json[])[];

  test('write: another value makes the replay fail, and so does another number of arguments', () => {
    const names = new Set<Json>();
    for (const [index, entry] of file.casesOf('write').entries()) {
      for (const [i, op] of opsOf(entry).entries()) {
        const what = `case ${index}: ops[${i}] ${JSON.stringify(op)}`;
        const at = op[0] === 'rel' ? 2 : 1;
        if (op.length > at) {
          names.add(op[0]!);
          file.expectRefused('write', replaceAt(entry, ['ops', i, at], changeDigit), what);
        }
        for (const change of [shorten, lengthen]) file.expectRefused('write', replaceAt(entry, ['ops', i], change), what);
      }
    }
    expect(names).toEqual(new Set(['bits', 'bool', 'int', 'bytes', 'u16', 'u64', 'u128', 'rel']));
  });

  test.each(['write', 'read'])('%s: an operation that nobody knows makes the replay fail', (group) => {
    for (const [index, entry] of file.casesOf(group).entries()) {
      const unknown = replaceAt(entry, ['ops', 0], () => ['toString']);
      file.expectRefused(group, unknown, `case ${index}`, 'ops[0]: toString is unknown');
    }
  });
});
