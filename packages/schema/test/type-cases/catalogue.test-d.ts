// What is inferred of a catalogue and what must not compile. Checked by the type check of the repository and, against the built declarations and with
// several compilers, by types.test.ts. Each `@ts-expect-error` fails the check when the line below it compiles.
import { defineCatalogue } from '@x/schema';
import type { CatalogueDefinition, EventName, EventTypeId, EventValue, SentBy, TypedCatalogue } from '@x/schema';
import { b, json, raw } from '@x/schema/codec';
import type { Codec, Infer, StandardSchema } from '@x/schema/codec';
import { assertTrue } from './equal.ts';
import type { Equal } from './equal.ts';

interface Report {
  readonly who: string;
  readonly why: string;
}

declare const reportSchema: StandardSchema<{ who: string }, Report>;

export const catalogue = defineCatalogue({
  version: 3,
  channels: { chat: { delivery: 'reliableOrdered' }, state: { delivery: 'unreliableUnordered', capacity: 256 } },
  events: {
    Chat: { channel: 'chat', codec: b.struct({ text: b.string(200) }) },
    Move: { channel: 'state', direction: 'toServer', codec: b.struct({ x: b.q(-10, 10, 0.1), y: b.q(-10, 10, 0.1) }) },
    Kick: { channel: 'chat', direction: 'toClient', codec: b.enum(['spam', 'idle']) },
    Blob: { channel: 'chat', raw: true, maxPayload: 8000, codecVersion: 1 },
    Report: { channel: 'chat', codec: json({ maxBytes: 500, version: 1, schema: reportSchema }) },
    Theirs: { channel: 'chat', direction: 'both', codec: { descriptor: 'theirs', maxBytes: 9 } },
    Raw: { channel: 'chat', codec: raw(9, { version: 1 }), maxPayload: 5 },
  },
});
export type Events = (typeof catalogue)['events'];

assertTrue<Equal<EventName<Events>, 'Chat' | 'Move' | 'Kick' | 'Blob' | 'Report' | 'Theirs' | 'Raw'>>();
assertTrue<Equal<EventValue<Events, 'Chat'>, { text: string }>>();
assertTrue<Equal<EventValue<Events, 'Move'>, { x: number; y: number }>>();
assertTrue<Equal<EventValue<Events, 'Kick'>, 'spam' | 'idle'>>();
assertTrue<Equal<EventValue<Events, 'Blob'>, Uint8Array>>();
assertTrue<Equal<EventValue<Events, 'Report'>, Report>>();
assertTrue<Equal<EventValue<Events, 'Theirs'>, Uint8Array>>();
assertTrue<Equal<EventValue<Events, 'Raw'>, Uint8Array>>();
assertTrue<Equal<SentBy<Events, 'server'>, 'Chat' | 'Kick' | 'Blob' | 'Report' | 'Theirs' | 'Raw'>>();
assertTrue<Equal<SentBy<Events, 'client'>, 'Chat' | 'Move' | 'Blob' | 'Report' | 'Theirs' | 'Raw'>>();
assertTrue<Equal<ReturnType<typeof catalogue.id>, EventTypeId>>();
assertTrue<Equal<ReturnType<typeof catalogue.name>, EventName<Events> | undefined>>();
assertTrue<
  Equal<ReturnType<typeof catalogue.decode>, { text: string } | { x: number; y: number } | 'spam' | 'idle' | Uint8Array | Report>
>();
assertTrue<Equal<Events['Move']['direction'], 'toServer'>>();
assertTrue<Equal<Infer<Events['Chat']['codec']>, { text: string }>>();

