import { nobleAead } from '@x/netcode';
import { expect, test } from 'vitest';
import { loadCipher } from '../src/cipher.ts';
import { parseFlags } from '../src/config.ts';

const surroundings = { folder: '/somewhere', isTerminal: false };

test('when there are no flags, then the end depends on whether somebody watches', () => {
  const config = { seconds: 20, headless: false, json: undefined, cipher: 'sodium', clients: 8 };
  expect(parseFlags([], surroundings)).toEqual({ type: 'run', config });
  expect(parseFlags([], { ...surroundings, isTerminal: true })).toEqual({ type: 'run', config: { ...config, seconds: undefined } });
});

test('when flags are given, then they are read', () => {
  const flags = ['--seconds', '4.5', '--headless', '--json', 'out.json', '--cipher', 'noble', '--clients=64'];
  expect(parseFlags(flags, surroundings)).toEqual({
    type: 'run',
    config: { seconds: 4.5, headless: true, json: '/somewhere/out.json', cipher: 'noble', clients: 64 },
  });
});

test.each([
  [['--what'], 'unknown option'],
  [['here'], 'too many arguments'],
  [['--seconds', '2.9'], '3 or more'],
  [['--seconds', 'NaN'], '3 or more'],
  [['--seconds', '-5'], '3 or more'],
  [['--seconds'], 'argument missing'],
  [['--clients', '0'], '1 to 64'],
  [['--clients', '65'], '1 to 64'],
  [['--clients', '4.5'], '1 to 64'],
  [['--cipher', 'rot13'], 'sodium, noble'],
  [['--json'], 'argument missing'],
])('when the flags are %j, then one line says what is wrong', (args, words) => {
  const parsed = parseFlags(args, surroundings);
  expect(parsed).toMatchObject({ type: 'exit', status: 2 });
  if (parsed.type !== 'exit') return;
  expect(parsed.text).toContain(words);
  expect(parsed.text).toMatch(/^demo: .+$/);
});

test('when help is asked for, then every flag is in it', () => {
  const parsed = parseFlags(['--help'], surroundings);
  expect(parsed).toMatchObject({ type: 'exit', status: 0 });
  if (parsed.type !== 'exit') return;
  for (const flag of ['--seconds', '--headless', '--json', '--cipher', '--clients', '--help']) expect(parsed.text).toContain(flag);
});

test('when libsodium does not load, then noble takes its place and one line says so', async () => {
  const loaded = await loadCipher('sodium', () => Promise.reject(new Error('no such module\nand a second line')));
  expect(loaded).toEqual({ name: 'noble', aead: nobleAead, note: 'cipher: noble in place of sodium (no such module)' });
  expect(await loadCipher('noble')).toEqual({ name: 'noble', aead: nobleAead });
  expect((await loadCipher('sodium')).aead.name).toBe('libsodium');
});
