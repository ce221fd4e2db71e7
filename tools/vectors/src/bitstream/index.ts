import { listGroup } from '../group.ts';
import type { FileReplayer } from '../group.ts';
import { replayBitsRequired } from './bits-required.ts';
import { replayRead } from './read.ts';
import { replayRelative } from './relative.ts';
import { replayWrite } from './write.ts';

/** The groups of bitstream.json. */
export const BITSTREAM_FILE: FileReplayer = {
  groups: {
    bitsRequired: listGroup(replayBitsRequired),
    write: listGroup(replayWrite),
    relative: listGroup(replayRelative),
    read: listGroup(replayRead),
  },
};
