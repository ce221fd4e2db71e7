import { fromHex, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import {
  ADDRESS_TYPE_CODES,
  addressEquals,
  carrierAddress,
  formatAddress,
  ipAddress,
  isWildcard,
  NO_ADDRESS,
  parseAddress,
  readAddress,
  tryParseAddress,
  unmapAddress,
  withPort,
  writeAddress,
} from '../src/address.ts';
import { ByteReader, ByteWriter } from '../src/internal/cursor.ts';
import { failureOf } from './support/codec-samples.ts';

/** Type, bytes in hex and port of a text, or `refused`. */
function parsed(text: string): string {
  const address = tryParseAddress(text);
  return address === undefined ? 'refused' : `${address.type} ${toHex(address.bytes)} ${address.port}`;
}

const LOCAL4 = 'ipv4 7f000001';
const LOCAL6 = 'ipv6 00000000000000000000000000000001';

describe('parseAddress', () => {
  test.each([
    ['127.0.0.1', `${LOCAL4} 0`],
    ['127.0.0.1:40000', `${LOCAL4} 40000`],
    ['1.2.3.4:0', 'ipv4 01020304 0'],
    ['255.255.255.255:65535', 'ipv4 ffffffff 65535'],
    ['0.0.0.0', 'ipv4 00000000 0'],
    ['127.0.0.1:00080', `${LOCAL4} 80`],
    ['::1', `${LOCAL6} 0`],
    ['[::1]', `${LOCAL6} 0`],
    ['[::1]:40000', `${LOCAL6} 40000`],
    ['[::1]:00080', `${LOCAL6} 80`],
    ['[::1', `${LOCAL6} 0`],
    ['::', 'ipv6 00000000000000000000000000000000 0'],
    ['[::]:9', 'ipv6 00000000000000000000000000000000 9'],
    ['::1:80', 'ipv6 00000000000000000000000000010080 0'],
    ['fe80::202:b3ff:fe1e:8329', 'ipv6 fe800000000000000202b3fffe1e8329 0'],
    ['[FE80::202:B3FF:FE1E:8329]:65535', 'ipv6 fe800000000000000202b3fffe1e8329 65535'],
    ['1:2:3:4:5:6:7:8', 'ipv6 00010002000300040005000600070008 0'],
    ['1:2:3:4:5:6:7::', 'ipv6 00010002000300040005000600070000 0'],
    ['::2:3:4:5:6:7:8', 'ipv6 00000002000300040005000600070008 0'],
    ['1::8', 'ipv6 00010000000000000000000000000008 0'],
    ['1:2:3:4:5:6:9.8.7.6', 'ipv6 00010002000300040005000609080706 0'],
    ['::192.168.1.1', 'ipv6 000000000000000000000000c0a80101 0'],
    ['::ffff:192.168.1.1', 'ipv6 00000000000000000000ffffc0a80101 0'],
    ['[::ffff:192.168.1.1]:7', 'ipv6 00000000000000000000ffffc0a80101 7'],
    ['[10.0.0.1]:99', 'ipv4 0a000001 99'],
    ['[10.0.0.1', 'ipv4 0a000001 0'],
    ['[10.0.0.1]', 'ipv4 0a000001 0'],
    ['[10.0.0.1:77]:99', 'ipv4 0a000001 77'],
  ])('when the text is %s, then it means %s', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  const MALFORMED = [
    '[ [] []: : 1 12 123 1234 1234.0.12313.0000 1234.0.12313.0000.0.0.0.0.0',
    '1312313:123131:1312313:123131:1312313:123131:1312313:123131:1312313:123131:1312313:123131 . .. ... .... .....',
    '[::1]: [::1]:65536 [::1]:99999 [::1]:40k [::1]x [::1]x:5 [::1]]:5 []:80 localhost:1 ::ffff:1.2.3.4:80 fe80::1:40000 [::1]:000080',
    '127.0.0.1:65536 127.0.0.1:99999 127.0.0.1: 127.0.0.1:40k 127.0.0.1:000080 127.0.0.1:-1 127.0.0.1:+1 127.0.0.1:0x5 127.0.0.1:1:2 :80',
    '1.2.3.04 1.2.3.256 1.2.3 1.2.3.4.5 1.2.3. .1.2.3 0x1.2.3.4 1..3.4 1.2.3.-4 [10.0.0.1:77x]:99 [10.0.0.1]:65536',
    '::: 1:::2 1::2::3 :1:2:3:4:5:6:7 1:2:3:4:5:6:7: 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2:3:4:5:6:7:8 12345:: g:: fe80::1%eth0 ::1/64',
    '1.2.3.4:: ::1.2.3.4:5 1:2:3:4:5:6:7:1.2.3.4 ::1.2.3 ::1.2.3.256 ::01.2.3.4 [[::1]]:5',
  ]
    .join(' ')
    .split(' ');
  test.each(['', ' ', ' 1.2.3.4', '1.2.3.4 ', '::1 ', '1.2.3.4: 5', '127.0.0.1:٤', '١.2.3.4', '1.2.3.4\n', ...MALFORMED])(
    'when the text is "%s", then it is refused',
    (text) => {
      expect(parsed(text)).toBe('refused');
      expect(failureOf(() => parseAddress(text))).toMatchObject({ kind: 'invalidAddress', code: 'INVALID_ADDRESS', field: 'address' });
    },
  );

  test('FF-13: address texts with and without ports', () => {
    const good: [string, number][] = [
      ['[::1]:5', 5],
      ['[::1]', 0],
      ['[fe80::1]:65535', 65_535],
      ['::1', 0],
      ['127.0.0.1:0', 0],
      ['127.0.0.1', 0],
    ];
    for (const [text, port] of good) {
      const address = parseAddress(text);
      expect(address.port).toBe(port);
      expect(addressEquals(parseAddress(formatAddress(address)), address)).toBe(true);
    }
    for (const text of ['127.0.0.1:65536', '127.0.0.1:12a', '127.0.0.1:', '[::1]x:5', 'localhost:40000']) {
      expect(failureOf(() => parseAddress(text)).code).toBe('INVALID_ADDRESS');
    }
  });

  test('when the argument is not a text, then the error says so without a crash', () => {
    for (const value of [undefined, null, 5, {}, ['127.0.0.1']]) {
      expect(failureOf(() => parseAddress(value as string)).kind).toBe('invalidAddress');
    }
  });

  test('when the text is endless, then the error shows its first 255 characters only', () => {
    const error = failureOf(() => parseAddress('1'.repeat(100_000)));
    expect(error.message).toContain(`"${'1'.repeat(255)}"`);
    expect(error.message.length).toBeLessThan(400);
  });
});

describe('formatAddress', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1:1', '127.0.0.1:1'],
    ['::1', '::1'],
    ['[::1]:1', '[::1]:1'],
    ['::', '::'],
    ['1::', '1::'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:0:2:0:0:4:3', '1::2:0:0:4:3'],
    ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7:0'],
    ['0:0:3:4:5:6:0:0', '::3:4:5:6:0:0'],
    ['::192.168.1.1', '::192.168.1.1'],
    ['::ffff:192.168.1.1', '::ffff:192.168.1.1'],
    ['[::ffff:1.2.3.4]:80', '[::ffff:1.2.3.4]:80'],
    ['::1:80', '::0.1.0.128'],
    ['::fffe:1:2', '::fffe:1:2'],
    ['::1:ffff:1:2', '::1:ffff:1:2'],
    ['1:0:0:0:0:ffff:1:2', '1::ffff:1:2'],
    ['00AB:0:0:c::1', 'ab:0:0:c::1'],
  ])('when %s is printed, then it reads %s and means the same', (text, expected) => {
    const address = parseAddress(text);
    expect(formatAddress(address)).toBe(expected);
    expect(addressEquals(parseAddress(expected), address)).toBe(true);
  });

  test('when the address is not of IP, then it has a name of its own', () => {
    expect(formatAddress(NO_ADDRESS)).toBe('NONE');
    expect(formatAddress(carrierAddress('ws', 17n))).toBe('ws#17');
    expect(formatAddress(carrierAddress('memory', (1n << 64n) - 1n))).toBe('memory#18446744073709551615');
  });
});

