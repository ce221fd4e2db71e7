import type { Stage } from '../stage.ts';
import { connectWithOurToken, connectWithTheirToken, fullServer } from './connecting.ts';
import { clientDisconnects, serverDisconnects, silentClient, silentServer } from './ending.ts';
import { payloads } from './payloads.ts';
import { shortLivedToken, usedTokenFromOtherPort, usedTokenFromSamePort, wrongKey } from './refusing.ts';

/** What is played, with its name; it throws what is wrong. */
export type Scenario = (stage: Stage) => Promise<void>;

/** Every scenario, in the order of the report. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'connect-our-token': connectWithOurToken,
  'connect-their-token': connectWithTheirToken,
  payloads,
  'client-disconnects': clientDisconnects,
  'server-disconnects': serverDisconnects,
  'full-server': fullServer,
  'used-token-same-port': usedTokenFromSamePort,
  'used-token-other-port': usedTokenFromOtherPort,
  'short-lived-token': shortLivedToken,
  'wrong-key': wrongKey,
  'silent-client': silentClient,
  'silent-server': silentServer,
};
