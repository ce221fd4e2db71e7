import { ownedAddress, unmapAddress } from './address.ts';
import type { Address } from './address.ts';
import { MAX_PACKET_BYTES } from './constants.ts';
import type { Hooks } from './internal/hooks.ts';
import type { MachineOptions, SendReceiveOverride } from './machine-options.ts';
import type { Datagram, NetworkSimulator } from './simulator.ts';
import { createTransportStats } from './transport.ts';
import type { DatagramHandler, MutableTransportStats, Transport, TransportStats } from './transport.ts';

/** What a simulator and an override have in common: they are asked for datagrams, so whatever has arrived has been seen. */
abstract class PulledTransport implements Transport {
  abstract readonly kind: string;
  readonly maxDatagramBytes: number = MAX_PACKET_BYTES;
  readonly isCaughtUp: boolean = true;
  onReadable: (() => void) | undefined = undefined;
  onPeerClosed: ((peer: Address) => void) | undefined = undefined;
  readonly #stats: MutableTransportStats = createTransportStats();

  get stats(): TransportStats {
    return this.#stats;
  }

  boundPort(): number {
    return 0;
  }

  send(to: Address, bytes: Uint8Array, offset: number, length: number): boolean {
    if (!this.sendDatagram(to, bytes.subarray(offset, offset + length))) {
      this.#stats.sendErrors++;
      return false;
    }
    this.#stats.datagramsSent++;
    this.#stats.bytesSent += length;
    return true;
  }

  abstract poll(handler: DatagramHandler): void;

  flush(): void {}

  startCatchUp(): void {}

  close(): void {}

  /** Sends one datagram, borrowed; false when that failed. */
  protected abstract sendDatagram(to: Address, bytes: Uint8Array): boolean;

  protected deliver(from: Address, bytes: Uint8Array, handler: DatagramHandler): void {
    if (bytes.length === 0) return;
    this.#stats.datagramsReceived++;
    this.#stats.bytesReceived += bytes.length;
    handler(unmapAddress(from), bytes, 0, bytes.length);
  }

  protected countReceiveError(): void {
    this.#stats.receiveErrors++;
  }
}

/** A network simulator as one endpoint sees it. */
class SimulatorTransport extends PulledTransport {
  readonly kind: string = 'simulator';
  readonly #simulator: NetworkSimulator;
  readonly #address: Address;
  readonly #maxReceive: number;

  /** @param maxReceive - most packets that one poll takes; the rest is lost at the simulator's next update. */
  constructor(simulator: NetworkSimulator, address: Address, maxReceive: number) {
    super();
    this.#simulator = simulator;
    this.#address = address;
    this.#maxReceive = maxReceive;
  }

  poll(handler: DatagramHandler): void {
    for (const { from, bytes } of this.#simulator.receivePackets(this.#address, this.#maxReceive)) this.deliver(from, bytes, handler);
  }

  protected sendDatagram(to: Address, bytes: Uint8Array): boolean {
    this.#simulator.sendPacket(this.#address, to, bytes);
    return true;
  }
}

/** The application's packet functions as a transport (protocol section 16.1). */
class OverrideTransport extends PulledTransport {
  readonly kind: string = 'override';
  readonly #override: SendReceiveOverride;
  readonly #hooks: Hooks;

  constructor(override: SendReceiveOverride, hooks: Hooks) {
    super();
    this.#override = override;
    this.#hooks = hooks;
  }

  poll(handler: DatagramHandler): void {
    for (let datagram = this.#receive(); datagram !== undefined; datagram = this.#receive())
      this.deliver(datagram.from, datagram.bytes, handler);
  }

  protected sendDatagram(to: Address, bytes: Uint8Array): boolean {
    try {
      this.#override.sendPacket(to, bytes);
      return true;
    } catch (error) {
      this.#hooks.report(error, 'override.sendPacket');
      return false;
    }
  }

  /** The next datagram; an application that throws, or gives something else, ends the round. */
  #receive(): Datagram | undefined {
    try {
      const given: Datagram | undefined = this.#override.receivePacket();
      if (given === undefined) return undefined;
      const from = ownedAddress(given.from);
      if (from !== undefined && given.bytes instanceof Uint8Array) return { from, bytes: given.bytes };
      throw new TypeError('expected a datagram with from and bytes, or undefined');
    } catch (error) {
      this.countReceiveError();
      this.#hooks.report(error, 'override.receivePacket');
      return undefined;
    }
  }
}

/**
 * The way for datagrams that the options name; they have been checked to name exactly one.
 *
 * @param address - the endpoint's address in a simulator.
 * @param maxReceive - most packets of a simulator per poll.
 */
export function chooseTransport(options: MachineOptions, address: Address, maxReceive: number, hooks: Hooks): Transport {
  if (options.transport !== undefined) return options.transport;
  if (options.simulator !== undefined) return new SimulatorTransport(options.simulator, address, maxReceive);
  return new OverrideTransport(options.override!, hooks);
}
