import { AckLog } from './ack-log.ts';
import { FRAGMENT_HEADER_BYTES, MAX_PACKET_HEADER_BYTES } from './constants.ts';
import { endpointSettings } from './endpoint-config.ts';
import type { EndpointConfig, EndpointSettings } from './endpoint-config.ts';
import { newCounters, resetCounters, statsView } from './endpoint-report.ts';
import type { EndpointCounters, EndpointStats, MutableCounters } from './endpoint-report.ts';
import { ReliableError } from './errors.ts';
import { FRAGMENT_FLAG, putPacketHeader, readPacketHeader } from './packet-header.ts';
import type { PacketHeader } from './packet-header.ts';
import { fragmentCountOf, parseFragment, putFragmentHeader } from './fragment.ts';
import type { FragmentHeader } from './fragment.ts';
import { CachedViews, copyRange } from './internal/cached-view.ts';
import { checkByteRange, checkMethod, checkTime } from './internal/check.ts';
import { PacketRing } from './packet-ring.ts';
import { NO_SLOT, Reassembly } from './reassembly.ts';
import { RttHistory } from './rtt-history.ts';
import { nextSequence } from './sequence.ts';
import { Traffic } from './traffic.ts';

/** Where an endpoint's output goes. The bytes are borrowed: valid during the call only. An exception passes through the call that led to it. */
export interface EndpointHandlers {
  /**
   * Takes a datagram to send: the `length` bytes from `offset`, of the packet `sequence`. May not call `send`, `receive`, `update` or `reset`
   * of this endpoint.
   */
  transmit(bytes: Uint8Array, offset: number, length: number, sequence: number): void;
  /**
   * Takes a received payload, possibly empty. Returns false to reject it: then the packet is not acknowledged, what it acknowledges is not
   * used, and a copy of it is offered again. May call `send`, which does not acknowledge this packet yet; not `receive`, `update` or `reset`.
   */
  process(bytes: Uint8Array, offset: number, length: number, sequence: number): boolean;
}

/**
 * One end of a stream of packets over unreliable datagrams: numbers packets, acknowledges those of the peer on every packet sent, splits large
 * ones into fragments, drops late and repeated ones, and estimates round-trip time, jitter, loss and bandwidth. It never sends by itself,
 * never sends again, never puts in order.
 *
 * Nothing is allocated per packet once the buffers have been used; memory is bounded by the options (`memoryBytes`). Received content never
 * throws. Time is monotonic seconds; an earlier time counts as the latest one seen.
 * Source: reliable sections 7 … 12.
 */
