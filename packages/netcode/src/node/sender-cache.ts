import { formatAddress, tryParseAddress, unmapAddress, withPort } from '../address.ts';
import type { Address } from '../address.ts';

/** By the text of the host, then by port. */
type Senders = Map<string, Map<number, Address>>;

/** Senders that are remembered, in two generations of half as many each. */
const REMEMBERED_SENDERS = 4096;

/**
 * Gives one frozen {@link Address} per sender for as long as it is remembered, and the text of an address for the socket.
 *
 * At most 4096 texts and ports are remembered, in two generations: when the younger is full the older is forgotten. So a sender that is heard at
 * least once in 2048 new ones keeps its object, and a flood of forged senders costs bounded memory.
 */
export class SenderCache {
  readonly #mapsIpv4: boolean;
  readonly #texts: WeakMap<Address, string> = new WeakMap();
  #recent: Senders = new Map();
  #recentCount: number = 0;
  #previous: Senders = new Map();

  /** @param mapsIpv4 - IPv4 is spoken over a dual-stack socket, whose texts have the form `::ffff:a.b.c.d`. */
  constructor(mapsIpv4: boolean) {
    this.#mapsIpv4 = mapsIpv4;
  }

  /**
   * The address of a sender. Mapped senders become IPv4, and a `%zone` is left out, so that every spelling of one sender gives the same object.
   *
   * @param text - the host as the socket reports it.
   * @returns `undefined` when the text is not an address.
   */
  find(text: string, port: number): Address | undefined {
    return this.#recent.get(text)?.get(port) ?? this.#recall(text, port);
  }

  /** The host of an address as the socket wants it: made once per address, and with the zone that its sender came from. */
  textOf(address: Address): string {
    const known = this.#texts.get(address);
    if (known !== undefined) return known;
    const plain = hostText(address);
    const text = address.type === 'ipv4' && this.#mapsIpv4 ? `::ffff:${plain}` : plain;
    this.#texts.set(address, text);
    return text;
  }

  /** Forgets everybody. */
  clear(): void {
    this.#recent = new Map();
    this.#recentCount = 0;
    this.#previous = new Map();
  }

  #recall(text: string, port: number): Address | undefined {
    const zoneStart = text.indexOf('%');
    const parsed = tryParseAddress(zoneStart < 0 ? text : text.slice(0, zoneStart));
    if (parsed === undefined) return undefined;
    const fresh = withPort(unmapAddress(parsed), port);
    const host = hostText(fresh);
    const known = this.#recent.get(host)?.get(port) ?? this.#previous.get(host)?.get(port);
    const address = known ?? fresh;
    if (known === undefined && zoneStart >= 0) this.#texts.set(address, text);
    this.#remember(host, port, address);
    if (host !== text) this.#remember(text, port, address);
    return address;
  }

  #remember(text: string, port: number, address: Address): void {
    if (this.#recent.get(text)?.has(port) === true) return;
    if (this.#recentCount >= REMEMBERED_SENDERS / 2) {
      this.#previous = this.#recent;
      this.#recent = new Map();
      this.#recentCount = 0;
    }
    const ports = this.#recent.get(text);
    if (ports === undefined) this.#recent.set(text, new Map([[port, address]]));
    else ports.set(port, address);
    this.#recentCount++;
  }
}

function hostText(address: Address): string {
  return formatAddress(withPort(address, 0));
}
