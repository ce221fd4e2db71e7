import { bitCodec, isBitCodec, nodeOf } from './bit-codec.ts';
import type { BitCodec } from './bit-codec.ts';
import type { Codec } from './codec.ts';
import { checkFunctions, checkOptions } from './definition.ts';
import { MappedNode, mapFrom, mapTo } from './nodes/wrappers.ts';
import type { Mapping } from './nodes/wrappers.ts';
import { equalsOf } from './whole-payload.ts';

/** How values of the application become those of a codec and back. */
export interface MappedOptions<T, W> {
  /** Gives the value that the codec writes. */
  to(value: T): W;
  /** Makes a value, such as an instance of a class, of what the codec read. What it throws is `CodecError` `VALIDATION` with the cause. */
  from(value: W): T;
}

/**
 * A codec of other values with the same bytes and the same descriptor. Of a codec of `b` it is one again, which can be part of others.
 *
 * @throws {@link CatalogueError} `INVALID_CODEC`.
 */
export function mapped<T, W>(codec: BitCodec<W>, options: MappedOptions<T, W>): BitCodec<T>;
export function mapped<T, W>(codec: Codec<W>, options: MappedOptions<T, W>): Codec<T>;
export function mapped<T, W>(codec: Codec<W>, options: MappedOptions<T, W>): Codec<T> {
  checkOptions('mapped', options);
  checkFunctions('mapped', options, 'to', 'from');
  const mapping: Mapping = {
    to: (value) => options.to(value as T),
    from: (value) => options.from(value as W),
  };
  if (isBitCodec(codec)) return bitCodec<T>(new MappedNode(nodeOf('mapped', 'codec', codec), mapping));
  const to = (value: T): W => mapTo(mapping, value) as W;
  return Object.freeze({
    descriptor: codec.descriptor,
    maxBytes: codec.maxBytes,
    encodeInto: (value: T, out: Uint8Array, offset: number) => codec.encodeInto(to(value), out, offset),
    decode: (data: Uint8Array) => mapFrom(mapping, codec.decode(data)) as T,
    ...equalsOf(codec, to),
  });
}
