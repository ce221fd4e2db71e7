import { addressEquals, NO_ADDRESS } from './address.ts';
import type { Address } from './address.ts';
import { SIM_PACKET_ENTRIES, SIM_PENDING_RECEIVE, SIM_RNG_SEED } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { copyBytes } from './internal/bytes.ts';
import { describe } from './internal/check.ts';

/** One datagram as overrides and simulators hand it over; `bytes` belongs to the receiver. */
export interface Datagram {
  readonly from: Address;
  readonly bytes: Uint8Array;
}

/** How bad the simulated network is. */
export interface NetworkSimulatorSettings {
  /** Delay of each packet. */
  latencyMilliseconds: number;
  /** Each packet's delay varies by up to this, either way. */
  jitterMilliseconds: number;
  /** Share of packets that are lost, 0 … 100. */
  packetLossPercent: number;
  /** Share of packets that arrive a second time within the next second, 0 … 100. */
  duplicatePacketPercent: number;
}

const MULTIPLIER = 0x2545_f491_4f6c_dd1dn;
const FLOAT_BITS = Math.fround(0x100_0000);

/** The reference's random generator, xorshift64*: reproducible, not for keys (protocol section 17). */
export class SimulatorRandom {
  #state: bigint = SIM_RNG_SEED;

  /** Back to the seed. */
  reset(): void {
    this.#state = SIM_RNG_SEED;
  }

  /** The next u64. */
  nextUint64(): bigint {
    let x = this.#state;
    x ^= x >> 12n;
    x = BigInt.asUintN(64, x ^ (x << 25n));
    x ^= x >> 27n;
    this.#state = x;
    return BigInt.asUintN(64, x * MULTIPLIER);
  }

  /** The next number in [from, to), computed in 32-bit floats. */
  nextFloat(from: number, to: number): number {
    const unit = Math.fround(Math.fround(Number(this.nextUint64() >> 40n)) / FLOAT_BITS);
    const span = Math.fround(Math.fround(to) - Math.fround(from));
    return Math.fround(Math.fround(from) + Math.fround(unit * span));
  }
}

interface InFlight {
  from: Address;
  to: Address;
  bytes: Uint8Array;
  deliveryTime: number;
}

/**
 * An in-memory network with latency, jitter, loss and duplication, shared by any number of clients and servers (protocol section 17). The same
 * calls give the same deliveries.
 *
 * Call {@link update} first in each tick, then the clients and servers: what is not picked up before the next update is lost.
 */
export class NetworkSimulator implements NetworkSimulatorSettings {
  latencyMilliseconds: number = 0;
  jitterMilliseconds: number = 0;
  packetLossPercent: number = 0;
  duplicatePacketPercent: number = 0;
  readonly #random: SimulatorRandom = new SimulatorRandom();
  readonly #ring: (InFlight | undefined)[] = [];
  #pending: InFlight[] = [];
  #next: number = 0;
  #inFlight: number = 0;
  #time: number = 0;

  /**
   * @param settings - each 0 by default; may be written at any time.
   * @throws {@link NetcodeError} `INVALID_OPTION` for a setting that is not a number of 0 or more.
   */
  constructor(settings: Partial<NetworkSimulatorSettings> = {}) {
    for (const name of ['latencyMilliseconds', 'jitterMilliseconds', 'packetLossPercent', 'duplicatePacketPercent'] as const) {
      const value = settings[name] ?? 0;
      const most = name.endsWith('Percent') ? 100 : Number.MAX_VALUE;
      if (typeof value !== 'number' || !(value >= 0 && value <= most)) {
        const range = most === 100 ? '0 … 100' : '0 or more';
        throw new NetcodeError('invalidOption', `${name}: expected a number of ${range}, got ${describe(value)}`, { field: name });
      }
      this[name] = value;
    }
  }

  /** Forgets every packet and starts the random draws again; settings stay. */
  reset(): void {
    this.#random.reset();
    this.#ring.length = 0;
    this.#pending = [];
    this.#next = 0;
    this.#inFlight = 0;
    this.#time = 0;
  }

  /** Discards what was not picked up and makes available what is due at `time`, in seconds. */
  update(time: number): void {
    this.#time = time;
    this.#pending = [];
    for (let i = 0; i < this.#ring.length && this.#inFlight > 0 && this.#pending.length < SIM_PENDING_RECEIVE; i++) {
      const packet = this.#ring[i];
      if (packet === undefined || packet.deliveryTime > time) continue;
      this.#pending.push(packet);
      this.#ring[i] = undefined;
      this.#inFlight--;
    }
  }

  /** Sends a copy of the bytes. */
  sendPacket(from: Address, to: Address, bytes: Uint8Array): void {
    if (this.#random.nextFloat(0, 100) <= Math.fround(this.packetLossPercent)) return;
    const jitter = Math.fround(this.jitterMilliseconds);
    let delay = Math.fround(this.latencyMilliseconds) / 1000;
    if (jitter > 0) delay += this.#random.nextFloat(-jitter, jitter) / 1000;
    const deliveryTime = this.#time + delay;
    this.#queue({ from, to, bytes: copyBytes(bytes), deliveryTime });
    if (this.#random.nextFloat(0, 100) <= Math.fround(this.duplicatePacketPercent)) {
      this.#queue({ from, to, bytes: copyBytes(bytes), deliveryTime: deliveryTime + this.#random.nextFloat(0, 1) });
    }
  }

  /** Takes at most `max` available packets for an address, in their order. */
  receivePackets(to: Address, max: number): Datagram[] {
    const taken: Datagram[] = [];
    for (const packet of this.#pending) {
      if (taken.length >= max) break;
      if (!addressEquals(packet.to, to)) continue;
      packet.to = NO_ADDRESS;
      taken.push({ from: packet.from, bytes: packet.bytes });
    }
    return taken;
  }

  #queue(packet: InFlight): void {
    if (this.#ring[this.#next] === undefined) this.#inFlight++;
    this.#ring[this.#next] = packet;
    this.#next = (this.#next + 1) % SIM_PACKET_ENTRIES;
  }
}
