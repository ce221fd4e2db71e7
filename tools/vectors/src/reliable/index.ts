import { listGroup } from '../group.ts';
import type { FileReplayer } from '../group.ts';
import { replayFragmentDecode } from './fragment-decode.ts';
import { replayHeaderDecode } from './header-decode.ts';
import { replayHeaderEncode } from './header-encode.ts';
import { replayScenario } from './scenario.ts';
import { replaySequenceBuffer } from './sequence-buffer.ts';
import { replaySequenceCompare } from './sequence-compare.ts';

/** The groups of reliable.json. */
export const RELIABLE_FILE: FileReplayer = {
  groups: {
    headerEncode: listGroup(replayHeaderEncode),
    headerDecode: listGroup(replayHeaderDecode),
    fragmentDecode: listGroup(replayFragmentDecode),
    sequenceCompare: listGroup(replaySequenceCompare),
    sequenceBuffer: listGroup(replaySequenceBuffer),
    scenarios: listGroup(replayScenario),
  },
};
