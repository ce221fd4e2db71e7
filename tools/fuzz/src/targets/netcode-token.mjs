// The public half of connect tokens: any bytes are refused by id, or read to fields that lay out to the same bytes; a client agrees.
import { NetcodeClient, NetcodeError } from '@x/netcode';
import { decodeConnectToken, encodeConnectToken } from '@x/netcode/protocol';
import { generateConnectToken, readConnectToken } from '@x/netcode/token';
import { assert, assertSame } from '../check.mjs';

const REFUSALS = ['token-length', 'token-version', 'token-timestamps', 'token-address-count', 'token-address-type'];
const ADDRESSES_AT = 1093;
const KEYS_BYTES = 64;
const options = {
  clientId: 1n,
  protocolId: 2n,
  privateKey: new Uint8Array(32),
  randomBytes: (count) => new Uint8Array(count).fill(7),
  createTimestamp: 1000n,
};

export const target = {
  name: 'netcode-token',
  maxBytes: 2100,
  seeds: () => [
    new Uint8Array(0),
    generateConnectToken({ ...options, publicAddresses: ['127.0.0.1:40000'] }),
    generateConnectToken({ ...options, publicAddresses: ['[::1]:40000', '1.2.3.4:5'], expireSeconds: -1, timeoutSeconds: -1 }),
    generateConnectToken({ ...options, publicAddresses: Array.from({ length: 32 }, (_, i) => `[2001:db8::${i}]:1`) }),
  ],
  run(input) {
    const before = input.slice();
    const read = decodeConnectToken(input);
    assertSame(input, before, 'the input before and after');
    const client = new NetcodeClient({ time: 0, override: { sendPacket: () => {}, receivePacket: () => undefined } });
    const refused = client.connect(input);
    client.close();
    if ('refused' in read) {
      assert(REFUSALS.includes(read.refused), `unknown refusal ${read.refused}`);
      assert(refused === read.refused, `connect says ${refused}, the reader ${read.refused}`);
      let error;
      try {
        readConnectToken(input);
      } catch (caught) {
        error = caught;
      }
      assert(NetcodeError.is(error) && error.reason === read.refused, 'readConnectToken does not agree');
      return;
    }
    assert(refused === undefined, `connect refuses what was read: ${refused}`);
    assert(read.createTimestamp <= read.expireTimestamp, 'a token that is over before it began');
    assert(read.serverAddresses.length >= 1 && read.serverAddresses.length <= 32, 'number of addresses');
    const used = ADDRESSES_AT + KEYS_BYTES + read.serverAddresses.reduce((sum, address) => sum + (address.type === 'ipv4' ? 7 : 19), 0);
    assertSame(encodeConnectToken(read).subarray(0, used), input.subarray(0, used), 'the token and its fields laid out again');
  },
};
