import type { Catalogue } from './catalogue.ts';
import { ReliableError } from './errors.ts';
import { PacketDecoder } from './packet-decoder.ts';
import { PacketLayout } from './packet-layout.ts';
import { PacketWriter } from './packet-writer.ts';
import { transportConfig, validateForLayout, validateTransportConfig } from './transport-config.ts';
import type { TransportConfig, TransportOptions } from './transport-config.ts';

/** What the connections of a host have in common: the catalogue, the configuration, the tables computed from them, and scratch memory. */
export class ConnectionShared {
  readonly catalogue: Catalogue;
  /** Complete and frozen. */
  readonly config: TransportConfig;
  /** The field widths of the catalogue's packets. */
  readonly layout: PacketLayout;
  /** Used by one connection at a time, between the receipt of a packet and its delivery. */
  readonly decoder: PacketDecoder;
  /** Usually one; more when connections flush from inside each other's `transmit`. */
  readonly #writers: PacketWriter[] = [];

  private constructor(catalogue: Catalogue, config: TransportConfig, layout: PacketLayout) {
    this.catalogue = catalogue;
    this.config = config;
    this.layout = layout;
    this.decoder = new PacketDecoder(layout);
  }

  /**
   * Checks a configuration against a catalogue.
   *
   * @param catalogue - read now and at the creation of each connection; not to be changed.
   * @param config - fields that are left out have their default.
   * @throws {@link ReliableError} `TRANSPORT`, `EVENT_TOO_LARGE` or `INVALID_OPTION`, as `validateTransportConfigFor`; `TRANSPORT` also when a packet
   * cannot even hold the hello.
   */
  static create(catalogue: Catalogue, config: TransportOptions = {}): ConnectionShared {
    const full = transportConfig(config);
    validateTransportConfig(full);
    const layout = new PacketLayout(catalogue);
    validateForLayout(full, catalogue, layout);
    if (layout.headerBits(true) > 8 * full.maxPacketSize) {
      throw new ReliableError('transport', 'invalid transport configuration: max_packet_size cannot hold the hello', {
        field: 'maxPacketSize',
      });
    }
    return new ConnectionShared(catalogue, full, layout);
  }

  /** A writer for the duration of a flush, to be given back. */
  takeWriter(): PacketWriter {
    return this.#writers.pop() ?? new PacketWriter(this.layout, this.config.maxPacketSize);
  }

  /** Takes a writer back. */
  giveWriter(writer: PacketWriter): void {
    this.#writers.push(writer);
  }
}
