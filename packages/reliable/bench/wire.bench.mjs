// wire/{encode,decode}/{reliable,unreliable}/{1x16,…}: one packet of one section. Reliable ids go on from packet to packet, from 65000 in steps of 1, 2 and
// 3, and wrap. Anchors: `dream-net`, and a `set` of the same bytes, one for each event.
import { CLASSES, eventOf, newShared } from './support/catalogue.mjs';
import { againstDreamNet } from './support/race.mjs';

const SHAPES = [
  [1, 16],
  [8, 64],
  [64, 16],
  [64, 64],
  [16, 256],
  [4, 1024],
];
const FIRST_ID = 65_000;
const PACKET_BYTES = 8192;
/** Different packets to decode. */
const PACKETS = 16;
/** Events timed at once. */
const EVENTS = 16_384;

/** Writes packets one after another, each with the next ids and another payload. */
class Encoding {
  #shared = newShared();
  #writer = this.#shared.takeWriter();
  #id = FIRST_ID;

  constructor(reliability, count, size) {
    this.channel = reliability === 'reliable' ? 0 : 1;
    this.event = eventOf(reliability, size);
    this.count = count;
    this.payload = new Uint8Array(size).fill(7);
  }

  get bytes() {
    return this.#writer.bytes;
  }

  /** Returns the length of the packet. */
  packet() {
    const writer = this.#writer;
    const { channel, event, count, payload } = this;
    const isReliable = channel === 0;
    let id = this.#id;
    payload[0]++;
    writer.begin(false);
    writer.section(channel, id);
    for (let i = 0; i < count; i++) {
      const delta = isReliable && i > 0 ? 1 + ((i - 1) % 3) : 0;
      id += delta;
      writer.message(channel, delta, event, payload);
    }
    writer.endSection(count);
    this.#id = (id + 1) & 0xffff;
    return writer.finish(1);
  }

  /** Decodes the packet that was written last and compares it with what went in. Returns the sum of its ids. */
  check(length, first) {
    const { decoder } = this.#shared;
    const result = decoder.decode(this.bytes, 0, length);
    if (result !== 'ok' || decoder.messageCount !== this.count) throw new Error(`${decoder.messageCount} messages came back: ${result}`);
    let id = this.channel === 0 ? first : 0;
    let sum = 0;
    for (let i = 0; i < this.count; i++) {
      const at = decoder.messageOffset[i];
      const payload = this.bytes.subarray(at, at + decoder.messageLength[i]);
      if (this.channel === 0 && i > 0) id = (id + 1 + ((i - 1) % 3)) & 0xffff;
      const isRight = decoder.messageEvent[i] === this.event && decoder.messageId[i] === id;
      if (!isRight || Buffer.compare(payload, this.payload) !== 0) throw new Error(`message ${i} did not come back as it went in`);
      sum += id;
    }
    return sum;
  }
}

function encoding(reliability, count, size) {
  const packets = EVENTS / count;
  const encode = new Encoding(reliability, count, size);
  const work = encode.packet();
  encode.check(work, FIRST_ID);
  return {
    work,
    play(watch) {
      let bytes = 0;
      watch.start();
      for (let i = 0; i < packets; i++) bytes += encode.packet();
      watch.stop();
      if (bytes !== packets * work) throw new Error('packets differ in length');
      return packets;
    },
  };
}

function decoding(reliability, count, size) {
  const packets = EVENTS / count;
  const encode = new Encoding(reliability, count, size);
  const bytes = new Uint8Array(PACKETS * PACKET_BYTES);
  const lengths = new Uint32Array(PACKETS);
  let id = FIRST_ID;
  let work = 0;
  for (let i = 0; i < PACKETS; i++) {
    lengths[i] = encode.packet();
    work = encode.check(lengths[i], id);
    id += 1;
    for (let k = 1; k < count; k++) id += 1 + ((k - 1) % 3);
    id &= 0xffff;
    bytes.set(encode.bytes.subarray(0, lengths[i]), i * PACKET_BYTES);
  }
  const { decoder } = newShared();
  return {
    work,
    play(watch) {
      watch.start();
      for (let i = 0; i < packets; i++) {
        const packet = i % PACKETS;
        if (decoder.decode(bytes, packet * PACKET_BYTES, lengths[packet]) !== 'ok') throw new Error('a packet was refused');
        if (decoder.messageCount !== count) throw new Error(`${decoder.messageCount} of ${count} messages came back`);
      }
      watch.stop();
      return packets;
    },
  };
}

/** The bytes of a packet's payloads, copied one event at a time. */
function copying(count, size) {
  const packets = EVENTS / count;
  const payload = new Uint8Array(size).fill(7);
  const target = new Uint8Array(count * size);
  return {
    play(watch) {
      watch.start();
      for (let i = 0; i < packets; i++) {
        payload[0] = i;
        for (let k = 0; k < count; k++) target.set(payload, k * size);
      }
      watch.stop();
      if (target[(count - 1) * size] !== payload[0]) throw new Error('nothing was copied');
      return packets;
    },
  };
}

const LIMITS = { encode: { floor: 4, aim: 2 }, decode: { floor: 3, aim: 1 } };

export function races() {
  return Object.entries({ encode: encoding, decode: decoding }).flatMap(([direction, make]) =>
    CLASSES.flatMap((reliability) =>
      SHAPES.map(([count, size]) => {
        const limits = reliability === 'reliable' && count === 64 && size === 64 ? LIMITS[direction] : {};
        const others = [{ name: 'memcpy', make: () => copying(count, size) }];
        return againstDreamNet(`wire/${direction}/${reliability}/${count}x${size}`, 'ns', () => make(reliability, count, size), {
          ...limits,
          others,
        });
      }),
    ),
  );
}
