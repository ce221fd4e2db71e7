import { MAX_ADDRESS_STRING_LENGTH } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { copyBytes } from './internal/bytes.ts';
import { describe, describeAddress } from './internal/check.ts';
import type { ByteReader, ByteWriter } from './internal/cursor.ts';

// An address inside a connect token (protocol section 5.1), little-endian:
//
// | offset | bytes | type  | meaning                                                          | reject                    |
// | ------ | ----- | ----- | ---------------------------------------------------------------- | ------------------------- |
// | 0      | 1     | u8    | 1 IPv4, 2 IPv6                                                    | any other value           |
// | 1      | 4     | bytes | IPv4: the four numbers in human order                            |                           |
// | 1      | 16    | u16×8 | IPv6: eight groups in human order, each group little-endian      |                           |
// | 5 / 17 | 2     | u16   | port                                                             |                           |

/** What an address names: nothing, an IPv4 or IPv6 endpoint, or a connection of a carrier other than UDP. */
export type AddressType = 'none' | 'ipv4' | 'ipv6' | 'carrier';

/** The numbers of the address types on the wire and in native implementations (protocol section 2). */
export const ADDRESS_TYPE_CODES: Readonly<Record<'none' | 'ipv4' | 'ipv6', number>> = Object.freeze({ none: 0, ipv4: 1, ipv6: 2 });

/**
 * An endpoint. Frozen; its bytes are never changed. A transport gives one object per sender while it remembers it, so `===` is the fast path of
 * {@link addressEquals}.
 */
export interface Address {
  readonly type: AddressType;
  /** 4 or 16 bytes in network order, or a carrier's connection number in 8. */
  readonly bytes: Uint8Array;
  /** 0 … 65535; 0 for carriers. */
  readonly port: number;
  /** Empty for IP, else the carrier's name such as `ws` or `memory`. */
  readonly carrier: string;
}

const IPV4_BYTES = 4;
const IPV6_BYTES = 16;
const IPV6_GROUPS = 8;
const CARRIER_BYTES = 8;
const MAX_PORT = 65_535;
/** How far from the end of a text a port is looked for: `:` and five digits. */
const PORT_SEARCH_CHARACTERS = 6;

function freeze(type: AddressType, bytes: Uint8Array, port: number, carrier: string): Address {
  return Object.freeze({ type, bytes, port, carrier });
}

/** The address that names nothing; equal to no address, not even to itself. */
export const NO_ADDRESS: Address = freeze('none', new Uint8Array(0), 0, '');

/** Makes an IP address from its bytes, which become part of it: 4 for IPv4, 16 for IPv6. */
export function ipAddress(bytes: Uint8Array, port: number): Address {
  return freeze(bytes.length === IPV4_BYTES ? 'ipv4' : 'ipv6', bytes, port, '');
}

/** The same address with another port. */
export function withPort(address: Address, port: number): Address {
  return freeze(address.type, address.bytes, port, address.carrier);
}

/**
 * Makes the address of one connection of a carrier other than UDP.
 *
 * @param carrier - the carrier's name, not empty.
 * @param connection - u64 number of the connection within that carrier.
 * @throws {@link NetcodeError} `INVALID_ADDRESS`.
 */
export function carrierAddress(carrier: string, connection: bigint): Address {
  if (typeof carrier !== 'string' || carrier === '') {
    throw new NetcodeError('invalidAddress', `carrier: expected a name that is not empty, got ${describe(carrier)}`, { field: 'carrier' });
  }
  if (typeof connection !== 'bigint' || BigInt.asUintN(64, connection) !== connection) {
    throw new NetcodeError('invalidAddress', `connection: expected a bigint in 0 … 2^64 - 1, got ${describe(connection)}`, {
      field: 'connection',
    });
  }
  const bytes = new Uint8Array(CARRIER_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, connection);
  return freeze('carrier', bytes, 0, carrier);
}

