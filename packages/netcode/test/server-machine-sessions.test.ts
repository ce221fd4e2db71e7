import { describe, expect, test } from 'vitest';
import type { Packet } from '../src/packet-codec.ts';
import { inspectServer } from '../src/server-machine.ts';
import { clientAddress, counted, fromClient, openAtClient } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('packets of a connected client', () => {
  test.each(['keepAlive', 'payload'] as const)('when a %s arrives, then the client is confirmed and its silence begins again', (type) => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.at(3).send(client, type === 'payload' ? client.payload(1) : client.keepAlive());
    expect(inspectServer(rig.server).confirmed[0]).toBe(true);
    rig.at(7.9);
    expect([rig.server.isConnected(0), rig.at(8).server.isConnected(0)]).toEqual([true, false]);
  });

  test('when the client disconnects, then the slot is free at once and nothing is sent back', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    for (let i = 0; i < 10; i++) rig.deliver(client.address, client.disconnect());
    rig.at(0);
    expect([rig.events, rig.server.disconnectReason(0), rig.transport.sent]).toEqual([['+0', '-0'], 'clientDisconnect', []]);
    expect(counted(rig.server.counters)).toEqual({ 'no-read-key': 9 });
  });

  test.each(['keepAlive', 'payload', 'disconnect'] as const)(
    'when a %s comes from a mapping without a slot, then it authenticates and is unexpected',
    (type) => {
      const rig = new ServerRig();
      const client = rig.raw(1);
      rig.request(client);
      const packet: Packet =
        type === 'payload' ? { type, payload: bytes(1) } : type === 'disconnect' ? { type } : { type, clientIndex: 0, maxClients: 0 };
      rig.sealed(client, packet).sealed(client, packet);
      client.sequence = 1n;
      rig.sealed(client, packet);
      expect([counted(rig.server.counters), rig.server.connectedCount]).toEqual([{ unexpected: 3 }, 0]);
    },
  );

  test('when a payload is repeated, then once; when the slot has a new client, then its window is new', () => {
    const rig = new ServerRig({}, 1);
    const first = rig.connected(1);
    first.sequence = 0n;
    const packet = first.payload(1);
    rig.send(first, packet).send(first, packet);
    expect(counted(rig.server.counters)).toEqual({ replay: 1 });
    rig.send(first, first.disconnect());
    const second = rig.raw(2, {}, first.address);
    rig.connect(second);
    second.sequence = 0n;
    rig.send(second, second.payload(2));
    expect(rig.server.receive(0)).toMatchObject({ data: bytes(2), sequence: 0n });
  });

  test('when 256 payloads wait, then the next is dropped and counted, in every slot by itself', () => {
    const rig = new ServerRig();
    const [one, two] = [rig.connected(1), rig.connected(2)];
    for (let i = 0; i < 257; i++) rig.deliver(one.address, one.payload(i & 0xff));
    rig.deliver(two.address, two.payload(9)).at(0);
    expect(counted(rig.server.counters)).toEqual({ 'queue-full': 1 });
    const out = new Uint8Array(1);
    for (let i = 0; i < 256; i++) expect([rig.server.receiveInto(0, out), out[0]]).toEqual([1, i & 0xff]);
    expect([rig.server.receiveInto(0, out), rig.server.receive(1)?.data]).toEqual([0, bytes(9)]);
  });

  test('when the buffer is too small, then receiveInto throws and takes nothing', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.send(client, client.payload(1, 2));
    expect(() => rig.server.receiveInto(0, new Uint8Array(1))).toThrow(expect.objectContaining({ kind: 'bufferTooSmall' }) as Error);
    expect(rig.server.receive(0)?.data).toEqual(bytes(1, 2));
  });
});

