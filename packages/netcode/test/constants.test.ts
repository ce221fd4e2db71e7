import { toHex } from '@x/testkit';
import { expect, test } from 'vitest';
import { CLIENT_STATE_CODES, clientStateName, SLOT_DISCONNECT_REASON_CODES } from '../src/client-state.ts';
import type { ClientState } from '../src/client-state.ts';
import * as constants from '../src/constants.ts';
import { ALLOWED_TYPES, PACKET_TYPE_CODES } from '../src/packet.ts';

test('when the constants are read, then they have the values of protocol section 2, and there are no others', () => {
  const { VERSION_INFO, ...numbers } = constants;
  expect(toHex(VERSION_INFO)).toBe('4e4554434f444520312e303200');
  expect(numbers).toEqual({
    KEY_BYTES: 32,
    MAC_BYTES: 16,
    USER_DATA_BYTES: 256,
    MAX_SERVERS_PER_CONNECT: 32,
    CONNECT_TOKEN_BYTES: 2048,
    CONNECT_TOKEN_PRIVATE_BYTES: 1024,
    CONNECT_TOKEN_NONCE_BYTES: 24,
    CHALLENGE_TOKEN_BYTES: 300,
    MAX_PACKET_BYTES: 1300,
    MAX_PAYLOAD_BYTES: 1200,
    MAX_PACKET_SIZE: 1200,
    MAX_CLIENTS: 256,
    PACKET_QUEUE_SIZE: 256,
    REPLAY_PROTECTION_BUFFER_SIZE: 256,
    PACKET_SEND_RATE: 10,
    NUM_DISCONNECT_PACKETS: 10,
    CLIENT_MAX_RECEIVE_PACKETS: 64,
    SERVER_MAX_RECEIVE_PACKETS: 64 * 256,
    MAX_ENCRYPTION_MAPPINGS: 4 * 256,
    MAX_CONNECT_TOKEN_ENTRIES: 8 * 256,
    DEFAULT_MAX_CONNECT_TOKEN_LIFETIME: 30,
    SOCKET_SNDBUF: 4_194_304,
    SOCKET_RCVBUF: 4_194_304,
    SOCKET_BUFFER_FLOOR: 262_144,
    MAX_ADDRESS_STRING_LENGTH: 256,
    GLOBAL_SEQUENCE_START: 9_223_372_036_854_775_808n,
    SIM_PACKET_ENTRIES: 65_536,
    SIM_PENDING_RECEIVE: 16_384,
    SIM_RNG_SEED: 0x9e37_79b9_7f4a_7c15n,
  });
});

test.each<[ClientState, number, string]>([
  ['connectTokenExpired', -6, 'connect token expired'],
  ['invalidConnectToken', -5, 'invalid connect token'],
  ['connectionTimedOut', -4, 'connection timed out'],
  ['connectionResponseTimedOut', -3, 'connection response timed out'],
  ['connectionRequestTimedOut', -2, 'connection request timed out'],
  ['connectionDenied', -1, 'connection denied'],
  ['disconnected', 0, 'disconnected'],
  ['sendingConnectionRequest', 1, 'sending connection request'],
  ['sendingConnectionResponse', 2, 'sending connection response'],
  ['connected', 3, 'connected'],
])('when the client state is %s, then its number is %i and its name "%s"', (state, code, name) => {
  expect([CLIENT_STATE_CODES[state], clientStateName(state)]).toEqual([code, name]);
});

test('when other choices have numbers, then they are those of the protocol', () => {
  expect(Object.keys(CLIENT_STATE_CODES)).toHaveLength(10);
  expect(SLOT_DISCONNECT_REASON_CODES).toEqual({ none: 0, timedOut: 1, clientDisconnect: 2, serverDisconnect: 3 });
  expect(PACKET_TYPE_CODES).toEqual({ request: 0, denied: 1, challenge: 2, response: 3, keepAlive: 4, payload: 5, disconnect: 6 });
  const allowed = (side: 'server' | 'client'): number[] => [0, 1, 2, 3, 4, 5, 6, 7].filter((type) => (ALLOWED_TYPES[side] >> type) & 1);
  expect([allowed('server'), allowed('client')]).toEqual([
    [0, 3, 4, 5, 6],
    [1, 2, 4, 5, 6],
  ]);
});
