/** Why an event was not queued by its channel; `undefined`: it was. */
export type QueueRefusal = 'queueFull' | undefined;

/** Nothing to write. */
export const NOTHING_DUE = -1;

/**
 * The sending side of a channel, as the packer sees it: `nextDue` names an event, its length and id are asked for, and `take` writes it off or
 * leaves it for a resend.
 */
export interface SendChannel {
  /** True for channels whose events carry ids. */
  readonly isReliable: boolean;
  /** Events in the queue, acknowledged ones behind an unacknowledged front included. */
  readonly length: number;
  /** Payload bytes of those. */
  readonly bytes: number;
  /** Bytes of payloads and slots, spare buffers not included. */
  readonly memoryBytes: number;
  /** Queues an event. The payload is copied. */
  queue(event: number, payload: Uint8Array): QueueRefusal;
  /** Called at the start of each flush. */
  beginFlush(): void;
  /** The position of the next event to write now, or {@link NOTHING_DUE}. The same one until it is taken. */
  nextDue(): number;
  /** Id of the event at a position; 0 on unreliable channels. */
  idAt(position: number): number;
  /** Serial of the event at a position, u32; 0 on unreliable channels. */
  serialAt(position: number): number;
  /** Type of the event at a position. */
  eventAt(position: number): number;
  /** Payload of the event at a position; borrowed until {@link take}. */
  payloadAt(position: number): Uint8Array;
  /** Marks the event that {@link nextDue} named as written. Counts it. */
  take(position: number): void;
}
