import type { Transport } from '../transport.ts';

const STALL_SECONDS = 0.25;
const CATCH_UP_LIMIT_SECONDS = 1;

/**
 * Decides in each update whether idle peers may be judged (protocol section 10.1): after a stall only once the datagrams that arrived meanwhile have
 * been read, or one second later.
 */
export class StallGuard {
  readonly #transport: Transport;
  #previousTime: number;
  #enteredAt: number | undefined = undefined;

  constructor(transport: Transport, time: number) {
    this.#transport = transport;
    this.#previousTime = time;
  }

  /** Called once at the start of each update, before the transport is polled. */
  begin(time: number): void {
    if (this.#enteredAt === undefined && time - this.#previousTime > STALL_SECONDS) {
      this.#enteredAt = time;
      this.#transport.startCatchUp();
    }
    this.#previousTime = time;
  }

  /** Called once in each update, after the transport was polled: true when silence may be judged. */
  mayJudge(time: number): boolean {
    if (this.#enteredAt === undefined) return true;
    if (!this.#transport.isCaughtUp && time - this.#enteredAt < CATCH_UP_LIMIT_SECONDS) return false;
    this.#enteredAt = undefined;
    return true;
  }
}
