import { defineCatalogue } from '../../src/index.ts';
import { b } from '../../src/codec/index.ts';

/** The same catalogue as definition-two.ts, written on its own. */
export const one = defineCatalogue({
  version: 3,
  channels: { chat: { delivery: 'reliableOrdered' }, state: { delivery: 'unreliableUnordered', capacity: 256 } },
  events: {
    Chat: { channel: 'chat', codec: b.struct({ text: b.string(200) }) },
    Move: { channel: 'state', direction: 'toServer', codec: b.struct({ pos: b.vec2(-100, 100, 0.01), yaw: b.angle(10) }) },
    Blob: { channel: 'chat', raw: true, maxPayload: 8000, codecVersion: 1 },
  },
});
