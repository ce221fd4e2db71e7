import { addressEquals, formatAddress } from './address.ts';
import type { Address } from './address.ts';
import type { ChallengeToken } from './challenge-token.ts';
import type { SlotDisconnectReason } from './client-state.ts';
import { NUM_DISCONNECT_PACKETS, PACKET_SEND_RATE } from './constants.ts';
import type { Handshake } from './handshake.ts';
import type { Hooks } from './internal/hooks.ts';
import { KEEP_ALIVE_BODY_BYTES, NO_BODY, PACKET_TYPE_CODES } from './packet.ts';
import type { PacketWriter } from './packet.ts';
import { PayloadPool } from './payload-queue.ts';
import { Slot } from './slot.ts';
import type { Transport } from './transport.ts';

const SEND_INTERVAL_SECONDS = 1 / PACKET_SEND_RATE;
/** Silence from which on each update writes a debug line. */
const NOTED_SILENCE_SECONDS = 1;

/** What sessions need of their server. */
export interface SessionsOptions {
  handshake: Handshake;
  writer: PacketWriter;
  transport: Transport;
  hooks: Hooks;
  onConnectDisconnect: ((slot: number, connected: boolean) => void) | undefined;
}

/** The slots of a server and the clients in them: who is there, what is sent to them, when they are gone (protocol sections 13.4 to 13.8). */
export class Sessions {
  readonly #o: SessionsOptions;
  readonly #pool: PayloadPool = new PayloadPool();
  readonly #keepAliveBody: Uint8Array = new Uint8Array(KEEP_ALIVE_BODY_BYTES);
  readonly #keepAliveView: DataView = new DataView(this.#keepAliveBody.buffer);
  #slots: readonly Slot[] = [];
  #connectedCount: number = 0;
  /** No keep-alive is due, and no client silent for too long, before these times: looking at every slot in every update costs more than the packet. */
  #nextKeepAliveTime: number = Infinity;
  #nextTimeoutTime: number = Infinity;

  constructor(options: SessionsOptions) {
    this.#o = options;
  }

  /** Every slot of this run; none while stopped. */
  get slots(): readonly Slot[] {
    return this.#slots;
  }

  get connectedCount(): number {
    return this.#connectedCount;
  }

  get isFull(): boolean {
    return this.#connectedCount === this.#slots.length;
  }

  /** Begins a run with empty slots. */
  start(maxClients: number): void {
    this.#slots = Array.from({ length: maxClients }, (_, index) => new Slot(index, this.#pool));
    this.#connectedCount = 0;
  }

  /** Ends a run; the clients have been disconnected. Those whose disconnect callback led here are told as well, and find their slots empty then. */
  stop(time: number): void {
    for (const client of this.#slots) {
      if (client.isLeaving && client.leavesWithPackets) this.#sendDisconnects(client, time);
      client.clear();
    }
    this.#slots = [];
    this.#connectedCount = 0;
  }

  /** A slot of this run, whoever is in it. */
  slot(index: number): Slot | undefined {
    return typeof index === 'number' ? this.#slots[index] : undefined;
  }

  /** The client in a slot, if there is one. */
  at(index: number): Slot | undefined {
    const found = this.slot(index);
    return found?.isConnected === true ? found : undefined;
  }