const out = new Uint8Array(9000);
catalogue.encodeInto('Chat', { text: 'hi' }, out, 0);
catalogue.encodeInto('Kick', 'spam', out, 0);
catalogue.encodeInto('Blob', out, out, 0);
// @ts-expect-error - no event has this name.
catalogue.encodeInto('Jump', {}, out, 0);
// @ts-expect-error - nor this one.
catalogue.id('chat');
// @ts-expect-error - another value.
catalogue.encodeInto('Chat', { text: 5 }, out, 0);
// @ts-expect-error - a member is missing.
catalogue.encodeInto('Move', { x: 1 }, out, 0);
// @ts-expect-error - a member too many.
catalogue.encodeInto('Chat', { text: 'hi', to: 'all' }, out, 0);
// @ts-expect-error - the value of another event.
catalogue.encodeInto('Kick', { text: 'hi' }, out, 0);
// @ts-expect-error - not one of the names.
catalogue.encodeInto('Kick', 'away', out, 0);
// @ts-expect-error - bytes only.
catalogue.encodeInto('Blob', 'text', out, 0);
// @ts-expect-error - ids come from the catalogue.
catalogue.decode(3, out);
// @ts-expect-error - a side is one of two.
catalogue.decode(catalogue.id('Chat'), out, 'peer');
// @ts-expect-error - a catalogue is not changed.
catalogue.events.Move.direction = 'toClient';

/** What typed hosts declare: a side sends its events only, and what arrives is a union told apart by the name. */
interface Sender<E, Side extends 'server' | 'client'> {
  send<N extends SentBy<E, Side>>(event: N, value: EventValue<E, N>): void;
  on<N extends SentBy<E, Side extends 'server' ? 'client' : 'server'>>(event: N, handler: (value: EventValue<E, N>) => void): void;
  poll(): { [N in SentBy<E, Side extends 'server' ? 'client' : 'server'>]: { event: N; value: EventValue<E, N> } }[SentBy<
    E,
    Side extends 'server' ? 'client' : 'server'
  >];
}
declare function sender<E, Side extends 'server' | 'client'>(of: TypedCatalogue<E>, side: Side): Sender<E, Side>;

const server = sender(catalogue, 'server');
const client = sender(catalogue, 'client');
server.send('Chat', { text: 'hi' });
client.send('Move', { x: 1, y: 2 });
// @ts-expect-error - only clients send this one.
server.send('Move', { x: 1, y: 2 });
// @ts-expect-error - only the server sends this one.
client.send('Kick', 'idle');
// @ts-expect-error - another value.
client.send('Move', { x: 1, y: '2' });
server.on('Move', ({ x }) => {
  assertTrue<Equal<typeof x, number>>();
  x.toFixed();
});
// @ts-expect-error - the server never receives this one.
server.on('Kick', () => undefined);
client.on('Kick', (reason) => {
  assertTrue<Equal<typeof reason, 'spam' | 'idle'>>();
  reason.at(0);
});
const received = server.poll();
if (received.event === 'Move') assertTrue<Equal<typeof received.value, { x: number; y: number }>>();
if (received.event === 'Blob') assertTrue<Equal<typeof received.value, Uint8Array>>();

const channels = { chat: { delivery: 'reliableOrdered' } } as const;
// @ts-expect-error - a channel that is not there.
defineCatalogue({ version: 1, channels, events: { E: { channel: 'state', codec: b.bool() } } });
// @ts-expect-error - neither a codec nor raw.
defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat' } } });
// @ts-expect-error - raw events say how large they are.
defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', raw: true } } });
// @ts-expect-error - it is either one or the other.
defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', raw: true, maxPayload: 3, codec: b.bool() } } });
// @ts-expect-error - another direction.
defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', direction: 'up', codec: b.bool() } } });
// @ts-expect-error - something else as a codec.
defineCatalogue({ version: 1, channels, events: { E: { channel: 'chat', codec: 'struct{}' } } });
// @ts-expect-error - another delivery.
defineCatalogue({ version: 1, channels: { chat: { delivery: 'fast' } }, events: {} });
// @ts-expect-error - no version.
defineCatalogue({ channels, events: {} });

/** A function that takes any catalogue still knows its events. */
export function sizeOf<D extends CatalogueDefinition>(of: TypedCatalogue<D['events']>, name: EventName<D['events']>): number {
  return of.schema.event(of.id(name))?.maxPayload ?? 0;
}
export const codecs: readonly Codec<{ text: string }>[] = [catalogue.events.Chat.codec];
