/** Views kept by {@link CachedViews}, and thereby arrays that it keeps reachable. */
const MAX_VIEWS = 32;
const NOTHING = new Uint8Array(0);

/**
 * Makes views of a range of an array, and keeps the last one: whoever hands over the same range of the same buffer again and again, as game
 * traffic does, costs no garbage. Keeps the array reachable until another one is asked for.
 */
export class CachedView {
  #source: Uint8Array = NOTHING;
  #offset: number = 0;
  #length: number = 0;
  #view: Uint8Array = NOTHING;

  /** The `length` bytes from `offset`, which must be within `source`. */
  of(source: Uint8Array, offset: number, length: number): Uint8Array {
    if (source === this.#source && offset === this.#offset && length === this.#length) return this.#view;
    const view = source.subarray(offset, offset + length);
    this.#source = source;
    this.#offset = offset;
    this.#length = length;
    this.#view = view;
    return view;
  }
}

/** Up to this many bytes a loop is faster than `set`. */
const SHORT_BYTES = 24;
/** Up to this many bytes a loop is faster than making a view to copy from. */
const LOOP_COPY_BYTES = 64;

/** Copies a range into `target` at `at`; a long one through `cache`. */
export function copyRange(source: Uint8Array, offset: number, length: number, target: Uint8Array, at: number, cache: CachedView): void {
  if (length === source.length && length > SHORT_BYTES) {
    target.set(source, at);
  } else if (length <= LOOP_COPY_BYTES) {
    for (let i = 0; i < length; i++) target[at + i] = source[offset + i]!;
  } else {
    target.set(cache.of(source, offset, length), at);
  }
}

/** Views by the number of the fragment, made when first needed; numbers 32 apart share one. */
export class CachedViews {
  readonly #views: CachedView[] = [];

  /** The view of a fragment. */
  of(id: number): CachedView {
    return (this.#views[id % MAX_VIEWS] ??= new CachedView());
  }

  /** Lets go of all arrays. */
  forget(): void {
    this.#views.length = 0;
  }
}
