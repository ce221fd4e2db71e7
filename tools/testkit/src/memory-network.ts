import type { SeededRandom } from './seeded-random.ts';

/** How bad the network is. May be changed at any time; counts for what is sent from then on. */
export interface MemoryNetworkSettings {
  /** Delay of each datagram. */
  latencySeconds: number;
  /** Each delay grows by a random part of this. */
  jitterSeconds: number;
  /** Share of datagrams that are lost, 0 … 1. */
  lossChance: number;
  /** Share of datagrams that arrive twice, each with a delay of its own. */
  duplicateChance: number;
  /** Share of datagrams that are held back by `reorderSeconds`, so that later ones overtake them. */
  reorderChance: number;
  reorderSeconds: number;
  /** Share of datagrams that arrive with one bit flipped. */
  corruptChance: number;
}

/** One datagram on its way; `bytes` is a copy of its own. */
export interface MemoryDatagram<A> {
  readonly from: A;
  readonly to: A;
  readonly bytes: Uint8Array;
}

interface InFlight<A> extends MemoryDatagram<A> {
  readonly dueTime: number;
}

type Stats = Record<
  'datagramsSent' | 'datagramsReceived' | 'bytesSent' | 'bytesReceived' | 'sendErrors' | 'receiveErrors' | 'dropped',
  number
>;

const PERFECT: MemoryNetworkSettings = {
  latencySeconds: 0,
  jitterSeconds: 0,
  lossChance: 0,
  duplicateChance: 0,
  reorderChance: 0,
  reorderSeconds: 0,
  corruptChance: 0,
};

/**
 * An in-memory datagram network in virtual time, for any type of address. The same seed and the same calls give the same deliveries.
 *
 * Nothing arrives within a call of `send`: datagrams wait in flight until {@link MemoryNetwork.advance} reaches their time, so that sending inside
 * a receive callback cannot recurse.
 */
export class MemoryNetwork<A> {
  readonly settings: MemoryNetworkSettings;
  /** Sees every datagram that is sent, before anything happens to it. */
  onSend: ((datagram: MemoryDatagram<A>) => void) | undefined = undefined;
  /** Says which datagrams may pass at all. */
  filter: ((datagram: MemoryDatagram<A>) => boolean) | undefined = undefined;
  readonly #keyOf: (address: A) => string;
  readonly #random: SeededRandom;
  readonly #endpoints: Map<string, MemoryEndpoint<A>> = new Map();
  #inFlight: InFlight<A>[] = [];
  #time: number = 0;

  /** @param keyOf - names an address: equal addresses have equal names. */
  constructor(random: SeededRandom, keyOf: (address: A) => string, settings: Partial<MemoryNetworkSettings> = {}) {
    this.#random = random;
    this.#keyOf = keyOf;
    this.settings = { ...PERFECT, ...settings };
  }

  get time(): number {
    return this.#time;
  }

  get inFlight(): number {
    return this.#inFlight.length;
  }

  /** Opens the endpoint of an address; throws while another one has it. `port` is what it reports as bound. */
  open(address: A, port: number = 0): MemoryEndpoint<A> {
    const key = this.#keyOf(address);
    if (this.#endpoints.has(key)) throw new Error(`${key} is in use`);
    const endpoint = new MemoryEndpoint<A>(this, address, port, () => this.#endpoints.delete(key));
    this.#endpoints.set(key, endpoint);
    return endpoint;
  }

  /** Sends a copy of the bytes, as from any address: also what no endpoint would send. */
  inject(from: A, to: A, bytes: Uint8Array): void {
    const datagram = { from, to, bytes: new Uint8Array(bytes) };
    this.onSend?.(datagram);
    if (this.filter?.(datagram) === false) return;
    const { settings } = this;
    if (this.#random.chance(settings.lossChance)) return;
    this.#launch(datagram);
    if (this.#random.chance(settings.duplicateChance)) this.#launch(datagram);
  }

  /** Moves the time on and hands everything that is due by then to its endpoint, earliest first. Datagrams to nobody vanish. */
  advance(time: number): void {
    this.#time = Math.max(time, this.#time);
    const due = this.#inFlight.filter((datagram) => datagram.dueTime <= this.#time);
    if (due.length === 0) return;
    this.#inFlight = this.#inFlight.filter((datagram) => datagram.dueTime > this.#time);
    due.sort((a, b) => a.dueTime - b.dueTime);
    for (const datagram of due) this.#endpoints.get(this.#keyOf(datagram.to))?.arrive(datagram);
  }

  #launch(datagram: MemoryDatagram<A>): void {
    const { settings } = this;
    let delay = settings.latencySeconds + this.#random.unit() * settings.jitterSeconds;
    if (this.#random.chance(settings.reorderChance)) delay += settings.reorderSeconds;
    const bytes = datagram.bytes.slice();
    if (this.#random.chance(settings.corruptChance) && bytes.length > 0) {
      bytes[this.#random.below(bytes.length)]! ^= 1 << this.#random.below(8);
    }
    this.#inFlight.push({ from: datagram.from, to: datagram.to, bytes, dueTime: this.#time + delay });
  }
}

/**
 * One address of a {@link MemoryNetwork}. Has the members of a datagram transport that is polled and needs no catching up; whoever polls owns the
 * bytes during the call.
 */
export class MemoryEndpoint<A> {
  readonly kind: string = 'memory';
  readonly maxDatagramBytes: number = 65_507;
  readonly address: A;
  readonly isCaughtUp: boolean = true;
  onReadable: (() => void) | undefined = undefined;
  onPeerClosed: ((peer: A) => void) | undefined = undefined;
  readonly #network: MemoryNetwork<A>;
  readonly #port: number;
  readonly #release: () => void;
  #arrived: MemoryDatagram<A>[] = [];
  #isClosed: boolean = false;
  readonly #stats: Stats = {
    datagramsSent: 0,
    datagramsReceived: 0,
    bytesSent: 0,
    bytesReceived: 0,
    sendErrors: 0,
    receiveErrors: 0,
    dropped: 0,
  };

  constructor(network: MemoryNetwork<A>, address: A, port: number, release: () => void) {
    this.#network = network;
    this.address = address;
    this.#port = port;
    this.#release = release;
  }

  get stats(): Readonly<Stats> {
    return this.#stats;
  }

  boundPort(_family: 'ipv4' | 'ipv6'): number {
    return this.#port;
  }

  send(to: A, bytes: Uint8Array, offset: number, length: number): boolean {
    if (this.#isClosed) {
      this.#stats.sendErrors++;
      return false;
    }
    this.#stats.datagramsSent++;
    this.#stats.bytesSent += length;
    this.#network.inject(this.address, to, bytes.subarray(offset, offset + length));
    return true;
  }

  poll(handler: (from: A, bytes: Uint8Array, offset: number, length: number) => void): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const { from, bytes } of arrived) {
      if (this.#isClosed) return;
      this.#stats.datagramsReceived++;
      this.#stats.bytesReceived += bytes.length;
      handler(from, bytes, 0, bytes.length);
    }
  }

  flush(): void {}

  startCatchUp(): void {}

  /** Gives the address back; what has arrived is lost. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#arrived = [];
    this.#release();
  }

  /** Called by the network. */
  arrive(datagram: MemoryDatagram<A>): void {
    if (datagram.bytes.length === 0) return;
    this.#arrived.push(datagram);
    this.onReadable?.();
  }
}
