import { CLIENT_STATE_CODES, NetcodeClient, formatAddress } from '@x/netcode';
import type { ClientState, Received } from '@x/netcode';
import { expectSame, shown } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { Seams, expectOut } from './seams.ts';
import { readReferenceTokens } from './tokens.ts';

/** Scripts for one client: what it sends, tells and shows after every step. */
export const replayClientTranscript: CaseReplayer = objectCase((transcript) => {
  transcript.describe('name');
  readReferenceTokens(transcript);
  const player = new ClientPlayer(transcript);
  transcript.each('steps', (step) => {
    player.play(step);
  });
});

class ClientPlayer {
  readonly #seams = new Seams();
  readonly #client: NetcodeClient;
  #transitions: (readonly [ClientState, ClientState])[] = [];

  constructor(transcript: Fields) {
    this.#client = new NetcodeClient({
      time: transcript.number('createTime'),
      override: this.#seams.override,
      randomBytes: this.#seams.randomBytes,
      unixSeconds: this.#seams.unixSeconds,
      onError: this.#seams.onError,
      onStateChange: (previous, next) => {
        this.#transitions.push([previous, next]);
      },
    });
    expectSame('state of a new client', this.#client.state, 'disconnected');
  }

  /** Runs one step and compares what it gives and the state after it. */
  play(step: Fields): void {
    step.describe('note');
    this.#transitions = [];
    this.#run(step);
    this.#expectTransitions(step);
    const client = this.#client;
    step.expectNumber('state', CLIENT_STATE_CODES[client.state]);
    step.expectNumber('clientIndex', client.index);
    step.expectNumber('maxClients', client.maxClients);
    step.expectU64('nextSequence', client.nextSequence);
    step.expectText('serverAddress', client.serverAddress === undefined ? 'NONE' : formatAddress(client.serverAddress));
  }

  #run(step: Fields): void {
    const client = this.#client;
    const op = step.text('op');
    switch (op) {
      case 'connect': {
        let refusal: string | undefined;
        const connect = (): void => {
          refusal = client.connect(step.bytes('token'));
        };
        expectOut(step, this.#seams.run(connect));
        // The refusal itself is not in the file; the state tells whether there must be one.
        expectSame('connect refuses the token', refusal !== undefined, step.number('state') === CLIENT_STATE_CODES.invalidConnectToken);
        return;
      }
      case 'update': {
        this.#seams.wallClock = step.u64('unixSeconds');
        this.#seams.arrive(step);
        const time = step.number('time');
        expectOut(
          step,
          this.#seams.run(() => client.update(time)),
        );
        this.#expectReceived(step);
        return;
      }
      case 'send':
        expectOut(
          step,
          this.#seams.run(() => client.send(step.bytes('payload'))),
        );
        return;
      case 'disconnect':
        expectOut(
          step,
          this.#seams.run(() => client.disconnect()),
        );
        return;
      default:
        throw new Error(`${step.at('op')}: ${op} is unknown`);
    }
  }

  #expectReceived(step: Fields): void {
    const received: Received[] = [];
    for (let next = this.#client.receive(); next !== undefined; next = this.#client.receive()) {
      received.push({ sequence: next.sequence, data: next.data });
    }
    step.expectEach('received', received, (expected, actual) => {
      expected.expectU64('sequence', actual.sequence);
      expected.expectBytes('data', actual.data);
    });
  }

  /** Transitions stand in the file as pairs of state codes. */
  #expectTransitions(step: Fields): void {
    const expected = step.list('transitions');
    const path = step.at('transitions');
    for (const [i, pair] of expected.entries()) {
      if (!Array.isArray(pair) || pair.length !== 2) throw new Error(`${path}[${i}]: expected a pair, got ${shown(pair)}`);
      const transition = this.#transitions[i]?.map((state) => CLIENT_STATE_CODES[state]) ?? [];
      expectSame(`${path}[${i}][0]`, transition[0], pair[0]);
      expectSame(`${path}[${i}][1]`, transition[1], pair[1]);
    }
    expectSame(`length of ${path}`, this.#transitions.length, expected.length);
  }
}
