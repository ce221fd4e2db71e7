/// <reference lib="esnext.disposable" preserve="true" />
import { addressEquals, formatAddress, NO_ADDRESS } from './address.ts';
import type { Address } from './address.ts';
import { nobleAead } from './aead.ts';
import type { Aead } from './aead.ts';
import { checkClientOptions } from './client-options.ts';
import type { ClientAddresses, ClientOptions } from './client-options.ts';
import { CLIENT_STATE_CODES, clientStateName } from './client-state.ts';
import type { ClientState } from './client-state.ts';
import { ConnectAttempt } from './connect-attempt.ts';
import { decodeConnectToken } from './connect-token.ts';
import { CLIENT_MAX_RECEIVE_PACKETS, MAX_PACKET_BYTES, NUM_DISCONNECT_PACKETS, PACKET_SEND_RATE } from './constants.ts';
import { createCounters } from './counters.ts';
import type { MutableCounters, NetcodeCounters } from './counters.ts';
import type { DropReason } from './drop-reason.ts';
import { NetcodeError } from './errors.ts';
import { checkCount, checkTime, checkU64, describe } from './internal/check.ts';
import { Hooks } from './internal/hooks.ts';
import { checkDatagram, checkPayload, checkReceiveBuffer, exactRange, reentrant } from './arguments.ts';
import { StallGuard } from './internal/stall-guard.ts';
import { checkInjected } from './machine-options.ts';
import { PacketBuffers } from './packet-buffers.ts';
import { CHALLENGE_BODY_BYTES, KEEP_ALIVE_BODY_BYTES, NO_BODY, PACKET_TYPE_CODES } from './packet.ts';
import { PayloadPool, PayloadQueue } from './payload-queue.ts';
import type { Received } from './payload-queue.ts';
import { chooseTransport } from './pulled-transport.ts';
import { ReplayWindow } from './replay-window.ts';
import type { Transport } from './transport.ts';

const SEND_INTERVAL_SECONDS = 1 / PACKET_SEND_RATE;
const ZERO_KEEP_ALIVE = new Uint8Array(KEEP_ALIVE_BODY_BYTES);

/**
 * A client: connects with a connect token, then exchanges encrypted datagrams with one server (protocol section 11). Owns no socket, timer or clock:
 * everything happens inside `update`, at the monotonic time given to it.
 */
export class NetcodeClient {
  readonly #addresses: ClientAddresses;
  readonly #transport: Transport;
  readonly #aead: Aead;
  readonly #hooks: Hooks;
  readonly #app: Pick<ClientOptions, 'onStateChange' | 'onPayload' | 'sendLoopbackPacket'>;
  readonly #counters: MutableCounters = createCounters();
  readonly #packets: PacketBuffers;
  readonly #window: ReplayWindow = new ReplayWindow();
  readonly #queue: PayloadQueue = new PayloadQueue(new PayloadPool());
  readonly #challengeBody: Uint8Array = new Uint8Array(CHALLENGE_BODY_BYTES);
  readonly #stallGuard: StallGuard;
  #state: ClientState = 'disconnected';
  #attempt: ConnectAttempt | undefined = undefined;
  #time: number;
  #connectStartTime: number = 0;
  #lastSendTime: number = 0;
  #lastReceiveTime: number = 0;
  #sequence: number = 0;
  #index: number = 0;
  #maxClients: number = 0;
  #isLoopback: boolean = false;
  #isClosed: boolean = false;
  /** The callback that is running, while one is. */
  #callback: 'onStateChange' | 'onPayload' | undefined = undefined;

  /**
   * @param options - exactly one of `transport`, `simulator` and `override` is given.
   * @throws {@link NetcodeError} `PARSE_ADDRESS_FAILED`, `PARSE_ADDRESS2_FAILED`, `SIMULATOR_REQUIRES_PORT`, `MISSING_OVERRIDE_CALLBACK`,
   * `INVALID_OPTION`, `ALLOCATE_CLIENT_FAILED` when the cipher has no memory left.
   */
  constructor(options: ClientOptions) {
    this.#addresses = checkClientOptions(options);
    checkInjected(options);
    const { address } = this.#addresses;
    if (options.simulator !== undefined && (address === undefined || address.port === 0)) {
      throw new NetcodeError('simulatorRequiresPort', 'address: a client in a network simulator needs an address with a port', {
        field: 'address',
      });
    }
    this.#hooks = new Hooks(options.logger, options.onError);
    this.#aead = options.aead ?? nobleAead;
    const { onStateChange, onPayload, sendLoopbackPacket } = options;
    this.#app = { onStateChange, onPayload, sendLoopbackPacket };
    this.#packets = new PacketBuffers(this.#aead, 'client');
    this.#transport = chooseTransport(options, address ?? NO_ADDRESS, CLIENT_MAX_RECEIVE_PACKETS, this.#hooks);
    this.#time = options.time;
    this.#stallGuard = new StallGuard(this.#transport, options.time);
  }

