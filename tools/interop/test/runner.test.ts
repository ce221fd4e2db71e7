import { expect, test } from 'vitest';
import { EXPECTATIONS, PEERS } from '../src/expectations.ts';
import { makePlan } from '../src/plan.ts';
import type { PlanEntry } from '../src/plan.ts';
import { makeReport, pairOf, tableHead, tableLine, totalsLine } from '../src/report.ts';
import { runPlan } from '../src/runner.ts';
import type { Outcome, RunnerOptions } from '../src/runner.ts';
import { SCENARIOS } from '../src/scenarios/index.ts';

const VERSIONS = { 'netcode-official': '1.0.0', renetcode: '2.0.0' } as const;
const plan = makePlan();

function options(changes: Partial<RunnerOptions>): RunnerOptions {
  return {
    play: () => Promise.resolve(),
    skipReason: () => undefined,
    requireAll: false,
    lanes: 3,
    onOutcome: () => undefined,
    ...changes,
  };
}

const isOdd = (entry: PlanEntry): boolean => plan.indexOf(entry) % 2 === 1;

test('when a plan is made, then every peer meets us in both roles over both families in every scenario', () => {
  expect(plan).toHaveLength(PEERS.length * 2 * 2 * Object.keys(SCENARIOS).length);
  const names = plan.map(({ peer, role, scenario, family }) => `${peer} ${role} ${scenario} ${family}`);
  expect(new Set(names).size).toBe(plan.length);
  expect(new Set(plan.map(({ peer }) => peer))).toEqual(new Set(Object.keys(EXPECTATIONS).filter((name) => name !== 'ours')));
  expect(makePlan(['renetcode']).every(({ peer }) => peer === 'renetcode')).toBe(true);
});

test('when pairings take different times, then at most as many as lanes run at once and the outcomes keep the order of the plan', async () => {
  let running = 0;
  let most = 0;
  const told: Outcome[] = [];
  const outcomes = await runPlan(
    plan,
    options({
      play: async (entry) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, isOdd(entry) ? 1 : 4));
        running--;
      },
      onOutcome: (outcome) => told.push(outcome),
    }),
  );
  expect(most).toBe(3);
  expect(outcomes.map(({ entry }) => entry)).toEqual(plan);
  expect(told).toEqual(outcomes);
});

test('when a scenario throws, then its pairing has failed with the text and the others go on', async () => {
  const play = (entry: PlanEntry): Promise<void> => (isOdd(entry) ? Promise.reject(new Error('reason of the slot')) : Promise.resolve());
  const outcomes = await runPlan(plan, options({ play }));
  const pairs = outcomes.map((outcome) => pairOf(outcome, VERSIONS));
  expect(totalsLine(pairs)).toBe(`${plan.length / 2} passed, ${plan.length / 2} failed`);
  expect(pairs[1]).toMatchObject({ result: 'failed', reason: 'reason of the slot' });
  const report = makeReport(pairs, { seed: 5, startedAt: new Date(0), seconds: 1.5 });
  expect(report).toMatchObject({ format: 'x-interop/1', ok: false, seed: 5, seconds: 1.5, startedAt: '1970-01-01T00:00:00.000Z' });
  expect(report).toMatchObject({ passed: plan.length / 2, failed: plan.length / 2, skipped: 0 });
});

test('when pairings cannot be played, then they are skipped with the reason and the run is good', async () => {
  const skipReason = (entry: PlanEntry): string | undefined => (entry.family === 'ipv6' ? 'no IPv6' : undefined);
  const pairs = (await runPlan(plan, options({ skipReason }))).map((outcome) => pairOf(outcome, VERSIONS));
  expect(totalsLine(pairs)).toBe(`${plan.length / 2} passed, 0 failed, ${plan.length / 2} skipped`);
  expect(makeReport(pairs, { seed: 0, startedAt: new Date(), seconds: 0 }).ok).toBe(true);
  const skipped = pairs.filter(({ result }) => result === 'skipped');
  for (const pair of skipped)
    expect(pair).toMatchObject({ reason: 'no IPv6', seconds: 0, scenario: expect.stringMatching(/-ipv6$/) as string });
});

test('when everything is required, then a pairing that cannot be played has failed', async () => {
  const play = (): never => expect.unreachable();
  const outcomes = await runPlan(plan, options({ play, skipReason: () => 'no cargo', requireAll: true }));
  const pairs = outcomes.map((outcome) => pairOf(outcome, VERSIONS));
  expect(totalsLine(pairs)).toBe(`0 passed, ${plan.length} failed`);
  expect(makeReport(pairs, { seed: 0, startedAt: new Date(), seconds: 0 }).ok).toBe(false);
});

test('when nothing was to be played, then the run is not a success', () => {
  expect(makeReport([], { seed: 0, startedAt: new Date(), seconds: 0 }).ok).toBe(false);
});

test('when a pairing is printed, then the columns meet the heading and the reason stands below', () => {
  const [entry] = plan;
  const pair = pairOf({ entry: entry!, result: 'failed', reason: 'why', seconds: 2.25 }, VERSIONS);
  expect(pair).toEqual({
    peer: 'netcode-official',
    version: '1.0.0',
    role: 'server',
    scenario: 'connect-our-token-ipv4',
    result: 'failed',
    reason: 'why',
    seconds: 2.25,
  });
  const [line, reason] = tableLine(pair).split('\n');
  expect(line).toHaveLength(tableHead().length);
  expect(reason).toBe('    why');
});
