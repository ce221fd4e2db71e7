// The load in a process of its own: `node load.mjs netcode|dgram PORT CLIENTS BYTES HZ BURST`. Every client sends BURST payloads of BYTES bytes HZ times a second and
// checks the echoes. Writes `{ ready }` when every client is connected; answers `{ sent, received, wrong }` to any line, counted since the line before.
import { createSocket } from 'node:dgram';
import { createInterface } from 'node:readline';
import { generateConnectToken, monotonicSeconds } from '@x/netcode';
import { createClient } from '@x/netcode/node';
import { createSodiumAead } from '@x/netcode/sodium';
import { KEY, PACKET_OVERHEAD_BYTES, PROTOCOL_ID } from './session.mjs';

const [kind, port, clients, bytes, hz, burst] = process.argv.slice(2).map((word, i) => (i === 0 ? word : Number(word)));
const CONNECT_SECONDS = 10;
const counts = { sent: 0, received: 0, wrong: 0 };
const payload = new Uint8Array(kind === 'dgram' ? bytes + PACKET_OVERHEAD_BYTES : bytes);

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Numbers the payload, so that each is different, and marks its last byte, which the echo must still have. */
function nextPayload() {
  const n = counts.sent++;
  payload[0] = n;
  payload[1] = n >>> 8;
  payload[payload.length - 1] = (payload[0] ^ payload[1]) & 0xff;
}

function check(data, offset, length) {
  counts.received++;
  const isRight = length === payload.length && data[offset + length - 1] === (data[offset] ^ data[offset + 1]);
  if (!isRight) counts.wrong++;
}

function rawSenders() {
  return Promise.all(
    Array.from({ length: clients }, () => {
      const socket = createSocket('udp4');
      socket.on('error', () => {});
      socket.on('message', (data) => check(data, 0, data.length));
      return new Promise((resolve) => {
        socket.connect(port, '127.0.0.1', () =>
          resolve({ send: () => socket.send(payload.slice()), update: () => {}, close: () => socket.close() }),
        );
      });
    }),
  );
}

async function netcodeSenders() {
  const aead = await createSodiumAead();
  const publicAddresses = [`127.0.0.1:${port}`];
  const made = await Promise.all(
    Array.from({ length: clients }, () => createClient({ address: '127.0.0.1:0', aead, onPayload: check, socketBufferBytes: 1 << 20 })),
  );
  for (const [i, client] of made.entries()) {
    client.connect(
      generateConnectToken({ publicAddresses, clientId: BigInt(i + 1), protocolId: PROTOCOL_ID, privateKey: KEY, timeoutSeconds: 15 }),
    );
  }
  const deadline = monotonicSeconds() + CONNECT_SECONDS;
  while (made.some((client) => client.state !== 'connected')) {
    if (monotonicSeconds() > deadline) throw new Error('not every client got in');
    for (const client of made) client.update(monotonicSeconds());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return made.map((client) => ({ send: () => client.send(payload), update: (time) => client.update(time), close: () => client.close() }));
}

const senders = kind === 'dgram' ? await rawSenders() : await netcodeSenders();
let due = monotonicSeconds();
let timer;
function tick() {
  const time = monotonicSeconds();
  if (time >= due) {
    for (const sender of senders) {
      sender.update(time);
      for (let i = 0; i < burst; i++) {
        nextPayload();
        sender.send();
      }
    }
    due = Math.max(due + 1 / hz, time - 1 / hz);
  }
  timer = setTimeout(tick, Math.max(0, (due - monotonicSeconds()) * 1000));
}
tick();
say({ ready: true });
const commands = createInterface({ input: process.stdin });
commands.on('line', () => {
  say({ ...counts });
  counts.sent = 0;
  counts.received = 0;
  counts.wrong = 0;
});
commands.on('close', () => {
  clearTimeout(timer);
  for (const sender of senders) sender.close();
});
