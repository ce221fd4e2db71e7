import type { SeededRandom } from '@x/testkit';
import type { Catalogue } from '../../src/index.ts';
import type { PacketDecoder, PacketSpec } from '../../src/wire.ts';
import { specOf } from '../../../../tools/vectors/src/events/packets.ts';
import { PacketLayout } from '../../src/wire.ts';

/** A packet that the catalogue can hold. */
export function randomPacket(random: SeededRandom, catalogue: Catalogue): PacketSpec {
  const ids = catalogue.channels.map((_, id) => id).filter(() => random.chance(0.7));
  ids.sort(() => random.unit() - 0.5);
  const sections = ids.flatMap((channel) => {
    const events = catalogue.events.flatMap((event, id) => (event.channel === channel ? [id] : []));
    if (events.length === 0) return [];
    const { capacity, delivery } = catalogue.channels[channel]!;
    const isReliable = delivery === 'reliableOrdered';
    let id = random.below(65_536);
    let span = 0;
    const messages = [];
    const count = 1 + random.below(Math.min(catalogue.maxMessagesPerPacket, random.pick([4, 20, 64])));
    for (let i = 0; i < count; i++) {
      if (isReliable && i > 0) {
        const delta = 1 + random.below(random.pick([1, 3, 8, 30, 300, 5000]));
        span += delta;
        if (span >= capacity) break;
        id = (id + delta) % 65_536;
      }
      const event = random.pick(events);
      messages.push({
        id: isReliable ? id : 0,
        event,
        payload: random.bytes(random.below(Math.min(catalogue.events[event]!.maxPayload, 60) + 1)),
      });
    }
    return [{ channel, messages }];
  });
  return { hello: random.chance(0.4), sections };
}

/** What a decoder read last, as a packet. */
export function decoded(decoder: PacketDecoder, catalogue: Catalogue, bytes: Uint8Array): PacketSpec {
  return specOf(decoder, new PacketLayout(catalogue), bytes);
}
