import { parseAddress } from '../../src/index.ts';
import type { UdpTransport } from '../../src/node/index.ts';
import { checkUdpOptions } from '../../src/node/udp-options.ts';
import type { UdpOptions } from '../../src/node/udp-options.ts';
import type { SocketFactory } from '../../src/node/udp-socket.ts';
import { bindUdp } from '../../src/node/udp-transport.ts';
import type { FakeSocket } from './node-fake-socket.ts';
import { fakeSockets } from './node-fake-socket.ts';

/** `UdpTransport.bind` on sockets of the test's own. */
export function bindOn(createSocket: SocketFactory, addresses: readonly string[], options: UdpOptions = {}): Promise<UdpTransport> {
  const plan = { role: 'server', allowsDualStack: true, isSecondOptional: false } as const;
  return bindUdp({ ...plan, addresses: addresses.map(parseAddress), settings: checkUdpOptions(options) }, createSocket);
}

/** A transport on fake sockets, and these. */
export async function bindFakes(
  addresses: readonly string[],
  options: UdpOptions = {},
  prepare?: (socket: FakeSocket) => void,
): Promise<{ transport: UdpTransport; sockets: FakeSocket[] }> {
  const { sockets, createSocket } = fakeSockets(prepare);
  return { transport: await bindOn(createSocket, addresses, options), sockets };
}
