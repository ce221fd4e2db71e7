/// <reference lib="esnext.disposable" preserve="true" />
import { formatAddress, NO_ADDRESS } from './address.ts';
import type { Address } from './address.ts';
import { nobleAead } from './aead.ts';
import type { Aead } from './aead.ts';
import type { SlotDisconnectReason } from './client-state.ts';
import { DEFAULT_MAX_CONNECT_TOKEN_LIFETIME, MAX_PACKET_BYTES, SERVER_MAX_RECEIVE_PACKETS, USER_DATA_BYTES } from './constants.ts';
import { createCounters } from './counters.ts';
import type { MutableCounters, NetcodeCounters } from './counters.ts';
import type { DropReason } from './drop-reason.ts';
import { NetcodeError } from './errors.ts';
import { Handshake } from './handshake.ts';
import { checkTime, checkU64, checkUserData } from './internal/check.ts';
import { wallClockSeconds } from './internal/globals.ts';
import { Hooks } from './internal/hooks.ts';
import { checkDatagram, checkPayload, checkReceiveBuffer, exactRange, reentrant } from './arguments.ts';
import { StallGuard } from './internal/stall-guard.ts';
import { checkInjected, readUnixSeconds } from './machine-options.ts';
import { PacketBuffers } from './packet-buffers.ts';
import { PACKET_TYPE_CODES } from './packet.ts';
import type { Received } from './payload-queue.ts';
import { chooseTransport } from './pulled-transport.ts';
import { randomBytes } from './random.ts';
import { boundIdentity, checkMaxClients, checkServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';
import { Sessions } from './sessions.ts';
import type { Slot } from './slot.ts';
import type { Transport } from './transport.ts';

const NO_USER_DATA = new Uint8Array(USER_DATA_BYTES);

/** What a conformance test sees of a server besides its public members. */
export interface ServerInspection {
  readonly challengeSequence: bigint;
  readonly globalSequence: bigint;
  /** By slot: whether the client has shown that it knows it is connected. */
  readonly confirmed: readonly boolean[];
}

let inspect: (server: NetcodeServer) => ServerInspection;

/**
 * A server: admits clients whose connect token opens, then exchanges encrypted datagrams with each of up to 256 (protocol sections 12 to 15). Owns no
 * socket, timer or clock: everything happens inside `update`, at the monotonic time given to it.
 *
 * Accessors given a slot that is out of range or empty, or asked while stopped, answer neutrally; actions do nothing then.
 */
export class NetcodeServer {
  readonly #address: Address;
  readonly #address2: Address | undefined;
  readonly #transport: Transport;
  readonly #aead: Aead;
  readonly #hooks: Hooks;
  readonly #lifetimeSeconds: bigint;
  readonly #unixSeconds: () => bigint;
  readonly #onPayload: ServerOptions['onPayload'];
  readonly #sendLoopbackPacket: ServerOptions['sendLoopbackPacket'];
  readonly #counters: MutableCounters = createCounters();
  readonly #packets: PacketBuffers;
  readonly #handshake: Handshake;
  readonly #sessions: Sessions;
  readonly #stallGuard: StallGuard;
  #isRunning: boolean = false;
  /** Counts the runs that have ended. */
  #run: number = 0;
  #isClosed: boolean = false;
  #time: number;
  /** The payload callback is running: its bytes would not survive another datagram. */
  #isInsidePayload: boolean = false;

  static {
    inspect = (server) => ({
      challengeSequence: BigInt(server.#handshake.challengeSequence),
      globalSequence: server.#handshake.globalSequence,
      confirmed: server.#sessions.slots.map((slot) => slot.isConfirmed),
    });
  }

  /**
   * @param options - exactly one of `transport`, `simulator` and `override` is given.
   * @throws {@link NetcodeError} `PARSE_ADDRESS_FAILED`, `PARSE_ADDRESS2_FAILED`, `WILDCARD_ADDRESS`, `INVALID_ID`, `INVALID_KEY`,
   * `MISSING_OVERRIDE_CALLBACK`, `INVALID_OPTION`, `ALLOCATE_SERVER_FAILED` when the cipher has no memory left.
   */
  constructor(options: ServerOptions) {
    const { address, address2 } = checkServerOptions(options);
    checkInjected(options);
    this.#hooks = new Hooks(options.logger, options.onError);
    this.#aead = options.aead ?? nobleAead;
    this.#lifetimeSeconds = BigInt(options.maxConnectTokenLifetimeSeconds ?? DEFAULT_MAX_CONNECT_TOKEN_LIFETIME);
    this.#unixSeconds = options.unixSeconds ?? wallClockSeconds;
    this.#onPayload = options.onPayload;
    this.#sendLoopbackPacket = options.sendLoopbackPacket;
    this.#transport = chooseTransport(options, address, SERVER_MAX_RECEIVE_PACKETS, this.#hooks);
    this.#address = boundIdentity(address, this.#transport);
    this.#address2 = address2 === undefined ? undefined : boundIdentity(address2, this.#transport);
    this.#packets = new PacketBuffers(this.#aead, 'server');
    try {
      this.#handshake = new Handshake({
        aead: this.#aead,
        writer: this.#packets.writer,
        transport: this.#transport,
        counters: this.#counters,
        log: this.#hooks.log,
        randomBytes: options.randomBytes ?? randomBytes,
        protocolId: options.protocolId,
        privateKey: options.privateKey,
        previousPrivateKey: options.previousPrivateKey,
        addresses: [this.#address, this.#address2],
        lifetimeSeconds: this.#lifetimeSeconds,
        isAddressConnected: (from) => this.#sessions.ofAddress(from) !== undefined,
        isIdConnected: (id) => this.#sessions.hasId(id),
        isFull: () => this.#sessions.isFull,
      });
    } catch (cause) {
      throw new NetcodeError('allocateServerFailed', 'aead: cannot be set up, see the cause', { field: 'aead', cause });
    }
    this.#sessions = new Sessions({
      handshake: this.#handshake,
      writer: this.#packets.writer,
      transport: this.#transport,
      hooks: this.#hooks,
      onConnectDisconnect: options.onConnectDisconnect,
    });
    this.#packets.setProtocolId(options.protocolId);
    this.#time = options.time;
    this.#stallGuard = new StallGuard(this.#transport, options.time);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The number of slots; 0 while stopped. */
  get maxClients(): number {
    return this.#sessions.slots.length;
  }

  get connectedCount(): number {
    return this.#sessions.connectedCount;
  }

  /** The identity: what clients dial and tokens list. */
  get address(): Address {
    return this.#address;
  }

  get address2(): Address | undefined {
    return this.#address2;
  }

  /** The local port of the socket of the first address's family; without a socket the port of the identity. */
  get port(): number {
    return this.#transport.boundPort(this.#address.type === 'ipv6' ? 'ipv6' : 'ipv4') || this.#address.port;
  }

  /** Ignored datagrams by reason, and denials; a live view. */
  get counters(): NetcodeCounters {
    return this.#counters;
  }

  /**
   * Starts a run with empty tables and a new challenge key; a server that runs is stopped first. From now on tokens that could have been used in an
   * earlier run are refused (protocol section 12.1).
   *
   * @param maxClients - slots, 1 … 256.
   * @throws {@link NetcodeError} `MAX_CLIENTS`, `INVALID_OPTION` when the injected clock or random source gives something else than it must, `CLOSED`.
   */
  start(maxClients: number): void {
    this.#checkOpen();
    checkMaxClients(maxClients);
    const unixSeconds = readUnixSeconds(this.#unixSeconds);
    const challengeKey = this.#handshake.drawChallengeKey();
    this.stop();
    this.#checkOpen();
    this.#handshake.start(challengeKey, unixSeconds);
    this.#sessions.start(maxClients);
    this.#isRunning = true;
    if (this.#hooks.log.isInfo) this.#hooks.log.info(`server started as ${formatAddress(this.#address)} with ${maxClients} slots`);
  }

  /** Disconnects everybody and forgets this run. Does nothing when stopped. */
  stop(): void {
    this.#checkOpen();
    // Again when a disconnect callback has started another run.
    while (this.#isRunning) this.#endRun();
  }

  /**
   * Receives, sends keep-alives and judges timeouts, in that order. A stopped server still drains its transport.
   *
   * @param time - monotonic seconds; a time before the last one counts as the last one.
   * @throws {@link NetcodeError} `INVALID_OPTION`, `CLOSED`, `REENTRANT` inside `onPayload`.
   */
  update(time: number): void {
    this.#checkOpen();
    this.#refuseInsidePayload('update');
    checkTime(time, 'time');
    this.#time = Math.max(time, this.#time);
    this.#readWallClock();
    this.#stallGuard.begin(this.#time);
    this.#transport.poll(this.#handleDatagram);
    if (this.#isClosed) return;
    this.#sessions.sendKeepAlives(this.#time);
    if (this.#stallGuard.mayJudge(this.#time)) this.#sessions.judgeTimeouts(this.#time);
    this.#transport.flush();
  }

  isConnected(slot: number): boolean {
    return this.#sessions.at(slot) !== undefined;
  }

  isLoopback(slot: number): boolean {
    return this.#sessions.at(slot)?.isLoopback ?? false;
  }

  /** The id in the client's token, u64; `0n` when there is no client. */
  clientId(slot: number): bigint {
    return this.#sessions.at(slot)?.clientId ?? 0n;
  }

  /** Where the client sends from; `undefined` for loopback clients and when there is no client. */
  clientAddress(slot: number): Address | undefined {
    const address = this.#sessions.at(slot)?.address;
    return address === undefined || address.type === 'none' ? undefined : address;
  }

  /** A copy of the 256 bytes of user data in the client's token. */
  userData(slot: number): Uint8Array | undefined {
    return this.#sessions.at(slot)?.userData.slice();
  }

  /** Why the last client of the slot is gone; `none` while one is connected, and until the first one is gone. */
  disconnectReason(slot: number): SlotDisconnectReason {
    return this.#sessions.slot(slot)?.reason ?? 'none';
  }

  /** The sequence that the next packet to the client will get, u64; `0n` when there is no client. */
  nextSequence(slot: number): bigint {
    return BigInt(this.#sessions.at(slot)?.sequence ?? 0);
  }

  /**
   * Sends one payload at once.
   *
   * @param bytes - read during the call.
   * @param length - 1 … 1200 bytes from `offset`.
   * @returns false when nobody is there.
   * @throws {@link NetcodeError} `PAYLOAD_SIZE`, `INVALID_OPTION`, `CLOSED`.
   */
  send(slot: number, bytes: Uint8Array, offset: number = 0, length?: number): boolean {
    this.#checkOpen();
    const count = checkPayload(bytes, offset, length, this.#hooks.log);
    const client = this.#sessions.at(slot);
    if (client === undefined) return false;
    if (client.isLoopback) {
      const sequence = BigInt(client.sequence++);
      try {
        this.#sendLoopbackPacket?.(slot, exactRange(bytes, offset, count), sequence);
      } catch (error) {
        this.#hooks.report(error, 'sendLoopbackPacket');
      }
      return true;
    }
    if (!client.isConfirmed) this.#sessions.sendKeepAlive(client, this.#time);
    return this.#sessions.sendPacket(client, PACKET_TYPE_CODES.payload, bytes, offset, count, this.#time);
  }

  /** Takes the oldest payload of a client that waits, in order of arrival; a copy of the caller's own. */
  receive(slot: number): Received | undefined {
    return this.#sessions.at(slot)?.queue.pop();
  }

  /**
   * Copies the oldest payload of a client that waits to the start of `out`; allocates nothing.
   *
   * @returns bytes copied, 0 when none waits.
   * @throws {@link NetcodeError} `BUFFER_TOO_SMALL`, consuming nothing; `INVALID_OPTION`.
   */
  receiveInto(slot: number, out: Uint8Array): number {
    const queue = this.#sessions.at(slot)?.queue;
    checkReceiveBuffer(out, queue?.firstLength ?? 0);
    return queue?.popInto(out) ?? 0;
  }

  /**
   * Disconnects a client over the network: ten disconnect packets, then its slot is free. Leaves loopback clients alone.
   *
   * @throws {@link NetcodeError} `CLOSED`.
   */
  disconnectClient(slot: number): void {
    this.#checkOpen();
    const client = this.#sessions.at(slot);
    if (client === undefined || client.isLoopback) return;
    this.#sessions.disconnect(client, 'serverDisconnect', true, this.#time);
    this.#transport.flush();
  }

  /**
   * Disconnects every client but loopback ones.
   *
   * @throws {@link NetcodeError} `CLOSED`.
   */
  disconnectAllClients(): void {
    this.#checkOpen();
    this.#sessions.disconnectAll(false, this.#time);
    this.#transport.flush();
  }

  /**
   * Handles one datagram as if it had been received, at the time of the last update.
   *
   * @param bytes - borrowed, not modified.
   * @throws {@link NetcodeError} `INVALID_OPTION` for an argument of the wrong type, `CLOSED`, `REENTRANT` inside `onPayload`.
   */
  processPacket(from: Address, bytes: Uint8Array): void {
    this.#checkOpen();
    this.#refuseInsidePayload('processPacket');
    const sender = checkDatagram(from, bytes);
    this.#readWallClock();
    this.#handleDatagram(sender, bytes, 0, bytes.length);
  }

  /**
   * Puts a client of the same process into a free slot, without packets or encryption (protocol section 15).
   *
   * @param clientId - u64; keeps network clients with the same id out.
   * @param userData - 0 … 256 bytes, copied; zeros by default.
   * @throws {@link NetcodeError} `INVALID_ID`, `INVALID_USER_DATA`, `CLOSED`.
   */
  connectLoopbackClient(slot: number, clientId: bigint, userData: Uint8Array = NO_USER_DATA): void {
    this.#checkOpen();
    checkU64(clientId, 'clientId', 'invalidId');
    checkUserData(userData, USER_DATA_BYTES);
    const free = this.#sessions.slot(slot);
    if (free === undefined || free.isConnected) return;
    this.#sessions.admitLoopback(free, { clientId, userData }, NO_ADDRESS, this.#time);
  }

  /**
   * Takes a loopback client out of its slot; leaves others alone.
   *
   * @throws {@link NetcodeError} `CLOSED`.
   */
  disconnectLoopbackClient(slot: number): void {
    this.#checkOpen();
    const client = this.#sessions.at(slot);
    if (client?.isLoopback === true) this.#sessions.disconnect(client, 'serverDisconnect', false, this.#time);
  }

  /**
   * Takes a payload from a loopback client; does nothing for others. Copied.
   *
   * @param sequence - u64.
   * @throws {@link NetcodeError} `PAYLOAD_SIZE`, `INVALID_OPTION`, `CLOSED`.
   */
  processLoopbackPacket(slot: number, bytes: Uint8Array, sequence: bigint): void {
    this.#checkOpen();
    checkPayload(bytes, 0, undefined, this.#hooks.log);
    checkU64(sequence, 'sequence', 'invalidOption');
    const client = this.#sessions.at(slot);
    if (client?.isLoopback !== true) return;
    client.lastReceiveTime = this.#time;
    this.#deliver(client, bytes, bytes, Number(BigInt.asUintN(32, sequence >> 32n)), Number(BigInt.asUintN(32, sequence)));
  }

  /** Stops, closes the transport and wipes the keys. Idempotent; afterwards accessors answer neutrally and actions throw `CLOSED`. */
  close(): void {
    if (this.#isClosed) return;
    this.#checkOpen();
    this.stop();
    // A disconnect callback may have closed it meanwhile.
    if (this.#hasClosed()) return;
    this.#isClosed = true;
    this.#handshake.close();
    this.#transport.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #hasClosed(): boolean {
    return this.#isClosed;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new NetcodeError('closed', 'server: closed');
    if (this.#hooks.log.isWriting) throw reentrant('server', 'the logger');
  }

  #refuseInsidePayload(method: string): void {
    if (this.#isInsidePayload) throw reentrant(method, 'onPayload');
  }

  #endRun(): void {
    const run = this.#run;
    this.#sessions.disconnectAll(false, this.#time);
    this.#sessions.disconnectAll(true, this.#time);
    // A disconnect callback may have ended this run itself.
    if (run !== this.#run) return;
    this.#run++;
    this.#transport.flush();
    this.#isRunning = false;
    this.#sessions.stop(this.#time);
    this.#handshake.stop();
    this.#hooks.log.info('server stopped');
  }

  /** Read once per update and per call of `processPacket`; a clock that throws leaves the last value. */
  #readWallClock(): void {
    try {
      this.#handshake.setNow(readUnixSeconds(this.#unixSeconds));
    } catch (error) {
      this.#hooks.report(error, 'unixSeconds');
    }
  }

  #drop(reason: DropReason, from: Address): void {
    this.#counters[reason]++;
    if (this.#hooks.log.isDebug) this.#hooks.log.debug(`server ignored a datagram from ${formatAddress(from)}: ${reason}`);
  }

  readonly #handleDatagram = (from: Address, bytes: Uint8Array, offset: number, length: number): void => {
    if (this.#isClosed) return;
    if (!this.#isRunning) this.#drop('not-running', from);
    else if (length > MAX_PACKET_BYTES) this.#drop('too-long', from);
    else if (length <= 1) this.#drop('tiny', from);
    else if (bytes[offset] === 0) this.#handleRequest(from, bytes, offset, length);
    else this.#handlePacket(from, bytes, offset, length);
  };

  #handleRequest(from: Address, bytes: Uint8Array, offset: number, length: number): void {
    if (this.#sessions.ofAddress(from) === undefined) this.#handshake.touch(from, this.#time);
    const refusal = this.#handshake.handleRequest(from, bytes, offset, length, this.#time);
    if (refusal === undefined) return;
    this.#drop(refusal, from);
    this.#handshake.advise(refusal);
  }

  #handlePacket(from: Address, bytes: Uint8Array, offset: number, length: number): void {
    const client = this.#sessions.ofAddress(from);
    const mappingIndex = client?.mappingIndex ?? this.#handshake.touch(from, this.#time);
    const key = this.#handshake.mapping(mappingIndex)?.receiveKey;
    const refusal = this.#packets.reader.open(bytes, offset, length, key, client?.window) ?? this.#handleOpened(from, client, mappingIndex);
    if (refusal !== undefined) this.#drop(refusal, from);
  }

  #handleOpened(from: Address, client: Slot | undefined, mappingIndex: number): DropReason | undefined {
    const { type, body, bodyLength } = this.#packets.reader;
    if (type === PACKET_TYPE_CODES.response) return this.#handleResponse(from, mappingIndex);
    if (client === undefined) return 'unexpected';
    if (type === PACKET_TYPE_CODES.disconnect) {
      this.#sessions.disconnect(client, 'clientDisconnect', false, this.#time);
      return undefined;
    }
    client.lastReceiveTime = this.#time;
    client.isConfirmed = true;
    if (type === PACKET_TYPE_CODES.payload) {
      this.#deliver(client, body, this.#packets.bodies.of(bodyLength), this.#packets.reader.sequenceHi, this.#packets.reader.sequenceLo);
    }
    return undefined;
  }

  #handleResponse(from: Address, mappingIndex: number): DropReason | undefined {
    const answer = this.#handshake.handleResponse(from, this.#packets.reader.body, mappingIndex, this.#time);
    if (typeof answer === 'string') return answer;
    if (answer !== undefined) this.#sessions.admit(answer, from, mappingIndex, this.#time);
    return undefined;
  }

  /** Hands a payload over, or queues it. `payload` is the array of its exact length. */
  #deliver(client: Slot, bytes: Uint8Array, payload: Uint8Array, sequenceHi: number, sequenceLo: number): void {
    if (this.#onPayload === undefined) {
      if (!client.queue.push(payload, sequenceHi, sequenceLo)) this.#drop('queue-full', client.address);
      return;
    }
    const outer = this.#isInsidePayload;
    this.#isInsidePayload = true;
    try {
      this.#onPayload(client.index, bytes, 0, payload.length);
    } catch (error) {
      this.#hooks.report(error, 'onPayload');
    } finally {
      this.#isInsidePayload = outer;
    }
  }
}

/** Shows the counters that transcripts compare. */
export function inspectServer(server: NetcodeServer): ServerInspection {
  return inspect(server);
}
