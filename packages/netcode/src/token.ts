// The entry for minting and reading connect tokens: loads nothing of clients, servers or sockets.
export { formatAddress, parseAddress } from './address.ts';
export type { Address, AddressType } from './address.ts';
export { generateConnectToken, openConnectToken, readConnectToken } from './connect-token.ts';
export type { ConnectToken, ConnectTokenOptions, ConnectTokenRefusal, PrivateConnectToken } from './connect-token.ts';
export {
  CONNECT_TOKEN_BYTES,
  CONNECT_TOKEN_NONCE_BYTES,
  CONNECT_TOKEN_PRIVATE_BYTES,
  DEFAULT_MAX_CONNECT_TOKEN_LIFETIME,
  KEY_BYTES,
  MAC_BYTES,
  MAX_SERVERS_PER_CONNECT,
  USER_DATA_BYTES,
  VERSION_INFO,
} from './constants.ts';
export { NetcodeError } from './errors.ts';
export type { NetcodeErrorDetails, NetcodeErrorKind } from './errors.ts';
export { generateKey, randomBytes } from './random.ts';
export type { RandomBytes } from './random.ts';
