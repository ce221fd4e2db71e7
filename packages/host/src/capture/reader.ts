import { PeerId } from '@x/reliable';
import { Fingerprint, FINGERPRINT_BYTES } from '@x/schema';
import { disconnectReasonOf } from '../disconnect-reason.ts';
import type { DisconnectReason } from '../disconnect-reason.ts';
import { checkBytes } from '../internal/check.ts';
import { Cursor } from './cursor.ts';
import { CaptureError } from './errors.ts';
import { CAPTURE_VERSION, MAGIC, PAYLOADS_FLAG, RECORD_KINDS } from './format.ts';
import type { CaptureHeader, CaptureRecord, Stamp } from './records.ts';

/**
 * Reads a capture, which may come from anywhere: whatever the bytes are, it throws nothing but {@link CaptureError} and keeps no more memory than in
 * proportion to them. Names, ids and the order of times are not judged. Source: hosts section 11.3.
 */
export class CaptureReader {
  /** What the capture says about itself. Frozen. */
  readonly header: CaptureHeader;
  readonly #cursor: Cursor;
  #failure: Error | undefined;

  /**
   * Reads the header.
   *
   * @param bytes - the whole file; borrowed until the last record was read, never changed.
   * @throws {@link CaptureError} `TRUNCATED`, `NOT_A_CAPTURE`, `UNKNOWN_VERSION` or `INVALID_NAME`, whichever comes first in the file.
   * @throws {@link HostError} `INVALID_OPTION` when `bytes` is not a `Uint8Array`.
   */
  constructor(bytes: Uint8Array) {
    checkBytes(bytes, 'bytes');
    this.#cursor = new Cursor(bytes);
    this.header = readHeader(this.#cursor);
  }

  /**
   * Reads the next record.
   *
   * @returns a fresh object with a copy of the payload; `undefined` at the end of the file.
   * @throws {@link CaptureError} `TRUNCATED`, `UNKNOWN_RECORD_KIND`, `TRUNCATED_PAYLOAD` or `UNKNOWN_REASON`. Nothing can be read after it: further
   * calls throw the same error.
   */
  next(): CaptureRecord | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#cursor.remaining === 0) return undefined;
    try {
      return readRecord(this.#cursor, this.header.payloads);
    } catch (error) {
      this.#failure = error as CaptureError;
      throw error;
    }
  }

  /** The name of the event with this id; `undefined` when the header has none. */
  eventName(id: number): string | undefined {
    return this.header.events[id]?.name;
  }
}

function readHeader(cursor: Cursor): CaptureHeader {
  const magic = cursor.bytes(MAGIC.length);
  if (MAGIC.some((byte, i) => magic[i] !== byte)) throw new CaptureError('notACapture', 0);
  const version = cursor.u16();
  if (version !== CAPTURE_VERSION) throw new CaptureError('unknownVersion', MAGIC.length);
  const payloads = (cursor.u16() & PAYLOADS_FLAG) !== 0;
  const fingerprint = Fingerprint.fromBytes(cursor.bytes(FINGERPRINT_BYTES));
  const channels = readList(cursor.u16(), () => cursor.name());
  const events = readList(cursor.u32(), () => Object.freeze({ channel: cursor.u8(), name: cursor.name() }));
  return Object.freeze({ version, payloads, fingerprint, channels, events });
}

/** Reads a list that grows with what is there: the count may be a lie. */
function readList<T>(count: number, read: () => T): readonly T[] {
  const list: T[] = [];
  while (list.length < count) list.push(read());
  return Object.freeze(list);
}

function readRecord(cursor: Cursor, payloads: boolean): CaptureRecord {
  const start = cursor.offset;
  const kind = cursor.u8();
  const stamp: Stamp = { time: cursor.f64(), peer: PeerId.fromValue(cursor.u64()) };
  switch (kind) {
    case RECORD_KINDS.sent:
      return readMessage(cursor, 'sent', stamp, payloads);
    case RECORD_KINDS.received:
      return readMessage(cursor, 'received', stamp, payloads);
    case RECORD_KINDS.connected:
      return { kind: 'connected', ...stamp, clientId: cursor.u64() };
    case RECORD_KINDS.disconnected:
      return { kind: 'disconnected', ...stamp, reason: readReason(cursor) };
    case RECORD_KINDS.rejected:
      return { kind: 'rejected', ...stamp, clientId: cursor.u64(), reason: readReason(cursor) };
    default:
      throw new CaptureError('unknownRecordKind', start);
  }
}

function readMessage(cursor: Cursor, kind: 'sent' | 'received', stamp: Stamp, payloads: boolean): CaptureRecord {
  const event = cursor.u32();
  const channel = cursor.u8();
  const length = cursor.u32();
  if (payloads && length > cursor.remaining) throw new CaptureError('truncatedPayload', cursor.offset);
  return { kind, ...stamp, event, channel, length, payload: cursor.bytes(payloads ? length : 0) };
}

function readReason(cursor: Cursor): DisconnectReason {
  const start = cursor.offset;
  const reason = disconnectReasonOf(cursor.u8());
  if (reason === undefined) throw new CaptureError('unknownReason', start);
  return reason;
}
