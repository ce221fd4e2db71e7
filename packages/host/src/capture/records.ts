import type { PeerId } from '@x/reliable';
import type { Fingerprint } from '@x/schema';
import type { DisconnectReason } from '../disconnect-reason.ts';

/** When something happened, and with whom. */
export interface Stamp {
  /** Seconds on the clock of the host, as of its last update. */
  readonly time: number;
  /** The other side. A client names its server as slot 0. */
  readonly peer: PeerId;
}

/** One thing that a host did or saw. */
export type CaptureRecord = Stamp &
  (
    | {
        readonly kind: 'sent' | 'received';
        /** u32, an id of the catalogue. */
        readonly event: number;
        /** u8, an id of the catalogue. */
        readonly channel: number;
        /** Bytes of the payload, u32: the real number also where the payload itself was not stored. */
        readonly length: number;
        /** Empty where payloads were not stored. */
        readonly payload: Uint8Array;
      }
    | {
        readonly kind: 'connected';
        /** u64; 0 in what a client records. */
        readonly clientId: bigint;
      }
    | { readonly kind: 'disconnected'; readonly reason: DisconnectReason }
    | {
        /** A server turned a client away, or a client's attempt failed. */
        readonly kind: 'rejected';
        /** u64; 0 in what a client records. */
        readonly clientId: bigint;
        readonly reason: DisconnectReason;
      }
  );

/** What a host tells about everything that it sends, delivers and reports. */
export interface CaptureSink {
  /**
   * Takes note of a record, at once: a host calls this from its frame. It must not call back into the host.
   *
   * @param record - borrowed, with its payload: valid during the call.
   */
  record(record: CaptureRecord): void;
}

/** What a capture says about itself before its records. */
export interface CaptureHeader {
  /** Version of the file format: 1. */
  readonly version: number;
  /** Whether payloads are stored. */
  readonly payloads: boolean;
  /** That of the catalogue of the host. */
  readonly fingerprint: Fingerprint;
  /** Names of the channels; the index is the id. At most 65 535, each of at most 255 bytes of UTF-8. */
  readonly channels: readonly string[];
  /** The events; the index is the id. `channel` is u8, a name has at most 255 bytes of UTF-8. */
  readonly events: readonly { readonly channel: number; readonly name: string }[];
}
