import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENT_STATE_CODES } from '../src/client-state.ts';
import { DROP_REASONS } from '../src/drop-reason.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const section = (title: string): string => readme.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
const firstCells = (table: string): string[] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]!));

const tables = section('Errors').split(/\n(?=\| (?:drop reason|client state))/);

test('when the README lists error codes, then they are those of the source', () => {
  const source = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8');
  const kinds = [...(source.split('export type NetcodeErrorKind =')[1] ?? '').split(';')[0]!.matchAll(/'([^']+)'/g)].map(
    (match) => match[1]!,
  );
  const codes = kinds.map((kind) => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  expect(codes.length).toBeGreaterThan(20);
  expect(firstCells(tables[0]!).sort()).toEqual(codes.sort());
});

test('when the README lists drop reasons, then they are those of the source', () => {
  expect(firstCells(tables[1]!).sort()).toEqual([...DROP_REASONS].sort());
});

test('when the README lists client states, then they are those of the source', () => {
  expect(firstCells(tables[2]!).sort()).toEqual(Object.keys(CLIENT_STATE_CODES).sort());
});

test('when the README lists packets, then their sizes are those of the code', async () => {
  const { writePacket } = await import('../src/protocol.ts');
  const key = new Uint8Array(32);
  const challengeData = new Uint8Array(300);
  const sizes = {
    denied: writePacket({ type: 'denied' }, { protocolId: 1n, sequence: 1n, key }).length,
    challenge: writePacket({ type: 'challenge', challengeSequence: 0n, challengeData }, { protocolId: 1n, sequence: 1n, key }).length,
    response: writePacket({ type: 'response', challengeSequence: 0n, challengeData }, { protocolId: 1n, sequence: 1n, key }).length,
    keepAlive: writePacket({ type: 'keepAlive', clientIndex: 0, maxClients: 1 }, { protocolId: 1n, sequence: 1n, key }).length,
    disconnect: writePacket({ type: 'disconnect' }, { protocolId: 1n, sequence: 1n, key }).length,
  };
  for (const [name, size] of Object.entries(sizes))
    expect(section('Wire')).toMatch(new RegExp(`\\| ${name} +\\|[^|]*\\| ${size - 1} \\+ s +\\|`));
  const privateData = new Uint8Array(1024);
  const request = writePacket(
    { type: 'request', protocolId: 1n, expireTimestamp: 0n, nonce: new Uint8Array(24), privateData },
    { protocolId: 1n, sequence: 0n, key },
  );
  expect(section('Wire')).toMatch(new RegExp(`\\| request +\\|[^|]*\\| ${request.length} +\\|`));
});
