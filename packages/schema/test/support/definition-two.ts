import { defineCatalogue } from '../../src/index.ts';
import { b } from '../../src/codec/index.ts';

const axis = [-100, 100, 0.01] as const;
const pos = b.vec2([axis[0], axis[0]], [axis[1], axis[1]], [axis[2], axis[2]]);

/** The same catalogue as definition-one.ts, written on its own. */
export const two = defineCatalogue({
  version: 3,
  channels: { chat: { delivery: 'reliableOrdered' }, state: { capacity: 256, delivery: 'unreliableUnordered' } },
  events: {
    Blob: { channel: 'chat', raw: true, maxPayload: 8000, codecVersion: 1 },
    Move: { channel: 'state', codec: b.struct({ pos, yaw: b.angle(10) }) },
    Chat: { channel: 'chat', codec: b.struct({ text: b.string(200) }) },
  },
});
