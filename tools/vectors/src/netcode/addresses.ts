import { NetcodeError, addressEquals, formatAddress, parseAddress } from '@x/netcode';
import type { Address } from '@x/netcode';
import { expectSame, shown } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

const TYPE_CODES: Readonly<Record<string, number>> = { none: 0, ipv4: 1, ipv6: 2 };

/** Texts that are addresses: parsed, printed in the canonical form, and that form parsed again. */
export const replayValidAddress: CaseReplayer = objectCase((fields) => {
  const address = parseAddress(fields.text('input'));
  expectAddress(fields, address);
  const again = parseAddress(fields.text('canonical'));
  expectAddress(fields, again);
  expectSame('equality with the canonical form', addressEquals(address, again), true);
});

/** Texts that are not addresses. */
export const replayInvalidAddress: CaseReplayer = (entry) => {
  if (typeof entry !== 'string') throw new Error(`expected a text, got ${shown(entry)}`);
  let address: Address;
  try {
    address = parseAddress(entry);
  } catch (error) {
    if (NetcodeError.is(error) && error.kind === 'invalidAddress') return;
    throw error;
  }
  throw new Error(`${shown(entry)} was taken for ${formatAddress(address)}`);
};

function expectAddress(fields: Fields, address: Address): void {
  fields.expectNumber('type', TYPE_CODES[address.type] ?? -1);
  fields.expectBytes('bytes', address.bytes);
  fields.expectNumber('port', address.port);
  fields.expectText('canonical', formatAddress(address));
}
