import { Pair } from '@x/reliable/simulator';
import type { Link, PairOptions } from '@x/reliable/simulator';

/** Sees every datagram that is offered to either link of a pair, in order, those that get lost included. */
export type Watcher = (isFromB: boolean, datagram: Uint8Array) => void;

/** Makes a pair whose links tell `watch` what they are offered. */
export function watchedPair(options: PairOptions, watch: Watcher): Pair {
  const pair = new Pair(options);
  watchLink(pair.aToB, (datagram) => watch(false, datagram));
  watchLink(pair.bToA, (datagram) => watch(true, datagram));
  return pair;
}

function watchLink(link: Link, watch: (datagram: Uint8Array) => void): void {
  const send = link.send.bind(link);
  link.send = (time: number, bytes: Uint8Array, from?: number, count?: number): void => {
    const offset = from ?? 0;
    const length = count ?? bytes.length - offset;
    watch(bytes.slice(offset, offset + length));
    send(time, bytes, offset, length);
  };
}
