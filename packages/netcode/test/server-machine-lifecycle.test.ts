import { describe, expect, test } from 'vitest';
import { inspectServer } from '../src/server-machine.ts';
import { counted, label } from './support/session-kit.ts';
import type { RawClient } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('disconnecting', () => {
  test('when a client is kicked, then reason, callback, ten packets, and only then everything is cleared', () => {
    const seen: unknown[] = [];
    const rig: ServerRig = new ServerRig({
      onConnectDisconnect: (slot, connected) => {
        if (connected) return;
        const { server } = rig;
        seen.push(
          server.disconnectReason(slot),
          server.clientId(slot),
          server.clientAddress(slot),
          server.userData(slot)?.[0],
          server.connectedCount,
        );
        seen.push(server.isConnected(slot), server.receive(slot)?.data, rig.labels(client));
      },
    });
    const client: RawClient = rig.connected(5, { userData: bytes(0xaa) });
    rig.send(client, client.payload(7));
    rig.transport.take();
    const { flushes } = rig.transport;
    rig.server.disconnectClient(0);
    expect(seen).toEqual(['serverDisconnect', 5n, client.address, 0xaa, 1, true, bytes(7), []]);
    expect(rig.labels(client)).toEqual(Array.from({ length: 10 }, (_, i) => `disconnect#${i + 1}`));
    const { server } = rig;
    expect([
      server.isConnected(0),
      server.clientId(0),
      server.clientAddress(0),
      server.userData(0),
      server.nextSequence(0),
      server.receive(0),
    ]).toEqual([false, 0n, undefined, undefined, 0n, undefined]);
    expect([server.connectedCount, server.disconnectReason(0), rig.transport.flushes > flushes]).toEqual([0, 'serverDisconnect', true]);
    rig.send(client, client.payload(1));
    expect(counted(server.counters)).toEqual({ 'no-read-key': 1 });
    rig.connected(6);
    expect(server.disconnectReason(0)).toBe('none');
  });

  test('when all are kicked, then every network client and no loopback client is', () => {
    const rig = new ServerRig();
    rig.server.connectLoopbackClient(1, 99n);
    rig.connected(1);
    rig.connected(2);
    rig.server.disconnectAllClients();
    expect([rig.events.slice(3), rig.server.connectedCount, rig.server.isLoopback(1), rig.transport.sent.length]).toEqual([
      ['-0', '-2'],
      1,
      true,
      20,
    ]);
  });

  test('when a datagram follows the disconnect of its sender in one update, then it finds neither slot nor keys', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig
      .deliver(client.address, client.payload(1))
      .deliver(client.address, client.disconnect())
      .deliver(client.address, client.payload(2))
      .at(0);
    expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 1 });
  });
});

describe('lifecycle', () => {
  test.each([0, -1, 257, 1.5, NaN, '4'])('when started with %s slots, then it throws and nothing changes', (slots) => {
    const rig = new ServerRig({}, 0);
    const refusal = expect.objectContaining({ kind: 'maxClients', field: 'maxClients' }) as Error;
    expect(() => rig.server.start(slots as number)).toThrow(refusal);
    expect([rig.server.isRunning, rig.server.maxClients]).toEqual([false, 0]);
    rig.server.start(256);
    rig.connected(1);
    expect(() => rig.server.start(slots as number)).toThrow(refusal);
    expect([rig.server.isRunning, rig.server.maxClients, rig.server.connectedCount]).toEqual([true, 256, 1]);
  });

  test('when the range is missed, then the text is that of the native libraries', () => {
    expect(() => new ServerRig({}, 257)).toThrow('max clients 257 is out of range [1,256]');
  });

  test('when stopped, then network clients go first with packets, then loopback clients, and every slot answers neutrally', () => {
    const rig = new ServerRig();
    rig.server.connectLoopbackClient(0, 9n);
    const client = rig.connected(1);
    rig.server.stop();
    expect([rig.events, rig.labels(client).length]).toEqual([['+0', '+1', '-1', '-0'], 10]);
    expect([rig.server.isRunning, rig.server.maxClients, rig.server.connectedCount, rig.server.disconnectReason(1)]).toEqual([
      false,
      0,
      0,
      'none',
    ]);
    rig.send(client, client.payload(1));
    expect(counted(rig.server.counters)).toEqual({ 'not-running': 1 });
    rig.server.stop();
    expect(rig.events.length).toBe(4);
  });

  test('when started while running, then everybody is disconnected first and reasons are none', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.server.start(2);
    expect([rig.labels(client).length, rig.events, rig.server.maxClients, rig.server.disconnectReason(0)]).toEqual([
      10,
      ['+0', '-0'],
      2,
      'none',
    ]);
  });

  test.each([-1, 1, 256, 1.5, NaN])('when slot %s of one is asked or acted on, then the answer is neutral and nothing changes', (slot) => {
    const rig = new ServerRig({}, 1);
    rig.connected(1);
    const { server } = rig;
    expect([
      server.isConnected(slot),
      server.isLoopback(slot),
      server.clientId(slot),
      server.clientAddress(slot),
      server.userData(slot),
    ]).toEqual([false, false, 0n, undefined, undefined]);
    expect([server.disconnectReason(slot), server.nextSequence(slot), server.receive(slot), server.receiveInto(slot, bytes())]).toEqual([
      'none',
      0n,
      undefined,
      0,
    ]);
    expect(server.send(slot, bytes(1))).toBe(false);
    server.disconnectClient(slot);
    server.connectLoopbackClient(slot, 5n);
    server.disconnectLoopbackClient(slot);
    server.processLoopbackPacket(slot, bytes(1), 0n);
    expect([server.isRunning, server.connectedCount, rig.events, rig.transport.sent]).toEqual([true, 1, ['+0'], []]);
  });
});

