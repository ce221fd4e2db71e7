import type { DropReason } from '@x/netcode';
import { generateKey } from '@x/netcode/token';
import type { ClientEnd, ServerEnd } from '../ends.ts';
import type { Treatment } from '../expectations.ts';
import { equal } from '../stage.ts';
import type { Stage, Ticket } from '../stage.ts';

/** Timeout of tokens that end in silence, so that it need not be waited for long. */
const TIMEOUT_SECONDS = 3;

/** Presents a token and checks that it is let in, or met with silence for the right reason. */
async function presented(
  stage: Stage,
  { client, server, ticket, treatment, countedAs }: Attempt & { treatment: Treatment; countedAs: DropReason },
): Promise<void> {
  const before = server.sessions.length;
  client.connect(ticket.token);
  if (treatment === 'accepted') {
    await stage.connected(client);
    await stage.until('the server reports the client', () => server.sessions.length > before);
    return;
  }
  await stage.refused(client, stage.clientTable.stateAfterNoAnswer);
  equal('sessions at the server', server.sessions.length, before);
  const counted = server.refusals(countedAs);
  if (counted !== undefined) equal(`whether the server counted ${countedAs}`, counted > 0, true);
}

interface Attempt {
  readonly client: ClientEnd;
  readonly server: ServerEnd;
  readonly ticket: Ticket;
}

/** A token has opened a session that is over. */
async function usedToken(stage: Stage): Promise<Attempt> {
  const server = await stage.openServer(2);
  const client = await stage.openClient();
  const ticket = await stage.mint(server, { timeoutSeconds: TIMEOUT_SECONDS });
  await stage.connect(client, server, ticket);
  client.disconnect();
  await stage.left(server, ticket, stage.serverTable.reasonAfterLeaving);
  await stage.ended(client, stage.clientTable.stateAfterLeaving);
  return { client, server, ticket };
}

/** A used token again, from the port that used it. */
export async function usedTokenFromSamePort(stage: Stage): Promise<void> {
  const used = await usedToken(stage);
  await presented(stage, { ...used, treatment: stage.serverTable.usedTokenFromSamePort.value, countedAs: 'request-token-used' });
}

/** A used token again, from another port. */
export async function usedTokenFromOtherPort(stage: Stage): Promise<void> {
  const used = await usedToken(stage);
  const treatment = stage.serverTable.usedTokenFromOtherPort.value;
  await presented(stage, { ...used, client: await stage.openClient(), treatment, countedAs: 'request-token-used' });
}

/** A token that lives shorter than the server assumes, right after the start. */
export async function shortLivedToken(stage: Stage): Promise<void> {
  const server = await stage.openServer(1);
  const client = await stage.openClient();
  const ticket = await stage.mint(server, { expireSeconds: 15, timeoutSeconds: TIMEOUT_SECONDS });
  const treatment = stage.serverTable.shortLivedTokenAfterStart.value;
  await presented(stage, { client, server, ticket, treatment, countedAs: 'request-predates-start' });
}

/** A token sealed with a key that is not the server's. */
export async function wrongKey(stage: Stage): Promise<void> {
  const server = await stage.openServer(1);
  const client = await stage.openClient();
  const ticket = await stage.mint(server, { privateKey: generateKey(), timeoutSeconds: TIMEOUT_SECONDS });
  await presented(stage, { client, server, ticket, treatment: 'ignored', countedAs: 'request-decrypt' });
}
