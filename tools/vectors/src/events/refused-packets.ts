import { PacketDecoder, PacketLayout, mismatchText } from '@x/reliable/wire';
import { Fields, expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { namedEntry } from './case.ts';
import { catalogueNamed } from './catalogue.ts';

/** Packets that the decoder refuses, with the kind of the first failure. */
export const replayMalformed: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'note');
  const decoder = new PacketDecoder(new PacketLayout(catalogueNamed(file, fields.text('schema'))));
  fields.expectText('kind', decoder.decode(fields.bytes('hex')));
});

/** Packets with a foreign hello. */
export const replayMismatch: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'note');
  const decoder = new PacketDecoder(new PacketLayout(catalogueNamed(file, fields.text('schema'))));
  expectSame('result of the decoder', decoder.decode(fields.bytes('hex')), 'mismatch');
  expectSame('hasHello', decoder.hasHello, true);
  fields.expectNumber('wireVersion', decoder.helloWireVersion);
  fields.expectBytes('fingerprint', decoder.helloFingerprint.slice().reverse());
  const text = `mismatched hello: wire version ${fields.number('wireVersion')}, schema fingerprint ${fields.text('fingerprint')}`;
  expectSame('text', mismatchText(decoder.helloWireVersion, decoder.helloFingerprint), text);
  fields.expectText('failure', decoder.helloWireVersion === 2 ? 'schemaMismatch' : 'protocolMismatch');
});

/** Every proper prefix of a packet is refused, for one of these reasons. */
export const replayTruncation: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'note');
  const packet = new Fields(namedEntry(file, 'packets', fields.text('packet')), 'packet');
  fields.expectText('schema', packet.text('schema'));
  const decoder = new PacketDecoder(new PacketLayout(catalogueNamed(file, packet.text('schema'))));
  const bytes = packet.bytes('hex');
  const kinds = new Set<string>();
  for (let length = 0; length < bytes.length; length++) kinds.add(decoder.decode(bytes, 0, length));
  fields.expectTexts('kinds', [...kinds].sort());
});
