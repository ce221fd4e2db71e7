import type { Inbox } from '@x/reliable';
import type { Pair } from '@x/reliable/simulator';
import type { Message } from './case.ts';
import type { NamedCatalogue } from './catalogue.ts';
import { pollAll, send } from './endpoints.ts';

const DT = 1 / 60;
/** More steps than any run has. */
const STEP_LIMIT = 200_000;

/** A run in progress, after its handshake. */
export interface Run {
  readonly pair: Pair;
  readonly catalogue: NamedCatalogue;
  /** Steps so far, those of the handshake included. */
  steps: number;
  /** What was taken out of a's inbox. */
  readonly received: Message[];
  /** Figures that only some runs expect, by their name in `expect`. */
  readonly extras: Map<string, number | string>;
}

/** Plays a run whose words matched; gets the parts that the pattern captured. */
type Script = (run: Run, words: readonly string[]) => void;

/** The test payload P(n, len): at least 4 bytes, n as u32 and then a pattern. */
export function testPayload(n: number, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(length, 4));
  new DataView(bytes.buffer).setUint32(0, n, true);
  for (let i = 4; i < bytes.length; i++) bytes[i] = (n * 31 + i) % 256;
  return bytes;
}

function step(run: Run): void {
  run.pair.step(DT);
  if (++run.steps > STEP_LIMIT) throw new Error(`the run has not come to its end after ${STEP_LIMIT} steps`);
}

function poll(run: Run, inbox: Inbox<never> = run.pair.aInbox): void {
  for (const message of pollAll(inbox)) run.received.push(message);
}

function stepUntil(run: Run, count: number): void {
  while (run.received.length < count) {
    step(run);
    poll(run);
  }
}

const queueThenPoll: Script = (run, [count, event, length, until]) => {
  for (let i = 0; i < Number(count); i++) {
    const payload = new Uint8Array(Number(length));
    new DataView(payload.buffer).setUint32(0, i, true);
    send(run.pair.b, run.catalogue, event!, payload);
  }
  stepUntil(run, Number(until));
  const { b, bToA, time } = run.pair;
  run.extras.set('summary', `${b.counters.eventsResent} events resent, ${bToA.counters.lost} datagrams lost, ${time.toFixed(2)} s`);
};

const oneEachStep: Script = (run, [count, event, text]) => {
  for (let i = 0; i < Number(count); i++) {
    send(
      run.pair.b,
      run.catalogue,
      event!,
      Uint8Array.from(text!, (letter) => letter.charCodeAt(0)),
    );
    step(run);
    poll(run);
  }
};

const asFastAsAccepted: Script = (run, [count, event, length]) => {
  const id = run.catalogue.eventId(event!);
  let next = 0;
  while (run.received.length < Number(count)) {
    while (next < Number(count) && run.pair.b.trySend(id, testPayload(next, Number(length))) === undefined) next++;
    step(run);
    poll(run);
  }
};

const burst: Script = (run, [count, event, length, steps]) => {
  for (let i = 0; i < Number(count); i++) send(run.pair.b, run.catalogue, event!, testPayload(i, Number(length)));
  let most = 0;
  for (let i = 0; i < Number(steps); i++) {
    const before = run.pair.b.counters.packetsSent;
    step(run);
    most = Math.max(most, run.pair.b.counters.packetsSent - before);
    poll(run);
  }
  run.extras.set('maxPacketsInOneStep', most);
};

const alternate: Script = (run, [count, first, second, length]) => {
  for (let i = 0; i < Number(count); i++) {
    send(run.pair.b, run.catalogue, first!, testPayload(i, Number(length)));
    send(run.pair.b, run.catalogue, second!, testPayload(i, Number(length)));
  }
  const before = run.pair.b.counters.packetsSent;
  step(run);
  run.extras.set('packetsForTheBatch', run.pair.b.counters.packetsSent - before);
  step(run);
};

const backPressure: Script = (run, [count, first, length, second, offset, quiet, polls]) => {
  for (let i = 0; i < Number(count); i++) {
    send(run.pair.b, run.catalogue, first!, testPayload(i, Number(length)));
    send(run.pair.b, run.catalogue, second!, testPayload(Number(offset) + i, Number(length)));
  }
  for (let i = 0; i < Number(quiet); i++) step(run);
  run.extras.set('inboxLengthBeforePolling', run.pair.aInbox.length);
  for (let i = 0; i < Number(polls); i++) {
    poll(run);
    step(run);
  }
  const id = run.catalogue.eventId(first!);
  run.extras.set(`${first!.toLowerCase()}Received`, run.received.filter((message) => message.event === id).length);
};

/** The words of a run and the script they stand for. */
const SCRIPTS: readonly (readonly [RegExp, Script])[] = [
  [
    /^queue (\d+) (\w+) events at b right after the handshake: (\d+) bytes, u32 LE index then zeros; step and poll a until (\d+) received$/,
    queueThenPoll,
  ],
  [/^(\d+) times: b sends (\w+) "([^"]*)", one step, poll a dry$/, oneEachStep],
  [
    /^b sends numbered events as fast as send accepts \(stop at queueFull, retry next step\), one step, then poll everything at a; repeat until all arrived: (\d+) (\w+) of (\d+) bytes,? (?:payload )?P\(n,\d+\)$/,
    asFastAsAccepted,
  ],
  [/^queue (\d+) (\w+) of (\d+) bytes P\(n,\d+\) at b, then (\d+) steps polling a$/, burst],
  [/^alternate (\d+) (\w+) and \d+ (\w+) of (\d+) bytes P\(n,\d+\) at b \(\w+ first\), two steps, no polling$/, alternate],
  [
    /^alternate (\d+) (\w+) P\(n,(\d+)\) and \d+ (\w+) P\((\d+)\+n,\d+\) at b; (\d+) steps without polling; then (\d+) times: poll a dry, step$/,
    backPressure,
  ],
];

/** Adds a figure unless the script took it at a moment of its own. */
function addFigure(run: Run, name: string, value: number): void {
  if (!run.extras.has(name)) run.extras.set(name, value);
}

/** Plays what the words of a run say. */
export function playRun(run: Run, how: string): void {
  for (const [pattern, script] of SCRIPTS) {
    const words = pattern.exec(how);
    if (words === null) continue;
    script(run, words.slice(1));
    addFigure(run, 'received', run.received.length);
    addFigure(run, 'inboxLength', run.pair.aInbox.length);
    addFigure(run, 'rttAvgMs', run.pair.b.stats.rttAvg);
    addFigure(run, 'rttAvgRounded', Math.round(run.pair.b.stats.rttAvg));
    return;
  }
  throw new Error(`how: ${how} is not understood`);
}
