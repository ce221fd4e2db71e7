import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXPECTATIONS, PEERS } from '../src/expectations.ts';
import { pinnedVersions } from '../src/rust.ts';

const tables = Object.entries(EXPECTATIONS);
const sources = join(import.meta.dirname, '../src/scenarios');
const scenarioText = readdirSync(sources)
  .map((name) => readFileSync(join(sources, name), 'utf8'))
  .join('\n');

test('when a peer is played, then it has a table and one pinned version', () => {
  expect(Object.keys(EXPECTATIONS)).toEqual(['ours', ...PEERS]);
  const versions = pinnedVersions();
  expect(Object.keys(versions)).toEqual(PEERS);
  for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('when a peer is not pinned exactly, then the versions are refused', () => {
  expect(() => pinnedVersions('netcode-official = "=1.0.0"\nrenetcode = "2.0.0"\n')).toThrow(
    'Cargo.toml does not pin renetcode to one version',
  );
});

test.each(tables)('when %s is expected to do something, then a section and a reason are given', (name, table) => {
  expect(Object.keys(table)).toEqual(Object.keys(EXPECTATIONS.ours));
  for (const [entry, { section, because }] of Object.entries(table)) {
    expect(section, entry).toMatch(name === 'ours' ? /^(7|11|12|13|14)\.\d+$/ : /^20\.[123]$/);
    expect(because, entry).toMatch(/\S/);
  }
});

test.each(Object.keys(EXPECTATIONS.ours))('when %s is written down, then a scenario depends on it', (entry) => {
  expect(scenarioText).toMatch(new RegExp(`\\b${entry}\\b`));
});

test('when our own table is read, then it is the strict one', () => {
  const { usedTokenFromSamePort, usedTokenFromOtherPort, shortLivedTokenAfterStart } = EXPECTATIONS.ours;
  expect([usedTokenFromSamePort, usedTokenFromOtherPort, shortLivedTokenAfterStart].map(({ value }) => value)).toEqual(
    Array(3).fill('ignored'),
  );
});
