import { describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { counted, mint, SERVER, START } from './support/session-kit.ts';

const SECOND = '10.1.1.2:40001';

const SECOND_ADDRESS = parseAddress(SECOND);

const twoServers = () => mint({ publicAddresses: [SERVER, SECOND] });

describe('next server', () => {
  test('when there is another server, then denied moves on, the first request leaves in the next update and sequences continue', () => {
    const rig = new ClientRig().connect(twoServers()).at(0);
    rig.sent();
    rig.denied().at(0.05);
    expect([rig.client.state, rig.changes.at(-1), rig.client.serverAddress]).toEqual(['sendingConnectionRequest', '1>1', SECOND_ADDRESS]);
    expect(rig.sent()).toEqual([]);
    rig.at(0.06);
    expect([rig.transport.sent[0]!.to, rig.client.nextSequence]).toEqual([SECOND_ADDRESS, 2n]);
  });

  test.each([1, 2])('when state %i times out, then the next server is tried and its budget and timeout begin again', (state) => {
    const rig = new ClientRig().connect(twoServers()).at(0);
    if (state === 2) rig.challenge().at(0);
    rig.at(5);
    expect(rig.changes.at(-1)).toBe(state === 2 ? '1>2' : '0>1');
    rig.at(5.01);
    expect(rig.changes.at(-1)).toBe(`${state}>1`);
    rig.at(10.01);
    expect(rig.client.state).toBe('sendingConnectionRequest');
    rig.at(10.02);
    expect(rig.client.state).toBe('connectionRequestTimedOut');
  });

  test('when the server disconnects a connected client, then it goes 3 > 1, keeps queue, index and slots, and a new window takes sequence 0', () => {
    const rig = new ClientRig().establish(twoServers()).payload(1).at(0.06);
    rig.kick().at(0.07);
    expect([rig.changes.at(-1), rig.client.serverAddress, rig.client.index, rig.client.maxClients]).toEqual(['3>1', SECOND_ADDRESS, 2, 8]);
    expect(rig.client.receive()?.data).toEqual(Uint8Array.of(1));
    rig.slotSequence = 0n;
    rig.challenge(SECOND_ADDRESS).keepAlive(0, 1, SECOND_ADDRESS).at(0.08);
    expect([rig.client.state, rig.client.index, counted(rig.client.counters)]).toEqual(['connected', 0, {}]);
    rig.kick(SECOND_ADDRESS).at(0.09);
    expect(rig.changes.at(-1)).toBe('3>0');
  });

  test('when a connected client times out, then it does not move on and sends no disconnect packets', () => {
    const rig = new ClientRig().establish(twoServers());
    rig.at(5.05);
    expect(rig.client.state).toBe('connected');
    rig.sent();
    rig.at(5.06);
    expect([rig.client.state, rig.sent()]).toEqual(['connectionTimedOut', []]);
  });

  test('when packets of the first server arrive after moving on, then they are ignored', () => {
    const rig = new ClientRig().connect(twoServers()).denied().at(0.05).challenge().at(0.06);
    expect([rig.client.state, counted(rig.client.counters)]).toEqual(['sendingConnectionRequest', { 'other-sender': 1 }]);
  });

  test('when more packets follow a denial in the same update, then they are processed and the denial counts afterwards', () => {
    const rig = new ClientRig().connect().at(0).denied().challenge().at(0.05);
    expect(rig.changes).toEqual(['0>1', '1>2', '2>-1']);
    const late = new ClientRig().connect().challenge().at(0).denied().keepAlive().at(0.05);
    expect(late.changes).toEqual(['0>1', '1>2', '2>3', '3>-1']);
  });
});

describe('ends', () => {
  test('when the token budget is used up, then connectTokenExpired at that very moment, before the timeout', () => {
    const rig = new ClientRig().connect(mint({ expireSeconds: 5, timeoutSeconds: 5 })).at(4.99);
    expect(rig.client.state).toBe('sendingConnectionRequest');
    rig.at(5);
    expect(rig.client.state).toBe('connectTokenExpired');
  });

  test('when the budget is used up in state 2, then connectTokenExpired; when connected, then nothing', () => {
    const waiting = new ClientRig()
      .connect(mint({ expireSeconds: 5, timeoutSeconds: -1 }))
      .challenge()
      .at(0)
      .at(5);
    expect(waiting.changes).toEqual(['0>1', '1>2', '2>-6']);
    const connected = new ClientRig().establish(mint({ expireSeconds: 5, timeoutSeconds: -1 })).at(500);
    expect(connected.client.state).toBe('connected');
  });

  test('when create equals expire, then one request leaves and the token is expired', () => {
    const rig = new ClientRig().connect(mint({ expireSeconds: 0 })).at(0);
    expect([rig.sent(), rig.client.state]).toEqual([['request'], 'connectTokenExpired']);
  });

  test('when the budget is used up in the update of a denial, then the expiry wins', () => {
    expect(
      new ClientRig()
        .connect(mint({ expireSeconds: 5 }))
        .at(0)
        .denied()
        .at(5).client.state,
    ).toBe('connectTokenExpired');
  });

  test('when silence is exactly the timeout, then not yet; any longer, then timed out', () => {
    const rig = new ClientRig().connect().challenge().at(0).at(5);
    expect(rig.client.state).toBe('sendingConnectionResponse');
    expect(rig.at(5.001).client.state).toBe('connectionResponseTimedOut');
  });

  test.each([0, -1])('when the timeout is %i, then idle timeouts are off', (timeoutSeconds) => {
    const rig = new ClientRig().establish(mint({ timeoutSeconds, expireSeconds: -1 })).at(1e6);
    expect(rig.client.state).toBe('connected');
  });

  test.each([1, 2, 3])('when disconnect is called in state %i, then ten packets leave and everything is reset', (state) => {
    const rig = new ClientRig().connect().at(0);
    if (state >= 2) rig.challenge().at(0);
    if (state === 3) rig.keepAlive().payload(1).at(0);
    rig.transport.take();
    const { flushes } = rig.transport;
    const first = Number(rig.client.nextSequence);
    rig.client.disconnect();
    expect(rig.sent()).toEqual(Array.from({ length: 10 }, (_, i) => `disconnect#${first + i}`));
    const { client } = rig;
    expect([client.state, client.index, client.maxClients, client.serverAddress, client.nextSequence, client.receive()]).toEqual([
      'disconnected',
      0,
      0,
      undefined,
      0n,
      undefined,
    ]);
    expect([rig.changes.at(-1), rig.transport.flushes > flushes]).toEqual([`${state}>0`, true]);
    client.disconnect();
    expect(rig.sent()).toEqual([]);
  });
});

describe('time', () => {
  test('when time goes back, then it counts as the last time: nothing is resent and nothing times out early', () => {
    const rig = new ClientRig().establish().at(0.3);
    rig.sent();
    rig.at(-50).at(0.2).at(0.39);
    expect(rig.sent()).toEqual([]);
    rig.keepAlive().at(-60);
    rig.at(5.25);
    expect(rig.client.state).toBe('connected');
  });

  test('when the transport is behind after a stall, then the update reads and sends but does not judge', () => {
    const rig = new ClientRig({}, true).establish();
    rig.at(6);
    expect([rig.client.state, rig.transport.catchUps, rig.sent()]).toEqual(['connected', 1, ['keepAlive#1']]);
    rig.keepAlive().at(6.1);
    rig.transport.isCaughtUp = true;
    rig.at(6.2);
    expect([rig.client.state, rig.transport.catchUps]).toEqual(['connected', 1]);
    rig.at(6.45).at(6.7).at(6.95);
    expect(rig.transport.catchUps).toBe(1);
  });

  test('when the peer was silent through the stall, then it is judged once caught up, or 1 s after', () => {
    const caughtUp = new ClientRig({}, true).establish().at(6);
    caughtUp.transport.isCaughtUp = true;
    expect(caughtUp.at(6.1).client.state).toBe('connectionTimedOut');
    const never = new ClientRig({}, true).establish().at(6).at(6.9);
    expect(never.client.state).toBe('connected');
    expect(never.at(7).client.state).toBe('connectionTimedOut');
  });

  test('when the application updates twice a second, then every other update judges', () => {
    const rig = new ClientRig({}, true).establish();
    for (let t = 0.55; t < 6.5; t += 0.5) {
      rig.transport.isCaughtUp = true;
      rig.at(t);
    }
    expect(rig.client.state).toBe('connectionTimedOut');
  });

  test('when a stall is longer than the budget, then the plain clock decides', () => {
    expect(
      new ClientRig()
        .connect(mint({ expireSeconds: 5, timeoutSeconds: 60 }))
        .at(0)
        .at(6).client.state,
    ).toBe('connectTokenExpired');
  });

  test('when a clock far from zero is used, then nothing is early', () => {
    const rig = new ClientRig({ time: 31_536_000 });
    rig.connect(mint({ timeoutSeconds: 60 }));
    rig.client.update(31_536_029.9);
    expect([rig.client.state, START]).toEqual(['sendingConnectionRequest', START]);
  });
});
