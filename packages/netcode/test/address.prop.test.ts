import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressEquals, formatAddress, readAddress, tryParseAddress, unmapAddress, writeAddress } from '../src/address.ts';
import type { Address } from '../src/address.ts';
import { ByteReader, ByteWriter } from '../src/internal/cursor.ts';
import { address, groups, port } from './support/codec-arbitraries.ts';
import { propertyOptions } from './support/codec-property.ts';
import { parseTwin, printTwin } from './twins/address-twin.ts';
import type { TwinAddress } from './twins/address-twin.ts';
import { addressHex } from './twins/token-twin.ts';
import { hexOf } from './twins/wire-hex.ts';

function plain(value: Address | undefined): TwinAddress | undefined {
  if (value === undefined) return undefined;
  const numbers =
    value.type === 'ipv4' ? [...value.bytes] : Array.from({ length: 8 }, (_, i) => 256 * value.bytes[2 * i]! + value.bytes[2 * i + 1]!);
  return { numbers, port: value.port };
}

const octet = fc.oneof(fc.integer({ min: 0, max: 255 }).map(String), fc.constantFrom('00', '01', '256', '300', '', 'a', '-1'));
const dotted = fc.oneof(
  { weight: 2, arbitrary: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }).map((list) => list.join('.')) },
  { weight: 1, arbitrary: fc.array(octet, { minLength: 3, maxLength: 5 }).map((list) => list.join('.')) },
);
const group = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)) },
  { weight: 2, arbitrary: fc.constantFrom('0', '0000', '00ff', 'FFFF', 'ffff', 'aBcD') },
  { weight: 1, arbitrary: fc.constantFrom('', '12345', 'g', '%') },
);
const colons = fc.tuple(fc.array(group, { maxLength: 8 }), fc.array(group, { maxLength: 8 }), fc.option(dotted), fc.boolean());
const ipv6Text = fc.oneof(
  colons.map(([head, tail, last, isShortened]) => {
    const end = last === null ? tail : [...tail, last];
    return isShortened ? `${head.join(':')}::${end.join(':')}` : [...head, ...end].join(':');
  }),
  groups.map((list) => printTwin({ numbers: list, port: 0 })),
  groups.map((list) => list.map((value) => value.toString(16)).join(':')),
);
const portText = fc.oneof(
  { weight: 3, arbitrary: port.map((value) => `:${value}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ':', ':65536', ':00080', ':000080', ':0065535', ':40k', ':-1', ']:5', 'x', ':1:2', ':99999'),
  },
);
const bracketed = fc.tuple(fc.constantFrom('[', '[', '['), fc.oneof(ipv6Text, dotted), fc.constantFrom(']', ']', '', ']]'));
const wellShaped = fc
  .tuple(
    fc.oneof(
      ipv6Text,
      dotted,
      bracketed.map((parts) => parts.join('')),
    ),
    portText,
  )
  .map(([host, suffix]) => host + suffix);
const noise = fc.string({
  unit: fc.constantFrom('[', ']', ':', ':', '.', '.', '0', '0', '1', '9', 'a', 'f', 'F', '%', 'x', ' ', '255'),
  maxLength: 24,
});
const text = fc.oneof({ weight: 4, arbitrary: wellShaped }, { weight: 2, arbitrary: noise }, { weight: 1, arbitrary: fc.string() });

test('when any text is parsed, then the result is that of the grammar, and nothing throws', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(plain(tryParseAddress(value))).toEqual(parseTwin(value));
    }),
    propertyOptions(4000),
  );
});

test('when one character of a good text changes, then the result is that of the grammar', () => {
  fc.assert(
    fc.property(
      address,
      fc.nat(60),
      fc.constantFrom('[', ']', ':', '.', '0', 'f', '9', 'x', ' '),
      fc.constantFrom(0, 1),
      (value, at, character, removed) => {
        const good = formatAddress(value);
        const place = at % (good.length + 1);
        const changed = good.slice(0, place) + character + good.slice(place + removed);
        expect(plain(tryParseAddress(changed))).toEqual(parseTwin(changed));
      },
    ),
    propertyOptions(2000),
  );
});

test('when a text has no bracket, then it is IPv6 exactly when the system says so', () => {
  fc.assert(
    fc.property(fc.oneof(ipv6Text, noise), (value) => {
      fc.pre(!/[[%]/.test(value));
      expect(tryParseAddress(value)?.type === 'ipv6').toBe(isIPv6(value));
    }),
    propertyOptions(1500),
  );
});

test('when any address is printed, then the text is that of the twin, and parsing it gives the address back', () => {
  fc.assert(
    fc.property(address, (value) => {
      const printed = formatAddress(value);
      expect(printed).toBe(printTwin(plain(value)!));
      expect(addressEquals(tryParseAddress(printed)!, value)).toBe(true);
    }),
    propertyOptions(1500),
  );
});

test('when two addresses are compared, then they are equal exactly when their texts are', () => {
  fc.assert(
    fc.property(address, address, fc.boolean(), (a, b, copies) => {
      const other = copies ? { ...a, bytes: a.bytes.slice() } : b;
      expect(addressEquals(a, other)).toBe(formatAddress(a) === formatAddress(other));
    }),
    propertyOptions(500),
  );
});

test('when any address is written to a token, then the bytes are those of the table, and reading gives it back', () => {
  fc.assert(
    fc.property(address, (value) => {
      const writer = new ByteWriter(new Uint8Array(19));
      writeAddress(writer, value);
      expect(hexOf(writer.bytes.slice(0, writer.position))).toBe(addressHex(value));
      expect(addressEquals(readAddress(new ByteReader(writer.bytes))!, value)).toBe(true);
    }),
    propertyOptions(500),
  );
});

test('when a sender is unmapped, then only its last 32 bits stay, and only behind ten zeros and two ff', () => {
  fc.assert(
    fc.property(address, (value) => {
      const isMapped = value.type === 'ipv6' && hexOf(value.bytes).startsWith('00000000000000000000ffff');
      const unmapped = unmapAddress(value);
      expect(hexOf(unmapped.bytes)).toBe(hexOf(isMapped ? value.bytes.slice(12) : value.bytes));
      expect(unmapped.port).toBe(value.port);
    }),
    propertyOptions(500),
  );
});
