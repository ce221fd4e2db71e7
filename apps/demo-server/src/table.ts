import { CLIENT_STATE_CODES, clientStateName } from '@x/netcode';
import type { ClientState } from '@x/netcode';
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';
import type { DemoClient } from './demo-client.ts';
import type { Cast } from './scenario.ts';

/** Where the demo shows what happens. */
export interface View {
  /** Something of interest has happened. */
  event(text: string): void;
  /** Something that is interesting only where there is room for it. */
  detail(text: string): void;
  /** Shows how things stand, when it is time for it. */
  frame(elapsed: number, cast: Cast): void;
  /** Ends the view; what is printed afterwards stays below it. */
  end(): void;
}

/** One row of the table. */
export interface TableRow {
  readonly id: bigint | string;
  readonly state: ClientState;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  /** Milliseconds; null: no echo yet. */
  readonly rttMs: number | null;
  /** Bytes of payloads, both ways. */
  readonly bytes: number;
}

/** Adds colour to a text, or nothing. */
export type Paint = Pick<ReturnType<typeof pc.createColors>, 'green' | 'red' | 'yellow' | 'dim' | 'bold'>;

/** The colours of a terminal, which the user may have switched off; elsewhere none. */
export function paintFor(isLive: boolean): Paint {
  return pc.createColors(isLive && pc.isColorSupported);
}

const LIVE_HZ = 5;
/** Lines of a live table that are not clients. */
const LIVE_FRAME_LINES = 5;
const HEADINGS = ['client', 'state', 'sent', 'received', 'lost', 'round trip ms', 'bytes'] as const;
/** The widest state, so that the columns do not jump. */
const STATE_WIDTH = Math.max(...Object.keys(CLIENT_STATE_CODES).map((state) => clientStateName(state as ClientState).length));
const WIDTHS = HEADINGS.map((heading, column) => Math.max(heading.length, [6, STATE_WIDTH, 7, 8, 4, 0, 9][column] ?? 0));

/** Plain lines: events as they come, and one line on the whole in each second. */
export class PlainView implements View {
  readonly #print: (line: string) => void;
  #elapsed: number = 0;
  #nextAt: number = 1;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  event(text: string): void {
    this.#print(`${stamp(this.#elapsed)} ${text}`);
  }

  detail(text: string): void {
    this.event(text);
  }

  frame(elapsed: number, cast: Cast): void {
    this.#elapsed = elapsed;
    if (elapsed < this.#nextAt) return;
    this.#nextAt = Math.floor(elapsed) + 1;
    this.event(totalsLine(cast));
  }

  end(): void {}
}

/** A table that is drawn over itself, with the events above it. */
export class LiveView implements View {
  readonly #log: ReturnType<typeof createLogUpdate>;
  readonly #stream: NodeJS.WriteStream;
  readonly #paint: Paint;
  #elapsed: number = 0;
  #nextAt: number = 0;

  constructor(stream: NodeJS.WriteStream, paint: Paint) {
    this.#stream = stream;
    this.#paint = paint;
    this.#log = createLogUpdate(stream);
  }

  event(text: string): void {
    this.#log.persist(`${this.#paint.dim(stamp(this.#elapsed))} ${text}`);
  }

  detail(): void {}

  frame(elapsed: number, cast: Cast): void {
    this.#elapsed = elapsed;
    if (elapsed < this.#nextAt) return;
    this.#nextAt = elapsed + 1 / LIVE_HZ;
    const room = Math.max(1, this.#stream.rows - LIVE_FRAME_LINES);
    this.#log(['', ...tableLines(cast.clients.map(rowOf), this.#paint, room), `${stamp(elapsed)} ${totalsLine(cast)}`].join('\n'));
  }

  end(): void {
    this.#log.clear();
    this.#log.done();
  }
}

/**
 * The table of the clients.
 *
 * @param room - most clients to show; of the others the number is told.
 */
export function tableLines(clients: readonly TableRow[], paint: Paint, room: number = Infinity): string[] {
  const shown = clients.slice(0, clients.length > room ? Math.max(1, room - 1) : clients.length);
  const hidden = clients.length - shown.length;
  return [
    paint.bold(line([...HEADINGS])),
    ...shown.map((client) => clientLine(client, paint)),
    ...(hidden > 0 ? [paint.dim(`… and ${hidden} more`)] : []),
  ];
}

function rowOf({ id, state, echoes, lost, bytes }: DemoClient): TableRow {
  return { id, state, sent: echoes.sent, received: echoes.received, lost, rttMs: echoes.recentMilliseconds ?? null, bytes };
}

function clientLine({ id, state, sent, received, lost, rttMs, bytes }: TableRow, paint: Paint): string {
  const stateColour = CLIENT_STATE_CODES[state] < 0 ? paint.red : state === 'connected' ? paint.green : paint.yellow;
  return line(
    [id, clientStateName(state), sent, received, lost, rttMs === null ? '-' : rttMs.toFixed(1), bytes].map(String),
    (text, column) => (column === 1 ? stateColour(text) : column === 4 && lost > 0 ? paint.red(text) : text),
  );
}

/** Colour is added to padded cells: its codes have no width. */
function line(cells: readonly string[], colour: (text: string, column: number) => string = (text) => text): string {
  return cells
    .map((cell, column) => colour(column === 1 ? cell.padEnd(WIDTHS[column]!) : cell.padStart(WIDTHS[column]!), column))
    .join('  ');
}

function totalsLine({ server, clients }: Cast): string {
  const sum = (of: (client: DemoClient) => number): number => clients.reduce((total, client) => total + of(client), 0);
  const trips = clients.map(({ echoes }) => echoes.recentMilliseconds).filter((rtt) => rtt !== undefined);
  const rtt = trips.length === 0 ? '-' : (trips.reduce((total, trip) => total + trip, 0) / trips.length).toFixed(1);
  const counts = `sent ${sum(({ echoes }) => echoes.sent)}, received ${sum(({ echoes }) => echoes.received)}, lost ${sum(({ lost }) => lost)}`;
  return `${server.connectedCount} of ${server.slots} connected, ${counts}, round trip ${rtt} ms`;
}

function stamp(elapsed: number): string {
  return `${elapsed.toFixed(1).padStart(6)} s`;
}
