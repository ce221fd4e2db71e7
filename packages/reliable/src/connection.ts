import type { SendChannel } from './channel/channel.ts';
import { Delivery } from './channel/delivery.ts';
import { ReliableReceiver } from './channel/reliable-receiver.ts';
import { ReliableSender } from './channel/reliable-sender.ts';
import { UnreliableQueue } from './channel/unreliable-queue.ts';
import { CREATED, LAST_SEND, NOW, newClock } from './connection-clock.ts';
import type { ConnectionShared } from './connection-shared.ts';
import { ReliableEndpoint } from './endpoint.ts';
import type { EndpointCounters } from './endpoint-report.ts';
import { ReliableError } from './errors.ts';
import type { ConnectionEvent, ConnectionState, Failure } from './failure.ts';
import type { Inbox } from './inbox.ts';
import { checkByteRange, checkTime } from './internal/check.ts';
import { PayloadPool } from './internal/payload-pool.ts';
import type { MalformedKind } from './malformed.ts';
import { endpointBytes, memoryView } from './memory.ts';
import type { MemoryUsage } from './memory.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import { Packer } from './packer.ts';
import type { PacketWriter } from './packet-writer.ts';
import type { PeerId } from './peer-id.ts';
import { SentPackets } from './sent-packets.ts';
import { connectionStats, newCounters } from './stats.ts';
import type { ConnectionStats, Counters, MutableCounters } from './stats.ts';
import { maxFragmentsOf } from './transport-config.ts';
import type { Transmit } from './transmit.ts';
import { ACK_EVERY, WIRE_VERSION } from './wire-constants.ts';

/** Acks are drained after each datagram, which brings 32 at most. */
const ACK_BUFFER_SIZE = 64;
/** Rough size of the objects of a connection, bytes. */
const OBJECT_BYTES = 4096;

const ESTABLISHED: ConnectionEvent = Object.freeze({ type: 'established' });
const MALFORMED_DATA: Failure = Object.freeze({ type: 'malformedData' });
const HANDSHAKE_TIMEOUT: Failure = Object.freeze({ type: 'handshakeTimeout' });
const TRANSPORT_ERROR: Failure = Object.freeze({ type: 'transportError' });

/** What a channel is refused with by {@link Connection.trySend}. */
export type SendRefusal = 'unknownEvent' | 'payloadTooLarge' | 'queueFull';

/**
 * One end of one peer relationship: acknowledgements and fragments, channels, packing, and the handshake that proves both ends to have the same
 * catalogue. It never touches a socket: its owner hands datagrams in and takes them from `transmit`.
 *
 * Datagrams never throw and never make it hold more than `maxPendingBytes + 2 * maxParkedBytes` of payload. A frame is `update`, then `receive` for
 * each datagram, then `writePackets`. Once warm, none of these makes garbage. Source: event layer sections 5 to 8.
 */
export class Connection {
  readonly peer: PeerId;
  /** A live view. */
  readonly counters: Counters;
  /** A live view. */
  readonly stats: ConnectionStats;
  /** A live view of the endpoint's own counters. */
  readonly endpointCounters: EndpointCounters;
  /** A live view. */
  readonly memoryUsage: MemoryUsage;
  readonly #shared: ConnectionShared;
  readonly #endpoint: ReliableEndpoint;
  readonly #counters: MutableCounters;
  readonly #delivery: Delivery;
  /** By channel. */
  readonly #channels: SendChannel[] = [];
  readonly #senders: (ReliableSender | undefined)[] = [];
  readonly #receivers: (ReliableReceiver | undefined)[] = [];
  readonly #pools: PayloadPool[] = [];
  readonly #sent: SentPackets;
  readonly #packer: Packer;
  readonly #acknowledge: (sequence: number) => void;
  readonly #clock: Float64Array;
  #state: ConnectionState = 'handshaking';
  #failure: Failure | undefined = undefined;
  #isEstablishedUntold: boolean = false;
  #isFailureUntold: boolean = false;
  #isHelloAcked: boolean = false;
  #isAckPending: boolean = false;
  #receivedSinceSend: number = 0;
  #lastMalformed: MalformedKind | undefined = undefined;
  /** Set while a call is in progress that may transmit. */
  #transmit: Transmit | undefined = undefined;

