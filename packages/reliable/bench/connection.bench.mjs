// connection/…: one pair of connections, without sockets. Everything is raced against `dream-net` playing the same; lossy cases also against that without
// loss.
import { ReliableEndpoint } from '@x/reliable';
import { Pair } from '@x/reliable/simulator';
import { BATCH, BLOB, BLOB_BYTES, CLASSES, DT, eventOf, newShared, OPTIONS, SIZES } from './support/catalogue.mjs';
import { Datagrams, Direct, discard } from './support/direct.mjs';
import { againstDreamNet, eventRace } from './support/race.mjs';

/** Calls that are timed at once where one is short. */
const CALLS = 2000;
const BLOBS = 16;
const FRAMES = 8;
const LOSSES = [0, 1, 5, 20];
const LOSSY_EVENTS = 20_000;

/** A pair that has been seen to carry a batch of these events. */
function stage(event, size, count = BATCH) {
  const payload = new Uint8Array(size).fill(7);
  const checked = new Direct(newShared());
  checked.send(event, payload, count);
  checked.step();
  checked.check(event, payload, count);
  return { payload, pair: new Direct(newShared()) };
}

/** Queues a batch; it is delivered without being timed. */
function sending(reliability, size) {
  const event = eventOf(reliability, size);
  const { pair, payload } = stage(event, size);
  return {
    play(watch) {
      watch.start();
      pair.send(event, payload, BATCH);
      watch.stop();
      pair.step();
      pair.drain(BATCH);
      return BATCH;
    },
  };
}

/** Moves a batch of received events into a buffer. */
function polling(size) {
  const event = eventOf('unreliable', size);
  const { pair, payload } = stage(event, size);
  return {
    play(watch) {
      pair.send(event, payload, BATCH);
      pair.step();
      watch.start();
      pair.drain(BATCH);
      watch.stop();
      return BATCH;
    },
  };
}

/** One flush of a batch into datagrams, which are copied; they are delivered without being timed. */
function packing(reliability, size) {
  const event = eventOf(reliability, size);
  const { pair, payload } = stage(event, size);
  const datagrams = new Datagrams();
  return {
    work: undefined,
    play(watch) {
      pair.send(event, payload, BATCH);
      watch.start();
      pair.b.writePackets(datagrams.push);
      watch.stop();
      this.work = datagrams.length;
      pair.deliver(datagrams);
      pair.step();
      pair.drain(BATCH);
      return 1;
    },
  };
}

/** Frames of both ends with events one way: they are queued, packed, handed over, and polled. */
function frames(event, size, count) {
  const { pair, payload } = stage(event, size, count);
  return {
    work: undefined,
    play(watch) {
      watch.start();
      for (let i = 0; i < FRAMES; i++) {
        pair.send(event, payload, count);
        pair.step();
        pair.drain(count);
      }
      watch.stop();
      const { eventsResent, datagramsSent } = pair.b.counters;
      if (eventsResent !== 0) throw new Error(`${eventsResent} events were sent again`);
      this.work = datagramsSent;
      return FRAMES;
    },
  };
}

/** Reliable events through the simulator. `tally` adds up what was sent again. */
function losing(percent, tally) {
  const shared = newShared();
  const event = eventOf('reliable', 64);
  const link = { latency: 0.05, jitter: 0.01, loss: percent / 100 };
  const payload = new Uint8Array(64).fill(7);
  const buffer = new Uint8Array(256);
  let seed = 0;
  return {
    work: undefined,
    play(watch) {
      const pair = Pair.symmetric(shared, link, ++seed);
      if (!pair.handshake(DT, 600)) throw new Error('the pair is not established');
      let sent = 0;
      let received = 0;
      watch.start();
      while (received < LOSSY_EVENTS) {
        for (; sent < LOSSY_EVENTS; sent++) {
          payload[0] = sent;
          if (pair.b.trySend(event, payload) !== undefined) break;
        }
        pair.step(DT);
        for (; pair.aInbox.popInto(buffer) !== undefined; received++) {
          if (buffer[0] !== (received & 0xff)) throw new Error(`event ${received} arrived out of order`);
        }
      }
      watch.stop();
      if (received !== LOSSY_EVENTS) throw new Error(`${received} of ${LOSSY_EVENTS} events arrived`);
      this.work = pair.b.counters.eventsResent;
      tally.events += LOSSY_EVENTS;
      tally.resent += pair.b.counters.eventsResent;
      return LOSSY_EVENTS;
    },
  };
}

