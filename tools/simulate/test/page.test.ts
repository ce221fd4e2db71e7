import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { makePage } from '../src/page.ts';
import { simulate } from '../src/run.ts';
import { DEFAULT_SETTINGS } from '../src/settings.ts';
import { FakeDocument } from './fake-document.ts';
import type { FakeElement } from './fake-document.ts';

const result = simulate(DEFAULT_SETTINGS);
const page = makePage(result);
const between = (start: RegExp, end: string): string => page.split(start)[1]!.split(end)[0]!.trim();
const data = between(/<script type="application\/json" id="data">/, '</script>');
const script = between(/<script>/, '</script>');
const style = between(/<style>/, '</style>');

function drawn(): FakeElement[] {
  const document = new FakeDocument(data);
  runInNewContext(script, { document });
  return document.charts.all('figure');
}

const pointsOf = (curve: FakeElement): [number, number][] =>
  curve.attributes['points']!.split(' ').map((point) => point.split(',').map(Number) as [number, number]);

describe('the page', () => {
  test('when it is made, then it needs nothing from elsewhere', () => {
    expect(page).not.toMatch(/<(link|img|iframe)|\ssrc=|\shref=|@import|url\(|import\(|fetch\(/i);
    expect(page.match(/https?:\/\/[^'"]+/g)).toEqual(['http://www.w3.org/2000/svg']);
  });

  test('when it is made, then it tells the run', () => {
    expect(page).toContain('<h1>190 events resent, 26 datagrams lost, 0.33 s</h1>');
    expect(page).toContain(result.digest);
    expect(page).toContain('<p class="state">ok</p>');
    expect(makePage({ ...result, ok: false, reason: 'a < b' })).toContain('<p class="state">not ok: a &lt; b</p>');
  });

  test('when the reader prefers dark, then every color has another value', () => {
    const colors = (css: string): string[] => Array.from(css.matchAll(/--([\w-]+): #/g), ([, name]) => name!);
    const [light, dark] = style.split('@media (prefers-color-scheme: dark)');
    expect(colors(light!).length).toBeGreaterThan(4);
    expect(colors(dark!)).toEqual(colors(light!));
  });
});

describe('the charts', () => {
  test('when they are drawn, then there is one for each subject, with its unit and the time on its axes', () => {
    const titles = drawn().map((figure) => figure.all('b')[0]!.textContent);
    expect(titles).toEqual(['Round trip', 'Loss', 'Bandwidth', 'Resends', 'Queue and parked bytes']);
    const units = drawn().map((figure) => figure.all('text').map((text) => text.textContent));
    for (const [i, unit] of ['ms', '%', 'kbit/s', 'events', 'bytes'].entries()) {
      expect(units[i]).toContain(unit);
      expect(units[i]).toContain('simulated time (s)');
      expect(units[i]).toContain('0.3');
    }
  });

  test('when they are drawn, then every curve stays inside its axes and ends at its last value', () => {
    for (const figure of drawn()) {
      expect(String(figure)).not.toMatch(/undefined|null|NaN|Infinity/);
      const curves = figure.all('polyline');
      expect(curves.length).toBe(figure.all('i').length);
      for (const curve of curves) {
        expect(pointsOf(curve)).toHaveLength(result.samples.length);
        for (const [x, y] of pointsOf(curve)) {
          expect(x).toBeGreaterThanOrEqual(64);
          expect(x).toBeLessThanOrEqual(888);
          expect(y).toBeGreaterThanOrEqual(22);
          expect(y).toBeLessThanOrEqual(200);
        }
      }
    }
    const { charts } = JSON.parse(data) as { charts: { series: { name: string; values: number[] }[] }[] };
    const lastOf = (name: string): number | undefined =>
      charts
        .flatMap(({ series }) => series)
        .find((series) => series.name === name)
        ?.values.at(-1);
    expect(lastOf('resent by b')).toBe(190);
    expect(lastOf('delivered at a')).toBe(500);
    expect(lastOf('smoothed')).toBeCloseTo(result.samples.at(-1)!.rtt, 3);
    expect(lastOf('parked at a')).toBe(0);
  });

  test('when the pointer is over a chart, then the values of the nearest step are told', () => {
    const picture = drawn()[3]!;
    const svg = picture.all('svg')[0]!;
    svg.listeners['pointermove']!({ clientX: 2000 });
    expect(picture.textContent).toContain('resent by b 190');
    svg.listeners['pointermove']!({ clientX: 0 });
    expect(picture.textContent).toContain('resent by b 0');
    svg.listeners['pointerleave']!({ clientX: 0 });
    expect(picture.textContent).not.toContain('resent by b 0');
  });
});

test('when a run is long, then the page stays small', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => ({ ...result.samples[i % 20]!, step: i + 1, time: (i + 1) / 60 }));
  expect(makePage({ ...result, samples: many }).length).toBeLessThan(400_000);
});