/**
 * Reads the text of an IP address with or without a port (protocol section 4.1): `127.0.0.1:40000`, `[::1]:40000`, `::1`.
 * A mapped address such as `::ffff:1.2.3.4` stays IPv6. Host names are not resolved.
 *
 * @param text - only the first 255 characters count.
 * @returns a fresh address; port 0 when the text has none.
 * @throws {@link NetcodeError} `INVALID_ADDRESS` when the text is not an address.
 */
export function parseAddress(text: string): Address {
  const address = typeof text === 'string' ? tryParseAddress(text) : undefined;
  if (address !== undefined) return address;
  throw new NetcodeError(
    'invalidAddress',
    `address: expected a numeric IPv4 or IPv6 address, got ${describeAddress(text)}; resolve host names first`,
    {
      field: 'address',
    },
  );
}

/** As {@link parseAddress}, with `undefined` for a text that is not an address. */
export function tryParseAddress(text: string): Address | undefined {
  let rest = text.slice(0, MAX_ADDRESS_STRING_LENGTH - 1);
  let port = 0;
  if (rest.startsWith('[')) {
    const isClosed = rest.endsWith(']');
    const end = rest.length;
    let body = rest;
    for (let k = end - 1; k >= Math.max(3, end - PORT_SEARCH_CHARACTERS); k--) {
      if (rest[k] !== ':' || rest[k - 1] !== ']') continue;
      const parsed = parsePort(rest.slice(k + 1));
      if (parsed === undefined) return undefined;
      port = parsed;
      body = rest.slice(0, k - 1);
      break;
    }
    if (isClosed) body = body.slice(0, -1);
    rest = body.slice(1);
  }
  const groups = parseIpv6(rest);
  if (groups !== undefined) return ipAddress(groups, port);
  for (let k = rest.length - 1; k >= Math.max(0, rest.length - PORT_SEARCH_CHARACTERS); k--) {
    if (rest[k] !== ':') continue;
    const parsed = parsePort(rest.slice(k + 1));
    if (parsed === undefined) return undefined;
    port = parsed;
    rest = rest.slice(0, k);
    break;
  }
  const octets = parseIpv4(rest);
  return octets === undefined ? undefined : ipAddress(octets, port);
}

function parsePort(text: string): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const port = Number(text);
  return port <= MAX_PORT ? port : undefined;
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== IPV4_BYTES) return undefined;
  const octets = new Uint8Array(IPV4_BYTES);
  for (const [i, part] of parts.entries()) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part)) return undefined;
    const value = Number(part);
    if (value > 255) return undefined;
    octets[i] = value;
  }
  return octets;
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [headText, tailText] = halves;
  const isShortened = tailText !== undefined;
  const head = parseGroups(headText!, !isShortened);
  const tail = isShortened ? parseGroups(tailText, true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const count = head.length + tail.length;
  if (isShortened ? count >= IPV6_GROUPS : count !== IPV6_GROUPS) return undefined;
  const bytes = new Uint8Array(IPV6_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, group] of head.entries()) view.setUint16(2 * i, group);
  for (const [i, group] of tail.entries()) view.setUint16(2 * (IPV6_GROUPS - tail.length + i), group);
  return bytes;
}

/** Groups between colons; an empty text has none. The last may be a dotted IPv4 literal, two groups, where `allowsDotted`. */
function parseGroups(text: string, allowsDotted: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const octets = allowsDotted && i === parts.length - 1 ? parseIpv4(part) : undefined;
    if (octets === undefined) return undefined;
    groups.push((octets[0]! << 8) | octets[1]!, (octets[2]! << 8) | octets[3]!);
  }
  return groups;
}

/**
 * Prints an address for people and logs (protocol section 4.6): `127.0.0.1:40000`, `[::1]:40000`, without the port when it is 0, `NONE` for no
 * address, `ws#17` for a carrier's connection. {@link parseAddress} reads the text of an IP address back to an equal address.
 */
export function formatAddress(address: Address): string {
  const { type, bytes, port } = address;
  if (type === 'none') return 'NONE';
  if (type === 'carrier') return `${address.carrier}#${viewOf(bytes).getBigUint64(0)}`;
  if (type === 'ipv4') return port === 0 ? bytes.join('.') : `${bytes.join('.')}:${port}`;
  const text = formatIpv6(bytes);
  return port === 0 ? text : `[${text}]:${port}`;
}