describe('addressEquals', () => {
  test('when type, port and bytes agree, then two addresses are equal', () => {
    expect(addressEquals(parseAddress('1.2.3.4:5'), parseAddress('1.2.3.4:5'))).toBe(true);
    expect(addressEquals(parseAddress('[::1]:5'), parseAddress('[0:0::1]:5'))).toBe(true);
    expect(addressEquals(carrierAddress('ws', 5n), carrierAddress('ws', 5n))).toBe(true);
    const same = parseAddress('1.2.3.4:5');
    expect(addressEquals(same, same)).toBe(true);
  });

  test.each([
    ['1.2.3.4:5', '1.2.3.4:6'],
    ['1.2.3.4:5', '1.2.3.5:5'],
    ['1.2.3.4:5', '2.2.3.4:5'],
    ['[::1]:5', '[::2]:5'],
    ['[1::]:5', '[2::]:5'],
    ['1.2.3.4:5', '[::ffff:1.2.3.4]:5'],
    ['1.2.3.4:5', '[102:304::]:5'],
  ])('when they are %s and %s, then they differ', (a, b) => {
    expect(addressEquals(parseAddress(a), parseAddress(b))).toBe(false);
    expect(addressEquals(parseAddress(b), parseAddress(a))).toBe(false);
  });

  test('when carriers or their connections differ, then the addresses differ', () => {
    expect(addressEquals(carrierAddress('ws', 5n), carrierAddress('memory', 5n))).toBe(false);
    expect(addressEquals(carrierAddress('ws', 5n), carrierAddress('ws', 5n + (1n << 32n)))).toBe(false);
  });

  test('when both name nothing, then they are not equal', () => {
    expect(addressEquals(NO_ADDRESS, NO_ADDRESS)).toBe(false);
    expect(addressEquals(NO_ADDRESS, { ...NO_ADDRESS })).toBe(false);
    expect(addressEquals(NO_ADDRESS, parseAddress('0.0.0.0'))).toBe(false);
  });
});

