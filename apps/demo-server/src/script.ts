/** What a step waits for, in words; one per tick. Throwing an error fails the step with its message. */
export type Play = Generator<string, void>;

/** One scripted event. */
export interface Step {
  readonly name: string;
  /** Seconds after the start at which it may begin. */
  readonly due: number;
  /** Steps that must have passed. */
  readonly after: readonly string[];
  /** Does it and waits until what is expected has happened. */
  readonly play: () => Play;
}

/** How a step came out; `pending`: it has not been decided. */
export type Outcome = 'pending' | 'passed' | 'failed';

interface Progress {
  readonly step: Step;
  outcome: Outcome;
  play: Play | undefined;
  startedAt: number;
  waitsFor: string;
}

/** Runs steps, several at a time where they do not depend on each other. */
export class Script {
  readonly #progress: readonly Progress[];
  readonly #patienceSeconds: number;
  readonly #onFailure: (text: string) => void;

  /**
   * @param patienceSeconds - a step that takes longer has failed.
   * @param onFailure - told once per failed step.
   */
  constructor(steps: readonly Step[], patienceSeconds: number, onFailure: (text: string) => void) {
    this.#progress = steps.map((step) => ({ step, outcome: 'pending', play: undefined, startedAt: 0, waitsFor: '' }));
    this.#patienceSeconds = patienceSeconds;
    this.#onFailure = onFailure;
  }

  get isFinished(): boolean {
    return this.#progress.every(({ outcome }) => outcome !== 'pending');
  }

  outcome(name: string): Outcome {
    return this.#find(name).outcome;
  }

  /** Goes on, at `elapsed` seconds after the start. */
  tick(elapsed: number): void {
    for (const progress of this.#progress) {
      if (progress.outcome === 'pending') this.#advance(progress, elapsed);
    }
  }

  /** The time is up: what has not happened by now has failed. */
  end(): void {
    for (const progress of this.#progress) {
      if (progress.outcome !== 'pending') continue;
      this.#fail(
        progress,
        progress.play === undefined ? 'the time was up before its turn' : `the time was up, waiting for ${progress.waitsFor}`,
      );
    }
  }

  #advance(progress: Progress, elapsed: number): void {
    const { step } = progress;
    if (progress.play === undefined) {
      const failed = step.after.find((name) => this.outcome(name) === 'failed');
      if (failed !== undefined) {
        this.#fail(progress, `not tried, as "${failed}" failed`);
        return;
      }
      if (elapsed < step.due || step.after.some((name) => this.outcome(name) === 'pending')) return;
      progress.play = step.play();
      progress.startedAt = elapsed;
    }
    try {
      const { done, value } = progress.play.next();
      if (done === true) progress.outcome = 'passed';
      else progress.waitsFor = value;
    } catch (error) {
      this.#fail(progress, error instanceof Error ? error.message : String(error));
      return;
    }
    const seconds = elapsed - progress.startedAt;
    if (progress.outcome === 'pending' && seconds > this.#patienceSeconds) {
      this.#fail(progress, `waited ${seconds.toFixed(1)} s for ${progress.waitsFor}`);
    }
  }

  #fail(progress: Progress, text: string): void {
    progress.outcome = 'failed';
    this.#onFailure(`${progress.step.name}: ${text}`);
  }

  #find(name: string): Progress {
    const found = this.#progress.find(({ step }) => step.name === name);
    if (found === undefined) throw new RangeError(`no step is called ${name}`);
    return found;
  }
}
