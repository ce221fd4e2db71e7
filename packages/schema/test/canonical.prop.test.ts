import { createHash } from 'node:crypto';
import { toHex } from '@x/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalBytes } from '../src/index.ts';
import { buildSchema, catalogues } from './support/declarations.ts';
import { assertProperty } from './support/properties.ts';
import { canonicalTwin } from './twins/canonical-twin.ts';

test('when any catalogue is encoded, then the bytes are those of the twin and the fingerprint is their hash', () => {
  assertProperty(
    fc.property(catalogues, (declaration) => {
      const schema = buildSchema(declaration);
      const expected = canonicalTwin(declaration);
      expect(toHex(canonicalBytes(schema))).toBe(toHex(expected));
      expect(toHex(schema.fingerprint.bytes)).toBe(createHash('sha256').update(expected).digest('hex').slice(0, 32));
    }),
    300,
  );
});

test('when any catalogue is encoded, then the length is that of the formula', () => {
  assertProperty(
    fc.property(catalogues, (declaration) => {
      const names = (entries: readonly { readonly name: string }[], fixed: number): number =>
        entries.map(({ name }) => fixed + name.length).reduce((sum, length) => sum + length, 0);
      const expected = 32 + names(declaration.channels, 8) + names(declaration.events, 14);
      expect(canonicalBytes(buildSchema(declaration))).toHaveLength(expected);
    }),
  );
});