/** Moves the clock of a connection without traffic. */
function idleUpdate() {
  const pair = new Direct(newShared());
  return {
    play(watch) {
      watch.start();
      for (let i = 0; i < CALLS; i++) pair.a.update((pair.time += DT));
      watch.stop();
      if (pair.a.state !== 'established') throw new Error(`the connection is ${pair.a.state}`);
      return CALLS;
    },
  };
}

/** Frames of both ends without traffic. */
function idleFrames() {
  const pair = new Direct(newShared());
  return {
    work: undefined,
    play(watch) {
      watch.start();
      for (let i = 0; i < CALLS; i++) pair.step();
      watch.stop();
      this.work = pair.b.counters.datagramsSent;
      return CALLS;
    },
  };
}

/** Moves the clock of an endpoint. */
function endpointUpdate(rttHistorySize) {
  const { sentPacketsBufferSize, receivedPacketsBufferSize } = OPTIONS;
  const endpoint = new ReliableEndpoint(
    { name: 'bench', sentPacketsBufferSize, receivedPacketsBufferSize, rttHistorySize },
    { transmit: discard, process: () => true },
    0,
  );
  let time = 0;
  return {
    play(watch) {
      watch.start();
      for (let i = 0; i < CALLS; i++) endpoint.update((time += DT));
      watch.stop();
      return CALLS;
    },
  };
}

function lossyRace() {
  const tallies = new Map(LOSSES.map((percent) => [percent, { events: 0, resent: 0 }]));
  const isFirst = (percent) => percent === LOSSES[0];
  const entries = LOSSES.flatMap((percent) => [
    {
      name: `${percent}/ours`,
      make: () => losing(percent, tallies.get(percent)),
      ratios: isFirst(percent) ? ['0/dream-net'] : ['0/ours', `${percent}/dream-net`],
      ...(percent === 20 ? { floor: 1.6, aim: 1.25 } : {}),
    },
    {
      name: `${percent}/dream-net`,
      foreign: `connection/lossy/${percent}`,
      agrees: `${percent}/ours`,
      ratios: isFirst(percent) ? [] : ['0/dream-net'],
    },
  ]);
  const report = () => {
    for (const [percent, { events, resent }] of tallies) {
      if (events > 0) console.log(`connection/lossy/${percent}: ${((100 * resent) / events).toFixed(1)} % of the events were sent again`);
    }
  };
  return eventRace('connection/lossy', 'ns', entries, { report });
}

export function races() {
  const classed = (make) => CLASSES.flatMap((reliability) => SIZES.map((size) => make(reliability, size)));
  const limitsOf = (reliability, size) => (reliability === 'reliable' && size === 64 ? { floor: 8, aim: 3 } : {});
  return [
    ...classed((reliability, size) =>
      againstDreamNet(`connection/send/${reliability}/${size}`, 'ns', () => sending(reliability, size), limitsOf(reliability, size)),
    ),
    ...[16, 256, 1024].map((size) => againstDreamNet(`connection/poll-into/${size}`, 'ns', () => polling(size))),
    ...classed((reliability, size) => againstDreamNet(`connection/pack/${reliability}/${size}`, 'µs', () => packing(reliability, size))),
    ...classed((reliability, size) =>
      againstDreamNet(
        `connection/direct/${reliability}/${size}`,
        'µs',
        () => frames(eventOf(reliability, size), size, BATCH),
        limitsOf(reliability, size),
      ),
    ),
    againstDreamNet('connection/fragmented', 'µs', () => frames(BLOB, BLOB_BYTES, BLOBS), { floor: 6, aim: 3 }),
    lossyRace(),
    againstDreamNet('connection/idle/update', 'ns', idleUpdate, { floor: 2, aim: 0.5 }),
    againstDreamNet('connection/idle/frame', 'ns', idleFrames),
    ...[32, 128, 512].map((size) => againstDreamNet(`connection/reliable-update/${size}`, 'ns', () => endpointUpdate(size))),
  ];
}
