// scale/…: one host with many peers, without sockets. Frames are told per peer, so the ratio to one peer is what each of many costs more; polling is told per
// frame of the host.
import { Host, POLLED_EVENTS, POLLED_PEERS } from './support/host.mjs';
import { eventRace } from './support/race.mjs';

/** Frames of one peer that are timed at once; with more peers fewer. */
const PEER_FRAMES = 512;
/** Frames until the queue has the length that is kept. */
const FILL_FRAMES = 16;
const POLLED_FRAMES = 8;

function mustPoll(polled, expected) {
  if (polled !== expected) throw new Error(`${polled} events were polled, not ${expected}`);
}

/** Every client sends 2 events and gets 3. */
function traffic(peers) {
  const host = new Host(peers);
  const frames = PEER_FRAMES / peers;
  // What was sent to the clients is polled a frame later.
  mustPoll(host.frame(true), 2 * peers);
  return {
    work: undefined,
    play(watch) {
      watch.start();
      for (let i = 0; i < frames; i++) mustPoll(host.frame(true), 5 * peers);
      watch.stop();
      this.work = host.peers[0].server.counters.bytesSent;
      return frames * peers;
    },
  };
}

function idle(peers) {
  const host = new Host(peers);
  const frames = PEER_FRAMES / peers;
  return {
    work: undefined,
    play(watch) {
      watch.start();
      for (let i = 0; i < frames; i++) mustPoll(host.frame(false), 0);
      watch.stop();
      this.work = host.peers[0].server.counters.datagramsSent;
      return frames * peers;
    },
  };
}

/** A queue that is never emptied. */
function partialPoll(keep) {
  const host = new Host(POLLED_PEERS);
  for (let i = 0; i < FILL_FRAMES; i++) host.partialFrame(keep);
  return {
    work: undefined,
    play(watch) {
      watch.start();
      for (let i = 0; i < POLLED_FRAMES; i++) mustPoll(host.partialFrame(keep), POLLED_PEERS * POLLED_EVENTS);
      watch.stop();
      this.work = host.peers[0].client.counters.bytesSent;
      return POLLED_FRAMES;
    },
  };
}

/** Ours and `dream-net` for each of several values; the first ratio is to `dream-net`, the second to the first value. */
function sweep(name, values, make, limits = new Map()) {
  const entries = values.flatMap((value) => [
    {
      name: `${value}/ours`,
      make: () => make(value),
      ratios: [`${value}/dream-net`, ...(value === values[0] ? [] : [`${values[0]}/ours`])],
      ...limits.get(value),
    },
    {
      name: `${value}/dream-net`,
      foreign: `${name}/${value}`,
      agrees: `${value}/ours`,
      ratios: value === values[0] ? [] : [`${values[0]}/dream-net`],
    },
  ]);
  return eventRace(name, 'µs', entries);
}

export function races() {
  return [
    sweep('scale/frame', [1, 16, 64, 256], traffic, new Map([[256, { floor: 6, aim: 2.5 }]])),
    sweep('scale/idle', [64, 256], idle, new Map([[256, { floor: 3, aim: 0.5 }]])),
    sweep('scale/partial-poll', [0, 256, 4096], partialPoll),
  ];
}
