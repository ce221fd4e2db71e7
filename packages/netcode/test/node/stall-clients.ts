// The clients of the stall test, in a process of their own: `node --import typescript-hooks.mjs stall-clients.ts`.
import { monotonicSeconds } from '../../src/index.ts';
import type { NetcodeClient } from '../../src/index.ts';
import { createClient } from '../../src/node/index.ts';

/** What the test asks for: clients for these tokens (base64), or one of them to fall silent. */
export type StallRequest = { type: 'connect'; tokens: string[] } | { type: 'silence'; index: number };
/** What it is told: once all are connected, and whenever one changes state after that. */
export type StallReport = { type: 'ready' } | { type: 'connected' } | { type: 'state'; index: number; state: string };

const clients: NetcodeClient[] = [];
const silent = new Set<number>();
let isReported = false;

function report(message: StallReport): void {
  process.send!(message);
}

async function connect(tokens: string[]): Promise<void> {
  for (const [index, token] of tokens.entries()) {
    const client = await createClient({
      address: '127.0.0.1:0',
      onStateChange: (_previous, state) => isReported && report({ type: 'state', index, state }),
    });
    client.connect(Buffer.from(token, 'base64'));
    clients.push(client);
  }
}

process.on('message', (request: StallRequest) => {
  if (request.type === 'connect') void connect(request.tokens);
  else silent.add(request.index);
});
process.on('disconnect', () => process.exit());
setInterval(() => {
  for (const [index, client] of clients.entries()) if (!silent.has(index)) client.update(monotonicSeconds());
  if (isReported || clients.length === 0 || clients.some((client) => client.state !== 'connected')) return;
  isReported = true;
  report({ type: 'connected' });
}, 10);
report({ type: 'ready' });
