export { SeededRandom, eachSeed } from './seeded-random.ts';
export { fromHex, toHex } from './hex.ts';
export { Fnv1a32 } from './fnv.ts';