function formatIpv6(bytes: Uint8Array): string {
  const view = viewOf(bytes);
  const groups = Array.from({ length: IPV6_GROUPS }, (_, i) => view.getUint16(2 * i));
  const { start, length } = longestZeroRun(groups);
  const isCompatible = start === 0 && length === 6;
  const isMapped = start === 0 && length === 5 && groups[5] === 0xffff;
  if (isCompatible || isMapped) return `${isMapped ? '::ffff:' : '::'}${bytes.subarray(IPV6_BYTES - IPV4_BYTES).join('.')}`;
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** True when type, carrier, port and all bytes are equal. Two addresses that name nothing are not equal. */
export function addressEquals(a: Address, b: Address): boolean {
  if (a === b) return a.type !== 'none';
  if (a.port !== b.port || a.type !== b.type || a.type === 'none' || a.carrier !== b.carrier) return false;
  const left = a.bytes;
  const right = b.bytes;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

/**
 * Turns an IPv4-mapped sender `::ffff:a.b.c.d`, as a dual-stack socket reports it, into the IPv4 address; gives any other address back as it is.
 * For senders only: configuration text keeps the family it was written in.
 */
export function unmapAddress(address: Address): Address {
  if (address.type !== 'ipv6') return address;
  const { bytes } = address;
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return address;
  if (bytes[10] !== 0xff || bytes[11] !== 0xff) return address;
  return ipAddress(bytes.slice(IPV6_BYTES - IPV4_BYTES), address.port);
}

const BYTES_OF_TYPE: Readonly<Record<string, number>> = { ipv4: IPV4_BYTES, ipv6: IPV6_BYTES, carrier: CARRIER_BYTES };

/**
 * An address that can be kept: the value itself when it is frozen, as all addresses made here are, else a frozen copy, which its owner cannot change
 * later. `undefined` for what is not the address of somebody.
 */
export function ownedAddress(value: unknown): Address | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, bytes, port, carrier } = value as Partial<Address>;
  const length = type === undefined ? undefined : BYTES_OF_TYPE[type];
  if (type === undefined || !(bytes instanceof Uint8Array) || bytes.length !== length) return undefined;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > MAX_PORT || typeof carrier !== 'string') return undefined;
  return Object.isFrozen(value) ? (value as Address) : freeze(type, copyBytes(bytes), port, carrier);
}

/** True for `0.0.0.0`, `::` and `::ffff:0.0.0.0` with any port: addresses to bind to, never an identity. */
export function isWildcard(address: Address): boolean {
  return unmapAddress(address).bytes.every((byte) => byte === 0);
}

/** Appends an IP address in the form of a connect token. */
export function writeAddress(writer: ByteWriter, address: Address): void {
  if (address.type === 'ipv4') {
    writer.u8(ADDRESS_TYPE_CODES.ipv4);
    writer.raw(address.bytes);
  } else {
    writer.u8(ADDRESS_TYPE_CODES.ipv6);
    const view = viewOf(address.bytes);
    for (let i = 0; i < IPV6_GROUPS; i++) writer.u16(view.getUint16(2 * i));
  }
  writer.u16(address.port);
}

/** Reads an IP address in the form of a connect token; `undefined` when its type byte is neither 1 nor 2. */
export function readAddress(reader: ByteReader): Address | undefined {
  const type = reader.u8();
  if (type === ADDRESS_TYPE_CODES.ipv4) {
    const octets = reader.raw(IPV4_BYTES);
    return ipAddress(octets, reader.u16());
  }
  if (type !== ADDRESS_TYPE_CODES.ipv6) return undefined;
  const bytes = new Uint8Array(IPV6_BYTES);
  const view = viewOf(bytes);
  for (let i = 0; i < IPV6_GROUPS; i++) view.setUint16(2 * i, reader.u16());
  return ipAddress(bytes, reader.u16());
}
