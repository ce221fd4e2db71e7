import type { EndpointCounters, EndpointStats } from '../../src/index.ts';
import { headerTwin } from './header-twin.ts';
import { SequenceBufferTwin } from './sequence-buffer-twin.ts';

const f32 = Math.fround;

/** Every option of an endpoint. */
export interface TwinConfig {
  maxPacketSize: number;
  fragmentAbove: number;
  maxFragments: number;
  fragmentSize: number;
  ackBufferSize: number;
  sentPacketsBufferSize: number;
  receivedPacketsBufferSize: number;
  fragmentReassemblyBufferSize: number;
  rttSmoothingFactor: number;
  rttHistorySize: number;
  packetLossSmoothingFactor: number;
  bandwidthSmoothingFactor: number;
  packetHeaderSize: number;
}

interface Entry {
  time: number;
  bytes: number;
  acked: boolean;
}

/** The endpoint as the specification's steps say it: packets as lists, entries as objects, everything recomputed in every update. */
export class EndpointTwin {
  readonly config: TwinConfig;
  time: number;
  sequence = 0;
  acks: number[] = [];
  transmitted: number[][] = [];
  processed: { sequence: number; payload: number[] }[] = [];
  accepts = true;
  stats: { -readonly [K in keyof EndpointStats]: number } = {
    rtt: 0,
    rttMin: 0,
    rttMax: 0,
    rttAvg: 0,
    jitterAvg: 0,
    jitterMax: 0,
    jitterStdDev: 0,
    packetLoss: 0,
    sentKbps: 0,
    receivedKbps: 0,
    ackedKbps: 0,
  };
  counters = newCounters();
  readonly #history: number[];
  readonly #sent: SequenceBufferTwin;
  readonly #received: SequenceBufferTwin;
  readonly #reassembly: SequenceBufferTwin;
  readonly #sentEntries = new Map<number, Entry>();
  readonly #receivedEntries = new Map<number, Entry>();
  readonly #parts = new Map<number, { count: number; header: number[]; data: Map<number, number[]> }>();

  constructor(config: TwinConfig, time: number) {
    this.config = config;
    this.time = time;
    this.#history = new Array<number>(config.rttHistorySize).fill(-1);
    this.#sent = new SequenceBufferTwin(config.sentPacketsBufferSize);
    this.#received = new SequenceBufferTwin(config.receivedPacketsBufferSize);
    this.#reassembly = new SequenceBufferTwin(config.fragmentReassemblyBufferSize);
  }

  send(payload: number[]): void {
    const { maxPacketSize, packetHeaderSize, fragmentAbove, fragmentSize } = this.config;
    if (payload.length > maxPacketSize) {
      this.counters.packetsTooLargeToSend++;
      return;
    }
    const sequence = this.sequence;
    this.sequence = (sequence + 1) % 65536;
    const header = headerTwin(sequence, this.#received.ack(), this.#received.ackBits());
    this.#sent.insert(sequence);
    this.#sentEntries.set(sequence, { time: this.time, bytes: packetHeaderSize + payload.length, acked: false });
    if (payload.length <= fragmentAbove) {
      this.transmitted.push([...header, ...payload]);
    } else {
      const count = Math.ceil(payload.length / fragmentSize);
      for (let id = 0; id < count; id++) {
        const start = [1, sequence % 256, Math.floor(sequence / 256), id, count - 1, ...(id === 0 ? header : [])];
        this.transmitted.push([...start, ...payload.slice(id * fragmentSize, (id + 1) * fragmentSize)]);
        this.counters.fragmentsSent++;
      }
    }
    this.counters.packetsSent++;
  }

  receive(datagram: number[]): void {
    if (datagram.length === 0) this.counters.packetsInvalid++;
    else if (datagram.length > this.config.maxPacketSize + 14) this.counters.packetsTooLargeToReceive++;
    else if (datagram[0]! % 2 === 0) this.#receivePacket(datagram);
    else this.#receiveFragment(datagram);
  }

  #receivePacket(datagram: number[]): void {
    this.counters.packetsReceived++;
    const header = readHeader(datagram);
    if (header === undefined) {
      this.counters.packetsInvalid++;
      return;
    }
    const { sequence } = header;
    const payload = datagram.slice(header.length);
    if (payload.length > this.config.maxPacketSize) this.counters.packetsTooLargeToReceive++;
    else if (!this.#received.canInsert(sequence)) this.counters.packetsStale++;
    else if (this.#received.exists(sequence)) this.counters.packetsDuplicate++;
    else {
      this.processed.push({ sequence, payload });
      if (!this.accepts) return;
      this.#received.insert(sequence);
      this.#receivedEntries.set(sequence, {
        time: this.time,
        bytes: this.config.packetHeaderSize + datagram.length,
        acked: false,
      });
      this.#reassembly.advance(sequence);
      this.#takeAcks(header.ack, header.ackBits);
    }
  }

