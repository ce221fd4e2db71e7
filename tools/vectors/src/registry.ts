import { BITSTREAM_FILE } from './bitstream/index.ts';
import { EVENTS_FILE } from './events/index.ts';
import type { Registry } from './group.ts';
import { NETCODE_FILE } from './netcode/index.ts';
import { RELIABLE_FILE } from './reliable/index.ts';

/** Every vector file of the repository, by name. A held-out set has files of the same names. */
export const REGISTRY: Registry = {
  'netcode.json': NETCODE_FILE,
  'reliable.json': RELIABLE_FILE,
  'bitstream.json': BITSTREAM_FILE,
  'events.json': EVENTS_FILE,
};