  get state(): ClientState {
    return this.#state;
  }

  /** The slot that the server gave, once connected. */
  get index(): number {
    return this.#index;
  }

  /** How many slots the server has, once connected. */
  get maxClients(): number {
    return this.#maxClients;
  }

  /** The server that is dialled or connected to. */
  get serverAddress(): Address | undefined {
    return this.#attempt?.serverAddress;
  }

  /** The local port of the socket of the first address's family; without a socket the port of the own address. */
  get port(): number {
    const { address } = this.#addresses;
    return this.#transport.boundPort(address?.type === 'ipv6' ? 'ipv6' : 'ipv4') || (address?.port ?? 0);
  }

  /** The sequence that the next packet will get, u64. */
  get nextSequence(): bigint {
    return BigInt(this.#sequence);
  }

  get isLoopback(): boolean {
    return this.#isLoopback;
  }

  /** Ignored datagrams by reason; a live view. */
  get counters(): NetcodeCounters {
    return this.#counters;
  }

  /**
   * Starts connecting, after a disconnect where one is needed. Nothing is sent before the next update. Uses the time of the last update: call
   * `update` first when that is long ago, or the attempt is over before it began. One token is good for one session: fetch a new one for each attempt.
   *
   * @param token - 2048 bytes; copied.
   * @returns `undefined` when started; else the refusal id of protocol section 5.4, with the state `invalidConnectToken`.
   * @throws {@link NetcodeError} `INVALID_OPTION` when `token` is not a `Uint8Array`, `CLOSED`, `REENTRANT` inside `onStateChange`.
   */
  connect(token: Uint8Array): string | undefined {
    this.#checkOpen();
    this.#refuseInsideStateChange('connect');
    if (!(token instanceof Uint8Array)) {
      throw new NetcodeError('invalidOption', `token: expected a Uint8Array, got ${describe(token)}`, { field: 'token' });
    }
    this.disconnect();
    this.#checkOpen();
    const read = decodeConnectToken(token);
    if ('refused' in read) {
      this.#hooks.log.error(`connect token refused: ${read.refused}`);
      this.#setState('invalidConnectToken');
      return read.refused;
    }
    this.#attempt = new ConnectAttempt(read, this.#aead);
    this.#packets.setProtocolId(read.protocolId);
    if (this.#hooks.log.isInfo) this.#hooks.log.info(this.#attempt.description);
    this.#resetBeforeNextConnect();
    this.#setState('sendingConnectionRequest');
    return undefined;
  }

  /**
   * Ends the session or the attempt: ten disconnect packets to the server, then idle. Does nothing when idle.
   *
   * @throws {@link NetcodeError} `CLOSED`, `REENTRANT` inside `onStateChange`.
   */
  disconnect(): void {
    this.#checkOpen();
    this.#refuseInsideStateChange('disconnect');
    if (CLIENT_STATE_CODES[this.#state] <= 0) return;
    const attempt = this.#attempt;
    if (attempt !== undefined) {
      // What a failed send leads to, onError for one, may end the attempt meanwhile.
      for (let i = 0; i < NUM_DISCONNECT_PACKETS && this.#attempt === attempt; i++) {
        this.#sendPacket(attempt, PACKET_TYPE_CODES.disconnect, NO_BODY, 0, 0);
      }
      if (this.#attempt !== attempt) return;
      this.#transport.flush();
    }
    this.#becomeIdle('disconnected');
  }

  /**
   * Receives, sends what is due and judges timeouts, in that order (protocol section 11.4).
   *
   * @param time - monotonic seconds; a time before the last one counts as the last one.
   * @throws {@link NetcodeError} `INVALID_OPTION`, `CLOSED`, `REENTRANT` inside a callback.
   */
  update(time: number): void {
    this.#checkOpen();
    this.#refuseInsideCallback('update');
    checkTime(time, 'time');
    this.#time = Math.max(time, this.#time);
    if (this.#isLoopback) return;
    this.#stallGuard.begin(this.#time);
    this.#transport.poll(this.#handleDatagram);
    if (this.#isClosed) return;
    this.#sendWhatIsDue();
    this.#judge(this.#stallGuard.mayJudge(this.#time));
    this.#transport.flush();
  }

  /**
   * Sends one payload at once; does nothing unless connected.
   *
   * @param bytes - read during the call.
   * @param length - 1 … 1200 bytes from `offset`.
   * @returns false when not connected.
   * @throws {@link NetcodeError} `PAYLOAD_SIZE`, `INVALID_OPTION`, `CLOSED`.
   */
  send(bytes: Uint8Array, offset: number = 0, length?: number): boolean {
    this.#checkOpen();
    const count = checkPayload(bytes, offset, length, this.#hooks.log);
    // Inside onStateChange a session that ends still shows as connected.
    if (this.#state !== 'connected' || this.#callback === 'onStateChange') return false;
    if (this.#isLoopback) {
      const sequence = BigInt(this.#sequence++);
      try {
        this.#app.sendLoopbackPacket?.(this.#index, exactRange(bytes, offset, count), sequence);
      } catch (error) {
        this.#hooks.report(error, 'sendLoopbackPacket');
      }
      return true;
    }
    this.#sendPacket(this.#attempt!, PACKET_TYPE_CODES.payload, bytes, offset, count);
    return true;
  }

  /** Takes the oldest payload that waits, in order of arrival; a copy of the caller's own. */
  receive(): Received | undefined {
    return this.#queue.pop();
  }

  /**
   * Copies the oldest payload that waits to the start of `out`; allocates nothing.
   *
   * @returns bytes copied, 0 when none waits.
   * @throws {@link NetcodeError} `BUFFER_TOO_SMALL`, consuming nothing; `INVALID_OPTION`.
   */
  receiveInto(out: Uint8Array): number {
    checkReceiveBuffer(out, this.#queue.firstLength);
    return this.#queue.popInto(out);
  }

  /**
   * Handles one datagram as if it had been received, at the time of the last update.
   *
   * @param bytes - borrowed, not modified.
   * @throws {@link NetcodeError} `INVALID_OPTION` for an argument of the wrong type, `CLOSED`, `REENTRANT` inside a callback.
   */
  processPacket(from: Address, bytes: Uint8Array): void {
    this.#checkOpen();
    this.#refuseInsideCallback('processPacket');
    this.#handleDatagram(checkDatagram(from, bytes), bytes, 0, bytes.length);
  }

  /**
   * Becomes connected to a server in the same process, without packets or encryption (protocol section 15); only when idle. `onStateChange` is not
   * called.
   *
   * @throws {@link NetcodeError} `INVALID_OPTION`, `CLOSED`, `REENTRANT` inside `onStateChange`.
   */
  connectLoopback(index: number, maxClients: number): void {
    this.#checkOpen();
    this.#refuseInsideStateChange('connectLoopback');
    checkCount(index, 'index');
    checkCount(maxClients, 'maxClients');
    if (CLIENT_STATE_CODES[this.#state] > 0) return;
    this.#hooks.log.info(`client connected to server via loopback as client ${index}`);
    this.#state = 'connected';
    this.#isLoopback = true;
    this.#index = index;
    this.#maxClients = maxClients;
  }

  /**
   * Ends a loopback session; does nothing in any other.
   *
   * @throws {@link NetcodeError} `CLOSED`, `REENTRANT` inside `onStateChange`.
   */
  disconnectLoopback(): void {
    this.#checkOpen();
    this.#refuseInsideStateChange('disconnectLoopback');
    if (this.#isLoopback) this.#becomeIdle('disconnected');
  }

  /**
   * Takes a payload from the server in the same process; does nothing unless in loopback. Copied.
   *
   * @param sequence - u64.
   * @throws {@link NetcodeError} `PAYLOAD_SIZE`, `INVALID_OPTION`, `CLOSED`.
   */
  processLoopbackPacket(bytes: Uint8Array, sequence: bigint): void {
    this.#checkOpen();
    checkPayload(bytes, 0, undefined, this.#hooks.log);
    checkU64(sequence, 'sequence', 'invalidOption');
    if (!this.#isLoopback) return;
    if (this.#app.onPayload !== undefined) this.#callOnPayload(bytes, bytes.length);
    else if (!this.#queue.push(bytes, Number(BigInt.asUintN(32, sequence >> 32n)), Number(BigInt.asUintN(32, sequence))))
      this.#drop('queue-full');
  }

  /**
   * Disconnects, closes the transport and wipes the keys. Idempotent; afterwards properties answer, nothing is left to receive and actions throw `CLOSED`.
   *
   * @throws {@link NetcodeError} `REENTRANT` inside `onStateChange`.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#refuseInsideStateChange('close');
    this.disconnect();
    if (this.#hasClosed()) return;
    this.#isClosed = true;
    this.#transport.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #hasClosed(): boolean {
    return this.#isClosed;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new NetcodeError('closed', 'client: closed');
    if (this.#hooks.log.isWriting) throw reentrant('client', 'the logger');
  }

  #refuseInsideStateChange(method: string): void {
    if (this.#callback === 'onStateChange') throw reentrant(method, 'onStateChange');
  }

  #refuseInsideCallback(method: string): void {
    if (this.#callback !== undefined) throw reentrant(method, this.#callback);
  }

  #drop(reason: DropReason): void {
    this.#counters[reason]++;
    if (this.#hooks.log.isDebug) this.#hooks.log.debug(`client ignored a datagram: ${reason}`);
  }

  #setState(next: ClientState): void {
    const { log } = this.#hooks;
    if (log.isDebug) log.debug(`client changed state from '${clientStateName(this.#state)}' to '${clientStateName(next)}'`);
    if (this.#app.onStateChange !== undefined) {
      const outer = this.#callback;
      this.#callback = 'onStateChange';
      try {
        this.#app.onStateChange(this.#state, next);
      } catch (error) {
        this.#hooks.report(error, 'onStateChange');
      } finally {
        this.#callback = outer;
      }
    }
    this.#state = next;
  }

  /** `resetConnectionData` of protocol section 11.2. */
  #becomeIdle(next: ClientState): void {
    if (this.#hooks.log.isInfo) this.#hooks.log.info(`client ${clientStateName(next)}`);
    this.#sequence = 0;
    this.#isLoopback = false;
    this.#index = 0;
    this.#maxClients = 0;
    this.#attempt?.wipe(this.#aead);
    this.#attempt = undefined;
    this.#setState(next);
    this.#resetBeforeNextConnect();
    this.#queue.clear();
  }

  #resetBeforeNextConnect(): void {
    this.#connectStartTime = this.#time;
    this.#lastSendTime = this.#time - 1;
    this.#lastReceiveTime = this.#time;
    if (this.#attempt !== undefined) this.#attempt.endState = undefined;
    this.#challengeBody.fill(0);
    this.#window.reset();
  }

  /** Moves to the next server of the token, or ends in `otherwise`. */
  #nextServerOr(otherwise: ClientState, attempt: ConnectAttempt): void {
    if (!attempt.hasNextServer) {
      this.#becomeIdle(otherwise);
      return;
    }
    attempt.serverIndex++;
    if (this.#hooks.log.isInfo) this.#hooks.log.info(attempt.description);
    this.#resetBeforeNextConnect();
    this.#setState('sendingConnectionRequest');
  }

  readonly #handleDatagram = (from: Address, bytes: Uint8Array, offset: number, length: number): void => {
    if (this.#isClosed) return;
    const attempt = this.#attempt;
    const refusal = this.#open(attempt, bytes, offset, length);
    if (refusal !== undefined) this.#drop(refusal);
    else if (!addressEquals(from, attempt!.serverAddress)) this.#drop('other-sender');
    else this.#handlePacket(attempt!);
  };

  #open(attempt: ConnectAttempt | undefined, bytes: Uint8Array, offset: number, length: number): DropReason | undefined {
    if (length > MAX_PACKET_BYTES) return 'too-long';
    if (length < 1) return 'empty';
    if (bytes[offset] === 0) return 'request-not-allowed';
    return this.#packets.reader.open(bytes, offset, length, attempt?.readKey, this.#window);
  }

  #handlePacket(attempt: ConnectAttempt): void {
    const { type, body, bodyLength } = this.#packets.reader;
    const state = this.#state;
    if (type === PACKET_TYPE_CODES.payload && state === 'connected') {
      this.#lastReceiveTime = this.#time;
      if (this.#app.onPayload !== undefined) this.#callOnPayload(body, bodyLength);
      else if (!this.#queue.push(this.#packets.bodies.of(bodyLength), this.#packets.reader.sequenceHi, this.#packets.reader.sequenceLo))
        this.#drop('queue-full');
    } else if (type === PACKET_TYPE_CODES.keepAlive && state === 'connected') {
      this.#lastReceiveTime = this.#time;
    } else if (type === PACKET_TYPE_CODES.keepAlive && state === 'sendingConnectionResponse') {
      this.#lastReceiveTime = this.#time;
      const view = new DataView(body.buffer, body.byteOffset, KEEP_ALIVE_BODY_BYTES);
      this.#index = view.getInt32(0, true);
      this.#maxClients = view.getInt32(4, true);
      if (this.#hooks.log.isInfo)
        this.#hooks.log.info(`client connected to server ${formatAddress(attempt.serverAddress)} as client ${this.#index}`);
      this.#setState('connected');
    } else if (type === PACKET_TYPE_CODES.challenge && state === 'sendingConnectionRequest') {
      this.#challengeBody.set(this.#packets.bodies.of(CHALLENGE_BODY_BYTES));
      this.#lastReceiveTime = this.#time;
      this.#setState('sendingConnectionResponse');
    } else if (type === PACKET_TYPE_CODES.denied && (state === 'sendingConnectionRequest' || state === 'sendingConnectionResponse')) {
      attempt.endState = 'connectionDenied';
      this.#lastReceiveTime = this.#time;
    } else if (type === PACKET_TYPE_CODES.disconnect && state === 'connected') {
      attempt.endState = 'disconnected';
      this.#lastReceiveTime = this.#time;
    } else {
      this.#drop('unexpected');
    }
  }

  #callOnPayload(bytes: Uint8Array, length: number): void {
    const outer = this.#callback;
    this.#callback = 'onPayload';
    try {
      this.#app.onPayload!(bytes, 0, length);
    } catch (error) {
      this.#hooks.report(error, 'onPayload');
    } finally {
      this.#callback = outer;
    }
  }

  #sendWhatIsDue(): void {
    const attempt = this.#attempt;
    if (attempt === undefined || this.#lastSendTime + SEND_INTERVAL_SECONDS >= this.#time) return;
    if (this.#state === 'connected') {
      this.#sendPacket(attempt, PACKET_TYPE_CODES.keepAlive, ZERO_KEEP_ALIVE, 0, KEEP_ALIVE_BODY_BYTES);
      return;
    }
    const isRequest = this.#state === 'sendingConnectionRequest';
    const { log } = this.#hooks;
    if (log.isDebug) log.debug(`client sent a ${isRequest ? 'request' : 'response'} to ${formatAddress(attempt.serverAddress)}`);
    if (isRequest) this.#transmit(attempt, attempt.request, attempt.request.length);
    else this.#sendPacket(attempt, PACKET_TYPE_CODES.response, this.#challengeBody, 0, CHALLENGE_BODY_BYTES);
  }

  #judge(mayJudgeSilence: boolean): void {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    const isConnecting = this.#state !== 'connected';
    if (isConnecting && this.#time - this.#connectStartTime >= attempt.budgetSeconds) {
      this.#becomeIdle('connectTokenExpired');
    } else if (attempt.endState !== undefined) {
      this.#nextServerOr(attempt.endState, attempt);
    } else if (mayJudgeSilence && attempt.token.timeoutSeconds > 0 && this.#lastReceiveTime + attempt.token.timeoutSeconds < this.#time) {
      if (this.#state === 'sendingConnectionRequest') this.#nextServerOr('connectionRequestTimedOut', attempt);
      else if (this.#state === 'sendingConnectionResponse') this.#nextServerOr('connectionResponseTimedOut', attempt);
      else this.#becomeIdle('connectionTimedOut');
    }
  }

  #sendPacket(attempt: ConnectAttempt, type: number, body: Uint8Array, offset: number, length: number): void {
    const sequence = this.#sequence;
    const packetLength = this.#packets.writer.seal(
      attempt.writeKey,
      type,
      Math.floor(sequence / 0x1_0000_0000),
      sequence >>> 0,
      body,
      offset,
      length,
    );
    this.#transmit(attempt, this.#packets.writer.bytes, packetLength);
  }

  /** Sends a finished packet. Every packet uses one sequence number, the request included. */
  #transmit(attempt: ConnectAttempt, packet: Uint8Array, length: number): void {
    this.#sequence++;
    this.#lastSendTime = this.#time;
    this.#transport.send(attempt.serverAddress, packet, 0, length);
  }
}
