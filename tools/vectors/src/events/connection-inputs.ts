import { Connection, ConnectionShared } from '@x/reliable';
import type { Inbox } from '@x/reliable';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { expectCounters, expectMessages } from './case.ts';
import { catalogueNamed, readConfig } from './catalogue.ts';
import type { NamedCatalogue } from './catalogue.ts';
import { ONLY_PEER, openInbox, pollAll, stateChanges } from './endpoints.ts';

interface Bench {
  readonly connection: Connection;
  readonly inbox: Inbox<never>;
  readonly catalogue: NamedCatalogue;
  /** Datagrams that were transmitted in the running call. */
  readonly out: Uint8Array[];
}

/** A connection on its own: what it makes of datagrams, times and flushes. */
export const replayConnectionInput: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'note');
  const catalogue = catalogueNamed(file, fields.text('schema'));
  const shared = ConnectionShared.create(catalogue, readConfig(fields, 'config'));
  const bench: Bench = { connection: new Connection(shared, ONLY_PEER, 0), inbox: openInbox(), catalogue, out: [] };
  fields.each('ops', (op) => {
    bench.out.length = 0;
    replayOp(op, bench);
  });
  fields.object('expect', (expected) => {
    const { connection, inbox } = bench;
    expected.expectText('state', connection.state);
    expected.expectJson('events', stateChanges(connection));
    expected.expectJson('lastMalformed', connection.lastMalformed ?? null);
    expected.expectNumber('inboxLength', inbox.length);
    expectCounters(expected, 'counters', connection.counters);
  });
});

function replayOp(op: Fields, { connection, inbox, catalogue, out }: Bench): void {
  const transmit = (bytes: Uint8Array, offset: number, length: number): void => {
    out.push(bytes.slice(offset, offset + length));
  };
  op.describeAny('label', 'note');
  if (op.has('receive')) {
    connection.receive(op.bytes('receive'), inbox, transmit);
    if (op.has('immediate')) op.expectByteStrings('immediate', out);
    else expectSame(`${op.path}: datagrams sent at once`, out.length, 0);
  } else if (op.has('update')) {
    connection.update(op.number('update'));
  } else if (op.has('flush')) {
    connection.writePackets(transmit);
    op.expectByteStrings('flush', out);
  } else if (op.has('send')) {
    const { event, payload } = readEvent(op);
    const id = typeof event === 'string' ? catalogue.eventId(event) : Number(event);
    const refusal = connection.trySend(id, payload);
    expectSame(`${op.path}: refusal`, refusal ?? null, op.has('refusal') ? op.raw('refusal') : null);
  } else {
    expectMessages(op, 'pollAll', pollAll(inbox));
  }
}

/** The event that is sent: an object of `event` and `payload`, or its name with the payload beside it. */
function readEvent(op: Fields): { event: unknown; payload: Uint8Array } {
  const value = op.raw('send');
  if (typeof value === 'string') return { event: value, payload: op.bytes('payload') };
  return op.object('send', (event) => ({ event: event.raw('event'), payload: event.bytes('payload') }));
}
