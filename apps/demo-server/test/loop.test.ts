import { expect, test } from 'vitest';
import { runLoop, systemClock } from '../src/loop.ts';
import { VirtualClock } from './virtual.ts';

const HZ = 60;

test('when every wake-up is late, then ten minutes of ticks do not drift', async () => {
  let wakeUps = 0;
  const clock = new VirtualClock(() => (wakeUps++ % 7) / 1000);
  const times: number[] = [];
  const counts = await runLoop({ hz: HZ, clock, onTick: (time) => times.push(time) <= 600 * HZ });
  expect(counts).toEqual({ ticks: 600 * HZ + 1, skipped: 0 });
  times.forEach((time, tick) => {
    const late = time - tick / HZ;
    if (late < 0 || late > 0.0061) throw new Error(`tick ${tick} at ${time}`);
  });
});

test('when a tick takes long, then the missed ones are skipped and the next ones are on the old grid', async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const counts = await runLoop({
    hz: 10,
    clock,
    onTick: (time) => {
      times.push(Math.round(time * 1000) / 1000);
      if (times.length === 3) clock.time += 0.55;
      return times.length < 6;
    },
  });
  // 0.3 to 0.6 are missed; the one of 0.7 is late, as it was due during the stall.
  expect(times).toEqual([0, 0.1, 0.2, 0.75, 0.8, 0.9]);
  expect(counts).toEqual({ ticks: 6, skipped: 4 });
});

test('when ticks always take longer than their time, then the loop still lets others run between them', async () => {
  const clock = new VirtualClock();
  let slept = 0;
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (seconds) => {
    slept++;
    return sleep(seconds);
  };
  let ticks = 0;
  await runLoop({
    hz: HZ,
    clock,
    onTick: () => {
      clock.time += 0.05;
      return ++ticks < 20;
    },
  });
  expect(slept).toBe(19);
});

test('when the real clock sleeps, then it is not back early', async () => {
  const start = systemClock.now();
  await systemClock.sleep(0.0151);
  // Timers of Node may fire up to a millisecond before their time; the loop then sleeps again.
  expect(systemClock.now() - start).toBeGreaterThan(0.014);
});
