import { PeerId } from '@x/reliable';
import { Fingerprint } from '@x/schema';
import type { CaptureErrorKind, CaptureHeader, CaptureRecord } from '../../src/capture/index.ts';
import type { DisconnectReason } from '../../src/disconnect-reason.ts';

// The capture file once more, slow and obvious, from the tables of hosts section 11 alone.

const KINDS = ['sent', 'received', 'connected', 'disconnected', 'rejected'];
const REASONS: readonly DisconnectReason[] = [
  'requested',
  'remote',
  'timeout',
  'denied',
  'authentication',
  'protocolMismatch',
  'schemaMismatch',
  'malformedData',
  'handshakeTimeout',
  'transportError',
];

/** An integer as little-endian bytes, by division. */
function little(value: number | bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Number((BigInt(value) / 256n ** BigInt(i)) % 256n));
}

function double(value: number): number[] {
  return [...new Uint8Array(Float64Array.of(value).buffer)];
}

function name(text: string): number[] {
  const bytes = [...Buffer.from(text, 'utf8')];
  return [...little(bytes.length, 1), ...bytes];
}

/** The bytes of a capture, one list per line of the tables. */
export function encodeTwin({ payloads, fingerprint, channels, events }: CaptureHeader, records: readonly CaptureRecord[]): Uint8Array {
  return Uint8Array.from([
    ...[0x44, 0x4e, 0x43, 0x41, 0x50, 0x00],
    ...little(1, 2),
    ...little(payloads ? 1 : 0, 2),
    ...fingerprint.bytes,
    ...little(channels.length, 2),
    ...channels.flatMap(name),
    ...little(events.length, 4),
    ...events.flatMap((event) => [...little(event.channel, 1), ...name(event.name)]),
    ...records.flatMap((record) => [
      ...little(KINDS.indexOf(record.kind) + 1, 1),
      ...double(record.time),
      ...little(BigInt(record.peer.generation) * 65536n + BigInt(record.peer.slot), 8),
      ...body(record, payloads),
    ]),
  ]);
}

function body(record: CaptureRecord, payloads: boolean): number[] {
  if ('payload' in record) {
    const stored = payloads ? [...record.payload] : [];
    return [...little(record.event, 4), ...little(record.channel, 1), ...little(payloads ? stored.length : record.length, 4), ...stored];
  }
  return [...('clientId' in record ? little(record.clientId, 8) : []), ...('reason' in record ? [REASONS.indexOf(record.reason)] : [])];
}

/** What a reader must make of any bytes: what could be read, and the class of the error that ended it. */
export interface TwinResult {
  header?: CaptureHeader;
  readonly records: CaptureRecord[];
  error?: CaptureErrorKind;
}

/** Reads by shifting bytes off a list. */
export function decodeTwin(bytes: Uint8Array): TwinResult {
  const rest = [...bytes];
  const result: TwinResult = { records: [] };
  const refused = new Error('refused');
  const refuse = (kind: CaptureErrorKind): never => {
    result.error = kind;
    throw refused;
  };
  const take = (count: number): number[] => (rest.length < count ? refuse('truncated') : rest.splice(0, count));
  const integer = (count: number): bigint => take(count).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  const number = (count: number): number => Number(integer(count));
  const text = (): string => {
    const taken = Buffer.from(take(number(1)));
    const decoded = taken.toString('utf8');
    return Buffer.from(decoded, 'utf8').equals(taken) ? decoded : refuse('invalidName');
  };
  const reason = (): DisconnectReason => REASONS[number(1)] ?? refuse('unknownReason');
  try {
    if (String(take(6)) !== '68,78,67,65,80,0') refuse('notACapture');
    const version = number(2);
    if (version !== 1) refuse('unknownVersion');
    const payloads = number(2) % 2 === 1;
    const fingerprint = Fingerprint.fromBytes(Uint8Array.from(take(16)));
    const channels: string[] = [];
    for (let left = number(2); left > 0; left--) channels.push(text());
    const events: { channel: number; name: string }[] = [];
    for (let left = number(4); left > 0; left--) events.push({ channel: number(1), name: text() });
    result.header = { version, payloads, fingerprint, channels, events };
    while (rest.length > 0) {
      const kind = number(1);
      const time = new Float64Array(Uint8Array.from(take(8)).buffer)[0]!;
      const peer = PeerId.fromValue(integer(8));
      if (kind === 1 || kind === 2) {
        const [event, channel, length] = [number(4), number(1), number(4)];
        if (payloads && length > rest.length) refuse('truncatedPayload');
        const payload = Uint8Array.from(payloads ? take(length) : []);
        result.records.push({ kind: kind === 1 ? 'sent' : 'received', time, peer, event, channel, length, payload });
      } else if (kind === 3) result.records.push({ kind: 'connected', time, peer, clientId: integer(8) });
      else if (kind === 4) result.records.push({ kind: 'disconnected', time, peer, reason: reason() });
      else if (kind === 5) result.records.push({ kind: 'rejected', time, peer, clientId: integer(8), reason: reason() });
      else refuse('unknownRecordKind');
    }
  } catch (error) {
    if (error !== refused) throw error;
  }
  return result;
}
