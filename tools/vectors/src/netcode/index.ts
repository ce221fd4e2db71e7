import { listGroup, membersGroup } from '../group.ts';
import type { FileReplayer } from '../group.ts';
import { replayInvalidAddress, replayValidAddress } from './addresses.ts';
import { replayChallengeToken } from './challenge-tokens.ts';
import { replayClientTranscript } from './client-transcripts.ts';
import { replayConnectToken } from './connect-tokens.ts';
import { replayPacket } from './packets.ts';
import { replayRejectedPacket } from './rejected-packets.ts';
import { replayRejectedChallengeToken, replayRejectedConnectToken, replayRejectedPrivateToken } from './rejected-tokens.ts';
import { replayReplayScript } from './replay-scripts.ts';
import { replayServerTranscript } from './server-transcripts.ts';
import { replayRandomFloat, replayRandomUint64, replaySimulatorRun } from './simulator.ts';

/** The groups of netcode.json. */
export const NETCODE_FILE: FileReplayer = {
  format: 'netcode-vectors/1',
  groups: {
    connectTokens: listGroup(replayConnectToken),
    challengeTokens: listGroup(replayChallengeToken),
    packets: listGroup(replayPacket),
    rejectedPackets: listGroup(replayRejectedPacket),
    rejectedConnectTokens: listGroup(replayRejectedConnectToken),
    rejectedPrivateTokens: listGroup(replayRejectedPrivateToken),
    rejectedChallengeTokens: listGroup(replayRejectedChallengeToken),
    'addresses.valid': listGroup(replayValidAddress),
    'addresses.invalid': listGroup(replayInvalidAddress),
    replayScripts: listGroup(replayReplayScript),
    serverTranscripts: listGroup(replayServerTranscript),
    clientTranscripts: listGroup(replayClientTranscript),
    simulator: membersGroup({
      randomUint64: replayRandomUint64,
      randomFloat0to100: replayRandomFloat,
      runs: replaySimulatorRun,
    }),
  },
};
