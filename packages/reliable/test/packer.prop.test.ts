import { eachSeed } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import { expect, test } from 'vitest';
import { Connection, ConnectionShared, PeerId, ReliableError, transportConfig } from '../src/index.ts';
import type { Catalogue, TransportOptions } from '../src/index.ts';
import { PacketDecoder, encodePacket, readPacketHeader, writePacketHeader } from '../src/wire.ts';
import { Inbox } from '../src/index.ts';
import { randomCatalogue } from './support/catalogues.ts';
import { PackerTwin } from './twins/packer-twin.ts';
import type { TwinPacket } from './twins/packer-twin.ts';

const PEER = PeerId.of(0, 1);
const NO_HEADER = { sequence: 0, ack: 0, ackBits: 0 };

test('when random events are queued, flushed and acknowledged, then every packet holds what the slow twin chooses', () => {
  let packets = 0;
  let lone = 0;
  eachSeed(250, (random) => {
    const catalogue = randomCatalogue(random);
    const options: TransportOptions = {
      fragmentAbove: 1191,
      maxPacketSize: random.pick([1300, 4000]),
      packetBudget: random.pick([30, 60, 200, 1191]),
      maxPacketsPerFlush: random.pick([1, 3, 64]),
      sentPacketsBufferSize: random.pick([2, 8, 64, 256]),
      receivedPacketsBufferSize: 32,
      idlePacketInterval: random.pick([0, 0.05, 0.1]),
      maxPooledBytes: random.pick([0, 100, 65_536]),
      fragmentSize: 1186,
    };
    const shared = makeShared(catalogue, options);
    if (shared === undefined) return;
    const twin = new PackerTwin(catalogue, transportConfig(options));
    const connection = new Connection(shared, PEER, 0);
    const peer = new FakePeer(connection, shared);
    let now = 0;
    for (let frame = 0; frame < 25; frame++) {
      now += random.pick([0, 1 / 60, 0.03, 0.3]);
      connection.update(now);
      for (let i = random.below(12); i > 0 && catalogue.events.length > 0; i--) sendSame(random, catalogue, connection, twin);
      const expected = twin.flush(now, connection.stats.rttMax / 1000);
      const actual = peer.flush();
      expect(actual).toEqual(expected);
      packets += actual.length;
      lone += actual.filter((packet) => packet.sections.length === 1 && packet.sections[0]![1].length === 1).length;
      for (const index of peer.acknowledgeSome(random)) twin.acknowledge(index);
      for (const [channel, queue] of twin.queues.entries()) expect(connection.queued(channel)).toBe(queue.length);
    }
  });
  expect(packets).toBeGreaterThan(3000);
  expect(lone).toBeGreaterThan(200);
});

function makeShared(catalogue: Catalogue, options: TransportOptions): ConnectionShared | undefined {
  try {
    return ConnectionShared.create(catalogue, options);
  } catch (error) {
    if (ReliableError.is(error)) return undefined;
    throw error;
  }
}

function sendSame(random: SeededRandom, catalogue: Catalogue, connection: Connection, twin: PackerTwin): void {
  const event = random.below(catalogue.events.length + 1);
  const maxPayload = catalogue.events[event]?.maxPayload ?? 0;
  const payload = random.bytes(random.chance(0.05) ? maxPayload + 1 : random.below(maxPayload + 1));
  expect(connection.trySend(event, payload)).toBe(twin.send(event, payload));
}

/** The other end, reduced to reading packets and acknowledging some. */
class FakePeer {
  readonly #connection: Connection;
  readonly #decoder: PacketDecoder;
  readonly #inbox: Inbox<never> = new Inbox<never>(1);
  readonly #hello: Uint8Array;
  #sequence: number = 0;
  #count: number = 0;
  #unacknowledged: number[] = [];

  constructor(connection: Connection, shared: ConnectionShared) {
    this.#connection = connection;
    this.#decoder = new PacketDecoder(shared.layout);
    const out = new Uint8Array(64);
    this.#hello = out.slice(0, encodePacket(shared.layout, { hello: false, sections: [] }, out));
    this.#inbox.openSlot(PEER);
    const hello = out.slice(0, encodePacket(shared.layout, { hello: true, sections: [] }, out));
    this.#receive(hello, 65_535, 0);
  }

  flush(): TwinPacket[] {
    const packets: TwinPacket[] = [];
    let whole: Uint8Array | undefined;
    this.#connection.writePackets((bytes, offset, length) => {
      const datagram = bytes.slice(offset, offset + length);
      if (datagram[0] === 1) {
        const at = datagram[3] === 0 ? 5 + Number(readPacketHeader(datagram, 5, length, NO_HEADER)) : 5;
        whole = Uint8Array.of(...(datagram[3] === 0 ? [] : whole!), ...datagram.subarray(at));
        if (datagram[3] === datagram[4]) packets.push(this.#read(whole));
      } else {
        const at = Number(readPacketHeader(datagram, 0, length, NO_HEADER));
        packets.push(this.#read(datagram.subarray(at)));
      }
    });
    return packets;
  }

  /** Acknowledges some of the packets in the last 32; returns their indices in the order in which that is noticed. */
  acknowledgeSome(random: SeededRandom): number[] {
    const newest = this.#count - 1;
    if (newest < 0 || random.chance(0.3)) return [];
    const acked = this.#unacknowledged.filter((index) => index > newest - 32 && random.chance(0.6)).sort((a, b) => b - a);
    this.#unacknowledged = this.#unacknowledged.filter((index) => !acked.includes(index));
    let bits = 0;
    for (const index of acked) bits |= 1 << (newest - index);
    this.#receive(this.#hello, newest & 0xffff, bits >>> 0);
    return acked;
  }

  #read(bytes: Uint8Array): TwinPacket {
    expect(this.#decoder.decode(bytes)).toBe('ok');
    this.#unacknowledged.push(this.#count++);
    let first = 0;
    const { hasHello, sectionCount, sectionChannel, sectionMessages, messageId, messageEvent, messageLength } = this.#decoder;
    const sections: TwinPacket['sections'] = [];
    for (let s = 0; s < sectionCount; s++) {
      const messages = Array.from({ length: sectionMessages[s]! }, (_, i): [number, number, number] => [
        messageId[first + i]!,
        messageEvent[first + i]!,
        messageLength[first + i]!,
      ]);
      first += messages.length;
      sections.push([sectionChannel[s]!, messages]);
    }
    return { hello: hasHello, sections };
  }

  #receive(body: Uint8Array, ack: number, ackBits: number): void {
    const datagram = new Uint8Array(64);
    const header = writePacketHeader(datagram, 0, this.#sequence++, ack, ackBits);
    datagram.set(body, header);
    this.#connection.receive(datagram, this.#inbox, () => undefined, 0, header + body.length);
  }
}
