// The first packets of a peer: each hello is classified exactly; a failed connection stays failed, delivers nothing and says only what it owes.
import { WIRE_VERSION } from '@x/reliable/wire';
import { assert, assertSame } from '../check.mjs';
import { A, Choices, HELLO, LAYOUT, datagram, encoded, judge, lone, sharedWith } from './support/hostile.mjs';

const SHARED = sharedWith({ malformedLimit: 1 });
const HELLO_BITS = 147;
/** Bytes of version and fingerprint. */
const IDENTITY_BYTES = 18;

/** Bits `from` … of a body, up to 16 of them. */
function bits(body, from, count) {
  let value = 0;
  for (let i = 0; i < count; i++) value |= ((body[(from + i) >>> 3] >>> ((from + i) & 7)) & 1) << i;
  return value;
}

/** What a connection must make of a body, worked out from the first bits alone where they decide. */
function expectedOf(body, isEstablished) {
  if (body.length === 0) return { malformed: 'truncated' };
  if (bits(body, 0, 2) !== 0) return { malformed: 'reservedKind' };
  const hasHello = bits(body, 2, 1) === 1;
  if (hasHello) {
    if (body.length * 8 < HELLO_BITS) return { malformed: 'truncated' };
    const version = bits(body, 3, 16);
    if (version !== WIRE_VERSION) return { mismatch: 'protocolMismatch', remote: version };
    const fingerprint = Uint8Array.from({ length: 16 }, (_, i) => bits(body, 19 + 8 * i, 8));
    if (Buffer.compare(fingerprint, LAYOUT.fingerprint) !== 0) return { mismatch: 'schemaMismatch', remote: fingerprint };
  }
  const result = judge(body);
  assert(result !== 'mismatch', 'a hello of ours is a mismatch');
  if (result !== 'ok') return { malformed: result };
  return hasHello || isEstablished ? {} : { malformed: 'missingHello' };
}

function checkFailure(connection, { malformed, mismatch, remote }) {
  const { failure, lastMalformed, counters } = connection;
  const expected = malformed === undefined ? mismatch : 'malformedData';
  assert(connection.state === 'failed' && failure.type === expected, `expected ${expected}, got ${connection.state} ${failure?.type}`);
  assert(lastMalformed === malformed, `expected ${malformed}, got ${lastMalformed}`);
  assert(counters.malformedPackets === (malformed === undefined ? 0 : 1), 'malformed packets are miscounted');
  if (mismatch === 'protocolMismatch') assert(failure.local === WIRE_VERSION && failure.remote === remote, 'the versions are wrong');
  if (mismatch !== 'schemaMismatch') return;
  assertSame(failure.local, LAYOUT.fingerprint, 'our fingerprint and the one told');
  assertSame(failure.remote, remote, 'their fingerprint and the one told');
}

/** Good packets, time and flushes change nothing any more. */
function checkStaysFailed({ connection, inbox, out, receive, transmit }) {
  const { failure } = connection;
  const { datagramsReceived, packetsSent } = connection.counters;
  const waiting = inbox.length;
  const { parkedBytes } = connection;
  receive(datagram(2, HELLO));
  receive(datagram(3, encoded({ hello: true, sections: [{ channel: 0, messages: [{ event: A, id: 0, payload: Uint8Array.of(1) }] }] })));
  connection.update(1);
  connection.trySend(A, Uint8Array.of(1));
  out.length = 0;
  connection.writePackets(transmit);
  const isMismatch = failure.type.endsWith('Mismatch');
  assert(out.length === (isMismatch ? 1 : 0), `a failed connection flushed ${out.length} datagrams`);
  if (isMismatch) assert(judge(out[0].slice(out[0].length - HELLO.length)) === 'ok', 'the last datagram is not our hello');
  assert(connection.state === 'failed' && connection.failure === failure, 'the failure changed');
  assert(connection.counters.datagramsReceived === datagramsReceived, 'a failed connection counts datagrams');
  assert(connection.counters.packetsSent === packetsSent, 'a failed connection counts packets');
  assert(inbox.length === waiting && connection.parkedBytes === parkedBytes, 'a failed connection delivers or parks');
}

/** Two bodies: the first with version and fingerprint changed by a mask of the input, if it begins with 1; else as it is. */
function bodiesOf(input) {
  const choices = new Choices(input);
  const isHello = choices.u8() % 2 === 1;
  let first;
  if (isHello) {
    first = HELLO.slice();
    const mask = choices.bytes(IDENTITY_BYTES);
    for (let i = 0; i < 8 * mask.length; i++) first[(3 + i) >>> 3] ^= ((mask[i >>> 3] >>> (i & 7)) & 1) << ((3 + i) & 7);
  } else first = choices.bytes(choices.u8());
  return [first, choices.rest()];
}

export const target = {
  name: 'handshake',
  maxBytes: 200,
  seeds: () => {
    const greeting = Uint8Array.of(1, ...new Uint8Array(IDENTITY_BYTES));
    const event = encoded({ hello: false, sections: [{ channel: 0, messages: [{ event: A, id: 0, payload: Uint8Array.of(1, 2) }] }] });
    const both = encoded({ hello: true, sections: [{ channel: 0, messages: [{ event: A, id: 0, payload: Uint8Array.of(3) }] }] });
    return [
      new Uint8Array(0),
      greeting,
      Uint8Array.of(...greeting, ...event),
      Uint8Array.of(...greeting, ...HELLO),
      Uint8Array.of(0, HELLO.length, ...HELLO, ...both),
      Uint8Array.of(0, both.length, ...both, ...event),
      Uint8Array.of(0, event.length, ...event),
    ];
  },
  run(input) {
    const bench = lone(SHARED);
    const { connection, inbox, receive } = bench;
    const changes = [];
    for (const [sequence, body] of bodiesOf(input).entries()) {
      const isEstablished = connection.state === 'established';
      const before = inbox.length;
      const expected = expectedOf(body, isEstablished);
      receive(datagram(sequence, body));
      for (let change = connection.takeEvent(); change !== undefined; change = connection.takeEvent()) changes.push(change.type);
      if (expected.malformed !== undefined || expected.mismatch !== undefined) {
        checkFailure(connection, expected);
        assert(inbox.length === before, 'a refused packet delivers');
        checkStaysFailed(bench);
        assert(changes.join() === (isEstablished ? 'established,failed' : 'failed'), `the changes were ${changes.join()}`);
        return;
      }
      assert(connection.state === 'established' && changes.join() === 'established', `a good packet led to ${connection.state}`);
    }
  },
};
