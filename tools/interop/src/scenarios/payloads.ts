import { PAYLOADS } from '../payload.ts';
import type { TallyResult } from '../payload.ts';
import { equal } from '../stage.ts';
import type { Stage } from '../stage.ts';

/**
 * The loopback interface loses next to nothing, so more than this is somebody's fault; also covers what is still on its way when a
 * stall made the client send its window again.
 */
const MOST_LOST = 25;

function allVerified(what: string, { verified, faults }: TallyResult): void {
  if (faults.length > 0) throw new Error(`${what}: ${faults.slice(0, 3).join('; ')}`);
  equal(`payloads verified ${what}`, verified, PAYLOADS);
}

/** Payloads of 1 to 1200 bytes to the server and, as echoes, back; each compared byte by byte at both ends. */
export async function payloads(stage: Stage): Promise<void> {
  const server = await stage.openServer(1);
  const client = await stage.openClient();
  await stage.connect(client, server, await stage.mint(server));
  const atClient = await stage.answer('the echoes are complete', client.exchange());
  const atServer = await stage.answer('the server tells its tally', server.tally());
  allVerified('at the server', atServer);
  allVerified('at the client', atClient);
  const lost = atClient.sent - atClient.received;
  if (lost > MOST_LOST) throw new Error(`${lost} of ${atClient.sent} payloads or their echoes were lost`);
  // Resends are new packets: nothing in a session repeats a sequence number or fails to open.
  for (const end of [server, client]) {
    for (const reason of ['decrypt', 'replay'] as const)
      equal(`refused as ${reason} by ${end.implementation}`, end.refusals(reason) ?? 0, 0);
  }
}
