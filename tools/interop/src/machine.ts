import { createSocket } from 'node:dgram';

/** Why IPv6 cannot be used here; undefined: it can. */
export function ipv6Missing(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp6');
    socket.once('error', (error) => {
      socket.close();
      resolve(`no IPv6 on this machine: ${error.message}`);
    });
    socket.bind(0, '::1', () => {
      socket.close();
      resolve(undefined);
    });
  });
}
