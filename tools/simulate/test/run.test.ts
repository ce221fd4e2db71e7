import { expect, test } from 'vitest';
import { simulate } from '../src/run.ts';
import { thin } from '../src/sample.ts';
import { DEFAULT_SETTINGS } from '../src/settings.ts';

test('when the settings are the same, then the run is, and when the seed is another, then it is not', () => {
  const settings = { ...DEFAULT_SETTINGS, jitter: 0.02, duplicate: 0.1 };
  expect(simulate(settings)).toEqual(simulate(settings));
  expect(simulate({ ...settings, seed: 8n }).digest).not.toBe(simulate(settings).digest);
});

test('when the link is perfect, then nothing is resent', () => {
  const perfect = { latency: 0, jitter: 0, loss: 0, duplicate: 0 };
  expect(simulate({ ...DEFAULT_SETTINGS, ...perfect })).toMatchObject({ ok: true, resent: 0, datagramsLost: 0, duplicatesDropped: 0 });
});

test('when datagrams come twice and in another order, then every event still comes once and in order', () => {
  const result = simulate({ ...DEFAULT_SETTINGS, jitter: 0.04, duplicate: 0.2, events: 2000 });
  expect(result).toMatchObject({ ok: true, delivered: 2000, outOfOrder: 0, duplicates: 0, damaged: 0 });
  expect(result.duplicatesDropped).toBeGreaterThan(0);
});

test('when there are more events than the window holds, then b sends on as they are acknowledged', () => {
  const result = simulate({ ...DEFAULT_SETTINGS, events: 5000, payload: 8 });
  expect(result).toMatchObject({ ok: true, sent: 5000, delivered: 5000 });
  expect(Math.max(...result.samples.map(({ bQueued }) => bQueued))).toBe(1024);
});

test('when events take several datagrams, then they are put together', () => {
  expect(simulate({ ...DEFAULT_SETTINGS, events: 40, payload: 8000 })).toMatchObject({ ok: true, delivered: 40 });
});

test('when samples are thinned, then the last stays and they are spread evenly', () => {
  const { samples } = simulate(DEFAULT_SETTINGS);
  expect(thin(samples, 20)).toBe(samples);
  expect(thin(samples, 10).map(({ step }) => step)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  expect(thin(samples, 7).map(({ step }) => step)).toEqual([2, 5, 8, 11, 14, 17, 20]);
});
