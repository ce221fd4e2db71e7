// The entry for Node: UDP sockets through `node:dgram`, and clients and servers on them.
export { createClient, createServer } from './create.ts';
export type { CreateClientOptions, CreateServerOptions } from './create.ts';
export type { UdpOptions } from './udp-options.ts';
export { UdpTransport } from './udp-transport.ts';
