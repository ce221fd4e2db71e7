import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/index.ts';
import type { Address } from '../../src/index.ts';
import { UdpTransport } from '../../src/node/index.ts';
import type { UdpOptions } from '../../src/node/udp-options.ts';
import { bindFakes as bind } from '../support/node-bind.ts';
import type { FakeSocket } from '../support/node-fake-socket.ts';
import { systemError } from '../support/node-fake-socket.ts';
import { activeHandles, Closer, NO_IPV6, sleep, turn } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

async function bindFakes(addresses: readonly string[], options?: UdpOptions): Promise<{ transport: UdpTransport; sockets: FakeSocket[] }> {
  const bound = await bind(addresses, options);
  closer.add(bound.transport);
  return bound;
}

function drain(transport: UdpTransport): { from: Address; text: string }[] {
  const got: { from: Address; text: string }[] = [];
  transport.poll((from, bytes, offset, length) =>
    got.push({ from, text: Buffer.from(bytes.subarray(offset, offset + length)).toString() }),
  );
  return got;
}

async function settle(transport: UdpTransport, count: number): Promise<void> {
  for (let i = 0; i < 500 && transport.stats.datagramsReceived < count; i++) await sleep(2);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('on loopback', () => {
  it('carries datagrams both ways, each family over its own socket', async () => {
    if (NO_IPV6 !== undefined) {
      console.log(`skipped: ${NO_IPV6}`);
      return;
    }
    const a = closer.add(await UdpTransport.bind('127.0.0.1:0', '[::1]:0'));
    const b = closer.add(await UdpTransport.bind('[::1]:0', '127.0.0.1:0'));
    expect(a.kind).toBe('udp');
    expect(a.maxDatagramBytes).toBe(1300);
    expect(a.send(parseAddress(`[::1]:${b.boundPort('ipv6')}`), bytesOf('six'), 0, 3)).toBe(true);
    expect(a.send(parseAddress(`127.0.0.1:${b.boundPort('ipv4')}`), bytesOf('xfourx'), 1, 4)).toBe(true);
    await settle(b, 2);
    const got = drain(b);
    expect(got.map(({ text }) => text)).toEqual(['four', 'six']);
    for (const { from, text } of got) b.send(from, bytesOf(`re ${text}`), 0, 3 + text.length);
    await settle(a, 2);
    expect(drain(a).map(({ text }) => text)).toEqual(['re four', 're six']);
    expect(a.stats).toMatchObject({ datagramsSent: 2, bytesSent: 7, datagramsReceived: 2, bytesReceived: 13, sendErrors: 0, dropped: 0 });
  });

  it('binds only the first of two addresses of one family', async () => {
    const transport = closer.add(await UdpTransport.bind('127.0.0.1:0', '127.0.0.1:0'));
    expect(transport.boundPort('ipv4')).toBeGreaterThan(0);
    expect(transport.boundPort('ipv6')).toBe(0);
  });

  it('lets both families share a port', async () => {
    if (NO_IPV6 !== undefined) {
      console.log(`skipped: ${NO_IPV6}`);
      return;
    }
    const first = closer.add(await UdpTransport.bind('0.0.0.0:0'));
    const port = first.boundPort('ipv4');
    first.close();
    await turn();
    const both = closer.add(await UdpTransport.bind(`0.0.0.0:${port}`, `[::]:${port}`));
    expect([both.boundPort('ipv4'), both.boundPort('ipv6')]).toEqual([port, port]);
  });

  it('closes the first socket when the second cannot be bound', async () => {
    if (NO_IPV6 !== undefined) {
      console.log(`skipped: ${NO_IPV6}`);
      return;
    }
    const taken = closer.add(await UdpTransport.bind('[::1]:0'));
    const port = taken.boundPort('ipv6');
    await sleep(20);
    const before = activeHandles('UDPWrap');
    await expect(UdpTransport.bind('127.0.0.1:0', `[::1]:${port}`)).rejects.toMatchObject({
      kind: 'bindSocketIpv6Failed',
      code: 'EADDRINUSE',
    });
    await sleep(20);
    expect(activeHandles('UDPWrap')).toBeLessThanOrEqual(before);
  });

  it('ignores empty datagrams', async () => {
    const transport = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const sender = closer.add(createSocket('udp4'));
    for (const text of ['', 'a', '', 'b']) sender.send(text, transport.boundPort('ipv4'), '127.0.0.1');
    await settle(transport, 2);
    await sleep(20);
    expect(drain(transport).map(({ text }) => text)).toEqual(['a', 'b']);
    expect(transport.stats).toMatchObject({ datagramsReceived: 2, dropped: 0 });
  });

  it('tells of waiting datagrams once per turn, also of those that came before somebody asked', async () => {
    const transport = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const sender = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const to = parseAddress(`127.0.0.1:${transport.boundPort('ipv4')}`);
    for (let i = 0; i < 5; i++) sender.send(to, bytesOf('x'), 0, 1);
    await settle(transport, 5);
    let calls = 0;
    transport.onReadable = () => {
      calls++;
      throw new Error('hook');
    };
    await turn();
    await turn();
    expect(calls).toBe(1);
    for (let i = 0; i < 5; i++) sender.send(to, bytesOf('x'), 0, 1);
    await settle(transport, 10);
    await turn();
    expect(calls).toBeLessThanOrEqual(3);
    expect(drain(transport)).toHaveLength(10);
    const before = calls;
    await sleep(10);
    expect(calls).toBe(before);
  });

  it('keeps what was sent in the tick of close', async () => {
    const transport = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const sender = closer.add(await UdpTransport.bind('127.0.0.1:0'));
    const to = parseAddress(`127.0.0.1:${transport.boundPort('ipv4')}`);
    for (let i = 0; i < 10; i++) sender.send(to, bytesOf('bye'), 0, 3);
    sender.close();
    sender.close();
    expect(sender.send(to, bytesOf('no'), 0, 2)).toBe(false);
    expect(sender.boundPort('ipv4')).toBe(0);
    sender.startCatchUp();
    expect(sender.isCaughtUp).toBe(true);
    await settle(transport, 10);
    expect(drain(transport)).toHaveLength(10);
  });
});

describe('sending', () => {
  it('refuses what cannot be sent, counts it and never throws', async () => {
    const lines: string[] = [];
    const { transport, sockets } = await bindFakes(['127.0.0.1:0'], { logger: { warn: (line) => lines.push(line) } });
    const to = parseAddress('127.0.0.1:9');
    const bytes = new Uint8Array(1400);
    expect(transport.send(parseAddress('127.0.0.1:0'), bytes, 0, 10)).toBe(false);
    expect(transport.send(to, bytes, 0, 0)).toBe(false);
    expect(transport.send(to, bytes, 0, 1301)).toBe(false);
    expect(transport.send(to, bytes, 1395, 6)).toBe(false);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(transport.send(to, bytes, 0, 10)).toBe(false);
    expect(lines).toEqual([]);
    for (let i = 0; i < 3; i++) expect(transport.send(parseAddress('[::1]:9'), new Uint8Array(10), 0, 10)).toBe(false);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('[::1]:9');
    expect(transport.stats).toMatchObject({ sendErrors: 8, datagramsSent: 0 });
    expect(sockets[0]!.sent).toEqual([]);
  });

  it('counts what the system refuses, at once or later', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0']);
    const [socket] = sockets;
    const to = parseAddress('127.0.0.1:9');
    socket!.failure = () => systemError('EMSGSIZE');
    expect(transport.send(to, new Uint8Array(10), 0, 10)).toBe(true);
    await turn();
    expect(transport.stats.sendErrors).toBe(1);
    socket!.failure = () => {
      throw systemError('ERR_SOCKET_BAD_PORT');
    };
    expect(transport.send(to, new Uint8Array(10), 0, 10)).toBe(false);
    expect(transport.stats).toMatchObject({ sendErrors: 2, datagramsSent: 1 });
  });

  it('shares one buffer while the queue is empty, and gives queued datagrams their own', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0']);
    const [socket] = sockets;
    const to = parseAddress('127.0.0.1:9');
    const scratch = new Uint8Array(64);
    for (let i = 0; i < 4; i++) transport.send(to, scratch.fill(i), 0, 20);
    expect(new Set(socket!.sent.map(({ given }) => given)).size).toBe(1);
    expect(socket!.sent.map(({ bytes }) => bytes[19])).toEqual([0, 1, 2, 3]);
    socket!.queueCount = 1;
    for (let i = 4; i < 8; i++) transport.send(to, scratch.fill(i), 0, 20);
    scratch.fill(0xff);
    expect(socket!.sent.slice(4).map(({ given }) => given[19])).toEqual([4, 5, 6, 7]);
    expect(socket!.sent.map(({ given }) => given.length)).toEqual(new Array(8).fill(20));
  });

  it('closes only when queued datagrams have left, or a moment later', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0']);
    const [socket] = sockets;
    socket!.queueCount = 2;
    transport.send(parseAddress('127.0.0.1:9'), new Uint8Array(10), 0, 10);
    transport.close();
    expect(socket!.isClosed).toBe(false);
    socket!.queueCount = 0;
    socket!.pending[0]!(null);
    expect(socket!.isClosed).toBe(true);
    const stuck = await bindFakes(['127.0.0.1:0']);
    stuck.sockets[0]!.queueCount = 1;
    stuck.transport.close();
    await sleep(350);
    expect(stuck.sockets[0]!.isClosed).toBe(true);
  });
});

