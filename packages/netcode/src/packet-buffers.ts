import type { Aead } from './aead.ts';
import { MAX_PACKET_BYTES } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { ALLOWED_TYPES, PacketReader, PacketWriter } from './packet.ts';
import { PrefixViews } from './payload-queue.ts';

/** The memory in which one client or server seals and opens its packets, taken once. */
export class PacketBuffers {
  readonly writer: PacketWriter;
  readonly reader: PacketReader;
  /** Views of the opened body by length. */
  readonly bodies: PrefixViews;

  /** @throws {@link NetcodeError} `ALLOCATE_CLIENT_FAILED` or `ALLOCATE_SERVER_FAILED` when the cipher gives no memory. */
  constructor(aead: Aead, side: 'client' | 'server') {
    try {
      this.writer = new PacketWriter(aead);
      this.reader = new PacketReader(aead, ALLOWED_TYPES[side], MAX_PACKET_BYTES);
    } catch (cause) {
      const kind = side === 'client' ? 'allocateClientFailed' : 'allocateServerFailed';
      throw new NetcodeError(kind, 'aead: cannot be set up, see the cause', { field: 'aead', cause });
    }
    this.bodies = new PrefixViews(this.reader.body);
  }

  /** Sets the u64 protocol id that packets are bound to. */
  setProtocolId(protocolId: bigint): void {
    this.writer.setProtocolId(protocolId);
    this.reader.setProtocolId(protocolId);
  }
}
