import { clearImmediate, setImmediate } from 'node:timers';

/** Datagrams that the event loop reads from one socket in one turn before others get theirs. */
export const DATAGRAMS_PER_TURN = 32;

/** What is watched of a socket: how many datagrams have been read from it. */
export interface ReadCounter {
  readonly datagramsRead: number;
}

/**
 * Finds out when everything that waited in the sockets has been read (protocol section 10.1): once a complete turn of the event loop brought fewer
 * datagrams on each socket than a turn reads at most.
 *
 * An immediate runs right after the phase that reads sockets. The one scheduled by `start` may end a turn that was half over, as nobody knows in which
 * phase `start` was called; it only marks where the first complete turn begins. Immediates keep the loop turning, so an idle socket is caught up
 * after two turns and not only when the next timer is due; after that nothing is left that could keep the process alive.
 */
export class CatchUp {
  readonly #sockets: readonly ReadCounter[];
  /** How many had been read from each socket where the turn began. */
  readonly #marks: number[];
  #immediate: NodeJS.Immediate | undefined = undefined;
  #isTurnComplete: boolean = false;

  constructor(sockets: readonly ReadCounter[]) {
    this.#sockets = sockets;
    this.#marks = sockets.map(() => 0);
  }

  get isCaughtUp(): boolean {
    return this.#immediate === undefined;
  }

  /** Begins to watch, or begins anew. */
  start(): void {
    this.#isTurnComplete = false;
    this.#immediate ??= setImmediate(this.#endTurn);
  }

  /** Stops watching. */
  stop(): void {
    if (this.#immediate !== undefined) clearImmediate(this.#immediate);
    this.#immediate = undefined;
  }

  readonly #endTurn = (): void => {
    const isDone = this.#isTurnComplete && this.#sockets.every((socket, i) => socket.datagramsRead - this.#marks[i]! < DATAGRAMS_PER_TURN);
    if (isDone) {
      this.#immediate = undefined;
      return;
    }
    for (const [i, socket] of this.#sockets.entries()) this.#marks[i] = socket.datagramsRead;
    this.#isTurnComplete = true;
    this.#immediate = setImmediate(this.#endTurn);
  };
}
