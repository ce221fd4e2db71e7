// The inputs that the repository keeps: `corpus/NAME.hex`, one input a line; an empty line is the empty input.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fileOf = (name) => fileURLToPath(new URL(`../corpus/${name}.hex`, import.meta.url));

export function readCorpus(name) {
  const file = fileOf(name);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => Uint8Array.from(Buffer.from(line, 'hex')));
}

export function writeCorpus(name, inputs) {
  const lines = new Set(inputs.map((input) => Buffer.from(input).toString('hex')));
  writeFileSync(fileOf(name), `${[...lines].join('\n')}\n`);
}
