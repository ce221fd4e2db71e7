import { formatAddress, isWildcard, withPort } from './address.ts';
import type { Address } from './address.ts';
import { parseAddressOption } from './client-options.ts';
import { DEFAULT_MAX_CONNECT_TOKEN_LIFETIME, KEY_BYTES, MAX_CLIENTS } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { checkBytes, checkFunction, checkOptionsObject, checkU64, describe } from './internal/check.ts';
import { checkCommonOptions } from './machine-options.ts';
import type { Injected, MachineOptions } from './machine-options.ts';
import type { Transport } from './transport.ts';

/** What a server is made of. Optional members may be `undefined`. */
export interface ServerOptions extends MachineOptions {
  /** Public identity: what clients dial and tokens list, never a wildcard. Port 0 becomes the bound port (protocol section 16.2). */
  address: string;
  /** Second identity, usually of the other family. */
  address2?: string | undefined;
  /** u64, the same in client, server and backend of one game build. */
  protocolId: bigint;
  /** 32 bytes, shared with the minting backend; copied. */
  privateKey: Uint8Array;
  /** 32 bytes, tried when the first key does not open a request: for key rotation. */
  previousPrivateKey?: Uint8Array | undefined;
  /** Longest lifetime that the backend gives to tokens, whole seconds of 1 or more; default 30 (protocol section 12.1). */
  maxConnectTokenLifetimeSeconds?: number | undefined;
  /** Called after a slot is set up, and before it is cleared. */
  onConnectDisconnect?: ((slot: number, connected: boolean) => void) | undefined;
  /** Given: payloads are handed over as they are read, borrowed, and never queued. */
  onPayload?: ((slot: number, bytes: Uint8Array, offset: number, length: number) => void) | undefined;
  /** Takes what is sent to a loopback client; `bytes` is borrowed. */
  sendLoopbackPacket?: ((slot: number, bytes: Uint8Array, sequence: bigint) => void) | undefined;
}

/** The identities of a server, parsed. */
export interface ServerAddresses {
  address: Address;
  address2: Address | undefined;
}

const MAX_LIFETIME_SECONDS = 0x7fff_ffff;

function parseIdentity(text: unknown, field: 'address' | 'address2'): Address {
  const address = parseAddressOption(text, field, field === 'address' ? 'parseAddressFailed' : 'parseAddress2Failed');
  if (!isWildcard(address)) return address;
  throw new NetcodeError(
    'wildcardAddress',
    `${field}: ${formatAddress(address)} is a wildcard; the public address must be concrete, as clients dial it and tokens list it. Use bindAddress for a wildcard`,
    { field },
  );
}

/** Checks the number of slots of a run. */
export function checkMaxClients(maxClients: unknown): void {
  if (typeof maxClients === 'number' && Number.isInteger(maxClients) && maxClients >= 1 && maxClients <= MAX_CLIENTS) return;
  throw new NetcodeError('maxClients', `max clients ${describe(maxClients)} is out of range [1,${MAX_CLIENTS}]`, { field: 'maxClients' });
}

/** The identity once the transport is open: port 0 becomes the port that the socket of its family was bound to (protocol section 16.2). */
export function boundIdentity(address: Address, transport: Transport): Address {
  if (address.port !== 0) return address;
  return withPort(address, transport.boundPort(address.type === 'ipv6' ? 'ipv6' : 'ipv4'));
}

/**
 * Checks everything about a server but its way for datagrams, before anything is created or bound.
 *
 * @throws {@link NetcodeError} `PARSE_ADDRESS_FAILED`, `PARSE_ADDRESS2_FAILED`, `WILDCARD_ADDRESS`, `INVALID_ID`, `INVALID_KEY`, `INVALID_OPTION`.
 */
export function checkServerOptions(options: Omit<ServerOptions, Injected>): ServerAddresses {
  checkOptionsObject(options);
  const address = parseIdentity(options.address, 'address');
  const address2 = options.address2 === undefined ? undefined : parseIdentity(options.address2, 'address2');
  checkU64(options.protocolId, 'protocolId', 'invalidId');
  checkBytes(options.privateKey, KEY_BYTES, 'privateKey', 'invalidKey');
  if (options.previousPrivateKey !== undefined) checkBytes(options.previousPrivateKey, KEY_BYTES, 'previousPrivateKey', 'invalidKey');
  const lifetime: unknown = options.maxConnectTokenLifetimeSeconds ?? DEFAULT_MAX_CONNECT_TOKEN_LIFETIME;
  if (typeof lifetime !== 'number' || !Number.isInteger(lifetime) || lifetime < 1 || lifetime > MAX_LIFETIME_SECONDS) {
    throw new NetcodeError(
      'invalidOption',
      `maxConnectTokenLifetimeSeconds: expected a whole number of seconds in 1 … ${MAX_LIFETIME_SECONDS}, got ${describe(lifetime)}`,
      { field: 'maxConnectTokenLifetimeSeconds' },
    );
  }
  checkCommonOptions(options);
  checkFunction(options.onConnectDisconnect, 'onConnectDisconnect');
  checkFunction(options.onPayload, 'onPayload');
  checkFunction(options.sendLoopbackPacket, 'sendLoopbackPacket');
  return { address, address2 };
}
