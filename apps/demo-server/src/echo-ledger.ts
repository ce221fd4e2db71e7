/** After this many seconds without its echo a payload counts as lost; should the echo still come, it no longer does. */
export const LOST_AFTER_SECONDS = 1;
/** When a session ends, younger payloads were on the way and do not count as lost. */
export const ON_THE_WAY_SECONDS = 0.25;
/** Payloads older than this are no longer looked for, which bounds what is remembered when nothing comes back. */
const FORGET_AFTER_SECONDS = 10;
/** Weight of the newest round trip in the smoothed one. */
const SMOOTHING = 1 / 8;

/** Keeps account of the payloads of one client: what was sent, what came back and after how long. */
export class EchoLedger {
  #sent: number = 0;
  #received: number = 0;
  #givenUp: number = 0;
  #secondsTotal: number = 0;
  #smoothed: number | undefined = undefined;
  /** Number of the payload to when it was sent, oldest first. */
  readonly #waiting = new Map<number, number>();

  get sent(): number {
    return this.#sent;
  }

  get received(): number {
    return this.#received;
  }

  /** Whether every echo is home. */
  get isQuiet(): boolean {
    return this.#waiting.size === 0;
  }

  /** Mean round trip, milliseconds; `undefined` before the first echo. */
  get meanMilliseconds(): number | undefined {
    return this.#received === 0 ? undefined : (this.#secondsTotal / this.#received) * 1000;
  }

  /** Round trip of late, milliseconds. */
  get recentMilliseconds(): number | undefined {
    return this.#smoothed === undefined ? undefined : this.#smoothed * 1000;
  }

  /** A payload was sent; numbers grow. */
  send(number: number, time: number): void {
    this.#sent++;
    this.#waiting.set(number, time);
    for (const [oldest, sentAt] of this.#waiting) {
      if (sentAt + FORGET_AFTER_SECONDS > time) break;
      this.#waiting.delete(oldest);
      this.#givenUp++;
    }
  }

  /** An echo came. Returns false when nobody waits for it: never sent, or the second one. */
  receive(number: number, time: number): boolean {
    const sentAt = this.#waiting.get(number);
    if (sentAt === undefined) return false;
    this.#waiting.delete(number);
    this.#received++;
    const seconds = time - sentAt;
    this.#secondsTotal += seconds;
    this.#smoothed = this.#smoothed === undefined ? seconds : this.#smoothed + (seconds - this.#smoothed) * SMOOTHING;
    return true;
  }

  /** How many payloads are lost, as of `time`. */
  lost(time: number): number {
    return this.#givenUp + this.#olderThan(LOST_AFTER_SECONDS, time);
  }

  /** The session is over: no more echoes can come. */
  endSession(time: number): void {
    this.#givenUp += this.#olderThan(ON_THE_WAY_SECONDS, time);
    this.#waiting.clear();
  }

  #olderThan(seconds: number, time: number): number {
    let count = 0;
    for (const sentAt of this.#waiting.values()) {
      if (sentAt + seconds > time) break;
      count++;
    }
    return count;
  }
}
