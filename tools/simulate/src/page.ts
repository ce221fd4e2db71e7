import { readFileSync } from 'node:fs';
import { DT } from './run.ts';
import type { RunResult } from './run.ts';
import { thin } from './sample.ts';
import type { Sample } from './sample.ts';
import { summaryLine } from './table.ts';

const MOST_POINTS = 2000;

/** One line of a chart: a value for each sample. */
interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

interface Chart {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

const part = (name: string): string => readFileSync(new URL(`../page/${name}`, import.meta.url), 'utf8');

/** A page of its own: it loads nothing, and draws its charts from data inside. */
export function makePage(result: RunResult): string {
  const data = { times: thin(result.samples, MOST_POINTS).map(({ time }) => time), charts: chartsOf(result.samples) };
  const facts = factsOf(result).map(([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(summaryLine(result))}</title>
<style>
${part('style.css')}</style>
<main>
<h1>${escapeHtml(summaryLine(result))}</h1>
<p class="state">${result.ok ? 'ok' : `not ok: ${escapeHtml(result.reason ?? '')}`}</p>
<table>
${facts.join('\n')}
</table>
<div id="charts"></div>
</main>
<script type="application/json" id="data">
${JSON.stringify(data).replaceAll('<', '\\u003c')}
</script>
<script>
${part('charts.js')}</script>
</html>
`;
}

function chartsOf(all: readonly Sample[]): Chart[] {
  const samples = thin(all, MOST_POINTS);
  const line = (name: string, value: (sample: Sample) => number): Series => ({
    name,
    values: samples.map((sample) => rounded(value(sample))),
  });
  const rate = (name: string, key: 'bToABytes' | 'aToBBytes'): Series => ({
    name,
    values: samples.map((sample, i) => {
      const before = samples[i - 1];
      const seconds = sample.time - (before?.time ?? sample.time - DT);
      return rounded(((sample[key] - (before?.[key] ?? 0)) * 8) / 1000 / seconds);
    }),
  });
  return [
    {
      title: 'Round trip',
      note: 'as b estimates it from acknowledgements; 0 before the first',
      unit: 'ms',
      series: [line('smoothed', ({ rtt }) => rtt), line('largest', ({ rttMax }) => rttMax), line('smallest', ({ rttMin }) => rttMin)],
    },
    {
      title: 'Loss',
      note: 'what the links dropped so far, and the estimate of b, which looks at the older half of its last packets',
      unit: '%',
      series: [
        line('b to a, dropped', ({ bToALossPercent }) => bToALossPercent),
        line('a to b, dropped', ({ aToBLossPercent }) => aToBLossPercent),
        line('estimate of b', ({ packetLoss }) => packetLoss),
      ],
    },
    {
      title: 'Bandwidth',
      note: 'offered to the links in each step, and the smoothed estimates of b',
      unit: 'kbit/s',
      series: [
        rate('b to a', 'bToABytes'),
        rate('a to b', 'aToBBytes'),
        line('estimate: sent', ({ sentKbps }) => sentKbps),
        line('estimate: acknowledged', ({ ackedKbps }) => ackedKbps),
      ],
    },
    {
      title: 'Resends',
      note: 'since the start',
      unit: 'events',
      series: [
        line('resent by b', ({ bResent }) => bResent),
        line('sent by b', ({ bSent }) => bSent),
        line('delivered at a', ({ aReceived }) => aReceived),
        line('duplicates dropped at a', ({ aDuplicates }) => aDuplicates),
      ],
    },
    {
      title: 'Queue and parked bytes',
      note: 'queued at b until acknowledged; parked at a behind a missing event, 32 bytes for each place included',
      unit: 'bytes',
      series: [line('queued at b', ({ bQueuedBytes }) => bQueuedBytes), line('parked at a', ({ aParkedBytes }) => aParkedBytes)],
    },
  ];
}

function factsOf({ settings, delivered, outOfOrder, duplicates, sent, resent, digest, ...more }: RunResult): [string, string][] {
  const { latency, jitter, loss, duplicate, events, payload, seed } = settings;
  return [
    ['Link, each way', `latency ${latency} s, jitter ${jitter} s, loss ${loss}, duplicates ${duplicate}`],
    ['Traffic', `${events} events of ${payload} bytes from b to a, seed ${seed}`],
    ['Delivered', `${delivered}, ${outOfOrder} out of order, ${duplicates} twice`],
    ['Sent', `${sent} events, ${resent} of them again`],
    ['Datagrams lost', `${more.datagramsLost} from b to a, ${more.datagramsLostBack} from a to b`],
    ['Duplicates dropped', `${more.duplicatesDropped} events`],
    ['Simulated', `${more.simulatedSeconds.toFixed(4)} s in ${more.samples.length} steps`],
    ['Digest', digest],
  ];
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