describe('sending', () => {
  test('when the client is not confirmed, then a keep-alive precedes every payload; afterwards none', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.server.send(0, bytes(1));
    rig.server.send(0, bytes(2));
    expect(rig.labels(client)).toEqual(['keepAlive#1', 'payload#2', 'keepAlive#3', 'payload#4']);
    rig.send(client, client.keepAlive());
    rig.server.send(0, bytes(9, 8, 7), 1, 2);
    expect(openAtClient(client.minted, rig.transport.sent.at(-1)!.bytes)).toEqual({
      packet: { type: 'payload', payload: bytes(8, 7) },
      sequence: 5n,
    });
    expect(rig.labels(client)).toEqual(['payload#5']);
    expect(rig.server.nextSequence(0)).toBe(6n);
  });

  test('when 0.1 s have passed exactly, then a keep-alive leaves; payloads put it off', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    expect(rig.at(0.0999999).labels(client)).toEqual([]);
    expect(rig.at(1 / 10).labels(client)).toEqual(['keepAlive#1']);
    rig.send(client, client.keepAlive()).at(0.15);
    rig.server.send(0, bytes(1));
    rig.transport.take();
    expect(rig.at(0.24).labels(client)).toEqual([]);
    expect(rig.at(0.26).labels(client)).toEqual(['keepAlive#3']);
  });

  test('when a payload is not 1 to 1200 bytes, then payloadSize is thrown whoever is there, and nothing is sent', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.send(client, client.keepAlive());
    const throwsSize = expect.objectContaining({ code: 'PAYLOAD_SIZE' }) as Error;
    for (const size of [0, 1201, 65_536])
      for (const slot of [0, 1]) expect(() => rig.server.send(slot, new Uint8Array(size))).toThrow(throwsSize);
    expect(rig.transport.sent).toEqual([]);
    for (const size of [1, 1199, 1200]) expect(rig.server.send(0, new Uint8Array(size))).toBe(true);
    expect(rig.labels(client)).toEqual(['payload#1', 'payload#2', 'payload#3']);
  });
});

describe('time-outs', () => {
  test('when silence reaches the timeout exactly, then the slot is freed without packets, after the keep-alive that was due', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.at(4.999);
    rig.transport.take();
    rig.at(5);
    expect([rig.server.isConnected(0), rig.server.disconnectReason(0), rig.labels(client)]).toEqual([false, 'timedOut', []]);
    expect(rig.events).toEqual(['+0', '-0']);
  });

  test.each([-1, -5])('when the timeout is %i, then the client never times out', (timeoutSeconds) => {
    const rig = new ServerRig();
    rig.connected(1, { timeoutSeconds });
    expect(rig.at(1e7).server.isConnected(0)).toBe(true);
  });

  test('when time goes back, then nothing is resent and nobody times out', () => {
    const rig = new ServerRig();
    const client = rig.connected(1);
    rig.at(3).send(client, client.keepAlive());
    rig.transport.take();
    rig.at(-50).at(1);
    expect(rig.labels(client)).toEqual([]);
    rig.send(client, client.keepAlive());
    expect(rig.at(7.9).server.isConnected(0)).toBe(true);
    expect(rig.at(8).server.isConnected(0)).toBe(false);
  });

  test.each([4, 256])('when the loop was blocked with %i clients, then nobody is dropped whose datagrams are waiting', (count) => {
    const rig = new ServerRig({}, count);
    rig.transport.isSlow = true;
    const clients = Array.from({ length: count }, (_, i) => rig.connected(i + 1));
    rig.at(0.2).at(6);
    expect([rig.server.connectedCount, rig.transport.catchUps]).toEqual([count, 1]);
    for (const [i, client] of clients.entries()) {
      if (i % 32 === 0) rig.at(6 + i / 1000);
      if (i > 0) rig.deliver(client.address, client.keepAlive());
    }
    rig.at(6.4);
    expect(rig.server.connectedCount).toBe(count);
    rig.transport.isCaughtUp = true;
    rig.at(6.9);
    expect([rig.server.connectedCount, rig.server.disconnectReason(0), rig.transport.catchUps]).toEqual([count - 1, 'timedOut', 1]);
  });

  test('when the transport never catches up, then silence is judged 1 s after', () => {
    const rig = new ServerRig();
    rig.transport.isSlow = true;
    rig.connected(1);
    expect(rig.at(6).at(6.99).server.connectedCount).toBe(1);
    expect(rig.at(7).server.connectedCount).toBe(0);
  });

  test('when several gaps of 0.25 s pass, then they are no stall; a little more is one', () => {
    const rig = new ServerRig();
    rig.at(0.25).at(0.5).at(0.75);
    expect(rig.transport.catchUps).toBe(0);
    rig.at(1.0001);
    expect(rig.transport.catchUps).toBe(1);
  });
});

test('when packets of one client come from the address of another, then neither session is touched', () => {
  const rig = new ServerRig();
  const [one, two] = [rig.connected(1), rig.connected(2)];
  rig.deliver(two.address, fromClient(one.minted, { type: 'payload', payload: bytes(1) }, 9n));
  rig.deliver(clientAddress(9), fromClient(one.minted, { type: 'disconnect' }, 10n)).at(0);
  expect(counted(rig.server.counters)).toEqual({ decrypt: 1, 'no-read-key': 1 });
  expect([rig.server.connectedCount, rig.server.receive(0), rig.server.receive(1)]).toEqual([2, undefined, undefined]);
});