  /** The client that sends from an address. The transport gives one object per sender, so identity is tried first. */
  ofAddress(address: Address): Slot | undefined {
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i++) if (slots[i]!.address === address) return slots[i];
    for (let i = 0; i < slots.length; i++) if (addressEquals(slots[i]!.address, address)) return slots[i];
    return undefined;
  }

  hasId(clientId: bigint): boolean {
    return this.#slots.some((slot) => slot.isConnected && slot.clientId === clientId);
  }

  /** Puts the author of an accepted response into the lowest free slot, spends its token and tells it and the application. */
  admit(who: ChallengeToken, from: Address, mappingIndex: number, time: number): void {
    const client = this.#slots.find((candidate) => !candidate.isConnected)!;
    this.#connectedCount++;
    client.occupy(who.clientId, from, who.userData, time);
    client.mappingIndex = mappingIndex;
    client.timeoutSeconds = this.#o.handshake.bind(mappingIndex, client.index);
    const { log } = this.#o.hooks;
    if (log.isInfo) log.info(`server accepted client ${formatAddress(from)} ${hexId(who.clientId)} in slot ${client.index}`);
    this.sendKeepAlive(client, time);
    this.#nextKeepAliveTime = Math.min(this.#nextKeepAliveTime, client.lastSendTime + SEND_INTERVAL_SECONDS);
    if (client.timeoutSeconds > 0) this.#nextTimeoutTime = Math.min(this.#nextTimeoutTime, client.lastReceiveTime + client.timeoutSeconds);
    if (client.isConnected) this.#tell(client.index, true);
  }

  /** Puts a client of the same process into a slot that is free. */
  admitLoopback(client: Slot, who: ChallengeToken, address: Address, time: number): void {
    client.occupy(who.clientId, address, who.userData, time);
    client.isLoopback = true;
    client.isConfirmed = true;
    this.#connectedCount++;
    const { log } = this.#o.hooks;
    if (log.isInfo) log.info(`server accepted loopback client ${hexId(who.clientId)} in slot ${client.index}`);
    this.#tell(client.index, true);
  }

  /** Seals one packet for a client and sends it; false when its keys are gone. */
  sendPacket(client: Slot, type: number, body: Uint8Array, offset: number, length: number, time: number): boolean {
    const { handshake, writer, transport, hooks } = this.#o;
    const mapping = handshake.use(client.mappingIndex, client.address, time);
    if (mapping === undefined) {
      hooks.log.error(`server has no keys for the client in slot ${client.index}`);
      return false;
    }
    const { sequence } = client;
    const packetLength = writer.seal(mapping.sendKey, type, Math.floor(sequence / 0x1_0000_0000), sequence >>> 0, body, offset, length);
    client.sequence++;
    client.lastSendTime = time;
    transport.send(client.address, writer.bytes, 0, packetLength);
    return true;
  }

  sendKeepAlive(client: Slot, time: number): void {
    this.#keepAliveView.setUint32(0, client.index, true);
    this.#keepAliveView.setUint32(4, this.#slots.length, true);
    this.sendPacket(client, PACKET_TYPE_CODES.keepAlive, this.#keepAliveBody, 0, KEEP_ALIVE_BODY_BYTES, time);
  }

  /** Sends a keep-alive to every client that has been sent nothing for 0.1 s or more. */
  sendKeepAlives(time: number): void {
    if (time < this.#nextKeepAliveTime) return;
    let next = Infinity;
    for (const client of this.#slots) {
      if (!client.isConnected || client.isLoopback) continue;
      if (client.lastSendTime + SEND_INTERVAL_SECONDS <= time) this.sendKeepAlive(client, time);
      next = Math.min(next, client.lastSendTime + SEND_INTERVAL_SECONDS);
    }
    this.#nextKeepAliveTime = next;
  }

  /** Disconnects every client that has been silent for its timeout. */
  judgeTimeouts(time: number): void {
    const { log } = this.#o.hooks;
    if (time < this.#nextTimeoutTime && !log.isDebug) return;
    this.#nextTimeoutTime = Infinity;
    for (const client of this.#slots) {
      if (!client.isConnected || client.isLoopback || client.timeoutSeconds <= 0) continue;
      const silentSeconds = time - client.lastReceiveTime;
      if (silentSeconds >= NOTED_SILENCE_SECONDS && log.isDebug) {
        log.debug(`server has heard nothing of the client in slot ${client.index} for ${silentSeconds.toFixed(1)} s`);
      }
      if (client.lastReceiveTime + client.timeoutSeconds <= time) this.disconnect(client, 'timedOut', false, time);
      else this.#nextTimeoutTime = Math.min(this.#nextTimeoutTime, client.lastReceiveTime + client.timeoutSeconds);
    }
  }

  /** Disconnects every loopback client, or every other one. */
  disconnectAll(loopback: boolean, time: number): void {
    for (const client of this.#slots) {
      if (client.isConnected && client.isLoopback === loopback) this.disconnect(client, 'serverDisconnect', !loopback, time);
    }
  }

  /** The order of protocol section 13.8: reason, callback, packets, then everything is cleared. */
  disconnect(client: Slot, reason: SlotDisconnectReason, sendsPackets: boolean, time: number): void {
    if (client.isLeaving) return;
    client.isLeaving = true;
    client.leavesWithPackets = sendsPackets;
    client.reason = reason;
    const { log } = this.#o.hooks;
    if (log.isInfo) log.info(`server disconnected client ${hexId(client.clientId)} in slot ${client.index}: ${reason}`);
    this.#tell(client.index, false);
    if (sendsPackets) this.#sendDisconnects(client, time);
    // A callback may have stopped the server, which has emptied the slot then.
    if (!client.isConnected) return;
    if (!client.isLoopback) this.#o.handshake.release(client.mappingIndex, client.address, time);
    client.clear();
    this.#connectedCount--;
  }

  #sendDisconnects(client: Slot, time: number): void {
    client.leavesWithPackets = false;
    for (let i = 0; i < NUM_DISCONNECT_PACKETS && client.isConnected; i++) {
      this.sendPacket(client, PACKET_TYPE_CODES.disconnect, NO_BODY, 0, 0, time);
    }
  }

  #tell(slot: number, connected: boolean): void {
    try {
      this.#o.onConnectDisconnect?.(slot, connected);
    } catch (error) {
      this.#o.hooks.report(error, 'onConnectDisconnect');
    }
  }
}

function hexId(id: bigint): string {
  return id.toString(16).padStart(16, '0');
}
