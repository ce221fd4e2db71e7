// Every size, limit, rate and timeout of netcode 1.02 (protocol section 2), under the name the protocol gives it.

/** Names the protocol in tokens, requests and associated data: ASCII `NETCODE 1.02` and a zero byte, 13 bytes. Not to be modified. */
export const VERSION_INFO: Uint8Array = Uint8Array.of(0x4e, 0x45, 0x54, 0x43, 0x4f, 0x44, 0x45, 0x20, 0x31, 0x2e, 0x30, 0x32, 0x00);

/** Length of a private key, a session key and a challenge key, in bytes. */
export const KEY_BYTES = 32;
/** Length of the Poly1305 tag behind every ciphertext, in bytes. */
export const MAC_BYTES = 16;
/** Length of the user data in a connect token, in bytes; always sent in full. */
export const USER_DATA_BYTES = 256;
/** Most server addresses in one connect token. */
export const MAX_SERVERS_PER_CONNECT = 32;
/** Length of a connect token, in bytes. */
export const CONNECT_TOKEN_BYTES = 2048;
/** Length of the sealed private half of a connect token, in bytes, its tag included. */
export const CONNECT_TOKEN_PRIVATE_BYTES = 1024;
/** Length of the nonce of a connect token, in bytes. */
export const CONNECT_TOKEN_NONCE_BYTES = 24;
/** Length of a sealed challenge token, in bytes, its tag included. */
export const CHALLENGE_TOKEN_BYTES = 300;
/** Largest datagram that is looked at, in bytes. */
export const MAX_PACKET_BYTES = 1300;
/** Largest user payload, in bytes; the smallest is 1. */
export const MAX_PAYLOAD_BYTES = 1200;
/** Another name of {@link MAX_PAYLOAD_BYTES}. */
export const MAX_PACKET_SIZE: typeof MAX_PAYLOAD_BYTES = MAX_PAYLOAD_BYTES;
/** Most client slots of one server. */
export const MAX_CLIENTS = 256;
/** Most received payloads that wait for the application, per client and per server slot. */
export const PACKET_QUEUE_SIZE = 256;
/** Span of the replay window, in sequence numbers. */
export const REPLAY_PROTECTION_BUFFER_SIZE = 256;
/** Handshake and keep-alive packets per second. */
export const PACKET_SEND_RATE = 10;
/** Copies of the disconnect packet that a clean disconnect sends. */
export const NUM_DISCONNECT_PACKETS = 10;
/** Most packets that a client takes from a network simulator in one update. */
export const CLIENT_MAX_RECEIVE_PACKETS = 64;
/** Most packets that a server takes from a network simulator in one update. */
export const SERVER_MAX_RECEIVE_PACKETS = 16384;
/** Entries of the server's table from address to session keys. */
export const MAX_ENCRYPTION_MAPPINGS = 1024;
/** Entries of the server's history of presented connect tokens. */
export const MAX_CONNECT_TOKEN_ENTRIES = 2048;
/** Default of the server option `maxConnectTokenLifetimeSeconds`, and the default lifetime of a minted token, in seconds. */
export const DEFAULT_MAX_CONNECT_TOKEN_LIFETIME = 30;
/** Send buffer that a UDP socket asks for, in bytes. */
export const SOCKET_SNDBUF = 4_194_304;
/** Receive buffer that a UDP socket asks for, in bytes. */
export const SOCKET_RCVBUF = 4_194_304;
/** Smallest socket buffer that is tried before opening the socket fails, in bytes. */
export const SOCKET_BUFFER_FLOOR = 262_144;
/** Characters of an address text, its terminator included: the first 255 count. */
export const MAX_ADDRESS_STRING_LENGTH = 256;
/** Sequence of the first packet that a server sends before a slot exists. */
export const GLOBAL_SEQUENCE_START: bigint = 0x8000_0000_0000_0000n;
/** Packets in flight in a network simulator. */
export const SIM_PACKET_ENTRIES = 65_536;
/** Packets of a network simulator that can wait to be picked up. */
export const SIM_PENDING_RECEIVE = 16_384;
/** Seed of a network simulator's random generator. */
export const SIM_RNG_SEED: bigint = 0x9e37_79b9_7f4a_7c15n;
