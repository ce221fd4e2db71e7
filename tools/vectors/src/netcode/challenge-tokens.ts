import { encodeChallengeToken, openChallengeToken, sealChallengeToken } from '@x/netcode/protocol';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { accepted } from './refusal.ts';

/** Challenge tokens, both directions. */
export const replayChallengeToken: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  const token = { clientId: fields.u64('clientId'), userData: fields.bytes('userData') };
  const sequence = fields.u64('sequence');
  const key = fields.bytes('key');
  fields.expectBytes('plaintext', encodeChallengeToken(token));
  fields.expectBytes('encrypted', sealChallengeToken(token, sequence, key));

  const opened = accepted('encrypted', openChallengeToken(fields.bytes('encrypted'), sequence, key));
  fields.expectU64('clientId', opened.clientId);
  fields.expectBytes('userData', opened.userData);
});
