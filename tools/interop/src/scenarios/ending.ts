import type { ClientEnd, ServerEnd } from '../ends.ts';
import type { Stage, Ticket } from '../stage.ts';

/** Idle timeout where silence is what is tested. */
const SILENCE_SECONDS = 3;

async function connectedPair(stage: Stage, timeoutSeconds?: number): Promise<{ server: ServerEnd; client: ClientEnd; ticket: Ticket }> {
  const server = await stage.openServer(1);
  const client = await stage.openClient();
  const ticket = await stage.mint(server, timeoutSeconds === undefined ? {} : { timeoutSeconds });
  await stage.connect(client, server, ticket);
  return { server, client, ticket };
}

/** The client leaves; both ends know why. */
export async function clientDisconnects(stage: Stage): Promise<void> {
  const { server, client, ticket } = await connectedPair(stage);
  client.disconnect();
  await stage.ended(client, stage.clientTable.stateAfterLeaving);
  await stage.left(server, ticket, stage.serverTable.reasonAfterLeaving);
}

/** The server kicks; both ends know why. */
export async function serverDisconnects(stage: Stage): Promise<void> {
  const { server, client, ticket } = await connectedPair(stage);
  server.kick(ticket.clientId);
  await stage.left(server, ticket, stage.serverTable.reasonAfterKick);
  await stage.ended(client, stage.clientTable.stateAfterKick);
}

/** The client falls silent without a word and comes back too late. */
export async function silentClient(stage: Stage): Promise<void> {
  const { server, client, ticket } = await connectedPair(stage, SILENCE_SECONDS);
  client.freeze();
  await stage.left(server, ticket, stage.serverTable.reasonAfterSilence);
  client.resume();
  const { stateAfterKick, stateAfterSilence } = stage.clientTable;
  await stage.ended(client, stage.serverTable.tellsTimedOutClient.value ? stateAfterKick : stateAfterSilence);
}

/** The server falls silent without a word and comes back too late. */
export async function silentServer(stage: Stage): Promise<void> {
  const { server, client, ticket } = await connectedPair(stage, SILENCE_SECONDS);
  server.freeze();
  await stage.ended(client, stage.clientTable.stateAfterSilence);
  server.resume();
  await stage.left(server, ticket, stage.serverTable.reasonAfterSilence);
}
