// Declares and builds a million events. Run after `pnpm build`: node packages/schema/bench/million-events.mjs
import { Schema } from '../dist/index.js';

const EVENTS = 1_000_000;
const ROUNDS = 5;

/** A name like those of a game; the numbers are spread so that the builder has to sort. */
const names = Array.from({ length: EVENTS }, (_, i) => `game/actor.${(i * 7919) % EVENTS}:Event`);

function round() {
  const begin = performance.now();
  const builder = Schema.builder(1);
  const channel = builder.channel({ name: 'reliable', delivery: 'reliableOrdered' });
  for (const name of names) builder.event(name, channel, 64);
  const declared = performance.now();
  const schema = builder.build();
  const built = performance.now();
  const sum = names.reduce((total, name) => total + schema.eventId(name), 0);
  const lookedUp = performance.now();
  if (sum !== (EVENTS * (EVENTS - 1)) / 2) throw new Error('the ids are not 0 to n - 1');
  return { declareMs: declared - begin, buildMs: built - declared, lookUpMs: lookedUp - built };
}

const rounds = Array.from({ length: ROUNDS }, round);
const median = (key) => Math.round(rounds.map((entry) => entry[key]).sort((a, b) => a - b)[ROUNDS >> 1]);
console.log(
  JSON.stringify({
    node: process.version,
    events: EVENTS,
    declareMs: median('declareMs'),
    buildMs: median('buildMs'),
    lookUpMs: median('lookUpMs'),
  }),
);
