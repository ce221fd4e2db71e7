import type { Implementation } from '../expectations.ts';
import { equal } from '../stage.ts';
import type { Stage } from '../stage.ts';

const SLOTS = 3;

/** A client gets in with a token minted by one side, and both ends agree on who is where. */
async function connectWithToken(stage: Stage, by: Implementation): Promise<void> {
  const server = await stage.openServer(SLOTS);
  const client = await stage.openClient();
  const ticket = await stage.mint(server, { by });
  await stage.connect(client, server, ticket);
  equal('sessions at the server', server.sessions.length, 1);
  const { tellsSlot } = stage.clientTable;
  equal('slot', client.status.slot, tellsSlot.value ? 0 : undefined);
  equal('number of slots', client.status.slots, tellsSlot.value ? SLOTS : undefined);
  const refused = client.refusals('sequence-bytes');
  if (refused === undefined) return;
  // The first packet of a server and the first of a slot carry sequence 0.
  const wantsRefusals = stage.serverTable.sequenceZero.value === 'noByte';
  equal('whether packets with sequence 0 were refused', refused > 0, wantsRefusals);
}

/** With a token minted by us. */
export const connectWithOurToken = (stage: Stage): Promise<void> => connectWithToken(stage, 'ours');

/** With a token minted by the peer. */
export const connectWithTheirToken = (stage: Stage): Promise<void> => connectWithToken(stage, stage.peer);

/** A server without a free slot denies, keeps whom it has, and takes the next one when the slot is free. */
export async function fullServer(stage: Stage): Promise<void> {
  const server = await stage.openServer(1);
  const [first, second, third] = [await stage.openClient(), await stage.openClient(), await stage.openClient()];
  const ticket = await stage.mint(server);
  await stage.connect(first, server, ticket);
  second.connect((await stage.mint(server)).token);
  await stage.refused(second, stage.clientTable.stateAfterDenial);
  equal('state of the first client', first.status.state, 'connected');
  equal('sessions at the server', server.sessions.length, 1);
  first.disconnect();
  await stage.left(server, ticket, stage.serverTable.reasonAfterLeaving);
  await stage.connect(third, server, await stage.mint(server));
}