describe('senders and identities', () => {
  test('when a sender is IPv4-mapped, then it is unmapped with its port; others stay the same object', () => {
    const unmapped = unmapAddress(parseAddress('[::ffff:10.20.30.40]:77'));
    expect(addressEquals(unmapped, parseAddress('10.20.30.40:77'))).toBe(true);
    for (const text of [
      '1.2.3.4:5',
      '[::10.20.30.40]:77',
      '[1::ffff:10.20.30.40]:7',
      '[::1:ffff:10.20.30.40]:7',
      '[::100:ffff:10.20.30.40]:7',
      '[::fffe:1.2.3.4]:7',
      '[::feff:1.2.3.4]:7',
      '::1',
    ]) {
      const address = parseAddress(text);
      expect(unmapAddress(address)).toBe(address);
    }
    const carrier = carrierAddress('ws', 1n);
    expect(unmapAddress(carrier)).toBe(carrier);
  });

  test('when every byte is zero, also of a mapped address, then it is a wildcard', () => {
    for (const text of ['0.0.0.0', '0.0.0.0:80', '::', '[::]:80', '::ffff:0.0.0.0']) expect(isWildcard(parseAddress(text))).toBe(true);
    for (const text of ['0.0.0.1', '1.0.0.0', '::1', '1::', '::ffff:0.0.0.1', '::fffe:0.0.0.0']) {
      expect(isWildcard(parseAddress(text))).toBe(false);
    }
  });

  test('when another port is asked for, then the rest stays', () => {
    const moved = withPort(parseAddress('[fe80::1]:5'), 6);
    expect(formatAddress(moved)).toBe('[fe80::1]:6');
  });

  test('when an address is made, then it cannot be changed', () => {
    for (const address of [parseAddress('1.2.3.4:5'), carrierAddress('ws', 1n), NO_ADDRESS]) expect(Object.isFrozen(address)).toBe(true);
  });

  test.each([
    ['', 1n, 'carrier'],
    [5, 1n, 'carrier'],
    ['ws', 1, 'connection'],
    ['ws', -1n, 'connection'],
    ['ws', 1n << 64n, 'connection'],
  ])('when a carrier address is made of %s and %s, then %s is at fault', (carrier, connection, field) => {
    const error = failureOf(() => carrierAddress(carrier as string, connection as bigint));
    expect([error.kind, error.field]).toEqual(['invalidAddress', field]);
  });
});

describe('the form inside a token', () => {
  test.each([
    ['10.1.2.3:40000', '010a010203409c'],
    ['[2001:db8::1234]:40001', '020120b80d000000000000000000003412419c'],
    ['1.2.3.4:0', '01010203040000'],
  ])('when %s is written, then its bytes are %s', (text, hex) => {
    const address = parseAddress(text);
    const writer = new ByteWriter(new Uint8Array(19));
    writeAddress(writer, address);
    expect(toHex(writer.bytes.slice(0, writer.position))).toBe(hex);
    const reader = new ByteReader(fromHex(hex));
    expect(addressEquals(readAddress(reader)!, address)).toBe(true);
    expect(reader.position).toBe(hex.length / 2);
  });

  test('FF-14: when the type byte is 0, 3 or above, then there is no address', () => {
    for (const type of [0, 3, 4, 0x81, 255])
      expect(readAddress(new ByteReader(Uint8Array.of(type, ...new Uint8Array(18))))).toBeUndefined();
    expect(ADDRESS_TYPE_CODES).toEqual({ none: 0, ipv4: 1, ipv6: 2 });
    expect(ipAddress(new Uint8Array(4), 1).type).toBe('ipv4');
    expect(ipAddress(new Uint8Array(16), 1).type).toBe('ipv6');
  });
});
