import { DISCONNECT_REASON_CODES, isDisconnectReason } from '../disconnect-reason.ts';
import { checkBytes, checkNumber, checkObject, checkU64, checkUnsigned, invalidOption, MAX_U32, MAX_U8 } from '../internal/check.ts';
import { RECORD_BYTES, RECORD_KINDS } from './format.ts';
import type { CaptureRecord } from './records.ts';

/**
 * The bytes that a record takes.
 *
 * @param payloads - whether payloads are stored.
 * @throws {@link HostError} `INVALID_OPTION` for a record that cannot be stored so that it reads back the same.
 */
export function recordBytes(record: CaptureRecord, payloads: boolean): number {
  checkObject(record, 'record');
  checkNumber(record.time, 'record.time');
  checkObject(record.peer, 'record.peer');
  checkU64(record.peer.value, 'record.peer.value');
  switch (record.kind) {
    case 'sent':
    case 'received':
      return messageBytes(record, payloads);
    case 'connected':
      checkU64(record.clientId, 'record.clientId');
      return RECORD_BYTES.connected;
    case 'disconnected':
      checkReason(record.reason);
      return RECORD_BYTES.disconnected;
    case 'rejected':
      checkU64(record.clientId, 'record.clientId');
      checkReason(record.reason);
      return RECORD_BYTES.rejected;
    default:
      return refuseKind(record);
  }
}

/** Writes a record that {@link recordBytes} has judged. Where payloads are stored the length is theirs, so that it matches the bytes that follow. */
export function encodeRecord(record: CaptureRecord, payloads: boolean, bytes: Uint8Array, view: DataView, at: number): void {
  view.setUint8(at, RECORD_KINDS[record.kind]);
  view.setFloat64(at + 1, record.time, true);
  view.setBigUint64(at + 9, record.peer.value, true);
  switch (record.kind) {
    case 'sent':
    case 'received':
      view.setUint32(at + 17, record.event, true);
      view.setUint8(at + 21, record.channel);
      view.setUint32(at + 22, payloads ? record.payload.length : record.length, true);
      if (payloads) bytes.set(record.payload, at + RECORD_BYTES.sent);
      return;
    case 'connected':
      view.setBigUint64(at + 17, record.clientId, true);
      return;
    case 'disconnected':
      view.setUint8(at + 17, DISCONNECT_REASON_CODES[record.reason]);
      return;
    case 'rejected':
      view.setBigUint64(at + 17, record.clientId, true);
      view.setUint8(at + 25, DISCONNECT_REASON_CODES[record.reason]);
  }
}

function messageBytes(record: Extract<CaptureRecord, { kind: 'sent' | 'received' }>, payloads: boolean): number {
  checkUnsigned(record.event, 'record.event', MAX_U32);
  checkUnsigned(record.channel, 'record.channel', MAX_U8);
  if (!payloads) {
    checkUnsigned(record.length, 'record.length', MAX_U32);
    return RECORD_BYTES.sent;
  }
  checkBytes(record.payload, 'record.payload');
  checkUnsigned(record.payload.length, 'record.payload.length', MAX_U32);
  return RECORD_BYTES.sent + record.payload.length;
}

function checkReason(reason: unknown): void {
  if (!isDisconnectReason(reason)) throw invalidOption('record.reason', 'a reason for a disconnect', reason);
}

function refuseKind({ kind }: { readonly kind?: unknown }): never {
  throw invalidOption('record.kind', Object.keys(RECORD_KINDS).join(' or '), kind);
}
