import { powerOfTwoFrom } from './internal/copy.ts';
import { ViewCache } from './internal/view-cache.ts';

const NO_BYTES = new Uint8Array(0);
/** Up to this many bytes a loop of byte stores is the fastest copy. */
const LOOP_BYTES = 24;
/** A range is copied through the window when it is longer than this and an eighth of its array. */
const STAGED_BYTES = 160;
/** Up to this many bytes a loop of word stores beats moving the payload into the window and copying it from there. */
const WORD_BYTES = 160;
const FIRST_WINDOW = 2048;
/** Longest payload that is handed out through the window. */
const MAX_WINDOW = 65_536;
const FIRST_CAPACITY = 4096;
/** Views by length that are kept. */
const MAX_VIEWS = 2048;

/**
 * The payload bytes of an inbox, in order of arrival, in one array that grows.
 *
 * Copying a range of one array into another costs either a view, which is garbage, or a slow loop. So the array begins with a window: a payload is
 * handed out by moving it there within the array, and views of the window are kept by length; and a long payload comes in by copying all of the
 * packet's array into the window and moving the range from there.
 */
export class InboxArena {
  #bytes: Uint8Array = new Uint8Array(FIRST_WINDOW + FIRST_CAPACITY);
  #view: DataView = new DataView(this.#bytes.buffer);
  /** The payloads start here at the earliest. */
  #window: number = FIRST_WINDOW;
  /** First byte that was not taken, and end of the last payload. */
  #head: number = FIRST_WINDOW;
  #tail: number = FIRST_WINDOW;
  readonly #sources: ViewCache = new ViewCache();
  readonly #targets: ViewCache = new ViewCache();
  readonly #views: Map<number, Uint8Array> = new Map<number, Uint8Array>();
  #lastView: Uint8Array = NO_BYTES;

  /** Bytes of the array. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Bytes of payloads, taken ones at the front included. */
  get used(): number {
    return this.#tail - this.#window;
  }

  /** Copies a payload to the end. */
  append(source: Uint8Array, offset: number, length: number): void {
    if (this.#tail + length > this.#bytes.length) this.#makeRoom(length);
    const at = this.#tail;
    this.#tail = at + length;
    if (length <= LOOP_BYTES) {
      const bytes = this.#bytes;
      for (let i = 0; i < length; i++) bytes[at + i] = source[offset + i]!;
    } else if (length === source.length) {
      this.#bytes.set(source, at);
    } else if (length > STAGED_BYTES + (source.length >>> 3)) {
      this.#appendStaged(source, offset, length, at);
    } else {
      this.#appendWords(source, offset, length, at);
    }
  }

  /**
   * Takes the first payload out.
   *
   * @param length - its length.
   * @returns the payload, valid until the next call.
   */
  take(length: number): Uint8Array {
    if (length === 0) return NO_BYTES;
    if (length > MAX_WINDOW) {
      const view = this.#bytes.subarray(this.#head, this.#head + length);
      this.#head += length;
      return view;
    }
    if (length > this.#window) this.#rebuild(this.#bytes.length - this.#window, powerOfTwoFrom(length));
    this.#bytes.copyWithin(0, this.#head, this.#head + length);
    this.#head += length;
    return this.#viewOf(length);
  }

  /** Takes the first payload out into the start of `target`, which has room for it. */
  takeInto(length: number, target: Uint8Array): void {
    if (length > WORD_BYTES) {
      target.set(this.take(length));
      return;
    }
    const bytes = this.#bytes;
    const head = this.#head;
    this.#head = head + length;
    let i = 0;
    if (length > LOOP_BYTES) {
      const from = this.#view;
      const to = this.#targets.of(target);
      for (const whole = length & ~7; i < whole; i += 8) {
        to.setInt32(i, from.getInt32(head + i, true), true);
        to.setInt32(i + 4, from.getInt32(head + i + 4, true), true);
      }
    }
    for (; i < length; i++) target[i] = bytes[head + i]!;
  }

  /** Forgets every payload. */
  clear(): void {
    this.#head = this.#window;
    this.#tail = this.#window;
  }

  /** Moves what is left to the front when at least half was taken. */
  compact(): void {
    const taken = this.#head - this.#window;
    if (taken > 0 && taken >= Math.floor(this.used / 2)) this.#slide();
  }

  /** Lets go of room beyond `capacity` bytes. There must be no payload. */
  shrinkTo(capacity: number): void {
    const wanted = Math.max(capacity, FIRST_CAPACITY);
    if (this.#bytes.length - this.#window > wanted) this.#rebuild(wanted, FIRST_WINDOW);
  }

  #appendWords(source: Uint8Array, offset: number, length: number, at: number): void {
    const from = this.#sources.of(source);
    const to = this.#view;
    const whole = length & ~7;
    let i = 0;
    for (; i < whole; i += 8) {
      to.setInt32(at + i, from.getInt32(offset + i, true), true);
      to.setInt32(at + i + 4, from.getInt32(offset + i + 4, true), true);
    }
    for (; i < length; i++) to.setUint8(at + i, source[offset + i]!);
  }

  #appendStaged(source: Uint8Array, offset: number, length: number, at: number): void {
    if (source.length > MAX_WINDOW) {
      this.#bytes.set(source.subarray(offset, offset + length), at);
      return;
    }
    let to = at;
    if (source.length > this.#window) {
      // The payload is on the books already; rebuilding moves it along.
      this.#rebuild(this.#bytes.length - this.#window, powerOfTwoFrom(source.length));
      to = this.#tail - length;
    }
    this.#bytes.set(source, 0);
    this.#bytes.copyWithin(to, offset, offset + length);
  }

  #makeRoom(length: number): void {
    const live = this.#tail - this.#head;
    const capacity = this.#bytes.length - this.#window;
    if (live + length <= capacity / 2) this.#slide();
    else this.#rebuild(powerOfTwoFrom(Math.max(2 * capacity, live + length)), this.#window);
  }

  #slide(): void {
    this.#bytes.copyWithin(this.#window, this.#head, this.#tail);
    this.#tail -= this.#head - this.#window;
    this.#head = this.#window;
  }

  /** Changes the sizes of the two parts, with what was not taken at the start of the second. */
  #rebuild(capacity: number, window: number): void {
    const live = this.#tail - this.#head;
    const bytes = new Uint8Array(window + capacity);
    bytes.set(this.#bytes.subarray(this.#head, this.#tail), window);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#window = window;
    this.#head = window;
    this.#tail = window + live;
    this.#views.clear();
    this.#lastView = NO_BYTES;
  }

  #viewOf(length: number): Uint8Array {
    if (this.#lastView.length === length) return this.#lastView;
    let view = this.#views.get(length);
    if (view === undefined) {
      if (this.#views.size === MAX_VIEWS) this.#views.clear();
      view = this.#bytes.subarray(0, length);
      this.#views.set(length, view);
    }
    this.#lastView = view;
    return view;
  }
}
