import type { TransportConfig } from './transport-config.ts';

/**
 * Bytes that a connection holds, approximately: `connection` for tables, `reliable` for the endpoint, `send` for queues and spare buffers,
 * `receive` for events that wait for a missing one (what `maxParkedBytes` bounds; exact).
 */
export type MemoryUsage = Readonly<Record<'connection' | 'reliable' | 'send' | 'receive' | 'total', number>>;

/** Where the figures come from. */
export interface MemorySource {
  connection(): number;
  reliable(): number;
  send(): number;
  receive(): number;
}

/** A live view: each figure is computed when it is read. Its values are enumerable. */
export function memoryView(source: MemorySource): MemoryUsage {
  return Object.freeze({
    get connection() {
      return source.connection();
    },
    get reliable() {
      return source.reliable();
    },
    get send() {
      return source.send();
    },
    get receive() {
      return source.receive();
    },
    get total() {
      return source.connection() + source.reliable() + source.send() + source.receive();
    },
  });
}

/** What an endpoint of this configuration holds, by the reference's formula (event layer section 12). */
export function endpointBytes(config: TransportConfig): number {
  return (
    (config.sentPacketsBufferSize + config.receivedPacketsBufferSize) * 24 +
    config.fragmentReassemblyBufferSize * 300 +
    config.rttHistorySize * 4 +
    config.maxPacketSize +
    128
  );
}
