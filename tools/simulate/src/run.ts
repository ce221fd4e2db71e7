import { ConnectionShared } from '@x/reliable';
import { Pair } from '@x/reliable/simulator';
import { Schema } from '@x/schema';
import { DatagramDigest } from './datagram-digest.ts';
import { takeSample } from './sample.ts';
import type { Sample } from './sample.ts';
import type { Settings } from './settings.ts';

/** Seconds of a step. */
export const DT: number = 1 / 60;
const HANDSHAKE_STEPS = 600;
/** Simulated seconds after which a run is given up. */
const MOST_SECONDS = 600;
/** The event's largest payload in the documented run; it goes into the fingerprint. */
const CHAT_BYTES = 256;

/** What came of a run. */
export interface RunResult {
  readonly settings: Settings;
  /** Whether every event arrived, once, whole and in order. */
  readonly ok: boolean;
  /** Why the run is not ok; only then. */
  readonly reason: string | undefined;
  /** Events written for the first time, and written again. */
  readonly sent: number;
  readonly resent: number;
  /** Datagrams of b that its link dropped, and of a. */
  readonly datagramsLost: number;
  readonly datagramsLostBack: number;
  readonly simulatedSeconds: number;
  /** Different events that a's application got, and those of them that came out of order. */
  readonly delivered: number;
  readonly outOfOrder: number;
  /** Events that a's application got again. */
  readonly duplicates: number;
  /** Events that a's application got with other bytes than b's sent. */
  readonly damaged: number;
  /** Copies that a's connection recognised and dropped. */
  readonly duplicatesDropped: number;
  readonly digest: string;
  readonly samples: readonly Sample[];
}

/**
 * Runs b, which sends its events as fast as they are accepted, against a, which takes what arrives after every step, until a has all of them. The
 * same settings give the same run, bit for bit.
 *
 * @throws Error when no packet can carry such a payload.
 */
export function simulate(settings: Settings): RunResult {
  const { latency, jitter, loss, duplicate, seed } = settings;
  const pair = Pair.symmetric(sharedFor(settings.payload), { latency, jitter, loss, duplicate }, seed);
  const digest = new DatagramDigest(pair);
  const application = new Application(settings);
  const samples: Sample[] = [];
  const step = (): void => {
    pair.step(DT);
    application.poll(pair);
    samples.push(takeSample(pair, samples.length + 1));
  };
  while (pair.a.state === 'handshaking' || pair.b.state === 'handshaking') {
    if (samples.length === HANDSHAKE_STEPS) break;
    step();
  }
  while (bothEstablished(pair) && application.delivered < settings.events && pair.time < MOST_SECONDS) {
    application.send(pair);
    step();
  }
  const reason = reasonOf(pair, application, settings);
  return {
    settings,
    ok: reason === undefined,
    reason,
    sent: pair.b.counters.eventsSent,
    resent: pair.b.counters.eventsResent,
    datagramsLost: pair.bToA.counters.lost,
    datagramsLostBack: pair.aToB.counters.lost,
    simulatedSeconds: pair.time,
    delivered: application.delivered,
    outOfOrder: application.outOfOrder,
    duplicates: application.duplicates,
    damaged: application.damaged,
    duplicatesDropped: pair.a.counters.duplicateEvents,
    digest: digest.finish(),
    samples,
  };
}

/** What both ends do above their connections. */
class Application {
  delivered = 0;
  outOfOrder = 0;
  duplicates = 0;
  damaged = 0;
  #queued = 0;
  readonly #events: number;
  readonly #payload: Uint8Array;
  readonly #view: DataView;
  readonly #seen: Uint8Array;

  constructor({ events, payload }: Settings) {
    this.#events = events;
    this.#payload = new Uint8Array(payload);
    this.#view = new DataView(this.#payload.buffer);
    this.#seen = new Uint8Array(events);
  }

  /** Lets b queue what is left, as far as it is accepted: the index as u32, then zeros. */
  send({ b }: Pair): void {
    for (; this.#queued < this.#events; this.#queued++) {
      this.#view.setUint32(0, this.#queued, true);
      if (b.trySend(0, this.#payload) !== undefined) return;
    }
  }

  /** Takes what waits at a. */
  poll({ aInbox }: Pair): void {
    for (let record = aInbox.pop(); record !== undefined; record = aInbox.pop()) {
      if (record.type === 'message') this.#take(record.payload);
    }
  }

  #take(payload: Uint8Array): void {
    const isWhole = payload.length === this.#payload.length && payload.every((byte, i) => i < 4 || byte === 0);
    const index = isWhole ? new DataView(payload.buffer, payload.byteOffset).getUint32(0, true) : this.#events;
    if (index >= this.#events) {
      this.damaged++;
    } else if (this.#seen[index] === 1) {
      this.duplicates++;
    } else {
      if (index !== this.delivered) this.outOfOrder++;
      this.#seen[index] = 1;
      this.delivered++;
    }
  }
}

function sharedFor(payload: number): ConnectionShared {
  const builder = Schema.builder(1);
  const channel = builder.channel({ name: 'reliable', delivery: 'reliableOrdered' });
  return ConnectionShared.create(builder.event('Chat', channel, Math.max(CHAT_BYTES, payload)).build());
}

function bothEstablished({ a, b }: Pair): boolean {
  return a.state === 'established' && b.state === 'established';
}

function reasonOf(pair: Pair, application: Application, { events }: Settings): string | undefined {
  const { a, b } = pair;
  const failure = a.failure ?? b.failure;
  if (failure !== undefined) return `the connection failed: ${failure.type}`;
  if (!bothEstablished(pair)) return `no handshake within ${HANDSHAKE_STEPS} steps`;
  const { delivered, outOfOrder, duplicates, damaged } = application;
  if (outOfOrder + duplicates + damaged > 0) return `${outOfOrder} events out of order, ${duplicates} twice, ${damaged} damaged`;
  return delivered < events ? `only ${delivered} of ${events} events arrived within ${MOST_SECONDS} s` : undefined;
}
