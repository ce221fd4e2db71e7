import { afterEach, describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/index.ts';
import { UdpTransport } from '../../src/node/index.ts';
import { checkUdpOptions } from '../../src/node/udp-options.ts';
import { bindUdp } from '../../src/node/udp-transport.ts';
import { bindFakes, bindOn } from '../support/node-bind.ts';
import { fakeSockets, systemError } from '../support/node-fake-socket.ts';
import { Closer } from '../support/node-session.ts';

const closer = new Closer();
afterEach(() => closer.closeAll());

describe('opening', () => {
  it('asks for 4 MiB, halves what is refused and says so once', async () => {
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line) };
    const { sockets } = await bindFakes(['127.0.0.1:0'], { logger });
    expect(lines).toEqual([]);
    expect(sockets[0]!.boundTo).toEqual([{ address: '127.0.0.1', port: 0, exclusive: true }]);
    await bindFakes(['127.0.0.1:7000'], { logger }, (socket) => (socket.largestBuffer = 1_500_000));
    expect(lines).toEqual(['udp 127.0.0.1:7000: asked for socket buffers of 4194304 bytes, got 1048576 to send and 1048576 to receive']);
    await bindFakes(['127.0.0.1:0'], { logger, socketBufferBytes: 300_000 });
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['127.0.0.1:7000', 'createSocketIpv4Failed'],
    ['[::1]:7000', 'createSocketIpv6Failed'],
  ])('gives up below 256 KiB: %s', async (address, kind) => {
    const { sockets, createSocket } = fakeSockets((socket) => (socket.largestBuffer = 262_143));
    await expect(bindOn(createSocket, [address])).rejects.toMatchObject({ kind, code: 'ENOBUFS' });
    expect(sockets[0]!.isClosed).toBe(true);
  });

  it.each([
    ['EACCES', 'server', 'bindSocketIpv6Failed'],
    ['EAFNOSUPPORT', 'server', 'createSocketIpv6Failed'],
    ['EACCES', 'client', 'createSocketIpv6Failed'],
  ] as const)('reports %s of a %s as %s', async (code, role, kind) => {
    const { sockets, createSocket } = fakeSockets((socket) => {
      if (socket.type === 'udp6') socket.bindError = systemError(code, 'bind');
    });
    const addresses = ['127.0.0.1:7000', '[::1]:7001'].map(parseAddress);
    const plan = { addresses, role, allowsDualStack: false, isSecondOptional: false, settings: checkUdpOptions({}) };
    const failure = bindUdp(plan, createSocket);
    await expect(failure).rejects.toMatchObject({ kind, code });
    await expect(failure).rejects.toThrow('[::1]:7001');
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  it('reports a factory that throws', async () => {
    const failing = (): never => {
      throw systemError('EMFILE', 'socket');
    };
    await expect(bindOn(failing, ['127.0.0.1:1'])).rejects.toMatchObject({ kind: 'createSocketIpv4Failed', code: 'EMFILE' });
  });

  it('makes IPv6 sockets IPv6-only, but for :: that stands alone', async () => {
    const alone = await bindFakes(['[::]:0', '[::1]:0']);
    const beside = await bindFakes(['0.0.0.0:0', '[::]:0']);
    const loopback = await bindFakes(['[::1]:0']);
    expect(alone.sockets.map(({ ipv6Only }) => ipv6Only)).toEqual([false]);
    expect(beside.sockets.map(({ ipv6Only }) => ipv6Only)).toEqual([false, true]);
    expect(loopback.sockets.map(({ ipv6Only }) => ipv6Only)).toEqual([true]);
    expect([alone.transport.boundPort('ipv4'), alone.transport.boundPort('ipv6')]).toEqual([50_000, 50_000]);
    expect([loopback.transport.boundPort('ipv4'), loopback.transport.boundPort('ipv6')]).toEqual([0, 50_000]);
  });

  it.each([
    [{ receiveQueueDatagrams: 0 }, 'receiveQueueDatagrams'],
    [{ receiveQueueDatagrams: 1.5 }, 'receiveQueueDatagrams'],
    [{ receiveQueueDatagrams: 2 ** 21 }, 'receiveQueueDatagrams'],
    [{ socketBufferBytes: NaN }, 'socketBufferBytes'],
    [{ socketBufferBytes: 2 ** 31 }, 'socketBufferBytes'],
    [{ packetTagging: 1 as never }, 'packetTagging'],
    [{ logger: 'loud' as never }, 'logger'],
  ])('refuses the option %o', async (options, field) => {
    await expect(UdpTransport.bind('127.0.0.1:0', undefined, options)).rejects.toMatchObject({ kind: 'invalidOption', field });
  });

  it('takes packetTagging, which has no effect', async () => {
    const transport = closer.add(await UdpTransport.bind('127.0.0.1:0', undefined, { packetTagging: true }));
    expect(transport.boundPort('ipv4')).toBeGreaterThan(0);
    transport.flush();
  });

  it('refuses addresses that are none', async () => {
    await expect(UdpTransport.bind('localhost:0')).rejects.toMatchObject({ kind: 'parseAddressFailed', field: 'address' });
    await expect(UdpTransport.bind('127.0.0.1:0', 'x')).rejects.toMatchObject({ kind: 'parseAddress2Failed', field: 'address2' });
  });
});
