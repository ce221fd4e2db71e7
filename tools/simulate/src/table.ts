import type { RunResult } from './run.ts';
import { thin } from './sample.ts';
import type { Sample } from './sample.ts';

const MOST_ROWS = 40;

const COLUMNS: readonly (readonly [title: string, value: (sample: Sample) => string | number])[] = [
  ['step', ({ step }) => step],
  ['time (s)', ({ time }) => time.toFixed(4)],
  ['b packets', ({ bPackets }) => bPackets],
  ['b sent', ({ bSent }) => bSent],
  ['b resent', ({ bResent }) => bResent],
  ['b>a lost', ({ bToALost }) => bToALost],
  ['a packets', ({ aPackets }) => aPackets],
  ['a>b lost', ({ aToBLost }) => aToBLost],
  ['a received', ({ aReceived }) => aReceived],
  ['a duplicates', ({ aDuplicates }) => aDuplicates],
  ['b queued', ({ bQueued }) => bQueued],
  ['a parked (B)', ({ aParkedBytes }) => aParkedBytes],
];

/** The line by which a run is known. */
export function summaryLine({ resent, datagramsLost, simulatedSeconds }: RunResult): string {
  return `${resent} events resent, ${datagramsLost} datagrams lost, ${simulatedSeconds.toFixed(2)} s`;
}

/** The lines that are printed for a run: the settings, the state after the steps, at most 40 of them, and what came of it. */
export function tableLines(result: RunResult): string[] {
  const { settings, samples, delivered, outOfOrder, duplicates, digest, reason } = result;
  const rows = thin(samples, MOST_ROWS).map((sample) => COLUMNS.map(([, value]) => String(value(sample))));
  const widths = COLUMNS.map(([title], i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i]!)).join('  ');
  const { latency, jitter, loss, duplicate, events, payload, seed } = settings;
  return [
    `latency ${latency} s, jitter ${jitter} s, loss ${loss}, duplicate ${duplicate}, ${events} events of ${payload} bytes, seed ${seed}`,
    '',
    line(COLUMNS.map(([title]) => title)),
    ...rows.map(line),
    '',
    `${delivered} of ${events} events delivered, ${outOfOrder} out of order, ${duplicates} twice`,
    `digest ${digest}`,
    ...(reason === undefined ? [] : [`not ok: ${reason}`]),
    summaryLine(result),
  ];
}
