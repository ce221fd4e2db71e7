// codec/{encode,decode}: CPU per call for the sample of the size table, by the bit codec, JSON and MessagePack, with both of these as anchors.
import { cpuPerCall } from '@x/bench/race';
import { json } from '@x/schema/codec';
import { msgpack } from '@x/schema/msgpack';
import { asArray, sample, sampleCodec } from './support/sample.mjs';

const VALUES = 64;
const CALLS = 20_000;

/** What each does with the sample; the adapters are those of this package, with their checks. */
function contenders() {
  const values = Array.from({ length: VALUES }, (_, i) => sample(i));
  const arrays = values.map(asArray);
  return [
    { name: 'bits', codec: sampleCodec, values, bytes: 20 },
    { name: 'json', codec: json({ maxBytes: 200, version: 1 }), values, bytes: 124 },
    { name: 'msgpack', codec: msgpack({ maxBytes: 200, version: 1, f32: true }), values, bytes: 79 },
    { name: 'msgpack-array', codec: msgpack({ maxBytes: 200, version: 1, f32: true }), values: arrays, bytes: 36 },
  ];
}

const plain = (value) => JSON.parse(JSON.stringify(value));

/** Whether numbers are as near as the coarsest of the codecs keeps them, an angle of 10 bits, and all else is equal. */
function isNear(a, b) {
  if (typeof a === 'number') return Math.abs(a - b) <= Math.PI / 1024;
  if (typeof a !== 'object' || a === null) return a === b;
  return Object.keys(a).every((key) => isNear(a[key], b[key]));
}

function workOf({ name, codec, values, bytes }) {
  const out = new Uint8Array(256);
  const payloads = values.map((value) => out.slice(0, codec.encodeInto(value, out, 0)));
  let sum = 0;
  return {
    encode(calls) {
      for (let i = 0; i < calls; i++) sum += codec.encodeInto(values[i % VALUES], out, 0);
      return sum;
    },
    decode(calls) {
      for (let i = 0; i < calls; i++) if (codec.decode(payloads[i % VALUES]) === undefined) throw new Error(`${name} read nothing`);
    },
    check() {
      if (codec.encodeInto(values[0], out, 0) !== bytes) throw new Error(`${name}: the sample has another size than ${bytes} bytes`);
      for (const [i, value] of values.entries()) {
        if (!isNear(plain(value), plain(codec.decode(payloads[i])))) throw new Error(`${name}: sample ${i} comes back as another`);
      }
    },
  };
}

/** Reported, not gated: figures of a codec depend on what a game sends. The floors only notice that something went wrong. */
const LIMITS = { floor: 1, aim: 0.35 };

export function races() {
  const works = contenders().map((contender) => ({ name: contender.name, work: workOf(contender) }));
  return ['encode', 'decode'].map((direction) => ({
    name: `codec/${direction}`,
    unit: 'ns',
    contenders: works.map(({ name, work }) => ({
      name,
      check: () => work.check(),
      measure: () => cpuPerCall((calls) => work[direction](calls), CALLS),
      ...(name === 'bits' ? { ratios: ['json', 'msgpack', 'msgpack-array'], ...LIMITS } : {}),
    })),
  }));
}
