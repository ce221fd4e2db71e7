// Writes and reads a million events. Run after `pnpm build`: node packages/host/bench/capture.mjs
import { PeerId } from '@x/reliable';
import { Schema } from '@x/schema';
import { CaptureReader, CaptureWriter, MemoryOutput } from '../dist/capture/index.js';

const EVENTS = 1_000_000;
const PAYLOAD_BYTES = 64;
const ROUNDS = 5;

const builder = Schema.builder(1);
const schema = builder.event('Move', builder.channel({ name: 'state', delivery: 'unreliableUnordered' }), PAYLOAD_BYTES).build();
const peers = Array.from({ length: 64 }, (_, slot) => PeerId.of(slot, 1));
const payload = new Uint8Array(PAYLOAD_BYTES).fill(7);

async function round() {
  const output = new MemoryOutput();
  const writer = new CaptureWriter(schema, output);
  const begin = performance.now();
  for (let i = 0; i < EVENTS; i++) {
    writer.record({ kind: 'received', time: i / 60, peer: peers[i & 63], event: 0, channel: 0, length: PAYLOAD_BYTES, payload });
  }
  await writer.finish();
  const written = performance.now();
  const bytes = output.toBytes();
  const reader = new CaptureReader(bytes);
  const opened = performance.now();
  let count = 0;
  while (reader.next() !== undefined) count++;
  const read = performance.now();
  if (count !== EVENTS || bytes.length < EVENTS * (26 + PAYLOAD_BYTES)) throw new Error('not what was written');
  return { recordNanoseconds: ((written - begin) / EVENTS) * 1e6, nextNanoseconds: ((read - opened) / EVENTS) * 1e6 };
}

const rounds = [];
for (let i = 0; i < ROUNDS; i++) rounds.push(await round());
const median = (key) => Math.round(rounds.map((entry) => entry[key]).sort((a, b) => a - b)[ROUNDS >> 1]);
console.log(
  JSON.stringify({
    node: process.version,
    events: EVENTS,
    payloadBytes: PAYLOAD_BYTES,
    recordNanoseconds: median('recordNanoseconds'),
    nextNanoseconds: median('nextNanoseconds'),
  }),
);
