import type { Catalogue, TransportConfig } from '../../src/index.ts';
import { deltaWidth, width } from './packet-twin.ts';

// The sending side a second time, with plain lists, written from sections 3.2, 5 and 6 of the specification and from nothing else. Acknowledgements
// are told from outside.

interface Slot {
  event: number;
  payload: Uint8Array;
  lastSent: number;
  acked: boolean;
}

/** One packet of a flush: its sections as [channel, messages], a message as [id, event, length]. */
export interface TwinPacket {
  hello: boolean;
  sections: [number, [number, number, number][]][];
}

interface Sent {
  time: number;
  live: boolean;
  hello: boolean;
  messages: [channel: number, slot: Slot][];
}

/** Chooses packets as a connection does that never receives an event itself. */
export class PackerTwin {
  readonly queues: Slot[][];
  readonly oldest: number[];
  readonly sent: Sent[] = [];
  readonly #catalogue: Catalogue;
  readonly #config: TransportConfig;
  #rotation = 0;
  #helloAcked = false;
  #lastSend = -Infinity;

  constructor(catalogue: Catalogue, config: TransportConfig) {
    this.#catalogue = catalogue;
    this.#config = config;
    this.queues = catalogue.channels.map(() => []);
    this.oldest = catalogue.channels.map(() => 0);
  }

  send(event: number, payload: Uint8Array): string | undefined {
    const declared = this.#catalogue.events[event];
    if (declared === undefined) return 'unknownEvent';
    if (payload.length > declared.maxPayload) return 'payloadTooLarge';
    const channel = this.#catalogue.channels[declared.channel]!;
    const queue = this.queues[declared.channel]!;
    if (queue.length >= channel.capacity) {
      if (channel.overflow === 'fail') return 'queueFull';
      if (channel.overflow === 'dropNewest') return undefined;
      queue.shift();
    }
    queue.push({ event, payload: payload.slice(), lastSent: -Infinity, acked: false });
    return undefined;
  }

  acknowledge(index: number): void {
    const sent = this.sent[index];
    if (sent?.live !== true || index < this.sent.length - this.#config.sentPacketsBufferSize) return;
    sent.live = false;
    if (sent.hello) this.#helloAcked = true;
    for (const [channel, slot] of sent.messages) {
      slot.acked = true;
      const queue = this.queues[channel]!;
      while (queue[0]?.acked === true) {
        queue.shift();
        this.oldest[channel] = (this.oldest[channel]! + 1) % 65_536;
      }
    }
  }

  flush(now: number, rttMaxSeconds: number): TwinPacket[] {
    const packets: TwinPacket[] = [];
    const written = new Set<Slot>();
    for (let i = 0; i < this.#config.maxPacketsPerFlush; i++) {
      const { packet, carried } = this.#build(now, this.#hasRoom(now, rttMaxSeconds), written);
      const owed = !this.#helloAcked || now - this.#lastSend >= this.#config.idlePacketInterval;
      if (packet.sections.length === 0 && !owed) break;
      packets.push(packet);
      this.sent.push({ time: now, live: true, hello: packet.hello, messages: carried });
      this.#lastSend = now;
      if (packet.sections.length === 0) break;
    }
    return packets;
  }

  #window(): Sent[] {
    return this.sent.slice(-this.#config.sentPacketsBufferSize);
  }

  #hasRoom(now: number, rttMaxSeconds: number): boolean {
    const cap = this.#config.sentPacketsBufferSize / 2;
    const expiry = rttMaxSeconds > 0 ? Math.min(Math.max(2 * rttMaxSeconds, 0.05), 1) : 0.25;
    const inFlight = (): number => this.#window().filter((sent) => sent.live).length;
    if (inFlight() < cap) return true;
    for (const sent of this.#window()) if (now - sent.time > expiry) sent.live = false;
    return inFlight() < cap;
  }

  #build(now: number, withEvents: boolean, written: Set<Slot>): { packet: TwinPacket; carried: [number, Slot][] } {
    const { channels, events, maxMessagesPerPacket } = this.#catalogue;
    const hello = !this.#helloAcked;
    const packet: TwinPacket = { hello, sections: [] };
    const carried: [number, Slot][] = [];
    const count = channels.length;
    if (!withEvents || count === 0) return { packet, carried };
    const channelBits = width(0, count - 1);
    let bits = 3 + width(0, count) + (hello ? 144 : 0);
    let limit = this.#config.packetBudget * 8;
    let full = false;
    let total = 0;
    let blocked: number | undefined;
    const start = this.#rotation % count;
    for (let k = 0; k < count && !full; k++) {
      const c = (start + k) % count;
      const { delivery, maxPayload, packetBudget, resendInterval } = channels[c]!;
      const isReliable = delivery === 'reliableOrdered';
      const queue = this.queues[c]!;
      const budget = packetBudget === undefined ? Infinity : packetBudget * 8;
      const messages: [number, number, number][] = [];
      let used = 0;
      let previous = 0;
      let stalled = false;
      while (messages.length < maxMessagesPerPacket && !full) {
        const position = isReliable
          ? queue.findIndex((slot) => !slot.acked && !written.has(slot) && now - slot.lastSent >= resendInterval)
          : queue.length > 0
            ? 0
            : -1;
        const slot = queue[position];
        if (slot === undefined) break;
        let cost = width(0, Math.max(events.length - 1, 0)) + width(0, maxPayload) + 7 + 8 * slot.payload.length;
        if (messages.length === 0) cost += channelBits + width(1, maxMessagesPerPacket) + (isReliable ? 16 : 0);
        else if (isReliable) cost += deltaWidth(position - previous);
        if (!(bits + cost <= limit && used + cost <= budget)) {
          if (total > 0 || bits + cost > this.#config.maxPacketSize * 8) {
            stalled = true;
            break;
          }
          limit = bits + cost;
          full = true;
        }
        bits += cost;
        used += cost;
        total++;
        messages.push([isReliable ? (this.oldest[c]! + position) % 65_536 : 0, slot.event, slot.payload.length]);
        if (isReliable) {
          slot.lastSent = now;
          written.add(slot);
          carried.push([c, slot]);
          previous = position;
        } else {
          queue.shift();
        }
      }
      if (stalled && blocked === undefined) blocked = c;
      if (messages.length > 0) packet.sections.push([c, messages]);
    }
    this.#rotation = blocked ?? start + 1;
    return { packet, carried };
  }
}
