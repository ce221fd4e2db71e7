// Entry `@x/reliable/bits`: the bit packer of the event layer.
export { BitWriter } from './bits/bit-writer.ts';
export { BitMeasure } from './bits/bit-measure.ts';
export { BIT_ERRORS, BitReader } from './bits/bit-reader.ts';
export type { BitError } from './bits/bit-reader.ts';
export { bitsRequired, intRelativeBits, readU128, readU64, writeU128, writeU64 } from './bits/fields.ts';
export type { BitSink, BitSource } from './bits/fields.ts';
