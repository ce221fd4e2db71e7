import { nobleAead } from '../../src/aead.ts';
import { PacketWriter } from '../../src/packet.ts';
import { PROTOCOL_ID } from './session-kit.ts';

/** Seals any type with any body, as only a holder of the key can: also what no conforming peer sends. */
export function forge(key: Uint8Array, type: number, sequence: number, body: Uint8Array): Uint8Array {
  const writer = new PacketWriter({ ...nobleAead, alloc: () => new Uint8Array(2000) });
  writer.setProtocolId(PROTOCOL_ID);
  const length = writer.seal(nobleAead.createKey(key), type, 0, sequence, body, 0, body.length);
  return writer.bytes.slice(0, length);
}
