import { Inbox, PeerId } from '@x/reliable';
import type { Connection } from '@x/reliable';
import { toHex } from '@x/testkit';
import type { Message } from './case.ts';
import type { NamedCatalogue } from './catalogue.ts';

/** The peer of a connection on its own, and of both ends of a pair. */
export const ONLY_PEER: PeerId = PeerId.of(0, 1);

/** An inbox with the account of {@link ONLY_PEER}. */
export function openInbox(): Inbox<never> {
  const inbox = new Inbox<never>(1);
  inbox.openSlot(ONLY_PEER);
  return inbox;
}

/** Takes everything out of an inbox. */
export function pollAll(inbox: Inbox<never>): Message[] {
  const messages: Message[] = [];
  for (let record = inbox.pop(); record !== undefined; record = inbox.pop()) {
    if (record.type === 'message') messages.push({ event: record.event, channel: record.channel, payload: toHex(record.payload) });
  }
  return messages;
}

/** Queues an event and fails when it is refused. */
export function send(connection: Connection, catalogue: NamedCatalogue, event: string, payload: Uint8Array): void {
  const refusal = connection.trySend(catalogue.eventId(event), payload);
  if (refusal !== undefined) throw new Error(`${event} was refused: ${refusal}`);
}

/** Takes every change of state, as the vector files write them. */
export function stateChanges(connection: Connection): unknown[] {
  const changes: unknown[] = [];
  for (let event = connection.takeEvent(); event !== undefined; event = connection.takeEvent()) {
    if (event.type === 'established') {
      changes.push('established');
      continue;
    }
    const { failure } = event;
    const isSchema = failure.type === 'schemaMismatch';
    changes.push({ failed: isSchema ? { ...failure, local: textOf(failure.local), remote: textOf(failure.remote) } : { ...failure } });
  }
  return changes;
}

function textOf(fingerprint: Uint8Array): string {
  return toHex(fingerprint.slice().reverse());
}
