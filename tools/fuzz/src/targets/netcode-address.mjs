// Address texts: any text is refused with the documented error, or prints to a text that reads back to an equal address.
import { addressEquals, formatAddress, NetcodeError, parseAddress } from '@x/netcode';
import { assert } from '../check.mjs';

const TEXTS = [
  '127.0.0.1:40000',
  '[::1]:40000',
  '::1',
  '::ffff:1.2.3.4',
  '[fe80::1]:65535',
  '2001:db8:0:0:1:0:0:1',
  '[10.0.0.1:77]:99',
  '::1.2.3.4',
  '1.2.3.4:00080',
  '[::',
  'localhost:1',
];

export const target = {
  name: 'netcode-address',
  maxBytes: 300,
  seeds: () => TEXTS.map((text) => Buffer.from(text, 'latin1')),
  run(input) {
    let address;
    try {
      address = parseAddress(Buffer.from(input).toString('latin1'));
    } catch (error) {
      assert(NetcodeError.is(error) && error.code === 'INVALID_ADDRESS', `unexpected error: ${error}`);
      return;
    }
    assert(address.bytes.length === (address.type === 'ipv4' ? 4 : 16), 'wrong number of bytes');
    assert(Number.isInteger(address.port) && address.port >= 0 && address.port <= 65535, `port ${address.port}`);
    const text = formatAddress(address);
    const again = parseAddress(text);
    assert(addressEquals(again, address), `${text} reads back to another address`);
    assert(formatAddress(again) === text, `${text} prints differently the second time`);
  },
};
