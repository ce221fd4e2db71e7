const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/**
 * The `DataView` of a byte array, kept for the four arrays used last. Datagrams come out of the same few buffers again and again, so a warm
 * caller makes none. Keeps those four arrays reachable.
 */
export class ViewCache {
  readonly #sources: Uint8Array[] = [NOTHING, NOTHING, NOTHING, NOTHING];
  readonly #views: DataView[] = [NO_VIEW, NO_VIEW, NO_VIEW, NO_VIEW];
  #source: Uint8Array = NOTHING;
  #view: DataView = NO_VIEW;
  #next: number = 0;

  /** A view of the whole array. */
  of(bytes: Uint8Array): DataView {
    if (bytes === this.#source) return this.#view;
    let at = this.#sources.indexOf(bytes);
    if (at < 0) {
      at = this.#next;
      this.#next = (at + 1) & 3;
      this.#sources[at] = bytes;
      this.#views[at] = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.#source = bytes;
    this.#view = this.#views[at]!;
    return this.#view;
  }
}
