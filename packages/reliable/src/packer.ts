import type { CatalogueChannel } from './catalogue.ts';
import { NOTHING_DUE } from './channel/channel.ts';
import type { SendChannel } from './channel/channel.ts';
import { idDeltaBits } from './id-delta.ts';
import type { PacketLayout } from './packet-layout.ts';
import type { PacketWriter } from './packet-writer.ts';
import type { SentPackets } from './sent-packets.ts';

/** Stands for no budget: more bits than any packet has. */
const NO_BUDGET = 0x7fff_ffff;

/**
 * Chooses which events go into the next packet and writes it.
 *
 * Costs are upper bounds in bits, so a packet is a little shorter than its budget. A channel whose next event did not fit leads the next packet, so
 * that a large event waits for one packet at most; with nothing held back the lead goes round. Source: event layer section 6.3.
 */
export class Packer {
  /** Length of the packet that was built last, bytes. */
  length: number = 0;
  readonly #layout: PacketLayout;
  readonly #channels: readonly SendChannel[];
  readonly #sent: SentPackets;
  readonly #budgetBits: number;
  readonly #maxPacketBits: number;
  readonly #channelBudgetBits: Float64Array;
  #rotation: number = 0;
  /** The packet being built: bits so far, how many it may have, messages, and what stopped a channel. */
  #bits: number = 0;
  #limit: number = 0;
  #messages: number = 0;
  #isFull: boolean = false;
  #isStalled: boolean = false;

  constructor(
    layout: PacketLayout,
    limits: { readonly packetBudget: number; readonly maxPacketSize: number },
    declared: readonly CatalogueChannel[],
    channels: readonly SendChannel[],
    sent: SentPackets,
  ) {
    this.#layout = layout;
    this.#channels = channels;
    this.#sent = sent;
    this.#budgetBits = 8 * limits.packetBudget;
    this.#maxPacketBits = 8 * limits.maxPacketSize;
    this.#channelBudgetBits = Float64Array.from(declared, ({ packetBudget }) => Math.min(8 * (packetBudget ?? NO_BUDGET), NO_BUDGET));
  }

  /** Called at the start of each flush. */
  beginFlush(): void {
    for (const channel of this.#channels) channel.beginFlush();
  }

  /**
   * Builds one packet into `writer`.
   *
   * @param hello - whether our hello is in it.
   * @param withEvents - false: no sections, and the lead stays where it is.
   * @returns the number of messages in it; their reliable ones are added to the sent packets.
   */
  build(writer: PacketWriter, hello: boolean, withEvents: boolean): number {
    const count = this.#channels.length;
    let sections = 0;
    this.#messages = 0;
    writer.begin(hello);
    if (withEvents && count > 0) {
      this.#bits = this.#layout.headerBits(hello);
      this.#limit = this.#budgetBits;
      this.#isFull = false;
      const start = this.#rotation % count;
      let blocked = -1;
      for (let k = 0; k < count; k++) {
        if (this.#hasLoneMessage()) break;
        const channel = start + k < count ? start + k : start + k - count;
        if (this.#channels[channel]!.length === 0) continue;
        const taken = this.#takeFrom(channel, writer);
        if (this.#isStalled && blocked < 0) blocked = channel;
        if (taken === 0) continue;
        writer.endSection(taken);
        sections++;
      }
      this.#rotation = blocked >= 0 ? blocked : start + 1;
    }
    this.length = writer.finish(sections);
    return this.#messages;
  }

  /** Whether the packet holds a message that no other may join. */
  #hasLoneMessage(): boolean {
    return this.#isFull;
  }

  /** Fills a section, and says in `#isStalled` whether an event of the channel was left for want of room. */
  #takeFrom(channel: number, writer: PacketWriter): number {
    const layout = this.#layout;
    const queue = this.#channels[channel]!;
    const { isReliable } = queue;
    const budget = this.#channelBudgetBits[channel]!;
    const emptyBits = layout.messageBits(channel, 0);
    let used = 0;
    let taken = 0;
    let previous = 0;
    this.#isStalled = false;
    while (taken < layout.maxMessages && !this.#hasLoneMessage()) {
      const position = queue.nextDue();
      if (position === NOTHING_DUE) break;
      const payload = queue.payloadAt(position);
      const delta = isReliable && taken > 0 ? position - previous : 0;
      let cost = emptyBits + 8 * payload.length;
      if (taken === 0) cost += layout.sectionBits(channel);
      else if (isReliable) cost += idDeltaBits(delta);
      const bits = this.#bits + cost;
      if (bits > this.#limit || used + cost > budget) {
        if (this.#messages > 0 || bits > this.#maxPacketBits) {
          this.#isStalled = true;
          break;
        }
        // Alone: no other message joins, of any channel.
        this.#limit = bits;
        this.#isFull = true;
      }
      this.#bits = bits;
      used += cost;
      const id = queue.idAt(position);
      if (taken === 0) writer.section(channel, id);
      writer.message(channel, delta, queue.eventAt(position), payload);
      if (isReliable) this.#sent.addMessage(channel, id, queue.serialAt(position));
      queue.take(position);
      previous = position;
      taken++;
      this.#messages++;
    }
    return taken;
  }
}
