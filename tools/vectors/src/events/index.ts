import { listGroup } from '../group.ts';
import type { FileReplayer } from '../group.ts';
import { replaySchemaBuilder } from '../schema/schema-builder.ts';
import { replaySchema } from '../schema/schemas.ts';
import { replayCapture } from './captures.ts';
import { replaySchemaAgainstConfig, replayTransportConfig } from './configuration.ts';
import { replayConnectionInput } from './connection-inputs.ts';
import { replayLink } from './links.ts';
import { replayPacket } from './packets.ts';
import { replayMalformed, replayMismatch, replayTruncation } from './refused-packets.ts';
import { replayRun } from './runs.ts';
import { replayPeerId, replayRelative, replayRng, replaySeq16 } from './small.ts';
import { replayTranscript } from './transcripts.ts';

/** The groups of events.json: `@x/schema` and, on it, `@x/reliable` and the capture files of `@x/host`. */
export const EVENTS_FILE: FileReplayer = {
  format: 'events-vectors',
  groups: {
    schemas: listGroup(replaySchema),
    packets: listGroup(replayPacket),
    malformed: listGroup(replayMalformed),
    mismatches: listGroup(replayMismatch),
    truncations: listGroup(replayTruncation),
    relative: listGroup(replayRelative),
    seq16: listGroup(replaySeq16),
    peerIds: listGroup(replayPeerId),
    rng: listGroup(replayRng),
    links: listGroup(replayLink),
    runs: listGroup(replayRun),
    transcripts: listGroup(replayTranscript),
    connectionInputs: listGroup(replayConnectionInput),
    captures: listGroup(replayCapture),
    transportConfig: listGroup(replayTransportConfig),
    schemaAgainstConfig: listGroup(replaySchemaAgainstConfig),
    schemaBuilder: listGroup(replaySchemaBuilder),
  },
};
