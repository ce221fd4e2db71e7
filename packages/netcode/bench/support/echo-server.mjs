// An echo server in a process of its own: `node echo-server.mjs netcode|dgram`. Writes `{ ready, port, … }`, answers `{ "echoed": n }` to any line, ends
// when its input ends. It answers as datagrams are read, not on a tick.
import { createSocket } from 'node:dgram';
import { createInterface } from 'node:readline';
import { monotonicSeconds, NetcodeServer } from '@x/netcode';
import { UdpTransport } from '@x/netcode/node';
import { createSodiumAead } from '@x/netcode/sodium';
import { KEY, PROTOCOL_ID } from './session.mjs';

const KEEP_ALIVE_MILLISECONDS = 50;
const SOCKET_BUFFER_BYTES = 4 << 20;
let echoed = 0;
let close;

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** The anchor: what Node itself needs to receive a datagram and send it back, with the socket set up as well as ours is. */
function rawEcho() {
  const lookup = (host, _options, done) => done(null, host, 4);
  const socket = createSocket({ type: 'udp4', lookup });
  socket.on('error', () => {});
  socket.on('message', (bytes, from) => {
    echoed++;
    socket.send(bytes, 0, bytes.length, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1', () => {
    socket.setRecvBufferSize(SOCKET_BUFFER_BYTES);
    socket.setSendBufferSize(SOCKET_BUFFER_BYTES);
    say({ ready: true, port: socket.address().port });
  });
  close = () => socket.close();
}

async function netcodeEcho() {
  const transport = await UdpTransport.bind('127.0.0.1:0');
  const server = new NetcodeServer({
    time: monotonicSeconds(),
    transport,
    address: '127.0.0.1:0',
    protocolId: PROTOCOL_ID,
    privateKey: KEY,
    aead: await createSodiumAead(),
    onPayload: (slot, bytes, offset, length) => {
      echoed++;
      server.send(slot, bytes, offset, length);
    },
  });
  server.start(256);
  const update = () => server.update(monotonicSeconds());
  transport.onReadable = update;
  const timer = setInterval(update, KEEP_ALIVE_MILLISECONDS);
  say({ ready: true, port: server.port });
  close = () => {
    clearInterval(timer);
    server.close();
  };
}

if (process.argv[2] === 'dgram') rawEcho();
else await netcodeEcho();
const commands = createInterface({ input: process.stdin });
commands.on('line', () => say({ echoed, memory: process.memoryUsage().rss }));
commands.on('close', () => close());
