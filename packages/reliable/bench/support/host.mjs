// One host with many peers, datagrams handed over directly.
import { Connection, Inbox, PeerId } from '@x/reliable';
import { DT, eventOf, newShared } from './catalogue.mjs';
import { discard } from './direct.mjs';

const SETTLE_FRAMES = 8;
export const POLLED_PEERS = 64;
export const POLLED_EVENTS = 8;
const SMALL = eventOf('reliable', 16);
const STATE = eventOf('unreliable', 64);
const LARGE = eventOf('unreliable', 256);

/** A client, its connection at the host, and the ways between them. */
class Peer {
  inbox = new Inbox(1);
  constructor(shared, slot, hostInbox) {
    const atHost = PeerId.of(slot, 1);
    const atClient = PeerId.of(0, 1);
    hostInbox.openSlot(atHost);
    this.inbox.openSlot(atClient);
    this.server = new Connection(shared, atHost, 0);
    this.client = new Connection(shared, atClient, 0);
    this.toServer = (bytes, offset, length) => this.server.receive(bytes, hostInbox, discard, offset, length);
    this.toClient = (bytes, offset, length) => this.client.receive(bytes, this.inbox, discard, offset, length);
  }
}

function mustSend(connection, event, payload) {
  const refusal = connection.trySend(event, payload);
  if (refusal !== undefined) throw new Error(`an event was refused: ${refusal}`);
}

export class Host {
  peers;
  #inbox;
  #time = 0;
  #frames = 0;
  #small = new Uint8Array(16);
  #state = new Uint8Array(64);
  #large = new Uint8Array(256);
  #buffer = new Uint8Array(2048);

  constructor(count) {
    const shared = newShared();
    this.#inbox = new Inbox(count);
    this.peers = Array.from({ length: count }, (_, slot) => new Peer(shared, slot, this.#inbox));
    for (let i = 0; i < SETTLE_FRAMES; i++) this.frame(false);
  }

  /** A frame of every client, then of the host. Returns the number of events that were polled. */
  frame(traffic) {
    const time = (this.#time += DT);
    const inbox = this.#inbox;
    const buffer = this.#buffer;
    this.#small.fill(++this.#frames);
    this.#state.fill(this.#frames);
    let polled = 0;
    for (const { client, inbox: clientInbox, toServer } of this.peers) {
      clientInbox.compact();
      client.update(time);
      if (traffic) {
        mustSend(client, SMALL, this.#small);
        mustSend(client, STATE, this.#state);
      }
      client.writePackets(toServer);
      while (clientInbox.popInto(buffer) !== undefined) polled++;
    }
    inbox.compact();
    for (const { server } of this.peers) server.update(time);
    while (inbox.popInto(buffer) !== undefined) polled++;
    for (const { server, toClient } of this.peers) {
      if (traffic) {
        mustSend(server, SMALL, this.#small);
        mustSend(server, STATE, this.#state);
        mustSend(server, STATE, this.#state);
      }
      server.writePackets(toClient);
    }
    return polled;
  }

  /** A frame in which only the clients send, and the host leaves `keep` events in its queue. Returns the number of events that were polled. */
  partialFrame(keep) {
    const time = (this.#time += DT);
    const inbox = this.#inbox;
    this.#large.fill(++this.#frames);
    for (const { client, toServer } of this.peers) {
      client.update(time);
      for (let i = 0; i < POLLED_EVENTS; i++) mustSend(client, LARGE, this.#large);
      client.writePackets(toServer);
    }
    inbox.compact();
    for (const { server } of this.peers) server.update(time);
    let polled = 0;
    for (; inbox.length > keep; polled++) inbox.popInto(this.#buffer);
    for (const { server, toClient } of this.peers) server.writePackets(toClient);
    return polled;
  }
}
