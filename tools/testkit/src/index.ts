export { SeededRandom, eachSeed } from './seeded-random.ts';
export { fromHex, toHex } from './hex.ts';
export { Fnv1a32 } from './fnv.ts';
export { MemoryEndpoint, MemoryNetwork } from './memory-network.ts';
export type { MemoryDatagram, MemoryNetworkSettings } from './memory-network.ts';
