import { NetcodeServer, SLOT_DISCONNECT_REASON_CODES, formatAddress, parseAddress } from '@x/netcode';
import type { Received } from '@x/netcode';
import { encodePrivateToken, inspectServer, sealPrivateToken, writePacket } from '@x/netcode/protocol';
import { Fnv1a32 } from '@x/testkit';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { Seams, expectOut } from './seams.ts';
import { readReferenceTokens } from './tokens.ts';

/** First number of the global sequence; a stopped server may keep it or show 0. */
const GLOBAL_SEQUENCES_WHILE_STOPPED: readonly bigint[] = [0n, 1n << 63n];

/** Scripts for one server: what it sends, tells and shows after every step. */
export const replayServerTranscript: CaseReplayer = objectCase((transcript) => {
  transcript.describe('name');
  readReferenceTokens(transcript);
  const player = new ServerPlayer(transcript);
  transcript.each('steps', (step) => {
    player.play(step);
  });
});

interface SlotEvent {
  readonly slot: number;
  readonly connected: boolean;
}

interface SlotPayload extends Received {
  readonly slot: number;
}

class ServerPlayer {
  readonly #seams = new Seams();
  readonly #address: string;
  readonly #protocolId: bigint;
  readonly #privateKey: Uint8Array;
  readonly #server: NetcodeServer;
  #events: SlotEvent[] = [];

  constructor(transcript: Fields) {
    this.#address = transcript.text('serverAddress');
    this.#protocolId = transcript.u64('protocolId');
    this.#privateKey = transcript.bytes('privateKey');
    this.#server = new NetcodeServer({
      time: transcript.number('createTime'),
      address: this.#address,
      protocolId: this.#protocolId,
      privateKey: this.#privateKey,
      maxConnectTokenLifetimeSeconds: transcript.number('maxConnectTokenLifetimeSeconds'),
      override: this.#seams.override,
      randomBytes: this.#seams.randomBytes,
      unixSeconds: this.#seams.unixSeconds,
      onError: this.#seams.onError,
      onConnectDisconnect: (slot, connected) => {
        this.#events.push({ slot, connected });
      },
    });
    transcript.expectText('serverAddress', formatAddress(this.#server.address));
  }

  /** Runs one step and compares what it gives; every step but `stop` also gives the state after it. */
  play(step: Fields): void {
    step.describe('note');
    const op = step.text('op');
    this.#events = [];
    this.#run(step, op);
    step.expectEach('events', this.#events, (expected, event) => {
      expected.expectNumber('slot', event.slot);
      expected.expectBoolean('connected', event.connected);
    });
    if (op !== 'stop') this.#expectState(step);
  }

  #run(step: Fields, op: string): void {
    const server = this.#server;
    switch (op) {
      case 'start': {
        this.#seams.wallClock = step.u64('unixSeconds');
        const start = (): void => server.start(step.number('maxClients'));
        expectOut(step, this.#seams.runDrawing(step.bytes('challengeKey'), start));
        return;
      }
      case 'update':
        this.#seams.arrive(step);
        expectOut(step, this.#update(step));
        this.#expectReceived(step);
        return;
      case 'fill':
        this.#fill(step);
        return;
      case 'send':
        expectOut(
          step,
          this.#seams.run(() => server.send(step.number('slot'), step.bytes('payload'))),
        );
        return;
      case 'disconnect':
        expectOut(
          step,
          this.#seams.run(() => server.disconnectClient(step.number('slot'))),
        );
        return;
      case 'stop':
        expectOut(
          step,
          this.#seams.run(() => server.stop()),
        );
        return;
      default:
        throw new Error(`${step.at('op')}: ${op} is unknown`);
    }
  }

  #update(step: Fields): ReturnType<Seams['run']> {
    this.#seams.wallClock = step.u64('unixSeconds');
    const time = step.number('time');
    return this.#seams.run(() => this.#server.update(time));
  }

  /** An update in which many generated requests arrive, one per token number. */
  #fill(step: Fields): void {
    const from = parseAddress(step.text('from'));
    const first = step.number('first');
    const expireTimestamp = step.u64('expireTimestamp');
    for (let i = first; i < first + step.number('count'); i++) this.#seams.enqueue(from, this.#generatedRequest(i, expireTimestamp));
    const sent = this.#update(step);
    const fnv = new Fnv1a32();
    let totalBytes = 0;
    for (const { data } of sent) {
      fnv.add(data);
      totalBytes += data.length;
    }
    step.expectNumber('outCount', sent.length);
    step.expectNumber('outBytes', totalBytes);
    step.expectNumber('outFnv', fnv.value);
  }

  #generatedRequest(i: number, expireTimestamp: bigint): Uint8Array {
    const nonce = new Uint8Array(24).fill(0x5a);
    new DataView(nonce.buffer).setUint32(0, i, true);
    const protocolId = this.#protocolId;
    const plaintext = encodePrivateToken({
      clientId: BigInt(1_000_000 + i),
      timeoutSeconds: 5,
      serverAddresses: [parseAddress(this.#address)],
      clientToServerKey: new Uint8Array(32).fill(i & 127),
      serverToClientKey: new Uint8Array(32).fill(128 + (i & 127)),
      userData: new Uint8Array(256),
    });
    const privateData = sealPrivateToken(plaintext, { protocolId, expireTimestamp, nonce, key: this.#privateKey });
    return writePacket(
      { type: 'request', protocolId, expireTimestamp, nonce, privateData },
      { protocolId, sequence: 0n, key: new Uint8Array(32) },
    );
  }

  #expectReceived(step: Fields): void {
    const received: SlotPayload[] = [];
    for (let slot = 0; slot < this.#server.maxClients; slot++) {
      for (let next = this.#server.receive(slot); next !== undefined; next = this.#server.receive(slot)) {
        received.push({ slot, sequence: next.sequence, data: next.data });
      }
    }
    step.expectEach('received', received, (expected, actual) => {
      expected.expectNumber('slot', actual.slot);
      expected.expectU64('sequence', actual.sequence);
      expected.expectBytes('data', actual.data);
    });
  }

  #expectState(step: Fields): void {
    const server = this.#server;
    const inspected = inspectServer(server);
    step.expectNumber('connectedCount', server.connectedCount);
    step.expectEach(
      'slots',
      Array.from({ length: server.maxClients }, (_, slot) => slot),
      (expected, slot) => {
        expected.expectBoolean('connected', server.isConnected(slot));
        expected.expectU64('clientId', server.clientId(slot));
        expected.expectNumber('disconnectReason', SLOT_DISCONNECT_REASON_CODES[server.disconnectReason(slot)]);
        expected.expectU64('nextSequence', server.nextSequence(slot));
        expected.expectBoolean('confirmed', inspected.confirmed[slot] ?? false);
      },
    );
    step.expectU64('challengeSequence', inspected.challengeSequence);
    if (server.isRunning) {
      step.expectU64('globalSequence', inspected.globalSequence);
      return;
    }
    for (const value of [step.u64('globalSequence'), inspected.globalSequence]) {
      expectSame(`${step.at('globalSequence')}: ${value} may be shown while stopped`, GLOBAL_SEQUENCES_WHILE_STOPPED.includes(value), true);
    }
  }
}