describe('loopback', () => {
  test('when connected, then the slot is confirmed, has no address, takes no packets and never times out', () => {
    const sent: unknown[] = [];
    const rig = new ServerRig({ sendLoopbackPacket: (slot, payload, sequence) => sent.push([slot, [...payload], sequence]) });
    const { server } = rig;
    server.connectLoopbackClient(2, 77n, bytes(5));
    expect([server.isConnected(2), server.isLoopback(2), server.clientId(2), server.clientAddress(2), server.connectedCount]).toEqual([
      true,
      true,
      77n,
      undefined,
      1,
    ]);
    expect([server.userData(2)?.[0], server.userData(2)?.length, inspectServer(server).confirmed[2], rig.events]).toEqual([
      5,
      256,
      true,
      ['+2'],
    ]);
    server.send(2, bytes(1));
    server.send(2, bytes(9, 8, 7), 1, 1);
    expect([sent, server.nextSequence(2)]).toEqual([
      [
        [2, [1], 0n],
        [2, [8], 1n],
      ],
      2n,
    ]);
    server.processLoopbackPacket(2, bytes(4, 5), 6n);
    expect(server.receive(2)).toMatchObject({ data: bytes(4, 5), sequence: 6n });
    server.connectLoopbackClient(2, 78n);
    server.disconnectClient(2);
    rig.at(1e6);
    expect([server.clientId(2), rig.transport.sent]).toEqual([77n, []]);
    server.processLoopbackPacket(2, bytes(4), 7n);
    server.disconnectLoopbackClient(2);
    expect([server.isConnected(2), server.disconnectReason(2), rig.events, server.connectedCount]).toEqual([
      false,
      'serverDisconnect',
      ['+2', '-2'],
      0,
    ]);
    server.connectLoopbackClient(2, 80n);
    expect([server.receive(2), server.nextSequence(2), server.userData(2)?.[0]]).toEqual([undefined, 0n, 0]);
  });

  test('when it follows a network client with less user data, then the rest is zero', () => {
    const rig = new ServerRig();
    rig.connected(1, { userData: new Uint8Array(256).fill(0xaa) });
    rig.server.disconnectClient(0);
    rig.server.connectLoopbackClient(0, 9n, bytes(5));
    expect(rig.server.userData(0)).toEqual(bytes(5, ...new Uint8Array(255)));
  });

  test('when its id or the last slot is taken by a loopback client, then network clients are kept out', () => {
    const rig = new ServerRig({}, 2);
    rig.server.connectLoopbackClient(0, 1n);
    expect(rig.request(rig.raw(1))).toBeUndefined();
    rig.server.connectLoopbackClient(1, 2n);
    expect(label(rig.request(rig.raw(3))!)).toBe('denied#g0');
    expect(counted(rig.server.counters)).toEqual({ denied: 1, 'request-id-connected': 1 });
  });

  test('when network clients come, then they fill the free slots around it', () => {
    const rig = new ServerRig();
    rig.server.connectLoopbackClient(0, 9n);
    const client = rig.connected(1);
    expect(rig.server.clientAddress(1)).toEqual(client.address);
    rig.server.disconnectLoopbackClient(1);
    rig.server.processLoopbackPacket(1, bytes(1), 0n);
    expect([rig.server.isConnected(1), rig.server.receive(1)]).toEqual([true, undefined]);
  });
});
