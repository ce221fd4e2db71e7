/**
 * Turns values into the bytes of an event's payload and back. Its descriptor becomes the event's codec version, its `maxBytes` the event's
 * `maxPayload`. Source: codecs section 2.
 */
export interface Codec<T> {
  /** Canonical text of the encoding: two codecs that write other bytes, or mean something else by them, have other texts. */
  readonly descriptor: string;
  /** Bytes: no encoding is longer. At most 2^24. */
  readonly maxBytes: number;
  /**
   * Writes a value.
   *
   * @param value - not changed, not kept.
   * @param out - borrowed for the call; after an error its bytes from `offset` on are not defined.
   * @param offset - index of the first byte to write, 0 … `out.length`.
   * @returns the number of bytes written.
   * @throws {@link CodecError} when the value is not one of the codec's, or `TOO_LARGE` when it does not fit into `out`.
   */
  encodeInto(value: T, out: Uint8Array, offset: number): number;
  /**
   * Reads a whole payload.
   *
   * @param data - any bytes; borrowed for the call and never changed. No bytes beyond it are read.
   * @returns a fresh value that shares nothing with `data`.
   * @throws {@link CodecError} when the bytes are not an encoding; nothing else, whatever they are.
   */
  decode(data: Uint8Array): T;
  /**
   * Reads a whole payload into a value of before, whose objects, arrays and byte arrays are used again where they fit.
   *
   * @param into - changed; after an error its content is not defined.
   * @returns the value read: `into` itself when it could be used.
   * @throws {@link CodecError} as {@link Codec.decode}.
   */
  decodeInto?(data: Uint8Array, into: T): T;
  /** Whether two values are the same on the wire, after rounding. Throws {@link CodecError} where encoding one of them would. */
  equals?(a: T, b: T): boolean;
  /** Encodes what has changed since a value that both ends know. */
  readonly delta?: DeltaCodec<T> | undefined;
}

/** Encodes a value as its difference to one that both ends know. Source: codecs section 5. */
export interface DeltaCodec<T> {
  /**
   * Writes what has changed.
   *
   * @param base - a value as the receiver decoded it, see `quantise`.
   * @returns the number of bytes written.
   * @throws {@link CodecError} as `encodeInto` of the codec.
   */
  encodeInto(base: T, value: T, out: Uint8Array, offset: number): number;
  /**
   * Reads what {@link DeltaCodec.encodeInto} wrote.
   *
   * @param base - the same value; not changed.
   * @returns a fresh value; parts that have not changed are those of `base`.
   * @throws {@link CodecError} as `decode` of the codec.
   */
  decode(base: T, data: Uint8Array): T;
}

/** The type of a codec's values. */
export type Infer<C> = C extends Codec<infer T> ? T : never;
