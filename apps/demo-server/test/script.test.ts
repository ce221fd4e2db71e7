import { expect, test } from 'vitest';
import { Script } from '../src/script.ts';
import type { Play, Step } from '../src/script.ts';

function* waits(ticks: number, what: string): Play {
  for (let i = 0; i < ticks; i++) yield what;
}

function* breaks(): Play {
  yield 'a moment';
  throw new Error('it broke');
}

function makeScript(...steps: Step[]): { script: Script; failures: string[] } {
  const failures: string[] = [];
  return { script: new Script(steps, 5, (text) => failures.push(text)), failures };
}

test('when steps depend on each other, then they wait for their turn and their time', () => {
  const { script, failures } = makeScript(
    { name: 'first', due: 1, after: [], play: () => waits(2, 'something') },
    { name: 'second', due: 0, after: ['first'], play: () => waits(0, '') },
  );
  const outcomes = [0, 1, 2, 3].map((elapsed) => {
    script.tick(elapsed);
    return [script.outcome('first'), script.outcome('second'), script.isFinished];
  });
  expect(outcomes.at(2)).toEqual(['pending', 'pending', false]);
  expect(outcomes.at(3)).toEqual(['passed', 'passed', true]);
  script.end();
  expect(failures).toEqual([]);
  expect(() => script.outcome('third')).toThrow('no step is called third');
});

test('when a step throws, then it has failed and what depends on it is not tried', () => {
  const { script, failures } = makeScript(
    { name: 'first', due: 0, after: [], play: breaks },
    { name: 'second', due: 9, after: ['first'], play: () => waits(0, '') },
  );
  script.tick(0);
  script.tick(1);
  expect(failures).toEqual(['first: it broke', 'second: not tried, as "first" failed']);
  expect([script.outcome('first'), script.outcome('second'), script.isFinished]).toEqual(['failed', 'failed', true]);
});

test('when a step takes too long, then it has failed', () => {
  const { script, failures } = makeScript({ name: 'slow', due: 0, after: [], play: () => waits(Infinity, 'rain') });
  for (const elapsed of [1, 3, 6, 6.1, 7]) script.tick(elapsed);
  expect(failures).toEqual(['slow: waited 5.1 s for rain']);
});

test('when the time is up, then what has not happened has failed', () => {
  const { script, failures } = makeScript(
    { name: 'slow', due: 0, after: [], play: () => waits(Infinity, 'rain') },
    { name: 'late', due: 9, after: [], play: () => waits(0, '') },
  );
  script.tick(1);
  script.end();
  expect(failures).toEqual(['slow: the time was up, waiting for rain', 'late: the time was up before its turn']);
});
