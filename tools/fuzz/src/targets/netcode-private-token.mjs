// The private half after opening: any 1024 bytes are refused by id, or read to fields that lay out to the same bytes.
import { NetcodeError } from '@x/netcode';
import { decodePrivateToken, encodePrivateToken } from '@x/netcode/protocol';
import { parseAddress } from '@x/netcode/token';
import { assert, assertSame } from '../check.mjs';

const LEAST_BYTES = 1008;
const ADDRESSES_AT = 16;
const KEYS_AND_USER_DATA_BYTES = 64 + 256;
const fields = {
  clientId: 9n,
  timeoutSeconds: 5,
  clientToServerKey: new Uint8Array(32).fill(1),
  serverToClientKey: new Uint8Array(32).fill(2),
  userData: new Uint8Array(256).fill(3),
};

const many = (count) => Array.from({ length: count }, (_, i) => parseAddress(`[2001:db8::${i}]:1`));

export const target = {
  name: 'netcode-private-token',
  maxBytes: 1100,
  seeds: () => [
    encodePrivateToken({ ...fields, serverAddresses: [parseAddress('127.0.0.1:40000')] }),
    encodePrivateToken({ ...fields, timeoutSeconds: -1, serverAddresses: [parseAddress('[::1]:1'), parseAddress('1.2.3.4:5')] }),
    encodePrivateToken({ ...fields, serverAddresses: many(32) }),
    encodePrivateToken({ ...fields, serverAddresses: many(33) }),
  ],
  run(input) {
    let read;
    try {
      read = decodePrivateToken(input);
    } catch (error) {
      assert(NetcodeError.is(error) && error.code === 'INVALID_CONNECT_TOKEN' && input.length < LEAST_BYTES, `unexpected error: ${error}`);
      return;
    }
    assert(input.length >= LEAST_BYTES, 'too short, and read');
    if ('refused' in read) {
      assert(['private-address-count', 'private-address-type'].includes(read.refused), `unknown refusal ${read.refused}`);
      return;
    }
    assert(read.serverAddresses.length >= 1 && read.serverAddresses.length <= 32, `${read.serverAddresses.length} addresses`);
    const used =
      ADDRESSES_AT + KEYS_AND_USER_DATA_BYTES + read.serverAddresses.reduce((sum, address) => sum + (address.type === 'ipv4' ? 7 : 19), 0);
    assertSame(encodePrivateToken(read).subarray(0, used), input.subarray(0, used), 'the private half and its fields laid out again');
  },
};