  /**
   * @param shared - the same object for all connections of a host.
   * @param peer - names this connection's account in the inbox.
   * @param time - now, seconds on the owner's monotonic clock.
   * @throws {@link ReliableError} `INVALID_OPTION` for a time that is not a finite number of 0 or more.
   */
  constructor(shared: ConnectionShared, peer: PeerId, time: number) {
    checkTime(time, 'time');
    const { config, catalogue, layout } = shared;
    this.peer = peer;
    this.#shared = shared;
    this.#clock = newClock(time);
    this.#counters = newCounters();
    this.counters = this.#counters;
    this.#delivery = new Delivery(peer, this.#counters, config);
    for (const [id, { delivery, capacity, resendInterval, overflow }] of catalogue.channels.entries()) {
      const pool = new PayloadPool(capacity, config.maxPooledBytes);
      const isReliable = delivery === 'reliableOrdered';
      const sender = isReliable ? new ReliableSender(capacity, resendInterval, pool, this.#clock, this.#counters) : undefined;
      this.#pools.push(pool);
      this.#senders.push(sender);
      this.#receivers.push(isReliable ? new ReliableReceiver(id, capacity, pool, this.#delivery) : undefined);
      this.#channels.push(sender ?? new UnreliableQueue(capacity, overflow, pool, this.#counters));
    }
    this.#acknowledge = (sequence) => {
      if (this.#sent.acknowledge(sequence, this.#senders)) this.#isHelloAcked = true;
    };
    this.#endpoint = new ReliableEndpoint(
      { ...config, name: peer.toString(), maxFragments: maxFragmentsOf(config), ackBufferSize: ACK_BUFFER_SIZE },
      {
        transmit: (bytes, offset, length) => {
          this.#sendDatagram(bytes, offset, length);
        },
        process: (bytes, offset, length) => this.#process(bytes, offset, length),
      },
      time,
    );
    this.#sent = new SentPackets(config.sentPacketsBufferSize, this.#clock, this.#endpoint.stats);
    this.#packer = new Packer(layout, config, catalogue.channels, this.#channels, this.#sent);
    this.endpointCounters = this.#endpoint.counters;
    this.stats = connectionStats(this.#endpoint.stats);
    this.memoryUsage = memoryView({
      connection: () => OBJECT_BYTES + this.#sent.memoryBytes,
      reliable: () => endpointBytes(config),
      send: () => this.#channels.reduce((sum, channel, id) => sum + channel.memoryBytes + this.#pools[id]!.bytes, 0),
      receive: () => this.#delivery.parkedBytes,
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Why the connection failed; `undefined` while it has not. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Payload bytes queued on all channels, acknowledged ones behind an unacknowledged front included. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const channel of this.#channels) bytes += channel.bytes;
    return bytes;
  }

  /** Bytes charged for events that wait for a missing one; at most `maxParkedBytes`. */
  get parkedBytes(): number {
    return this.#delivery.parkedBytes;
  }

  /** Why the last malformed packet was refused. */
  get lastMalformed(): MalformedKind | undefined {
    return this.#lastMalformed;
  }

  /** Events queued on a channel, acknowledged ones behind an unacknowledged front included; 0 for a channel that does not exist. */
  queued(channel: number): number {
    return this.#channels[channel]?.length ?? 0;
  }

  /**
   * Moves the clock and brings the statistics up to date. Call it before the frame's `receive` calls.
   *
   * @param time - now, seconds; an earlier time than before counts as the time before.
   * @throws {@link ReliableError} `INVALID_OPTION` for a time that is not a finite number of 0 or more; `REENTRANT` inside `transmit`.
   */
  update(time: number): void {
    this.#refuseInTransmit('update');
    checkTime(time, 'time');
    if (time > this.#clock[NOW]!) this.#clock[NOW] = time;
    // The endpoint's clock does not go back either.
    this.#endpoint.update(time);
    const age = this.#clock[NOW]! - this.#clock[CREATED]!;
    if (this.#state === 'handshaking' && age >= this.#shared.config.handshakeTimeout) this.#fail(HANDSHAKE_TIMEOUT);
  }

  /**
   * Takes a datagram of the peer. Whatever it holds, this does not throw.
   *
   * @param datagram - borrowed; what is kept is copied.
   * @param inbox - receives the events; the account of {@link peer} limits them.
   * @param transmit - may be called with an acknowledgement that cannot wait. Must not call this connection.
   * @throws {@link ReliableError} `INVALID_RANGE` when the range is not within `datagram`; `REENTRANT` inside `transmit`.
   */
  receive(
    datagram: Uint8Array,
    inbox: Inbox<unknown>,
    transmit: Transmit,
    offset: number = 0,
    length: number = datagram.length - offset,
  ): void {
    this.#refuseInTransmit('receive');
    checkByteRange(datagram, offset, length);
    if (length === 0 || this.#state === 'failed') return;
    this.#counters.datagramsReceived++;
    this.#counters.bytesReceived += length;
    this.#delivery.inbox = inbox;
    this.#transmit = transmit;
    try {
      this.#endpoint.receive(datagram, offset, length);
      if (this.#endpoint.ackCount > 0) this.#endpoint.drainAcks(this.#acknowledge);
      // `process` may have failed the connection.
      if (this.#receivedSinceSend >= ACK_EVERY && this.#failure === undefined) this.#sendAcknowledgement();
    } finally {
      this.#delivery.inbox = undefined;
      this.#transmit = undefined;
    }
  }

  /**
   * Queues an event, in any state.
   *
   * @param payload - copied.
   * @returns why it was not queued; `undefined`: it was, or its channel's policy dropped an event.
   * @throws {@link ReliableError} `REENTRANT` inside `transmit`.
   */
  trySend(event: number, payload: Uint8Array): SendRefusal | undefined {
    this.#refuseInTransmit('trySend');
    const { eventMaxPayload, eventChannel } = this.#shared.layout;
    const maxPayload = eventMaxPayload[event];
    if (maxPayload === undefined) return 'unknownEvent';
    if (payload.length > maxPayload) return 'payloadTooLarge';
    const refusal = this.#channels[eventChannel[event]!]!.queue(event, payload);
    if (refusal === undefined) this.#counters.eventsQueued++;
    return refusal;
  }

  /**
   * One flush: writes what is due, or an empty packet when something is owed.
   *
   * @param transmit - called once for each datagram. Must not call this connection. What it throws passes through; the packet then counts as lost.
   * @throws {@link ReliableError} `REENTRANT` inside `transmit`.
   */
  writePackets(transmit: Transmit): void {
    this.#refuseInTransmit('writePackets');
    const failure = this.#failure;
    const isMismatch = failure?.type === 'protocolMismatch' || failure?.type === 'schemaMismatch';
    if (failure !== undefined && !isMismatch) return;
    const writer = this.#shared.takeWriter();
    this.#transmit = transmit;
    try {
      if (isMismatch) this.#sendLastHello(writer);
      else this.#flush(writer);
    } finally {
      this.#transmit = undefined;
      this.#shared.giveWriter(writer);
    }
  }

  /** The next change of state that was not told yet: `established` before `failed`, each once. */
  takeEvent(): ConnectionEvent | undefined {
    if (this.#isEstablishedUntold) {
      this.#isEstablishedUntold = false;
      return ESTABLISHED;
    }
    if (!this.#isFailureUntold) return undefined;
    this.#isFailureUntold = false;
    return { type: 'failed', failure: this.#failure! };
  }

  /** Fails the connection with `transportError`, for an owner whose transport refused a datagram. Does nothing when it has failed already. */
  failTransport(): void {
    if (this.#state !== 'failed') this.#fail(TRANSPORT_ERROR);
  }

  #refuseInTransmit(method: string): void {
    if (this.#transmit === undefined) return;
    throw new ReliableError('reentrant', `${method} was called from inside a callback that must not call it`);
  }

  #fail(failure: Failure): void {
    this.#state = 'failed';
    this.#failure = failure;
    this.#isFailureUntold = true;
  }

  /** Source: event layer section 6.2. */
  #flush(writer: PacketWriter): void {
    const { maxPacketsPerFlush, idlePacketInterval } = this.#shared.config;
    const silence = this.#clock[NOW]! - this.#clock[LAST_SEND]!;
    this.#packer.beginFlush();
    for (let i = 0; i < maxPacketsPerFlush; i++) {
      const messages = this.#packer.build(writer, !this.#isHelloAcked, this.#sent.hasRoom());
      // After a packet of this flush the silence is over; then only an interval of 0 is due again.
      const isQuiet = (i === 0 ? silence : 0) >= idlePacketInterval;
      const isOwed = this.#isAckPending || !this.#isHelloAcked || isQuiet;
      if (messages === 0 && !isOwed) return;
      this.#sendPacket(writer);
      if (messages === 0) return;
    }
  }

  /** Sends a packet without events, with a writer of its own since a flush of another connection may be in progress. */
  #sendAcknowledgement(): void {
    const writer = this.#shared.takeWriter();
    try {
      this.#packer.build(writer, !this.#isHelloAcked, false);
      this.#sendPacket(writer);
    } finally {
      this.#shared.giveWriter(writer);
    }
  }

  /** Sends what the packer built last. */
  #sendPacket(writer: PacketWriter): void {
    this.#sent.record(this.#endpoint.nextSequence, !this.#isHelloAcked);
    this.#endpoint.send(writer.exact(this.#packer.length));
    this.#counters.packetsSent++;
    this.#isAckPending = false;
    this.#receivedSinceSend = 0;
    this.#clock[LAST_SEND] = this.#clock[NOW]!;
  }

  /** Tells a peer of another catalogue what ours is, so that it comes to the same diagnosis. Neither counted nor remembered. */
  #sendLastHello(writer: PacketWriter): void {
    writer.begin(true);
    this.#endpoint.send(writer.exact(writer.finish(0)));
  }

  #sendDatagram(bytes: Uint8Array, offset: number, length: number): void {
    if (this.#state !== 'failed') {
      this.#counters.datagramsSent++;
      this.#counters.bytesSent += length;
    }
    this.#transmit!(bytes, offset, length);
  }

  /** Judges a packet of the endpoint; false: it is not acknowledged. Source: event layer section 7. */
  #process(bytes: Uint8Array, offset: number, length: number): boolean {
    if (this.#state === 'failed') return false;
    const { decoder } = this.#shared;
    const result = decoder.decode(bytes, offset, length);
    if (result === 'mismatch') {
      this.#failMismatch(decoder);
      return false;
    }
    if (result !== 'ok') return this.#refuseMalformed(result);
    if (this.#state === 'handshaking') {
      if (!decoder.hasHello) return this.#refuseMalformed('missingHello');
      this.#state = 'established';
      this.#isEstablishedUntold = true;
    }
    if (!this.#deliverReliable(decoder, bytes)) {
      this.#counters.eventsDroppedOnReceive += this.#countUnreliable(decoder);
      this.#counters.packetsRefused++;
      return false;
    }
    this.#deliverUnreliable(decoder, bytes);
    this.#counters.packetsReceived++;
    if (decoder.hasHello || decoder.messageCount > 0) {
      this.#isAckPending = true;
      this.#receivedSinceSend++;
    }
    return true;
  }

  #failMismatch({ helloWireVersion, helloFingerprint }: PacketDecoder): void {
    if (helloWireVersion !== WIRE_VERSION) {
      this.#fail(Object.freeze({ type: 'protocolMismatch', local: WIRE_VERSION, remote: helloWireVersion }));
    } else {
      const local = this.#shared.layout.fingerprint.slice();
      this.#fail(Object.freeze({ type: 'schemaMismatch', local, remote: helloFingerprint.slice() }));
    }
  }

  #refuseMalformed(kind: MalformedKind): false {
    this.#lastMalformed = kind;
    this.#counters.malformedPackets++;
    if (this.#counters.malformedPackets >= this.#shared.config.malformedLimit) this.#fail(MALFORMED_DATA);
    return false;
  }

  /** Applies every reliable section; false when one of its events refuses the packet. What came before it stays applied. */
  #deliverReliable(decoder: PacketDecoder, bytes: Uint8Array): boolean {
    let message = 0;
    for (let section = 0; section < decoder.sectionCount; section++) {
      const end = message + decoder.sectionMessages[section]!;
      const receiver = this.#receivers[decoder.sectionChannel[section]!];
      for (; receiver !== undefined && message < end; message++) {
        const event = decoder.messageEvent[message]!;
        const id = decoder.messageId[message]!;
        if (!receiver.receive(id, event, bytes, decoder.messageOffset[message]!, decoder.messageLength[message]!)) return false;
      }
      message = end;
    }
    return true;
  }

  #deliverUnreliable(decoder: PacketDecoder, bytes: Uint8Array): void {
    const delivery = this.#delivery;
    let message = 0;
    for (let section = 0; section < decoder.sectionCount; section++) {
      const end = message + decoder.sectionMessages[section]!;
      const channel = decoder.sectionChannel[section]!;
      for (; this.#receivers[channel] === undefined && message < end; message++) {
        const length = decoder.messageLength[message]!;
        if (delivery.hasRoom(length)) {
          delivery.deliver(decoder.messageEvent[message]!, channel, bytes, decoder.messageOffset[message]!, length);
        } else {
          this.#counters.eventsDroppedOnReceive++;
        }
      }
      message = end;
    }
  }

  #countUnreliable(decoder: PacketDecoder): number {
    let count = 0;
    for (let section = 0; section < decoder.sectionCount; section++) {
      if (this.#receivers[decoder.sectionChannel[section]!] === undefined) count += decoder.sectionMessages[section]!;
    }
    return count;
  }
}
