// One line per case: what was measured, and its ratios to the anchors of the same run.
import { keeps } from './race.mjs';

const NAME_WIDTH = 44;

const number = (value) => (value === null ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3));

export function printHeader() {
  console.log(`${'case'.padEnd(NAME_WIDTH)} ${'median'.padStart(9)} unit       spread  ratios`);
}

export function printCase(entry) {
  const ratios = Object.entries(entry.ratios).map(([anchor, ratio]) => `${number(ratio)} × ${anchor}`);
  const limits = [verdict('floor', entry, entry.floor), verdict('aim', entry, entry.aim)].filter((text) => text !== undefined);
  const spread = entry.spread === null ? '–' : `${(entry.spread * 100).toFixed(0)} %`;
  const reason = entry.reason === undefined ? [] : [`(${entry.reason})`];
  console.log(
    [
      entry.name.padEnd(NAME_WIDTH),
      number(entry.value).padStart(9),
      entry.unit.padEnd(10),
      spread.padStart(6),
      '',
      ...ratios,
      ...limits,
      ...reason,
    ].join(' '),
  );
}

function verdict(word, entry, limit) {
  const kept = keeps(entry, limit);
  return kept === undefined ? undefined : `${word} ${limit} ${kept ? 'kept' : 'MISSED'}`;
}
