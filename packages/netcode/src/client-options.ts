import { tryParseAddress } from './address.ts';
import type { Address } from './address.ts';
import type { ClientState } from './client-state.ts';
import { NetcodeError } from './errors.ts';
import type { NetcodeErrorKind } from './errors.ts';
import { checkFunction, checkOptionsObject, describeAddress } from './internal/check.ts';
import { checkCommonOptions } from './machine-options.ts';
import type { Injected, MachineOptions } from './machine-options.ts';

/** What a client is made of. Optional members may be `undefined`. */
export interface ClientOptions extends MachineOptions {
  /** Own address, such as `0.0.0.0:0`; a simulator needs one with a port. */
  address?: string | undefined;
  /** Own address of the other family. */
  address2?: string | undefined;
  /** Called before the new state is stored: a getter called inside still shows the previous one. */
  onStateChange?: ((previous: ClientState, next: ClientState) => void) | undefined;
  /** Given: payloads are handed over as they are read, borrowed, and never queued. */
  onPayload?: ((bytes: Uint8Array, offset: number, length: number) => void) | undefined;
  /** Takes what a loopback client sends; `bytes` is borrowed. */
  sendLoopbackPacket?: ((clientIndex: number, bytes: Uint8Array, sequence: bigint) => void) | undefined;
}

/** The own addresses of a client, parsed. */
export interface ClientAddresses {
  address: Address | undefined;
  address2: Address | undefined;
}

/** Parses an address option, or throws `kind`. */
export function parseAddressOption(text: unknown, field: string, kind: NetcodeErrorKind): Address {
  const address = typeof text === 'string' ? tryParseAddress(text) : undefined;
  if (address !== undefined) return address;
  throw new NetcodeError(
    kind,
    `${field}: expected a numeric address such as 127.0.0.1:40000, got ${describeAddress(text)}; resolve host names first`,
    {
      field,
    },
  );
}

/**
 * Checks everything about a client but its way for datagrams, before anything is created or bound.
 *
 * @throws {@link NetcodeError} `PARSE_ADDRESS_FAILED`, `PARSE_ADDRESS2_FAILED`, `INVALID_OPTION`.
 */
export function checkClientOptions(options: Omit<ClientOptions, Injected>): ClientAddresses {
  checkOptionsObject(options);
  const address = options.address === undefined ? undefined : parseAddressOption(options.address, 'address', 'parseAddressFailed');
  const address2 = options.address2 === undefined ? undefined : parseAddressOption(options.address2, 'address2', 'parseAddress2Failed');
  checkCommonOptions(options);
  checkFunction(options.onStateChange, 'onStateChange');
  checkFunction(options.onPayload, 'onPayload');
  checkFunction(options.sendLoopbackPacket, 'sendLoopbackPacket');
  return { address, address2 };
}
