import { CodecError } from './codec-error.ts';

/** How deep a recursive codec is nested in itself at the moment, for each such codec. */
export class DepthCounter {
  readonly #active = new Map<object, number>();

  /** Goes one level deeper; throws `DEPTH`, without doing so, when `limit` levels are open. */
  enter(key: object, limit: number): void {
    const open = this.#active.get(key) ?? 0;
    if (open >= limit) throw new CodecError('DEPTH', `expected at most ${limit} levels`);
    this.#active.set(key, open + 1);
  }

  /** Comes back from a level. */
  leave(key: object): void {
    this.#active.set(key, this.#active.get(key)! - 1);
  }
}