  #receiveFragment(datagram: number[]): void {
    const { maxFragments, fragmentSize } = this.config;
    const id = datagram[3] ?? 0;
    const count = (datagram[4] ?? 0) + 1;
    const sequence = (datagram[1] ?? 0) + (datagram[2] ?? 0) * 256;
    let data = datagram.slice(5);
    let isValid = datagram.length >= 5 && datagram[0] === 1 && count <= maxFragments && id < count;
    let header: number[] = [];
    if (isValid && id === 0) {
      const read = readHeader(data);
      header = read === undefined ? [] : headerTwin(read.sequence, read.ack, read.ackBits);
      isValid = read?.sequence === sequence && header.join() === data.slice(0, read.length).join();
      data = data.slice(header.length);
    }
    if (!isValid || data.length > fragmentSize || (id < count - 1 && data.length !== fragmentSize)) {
      this.counters.fragmentsInvalid++;
      return;
    }
    if (this.#received.exists(sequence)) return;
    if (!this.#reassembly.exists(sequence)) {
      if (!this.#reassembly.insertAdvanceFirst(sequence)) {
        this.counters.fragmentsInvalid++;
        return;
      }
      this.#received.advance(sequence);
      this.#parts.set(sequence, { count, header: [], data: new Map() });
    }
    const parts = this.#parts.get(sequence)!;
    if (parts.count !== count) {
      this.counters.fragmentsInvalid++;
      return;
    }
    if (parts.data.has(id)) return;
    parts.data.set(id, data);
    if (id === 0) parts.header = header;
    if (parts.data.size === count) {
      const whole = [...parts.header];
      for (let i = 0; i < count; i++) whole.push(...parts.data.get(i)!);
      if (whole.length > this.config.maxPacketSize + 14) this.counters.packetsTooLargeToReceive++;
      else this.#receivePacket(whole);
      this.#reassembly.remove(sequence);
    }
    this.counters.fragmentsReceived++;
  }

  #takeAcks(ack: number, ackBits: number): void {
    const { ackBufferSize, rttHistorySize, rttSmoothingFactor } = this.config;
    for (let i = 0; i < 32; i++) {
      const s = (ack - i + 65536) % 65536;
      if (Math.floor(ackBits / 2 ** i) % 2 === 0 || !this.#sent.exists(s)) continue;
      const entry = this.#sentEntries.get(s)!;
      if (entry.acked || this.acks.length === ackBufferSize) continue;
      entry.acked = true;
      this.acks.push(s);
      this.counters.packetsAcked++;
      const sample = f32(f32(this.time - entry.time) * 1000);
      this.#history[s % rttHistorySize] = sample;
      const { rtt } = this.stats;
      if ((rtt === 0 && sample > 0) || Math.abs(f32(rtt - sample)) < 0.00001) this.stats.rtt = sample;
      else this.stats.rtt = f32(rtt + f32(f32(sample - rtt) * f32(rttSmoothingFactor)));
    }
  }

