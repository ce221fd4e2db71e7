import { FINGERPRINT_BYTES } from '@x/schema';
import type { Schema } from '@x/schema';
import { checkObject, checkUnsigned, invalidOption, MAX_U16, MAX_U32, MAX_U8 } from '../internal/check.ts';
import { encodeUtf8 } from '../internal/globals.ts';
import { CAPTURE_VERSION, HEADER_FIXED_BYTES, MAGIC, PAYLOADS_FLAG } from './format.ts';
import type { CaptureHeader } from './records.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

interface NamedEvent {
  readonly channel: number;
  readonly name: Uint8Array;
}

/**
 * The bytes of a header.
 *
 * @param header - a catalogue, or the header of another capture.
 * @param payloads - whether payloads follow.
 * @throws {@link HostError} `INVALID_OPTION` for what cannot be stored so that it reads back the same.
 */
export function encodeHeader(header: Schema | CaptureHeader, payloads: boolean): Uint8Array {
  const fingerprint = fingerprintBytes(header);
  const channels = channelNames(header);
  const events = namedEvents(header);
  const size =
    HEADER_FIXED_BYTES +
    channels.reduce((sum, name) => sum + 1 + name.length, 0) +
    4 +
    events.reduce((sum, { name }) => sum + 2 + name.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(6, CAPTURE_VERSION, true);
  view.setUint16(8, payloads ? PAYLOADS_FLAG : 0, true);
  bytes.set(fingerprint, 10);
  view.setUint16(26, channels.length, true);
  let at = HEADER_FIXED_BYTES;
  for (const name of channels) at = putName(bytes, at, name);
  view.setUint32(at, events.length, true);
  at += 4;
  for (const { channel, name } of events) {
    bytes[at] = channel;
    at = putName(bytes, at + 1, name);
  }
  return bytes;
}

/** Whether the header of another capture says that payloads are stored; `undefined` for a catalogue. Throws for what is neither. */
export function payloadsOf(header: Schema | CaptureHeader): boolean | undefined {
  checkObject(header, 'header');
  if (!('payloads' in header)) return undefined;
  if (header.version !== CAPTURE_VERSION) throw invalidOption('header.version', String(CAPTURE_VERSION), header.version);
  return header.payloads;
}

function fingerprintBytes({ fingerprint }: Schema | CaptureHeader): Uint8Array {
  checkObject(fingerprint, 'header.fingerprint');
  const bytes: unknown = fingerprint.bytes;
  if (bytes instanceof Uint8Array && bytes.length === FINGERPRINT_BYTES) return bytes;
  throw invalidOption('header.fingerprint.bytes', `${FINGERPRINT_BYTES} bytes`, bytes);
}

function channelNames({ channels }: Schema | CaptureHeader): Uint8Array[] {
  checkList(channels, 'header.channels', MAX_U16);
  return channels.map((channel, id) => encodeName(typeof channel === 'string' ? channel : channel.name, `header.channels[${id}]`));
}

function namedEvents({ events }: Schema | CaptureHeader): NamedEvent[] {
  checkList(events, 'header.events', MAX_U32);
  return events.map(({ channel, name }, id) => {
    checkUnsigned(channel, `header.events[${id}].channel`, MAX_U8);
    return { channel, name: encodeName(name, `header.events[${id}].name`) };
  });
}

function checkList(value: unknown, field: string, most: number): void {
  if (!Array.isArray(value)) throw invalidOption(field, 'a list', value);
  checkUnsigned(value.length, `${field}.length`, most);
}

/** A name must come back as it was: no lone surrogates, and a length that fits one byte. */
function encodeName(name: unknown, field: string): Uint8Array {
  if (typeof name === 'string' && !LONE_SURROGATE.test(name)) {
    const bytes = encodeUtf8(name);
    if (bytes.length <= MAX_U8) return bytes;
  }
  throw invalidOption(field, `a text of at most ${MAX_U8} bytes of UTF-8`, name);
}

function putName(bytes: Uint8Array, at: number, name: Uint8Array): number {
  bytes[at] = name.length;
  bytes.set(name, at + 1);
  return at + 1 + name.length;
}