export class ReliableEndpoint {
  /** As given. */
  readonly name: string;
  /** Live: changes as packets go. */
  readonly counters: EndpointCounters;
  /** Live: the round-trip time as of the last ack, everything else as of the last update. */
  readonly stats: EndpointStats;
  readonly #counters: MutableCounters;
  readonly #settings: EndpointSettings;
  readonly #handlers: EndpointHandlers;
  readonly #maxDatagramBytes: number;
  /** Seconds of the last update, in an array so that storing it makes no garbage. */
  readonly #clock: Float64Array = new Float64Array(1);
  #nextSequence: number = 0;
  readonly #sent: PacketRing;
  readonly #received: PacketRing;
  readonly #sentTraffic: Traffic;
  readonly #receivedTraffic: Traffic;
  readonly #rtt: RttHistory;
  readonly #reassembly: Reassembly;
  readonly #acks: AckLog;
  /** Holds the datagram given to transmit. */
  readonly #scratch: Uint8Array;
  readonly #header: PacketHeader = { sequence: 0, ack: 0, ackBits: 0 };
  readonly #fragment: FragmentHeader = {
    sequence: 0,
    ack: 0,
    ackBits: 0,
    fragmentId: 0,
    fragmentCount: 0,
    dataOffset: 0,
    dataLength: 0,
  };
  /** Views of payloads to send. */
  readonly #views: CachedViews = new CachedViews();
  #isTransmitting: boolean = false;
  #isProcessing: boolean = false;

  /**
   * @param config - options; what is left out has its default.
   * @param handlers - where output goes; kept, its functions are called as methods.
   * @param time - now, in seconds, 0 or more.
   * @throws {@link ReliableError} `INVALID_OPTION` that names the option at fault.
   */
  constructor(config: EndpointConfig, handlers: EndpointHandlers, time: number) {
    const settings = endpointSettings(config);
    checkMethod(handlers, 'transmit');
    checkMethod(handlers, 'process');
    checkTime(time, 'time');
    this.name = settings.name;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#clock[0] = time;
    this.#maxDatagramBytes = settings.maxPacketSize + MAX_PACKET_HEADER_BYTES + FRAGMENT_HEADER_BYTES;
    this.#sent = new PacketRing(settings.sentPacketsBufferSize, this.#clock);
    this.#received = new PacketRing(settings.receivedPacketsBufferSize, this.#clock);
    this.#sentTraffic = new Traffic(this.#sent, settings.bandwidthSmoothingFactor, settings.packetLossSmoothingFactor);
    this.#receivedTraffic = new Traffic(this.#received, settings.bandwidthSmoothingFactor);
    this.#rtt = new RttHistory(settings.rttHistorySize, settings.rttSmoothingFactor);
    this.#reassembly = new Reassembly(settings.fragmentReassemblyBufferSize, settings.maxFragments, settings.fragmentSize);
    this.#acks = new AckLog(settings.ackBufferSize, this.#sent, this.#rtt);
    const { maxPacketSize, fragmentAbove, fragmentSize } = settings;
    const largestRegular = Math.min(maxPacketSize, fragmentAbove);
    const largestFragment = maxPacketSize > fragmentAbove ? FRAGMENT_HEADER_BYTES + Math.min(maxPacketSize, fragmentSize) : 0;
    this.#scratch = new Uint8Array(MAX_PACKET_HEADER_BYTES + Math.max(largestRegular, largestFragment));
    this.#counters = newCounters();
    this.counters = this.#counters;
    this.stats = statsView(this.#rtt, this.#sentTraffic, this.#receivedTraffic);
  }

  /** The sequence of the next packet, u16. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** Number of acks that have not been cleared. */
  get ackCount(): number {
    return this.#acks.count;
  }

  /** Number of packets of which some fragments have arrived and others not. */
  get reassemblies(): number {
    return this.#reassembly.unfinished;
  }

  /** Bytes held for the packets counted by {@link reassemblies}. */
  get reassemblyBytes(): number {
    return this.#reassembly.unfinishedBytes;
  }

  /** Approximate bytes of all buffers. */
  get memoryBytes(): number {
    const rings = this.#sent.memoryBytes + this.#received.memoryBytes;
    return rings + this.#rtt.memoryBytes + this.#acks.memoryBytes + this.#scratch.length + this.#reassembly.memoryBytes;
  }

  /**
   * Sends a packet, as one datagram or in fragments. An exception of `transmit` passes through; the packet then counts as lost.
   *
   * @param bytes - holds the payload; copied, only read.
   * @returns its sequence, u16.
   * @throws {@link ReliableError} `EMPTY_PACKET`; `PACKET_TOO_LARGE` above `maxPacketSize` (counted, no sequence is used); `INVALID_RANGE` when
   * the range is not within `bytes`; `REENTRANT` inside `transmit`.
   */
  send(bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): number {
    if (this.#isTransmitting) throw reentrant('send');
    checkByteRange(bytes, offset, length);
    const { maxPacketSize, fragmentAbove, packetHeaderSize } = this.#settings;
    if (length === 0) throw new ReliableError('emptyPacket', 'length: expected at least 1 byte, got 0', { field: 'length' });
    if (length > maxPacketSize) {
      this.#counters.packetsTooLargeToSend++;
      throw new ReliableError('packetTooLarge', `length: expected at most ${maxPacketSize} bytes, got ${length}`, { field: 'length' });
    }
    const sequence = this.#nextSequence;
    this.#nextSequence = nextSequence(sequence);
    this.#sent.insert(sequence, packetHeaderSize + length);
    this.#acks.forget(sequence);
    if (length <= fragmentAbove) {
      const header = this.#putHeader(0, sequence);
      copyRange(bytes, offset, length, this.#scratch, header, this.#views.of(0));
      this.#transmit(header + length, sequence);
    } else {
      this.#sendFragments(bytes, offset, length, sequence);
    }
    this.#counters.packetsSent++;
    return sequence;
  }

  /**
   * Takes a datagram of the peer. Whatever it holds, this does not throw; exceptions of `process` pass through and count as a rejection.
   *
   * @param bytes - holds the datagram; borrowed for the call, only read.
   * @throws {@link ReliableError} `INVALID_RANGE` when the range is not within `bytes`; `REENTRANT` inside a callback.
   */
  receive(bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): void {
    this.#refuseInCallback('receive');
    checkByteRange(bytes, offset, length);
    if (length === 0) this.#counters.packetsInvalid++;
    else if (length > this.#maxDatagramBytes) this.#counters.packetsTooLargeToReceive++;
    else if ((bytes[offset]! & FRAGMENT_FLAG) === 0) this.#receiveRegular(bytes, offset, offset + length);
    else this.#receiveFragment(bytes, offset, offset + length);
  }

  /**
   * Sets the time that packets are stamped with and brings the statistics up to date. Call it at the start of a frame, before receiving and
   * sending, or round-trip times are off by a frame. Sends and drops nothing.
   *
   * @param time - now, in seconds; an earlier time than before counts as the time before.
   * @throws {@link ReliableError} `INVALID_OPTION` when it is not a finite number of 0 or more; `REENTRANT` inside a callback.
   */
  update(time: number): void {
    this.#refuseInCallback('update');
    checkTime(time, 'time');
    if (time > this.#clock[0]!) this.#clock[0] = time;
    this.#rtt.settle();
    this.#sentTraffic.update();
    this.#receivedTraffic.update();
  }

  /**
   * One of the packets that were acknowledged since acks were cleared, in the order in which that became known.
   *
   * @param index - 0 … `ackCount` − 1.
   * @returns the sequence that `send` gave.
   * @throws {@link ReliableError} `INVALID_RANGE` for another index.
   */
  ackAt(index: number): number {
    return this.#acks.at(index);
  }

  /**
   * Tells every ack and clears it. `each` may send; it may not receive, reset, or clear acks. When it throws, the acks told so far are cleared
   * and the others stay.
   *
   * @throws {@link ReliableError} `REENTRANT` inside itself.
   */
  drainAcks(each: (sequence: number) => void): void {
    this.#acks.drain(each);
  }

  /** Forgets the acks. Do this, or {@link drainAcks}, once per frame: when there is no room acks are lost. */
  clearAcks(): void {
    this.#acks.clear();
  }

  /**
   * Starts over with sequence 0: forgets packets, reassemblies, acks and counters. Time, `rtt` and the round-trip samples stay, and so do the
   * other statistics until the next update. Both ends must do this at once; for a new connection make a new endpoint.
   *
   * @throws {@link ReliableError} `REENTRANT` inside a callback.
   */
  reset(): void {
    this.#refuseInCallback('reset');
    this.#acks.reset();
    this.#nextSequence = 0;
    resetCounters(this.#counters);
    this.#sent.reset();
    this.#received.reset();
    this.#reassembly.reset();
    this.#views.forget();
  }

  #refuseInCallback(method: string): void {
    if (this.#isTransmitting || this.#isProcessing || this.#acks.isDraining) throw reentrant(method);
  }

  /** Writes the header of a packet with the acks of now into the scratch. Returns its length. */
  #putHeader(at: number, sequence: number): number {
    const { buffer } = this.#received;
    return putPacketHeader(this.#scratch, at, sequence, buffer.ack(), buffer.signedAckBits());
  }

  #sendFragments(bytes: Uint8Array, offset: number, length: number, sequence: number): void {
    const { fragmentSize } = this.#settings;
    const scratch = this.#scratch;
    const count = fragmentCountOf(length, fragmentSize);
    for (let id = 0; id < count; id++) {
      let at = putFragmentHeader(scratch, 0, sequence, id, count);
      if (id === 0) at += this.#putHeader(at, sequence);
      const first = id * fragmentSize;
      const size = Math.min(fragmentSize, length - first);
      copyRange(bytes, offset + first, size, scratch, at, this.#views.of(id));
      this.#transmit(at + size, sequence);
      this.#counters.fragmentsSent++;
    }
  }

  #transmit(length: number, sequence: number): void {
    this.#isTransmitting = true;
    try {
      this.#handlers.transmit(this.#scratch, 0, length, sequence);
    } finally {
      this.#isTransmitting = false;
    }
  }

  #receiveRegular(bytes: Uint8Array, offset: number, end: number): void {
    this.#counters.packetsReceived++;
    const header = this.#header;
    const headerLength = readPacketHeader(bytes, offset, end, header);
    if (typeof headerLength === 'string') {
      this.#counters.packetsInvalid++;
      return;
    }
    const at = offset + headerLength;
    this.#deliver(bytes, at, end - at, headerLength, header.sequence, header.ack, header.ackBits | 0);
  }

  #receiveFragment(bytes: Uint8Array, offset: number, end: number): void {
    const counters = this.#counters;
    const fragment = this.#fragment;
    if (parseFragment(bytes, offset, end, this.#settings, fragment) !== undefined) {
      counters.fragmentsInvalid++;
      return;
    }
    const { sequence, fragmentCount, dataOffset } = fragment;
    const received = this.#received;
    if (received.buffer.exists(sequence)) return;
    const reassembly = this.#reassembly;
    let slot = reassembly.find(sequence);
    if (slot === NO_SLOT) {
      slot = reassembly.start(sequence, fragmentCount);
      if (slot === NO_SLOT) {
        counters.fragmentsInvalid++;
        return;
      }
      // Headers sent from now on name this packet, with its bit clear until it is complete.
      received.advance(sequence);
    }
    if (reassembly.fragmentCount(slot) !== fragmentCount) {
      counters.fragmentsInvalid++;
      return;
    }
    const outcome = reassembly.store(slot, bytes, fragment, dataOffset - offset - FRAGMENT_HEADER_BYTES);
    if (outcome === 'duplicate') return;
    try {
      if (outcome === 'complete') this.#receiveReassembled(slot, sequence);
    } finally {
      counters.fragmentsReceived++;
    }
  }

  #receiveReassembled(slot: number, sequence: number): void {
    const reassembly = this.#reassembly;
    const length = reassembly.payloadLength(slot);
    const headerLength = reassembly.headerLength(slot);
    try {
      if (headerLength + length > this.#maxDatagramBytes) {
        this.#counters.packetsTooLargeToReceive++;
        return;
      }
      this.#counters.packetsReceived++;
      this.#deliver(reassembly.payload(slot), 0, length, headerLength, sequence, reassembly.ack(slot), reassembly.ackBits(slot));
    } finally {
      reassembly.remove(sequence);
    }
  }

  /** What follows the header of a packet; `ackBits` is signed, so that it is no garbage. */
  #deliver(bytes: Uint8Array, at: number, length: number, headerLength: number, sequence: number, ack: number, ackBits: number): void {
    const counters = this.#counters;
    const received = this.#received;
    const { maxPacketSize, packetHeaderSize } = this.#settings;
    if (length > maxPacketSize) {
      counters.packetsTooLargeToReceive++;
      return;
    }
    if (!received.buffer.canInsert(sequence)) {
      counters.packetsStale++;
      return;
    }
    if (received.buffer.exists(sequence)) {
      counters.packetsDuplicate++;
      return;
    }
    if (!this.#process(bytes, at, length, sequence)) return;
    received.insert(sequence, packetHeaderSize + headerLength + length);
    this.#reassembly.advance(sequence);
    counters.packetsAcked += this.#acks.take(ack, ackBits);
  }

  #process(bytes: Uint8Array, offset: number, length: number, sequence: number): boolean {
    this.#isProcessing = true;
    try {
      return this.#handlers.process(bytes, offset, length, sequence);
    } finally {
      this.#isProcessing = false;
    }
  }
}

function reentrant(method: string): ReliableError {
  return new ReliableError('reentrant', `${method} was called from inside a callback that must not call it`);
}
