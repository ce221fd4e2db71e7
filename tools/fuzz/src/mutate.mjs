// Changes of an input: flipped bits, set bytes, integers at the edges of their range in both byte orders, cut, extended, spliced and repeated parts.
const EDGES = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 127, 128, 255, 256, 65535, 65536];
const MAX_CHANGES = 4;

/** A small generator (mulberry32) whose seed is printed, so that a run can be repeated. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  }

  pick(items) {
    return items[this.below(items.length)];
  }
}

const changes = [
  (bytes, random) => {
    if (bytes.length > 0) bytes[random.below(bytes.length)] ^= 1 << random.below(8);
    return bytes;
  },
  (bytes, random) => {
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
  (bytes, random) => {
    const width = random.pick([1, 2, 4, 8]);
    if (bytes.length < width) return bytes;
    const value = BigInt.asUintN(8 * width, BigInt(random.pick(EDGES)));
    const at = random.below(bytes.length - width + 1);
    const isLittle = random.below(2) === 0;
    for (let i = 0; i < width; i++) bytes[at + (isLittle ? i : width - 1 - i)] = Number((value >> BigInt(8 * i)) & 0xffn);
    return bytes;
  },
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) =>
    concat(
      bytes,
      Uint8Array.from({ length: 1 + random.below(32) }, () => random.below(256)),
    ),
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return concat(bytes.slice(0, at), bytes.slice(Math.min(bytes.length, at + 1 + random.below(8))));
  },
  (bytes, random) => {
    const from = random.below(bytes.length + 1);
    return concat(bytes, bytes.slice(from, from + 1 + random.below(16)));
  },
  (bytes, random, corpus) => {
    const other = random.pick(corpus);
    return concat(bytes.slice(0, random.below(bytes.length + 1)), other.slice(random.below(other.length + 1)));
  },
];

function concat(a, b) {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** A changed copy of one input of the corpus, at most `maxBytes` long. */
export function mutate(corpus, random, maxBytes) {
  let bytes = random.pick(corpus).slice();
  for (let i = 1 + random.below(MAX_CHANGES); i > 0; i--) bytes = random.pick(changes)(bytes, random, corpus);
  return bytes.length > maxBytes ? bytes.slice(0, maxBytes) : bytes;
}