  update(time: number): void {
    this.time = Math.max(this.time, time);
    const values = this.#history.filter((value) => value >= 0);
    const n = values.length;
    const sum = (list: number[]): number => list.reduce((total, value) => f32(total + value), 0);
    const min = values.reduce((least, value) => Math.min(least, value), 10000);
    const { stats } = this;
    stats.rttMin = min === 10000 ? 0 : min;
    stats.rttMax = Math.max(0, ...values);
    stats.rttAvg = n === 0 ? 0 : f32(sum(values) / n);
    stats.jitterAvg = n === 0 ? 0 : f32(sum(values.map((v) => f32(v - stats.rttMin))) / n);
    stats.jitterMax = Math.max(0, ...values.map((v) => f32(v - stats.rttMin)));
    stats.jitterStdDev = n === 0 ? 0 : f32(Math.sqrt(f32(sum(values.map((v) => f32(f32(v - stats.rttAvg) ** 2))) / n)));
    const sent = olderHalf(this.#sent, this.#sentEntries);
    const received = olderHalf(this.#received, this.#receivedEntries);
    const lost = sent.filter(({ acked }) => !acked).length;
    const loss = sent.length === 0 ? 0 : f32(f32(lost / sent.length) * 100);
    stats.packetLoss = sent.length === 0 ? 0 : smooth(stats.packetLoss, loss, this.config.packetLossSmoothingFactor);
    const factor = this.config.bandwidthSmoothingFactor;
    stats.sentKbps = bandwidth(stats.sentKbps, sent, factor);
    stats.receivedKbps = bandwidth(stats.receivedKbps, received, factor);
    const acked = sent.filter((entry) => entry.acked);
    stats.ackedKbps = bandwidth(stats.ackedKbps, acked, factor);
  }

  reset(): void {
    this.sequence = 0;
    this.acks = [];
    this.counters = newCounters();
    for (const buffer of [this.#sent, this.#received, this.#reassembly]) buffer.reset();
  }
}

function newCounters(): { -readonly [K in keyof EndpointCounters]: number } {
  return {
    packetsSent: 0,
    packetsReceived: 0,
    packetsAcked: 0,
    packetsStale: 0,
    packetsInvalid: 0,
    packetsTooLargeToSend: 0,
    packetsTooLargeToReceive: 0,
    fragmentsSent: 0,
    fragmentsReceived: 0,
    fragmentsInvalid: 0,
    packetsDuplicate: 0,
  };
}

function smooth(value: number, target: number, factor: number): number {
  return Math.abs(f32(value - target)) > 0.00001 ? f32(value + f32(f32(target - value) * f32(factor))) : target;
}

function bandwidth(value: number, entries: Entry[], factor: number): number {
  const start = Math.min(...entries.map(({ time }) => time));
  const finish = Math.max(0, ...entries.map(({ time }) => time));
  if (entries.length === 0 || finish <= start) return value;
  const bytes = entries.reduce((total, entry) => total + entry.bytes, 0);
  return smooth(value, f32(((bytes / (finish - start)) * 8) / 1000), factor);
}

function olderHalf(buffer: SequenceBufferTwin, entries: Map<number, Entry>): Entry[] {
  const base = (buffer.next - buffer.size + 65536) % 65536;
  const found: Entry[] = [];
  for (let k = 0; k < Math.floor(buffer.size / 2); k++) {
    const s = (base + k) % 65536;
    if (buffer.exists(s)) found.push(entries.get(s)!);
  }
  return found;
}

function readHeader(bytes: number[]): { sequence: number; ack: number; ackBits: number; length: number } | undefined {
  const [prefix = 0] = bytes;
  if (bytes.length < 3 || prefix % 2 === 1) return undefined;
  const sequence = bytes[1]! + bytes[2]! * 256;
  const isShort = (prefix & 32) !== 0;
  let at = isShort ? 4 : 5;
  if (bytes.length < at) return undefined;
  const ack = isShort ? (sequence - bytes[3]! + 65536) % 65536 : bytes[3]! + bytes[4]! * 256;
  let ackBits = 0;
  for (let i = 0; i < 4; i++) {
    const isPresent = (prefix & (2 << i)) !== 0;
    if (isPresent && at >= bytes.length) return undefined;
    ackBits += (isPresent ? bytes[at++]! : 255) * 256 ** i;
  }
  return { sequence, ack, ackBits, length: at };
}