describe('receiving', () => {
  it('drops the oldest when the queue is full, and counts it', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0'], { receiveQueueDatagrams: 100 });
    for (let i = 0; i < 250; i++) sockets[0]!.receive(bytesOf(`n${i}`), '127.0.0.1', 4000);
    expect(transport.stats).toMatchObject({ datagramsReceived: 250, dropped: 150 });
    const got = drain(transport).map(({ text }) => text);
    expect(got).toEqual(Array.from({ length: 100 }, (_, i) => `n${150 + i}`));
    for (let i = 0; i < 70; i++) sockets[0]!.receive(bytesOf(`m${i}`), '127.0.0.1', 4000);
    expect(drain(transport)[69]!.text).toBe('m69');
  });

  it('holds 4096 per socket by default', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0', '[::1]:0']);
    for (let i = 0; i < 4097; i++) sockets[0]!.receive(bytesOf('four'), '127.0.0.1', 4000);
    for (let i = 0; i < 4096; i++) sockets[1]!.receive(bytesOf('six'), '::1', 4000);
    expect(transport.stats.dropped).toBe(1);
    const got = drain(transport);
    expect(got).toHaveLength(8192);
    expect(got.findIndex(({ text }) => text === 'six')).toBe(4096);
  });

  it('gives one frozen object per sender, whichever way it is spelled', async () => {
    const { transport, sockets } = await bindFakes(['[::]:0']);
    const texts = ['::ffff:127.0.0.1', '::FFFF:7f00:1', '127.0.0.1', '::ffff:127.0.0.1', 'fe80::1%eth0', 'fe80::1', 'nonsense'];
    for (const text of texts) sockets[0]!.receive(bytesOf('x'), text, 4000);
    sockets[0]!.receive(bytesOf('x'), '127.0.0.1', 4001);
    const senders = drain(transport).map(({ from }) => from);
    expect(senders).toHaveLength(7);
    expect(senders.slice(1, 4).every((sender) => sender === senders[0])).toBe(true);
    expect(senders[0]).toMatchObject({ type: 'ipv4', port: 4000 });
    expect(Object.isFrozen(senders[0])).toBe(true);
    expect(senders[5]).toBe(senders[4]);
    expect(senders[6]).not.toBe(senders[0]);
    expect(transport.stats.receiveErrors).toBe(1);
    // The answer to a link-local sender needs its zone, and an IPv4 peer of a dual-stack socket its mapped form.
    transport.send(senders[4]!, bytesOf('x'), 0, 1);
    transport.send(senders[0]!, bytesOf('x'), 0, 1);
    expect(sockets[0]!.sent.map(({ host }) => host)).toEqual(['fe80::1%eth0', '::ffff:127.0.0.1']);
  });

  it('remembers an active sender through a flood of others, and forgets the others', async () => {
    const { transport, sockets } = await bindFakes(['127.0.0.1:0'], { receiveQueueDatagrams: 1 });
    const seen = new Set<Address>();
    for (let i = 0; i < 20_000; i++) {
      sockets[0]!.receive(bytesOf('x'), `10.0.${i >> 8}.${i & 255}`, 4000);
      if (i % 1000 !== 0) continue;
      sockets[0]!.receive(bytesOf('x'), '127.0.0.1', 4000);
      seen.add(drain(transport)[0]!.from);
    }
    expect(seen.size).toBe(1);
  });

  it('survives a handler that closes the transport or throws', async () => {
    const errors: string[] = [];
    const { transport, sockets } = await bindFakes(['127.0.0.1:0'], { logger: { error: (line) => errors.push(line) } });
    for (let i = 0; i < 4; i++) sockets[0]!.receive(bytesOf('x'), '127.0.0.1', 4000);
    let calls = 0;
    transport.poll(() => {
      calls++;
      if (calls === 3) transport.close();
      else throw new Error('handler');
    });
    expect(calls).toBe(3);
    expect(errors.map((text) => text.split('\n')[0])).toEqual(['poll handler threw: Error: handler']);
    sockets[0]!.receive(bytesOf('x'), '127.0.0.1', 4000);
    expect(drain(transport)).toEqual([]);
  });
});
