import { expect, test } from 'vitest';
import { callForeign, ForeignProgram, numberOf, parseEvent, textOf } from '../src/foreign-program.ts';
import type { ForeignEvent } from '../src/foreign-program.ts';

/** A program of Node that plays the foreign one. */
const script = (source: string): [string, string[]] => [process.execPath, ['-e', source]];
const READY = `console.log('{"event":"ready","address":"a"}');`;

test('when a line is an event, then its members are read by type', () => {
  const event = parseEvent('{"event":"state","state":"connected","slot":0,"slots":null}');
  expect([textOf(event, 'state'), numberOf(event, 'slot'), numberOf(event, 'slots')]).toEqual(['connected', 0, undefined]);
  expect(() => textOf(event, 'slot')).toThrow('state: slot is not a text');
  expect(() => numberOf(event, 'state')).toThrow('state: state is not a number');
});

test.each(['', 'null', '[]', '{"kind":"ready"}', 'ready'])('when a line is %j, then it is refused', (line) => {
  expect(() => parseEvent(line)).toThrow();
});

test('when a program runs, then its events come in, commands go out, and closing stdin ends it', async () => {
  const events: ForeignEvent[] = [];
  const [file, args] = script(
    `${READY} process.stdin.on('data', (line) => console.log(JSON.stringify({ event: 'echo', line: String(line) })));`,
  );
  const { running, ready } = await ForeignProgram.start(file, args, (event) => events.push(event));
  expect(textOf(ready, 'address')).toBe('a');
  running.command('kick', { clientId: '1' });
  await expect.poll(() => events, { timeout: 10_000 }).toEqual([{ event: 'echo', line: '{"command":"kick","clientId":"1"}\n' }]);
  await running.stop();
  expect(running.failure).toBeUndefined();
});

test('when a program ends by itself or talks nonsense, then that is its failure', async () => {
  const [file, args] = script(`${READY} process.stdin.once('data', () => { console.error('panicked'); process.exit(3); });`);
  const { running } = await ForeignProgram.start(file, args, () => undefined);
  running.command('go');
  await expect.poll(() => running.failure, { timeout: 10_000 }).toBe('the foreign program ended (3): panicked');
  await running.stop();

  const [talker, talk] = script(`${READY} process.stdin.once('data', () => console.log('hello'));`);
  const { running: talking } = await ForeignProgram.start(talker, talk, () => undefined);
  talking.command('go');
  await expect.poll(() => talking.failure, { timeout: 10_000 }).toContain('hello');
  await talking.stop();
});

test('when a program cannot start or ends before it is ready, then starting it fails', async () => {
  await expect(ForeignProgram.start('./no-such-program', [], () => undefined)).rejects.toThrow('ENOENT');
  const [file, args] = script(`console.error('address in use'); process.exit(1);`);
  await expect(ForeignProgram.start(file, args, () => undefined)).rejects.toThrow('address in use');
});

test('when a program is called once, then its event is the answer', async () => {
  const [file, args] = script(`console.log('{"event":"token","token":"00"}');`);
  expect(await callForeign(file, args)).toEqual({ event: 'token', token: '00' });
});
