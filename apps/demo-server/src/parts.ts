import { createClient, createServer } from '@x/netcode/node';
import { systemClock } from './loop.ts';
import type { Clock } from './loop.ts';

/** What the demo is put together from. Tests put in a virtual clock, a simulated network, or a client that never gets through. */
export interface DemoParts {
  readonly clock: Clock;
  readonly createServer: typeof createServer;
  readonly createClient: typeof createClient;
  /** Called at the start of each tick. */
  readonly onTick?: (time: number) => void;
}

/** The real thing: UDP sockets and the machine's clock. */
export const realParts: DemoParts = { clock: systemClock, createServer, createClient };
