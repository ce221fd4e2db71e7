import { PeerId, Seq16 } from '@x/reliable';
import { BitReader, BitWriter, intRelativeBits } from '@x/reliable/bits';
import { SplitMix64 } from '@x/reliable/simulator';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';

/** Distances between reliable ids; the pattern's first bit is the first one written. */
export const replayRelative: CaseReplayer = objectCase((fields) => {
  const delta = fields.number('delta');
  fields.expectNumber('bits', intRelativeBits(delta));
  const writer = new BitWriter(new Uint8Array(16));
  writer.intRelative(1000, 1000 + delta);
  fields.expectNumber('bits', writer.bitPosition);
  const bytes = new Uint8Array(16);
  const again = new BitWriter(bytes);
  again.intRelative(1000, 1000 + delta);
  again.finish();
  const pattern = Array.from({ length: fields.number('bits') }, (_, i) => (bytes[i >>> 3]! >>> (i & 7)) & 1).join('');
  fields.expectText('pattern', pattern);
  const reader = new BitReader();
  reader.reset(bytes, 0, bytes.length);
  expectSame('delta that is read', reader.intRelative(1000) - 1000, delta);
});

/** Order and distance of sequences. */
export const replaySeq16: CaseReplayer = objectCase((fields) => {
  const a = fields.number('a');
  const b = fields.number('b');
  fields.expectNumber('since', Seq16.since(a, b));
  fields.expectBoolean('aNewerThanB', Seq16.isNewer(a, b));
  fields.expectBoolean('aOlderThanB', Seq16.isOlder(a, b));
  expectSame('b and the distance', Seq16.add(b, fields.number('since')), a);
});

/** Peer handles: packing, what is kept of a generation, and both texts. */
export const replayPeerId: CaseReplayer = objectCase((fields) => {
  fields.describeAny('name');
  const peer = PeerId.of(fields.number('slot'), Number(fields.u64('generation')));
  fields.expectText('value', peer.value.toString());
  fields.expectText('storedGeneration', peer.generation.toString());
  fields.expectText('display', String(peer));
  const inspect = Reflect.get(peer, Symbol.for('nodejs.util.inspect.custom')) as () => string;
  fields.expectText('debug', inspect.call(peer));
  expectSame('the peer of the value', PeerId.fromValue(peer.value), peer);
});

/** The generator: each list from a fresh one. */
export const replayRng: CaseReplayer = objectCase((fields) => {
  const seed = fields.u64('seed');
  const outputs = new SplitMix64(seed);
  fields.expectTexts(
    'nextU64',
    fields.list('nextU64').map(() => outputs.next().toString(16).padStart(16, '0')),
  );
  const units = new SplitMix64(seed);
  fields.expectNumbers(
    'unit',
    fields.list('unit').map(() => units.unit()),
  );
  const draws = new SplitMix64(seed);
  fields.expectNumbers(
    'below100',
    fields.list('below100').map(() => draws.below(100)),
  );
});
