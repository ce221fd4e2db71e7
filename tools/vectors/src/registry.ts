import type { Registry } from './group.ts';
import { NETCODE_FILE } from './netcode/index.ts';

/** Every vector file of the repository, by name. A held-out set has files of the same names. */
export const REGISTRY: Registry = {
  'netcode.json': NETCODE_FILE,
  'reliable.json': 'notBuilt',
  'bitstream.json': 'notBuilt',
  'events.json': 'notBuilt',
};
