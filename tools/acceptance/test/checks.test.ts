import { expect, test } from 'vitest';
import { brokenFiles, checksOf } from '../src/checks.mjs';

const report = (...assertionResults: { title: string; status: string; failureMessages?: string[] }[]) => ({
  testResults: [{ name: 'a.test.ts', status: 'passed', message: '', assertionResults }],
});

test('when all tests of a check passed, then it passed, whatever the package they stand in', () => {
  const reports = [
    report({ title: 'C1: one', status: 'passed' }, { title: 'C10: ten', status: 'failed' }, { title: 'other', status: 'failed' }),
    report({ title: 'C1: more', status: 'passed' }),
  ];
  expect(checksOf({ C1: undefined }, reports)).toEqual([{ id: 'C1', title: 'one', result: 'passed', tests: 2 }]);
});

test('when a test of a check failed, then the first line of its message is the detail', () => {
  const reports = [
    report({ title: 'C2: two', status: 'passed' }, { title: 'C2: b', status: 'failed', failureMessages: ['\u001b[31mno\u001b[39m\nat x'] }),
  ];
  expect(checksOf({ C2: 'given' }, reports)).toEqual([{ id: 'C2', title: 'given', result: 'failed', detail: 'C2: b: no', tests: 2 }]);
});

test('when nobody has written a check, then it failed', () => {
  expect(checksOf({ C1: undefined }, [report({ title: 'about C1: x', status: 'passed' })])).toEqual([
    { id: 'C1', title: '', result: 'failed', detail: 'no test has this id', tests: 0 },
  ]);
  expect(checksOf({ C1: undefined }, [])[0]).toMatchObject({ result: 'failed' });
});

test('when tests of a check did not run, then the check says so', () => {
  const [none, some] = checksOf({ C1: undefined, C2: undefined }, [
    report({ title: 'C1: a', status: 'skipped' }, { title: 'C2: a', status: 'passed' }, { title: 'C2: b', status: 'skipped' }),
  ]);
  expect(none).toMatchObject({ result: 'skipped', detail: 'none of its 1 tests ran' });
  expect(some).toMatchObject({ result: 'passed', detail: '1 of 2 tests ran' });
});

test('when a file could not be run, then it is named', () => {
  const broken = { testResults: [{ name: 'b.test.ts', status: 'failed', message: 'no such module\nat y', assertionResults: [] }] };
  expect(brokenFiles([broken])).toEqual(['b.test.ts: no such module']);
  expect(brokenFiles([report({ title: 'C1: a', status: 'failed' })])).toEqual([]);
});
