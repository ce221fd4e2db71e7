import { describe, expect, test } from 'vitest';
import { nobleAead } from '../src/aead.ts';
import type { Aead } from '../src/aead.ts';
import { createSodiumAead } from '../src/sodium.ts';
import { codeOf, keyRecorder } from './support/robustness-kit.ts';
import { ClientRig } from './support/session-client-rig.ts';
import { mint, PRIVATE_KEY, SERVER, testBytes } from './support/session-kit.ts';
import type { Minted } from './support/session-kit.ts';
import { ServerRig } from './support/session-server-rig.ts';

const NOTHING = new Uint8Array(0);
const NONCE = new Uint8Array(24);
const PLAIN = Uint8Array.of(1, 2, 3, 4);
const UNTOUCHED = new Uint8Array(32).fill(0xee);

describe.each([
  ['noble', () => Promise.resolve(nobleAead)],
  ['sodium', createSodiumAead],
] as const)('a destroyed key of %s', (_, make) => {
  const calls = (aead: Aead, key: ReturnType<Aead['createKey']>, out: Uint8Array): readonly (() => number)[] => {
    const sealed = new Uint8Array(20);
    return [
      () => aead.seal(key, 0, 0, NOTHING, 0, PLAIN, 0, PLAIN.length, out, 0),
      () => aead.open(key, 0, 0, NOTHING, 0, sealed, 0, sealed.length, out, 0),
      () => aead.sealX(key, NONCE, NOTHING, 0, PLAIN, 0, PLAIN.length, out, 0),
      () => aead.openX(key, NONCE, NOTHING, 0, sealed, 0, sealed.length, out, 0),
    ];
  };

  test.each([false, true])('when it was used before: %s, then it seals and opens nothing and says INVALID_KEY', async (isUsed) => {
    const aead = await make();
    const key = aead.createKey(testBytes(32));
    const out = UNTOUCHED.slice();
    if (isUsed) for (const call of calls(aead, key, new Uint8Array(32))) call();
    aead.destroyKey(key);
    expect(calls(aead, key, out).map(codeOf)).toEqual(new Array(4).fill('INVALID_KEY'));
    expect(out).toEqual(UNTOUCHED);
  });

  test('when it is destroyed again, then nothing happens, and other keys go on', async () => {
    const aead = await make();
    const [key, other] = [aead.createKey(testBytes(32)), aead.createKey(testBytes(32))];
    const sealed = new Uint8Array(20);
    aead.seal(other, 0, 1, NOTHING, 0, PLAIN, 0, PLAIN.length, sealed, 0);
    aead.destroyKey(key);
    aead.destroyKey(key);
    const opened = new Uint8Array(4);
    expect([aead.open(other, 0, 1, NOTHING, 0, sealed, 0, 20, opened, 0), opened]).toEqual([4, PLAIN]);
  });
});

describe('the memory of the sodium module after close', () => {
  const memoryOf = (aead: Aead): Buffer => Buffer.from(aead.alloc!(16).buffer);
  const holds = (aead: Aead, bytes: Uint8Array): boolean => memoryOf(aead).includes(Buffer.from(bytes));
  const secretsOf = ({ token }: Minted): Uint8Array[] => [
    token.clientToServerKey,
    token.serverToClientKey,
    token.clientToServerKey.subarray(0, 16),
    token.serverToClientKey.subarray(16),
  ];
  const leftIn = (aead: Aead, minted: Minted): boolean[] => [...secretsOf(minted), PRIVATE_KEY].map((secret) => holds(aead, secret));
  const NONE = new Array<boolean>(5).fill(false);
  const MANY = [...Array.from({ length: 31 }, (_, i) => `[fd00::${i + 1}]:1`), SERVER];

  test('when a secret lies in it, then this test sees it', async () => {
    const aead = await createSodiumAead();
    aead.alloc!(32).set(PRIVATE_KEY);
    expect(holds(aead, PRIVATE_KEY)).toBe(true);
  });

  const REFUSED = [
    ['is not for this server', { publicAddresses: ['10.9.9.9:1'] }],
    ['has the id of a connected client', { clientId: 7n }],
    ['lists 32 servers, none of them this one', { publicAddresses: MANY.slice(0, 31) }],
  ] as const;
  test.each(REFUSED)('when a request %s, then none of its keys is left', async (_, options) => {
    const aead = await createSodiumAead();
    const rig = new ServerRig({ aead }, 2);
    rig.server.connectLoopbackClient(0, 7n);
    const client = rig.raw(1, options);
    expect(rig.request(client)).toBeUndefined();
    expect(secretsOf(client.minted).map((secret) => holds(aead, secret))).toEqual([false, false, false, false]);
    rig.server.close();
    expect(leftIn(aead, client.minted)).toEqual(NONE);
  });

  test('when a full server denied a request, then none of its keys is left', async () => {
    const aead = await createSodiumAead();
    const rig = new ServerRig({ aead }, 1);
    rig.server.connectLoopbackClient(0, 7n);
    const client = rig.raw(1);
    rig.request(client);
    expect(rig.server.counters.denied).toBe(1);
    rig.server.close();
    expect(leftIn(aead, client.minted)).toEqual(NONE);
  });

  test('when a client was challenged and never answered, then none of its keys is left', async () => {
    const aead = await createSodiumAead();
    const rig = new ServerRig({ aead }, 2);
    const client = rig.raw(1);
    rig.request(client);
    rig.server.close();
    expect(leftIn(aead, client.minted)).toEqual(NONE);
  });

  test.each([1, 32])('when a session with a token of %s servers has run, then none of its keys is left', async (count) => {
    const aead = await createSodiumAead();
    const rig = new ServerRig({ aead }, 2);
    const client = rig.connected(1, { publicAddresses: MANY.slice(-count) });
    for (let i = 0; i < 20; i++) {
      rig.send(client, client.payload(1, 2, 3));
      rig.server.send(0, Uint8Array.of(i));
    }
    expect(rig.server.isConnected(0)).toBe(true);
    rig.server.close();
    expect(leftIn(aead, client.minted)).toEqual(NONE);
  });

  test('when a client has had a session, then none of its keys is left', async () => {
    const aead = await createSodiumAead();
    const rig = new ClientRig({ aead });
    const minted = mint();
    rig.establish(minted).payload(1).at(0.2);
    rig.client.send(PLAIN);
    rig.client.close();
    expect(leftIn(aead, minted)).toEqual(NONE);
  });
});

describe('arrays that keys were made of', () => {
  test('when a run begins, then the array of its challenge key is wiped, and the key works', () => {
    const keys = keyRecorder();
    const drawn: string[] = [];
    const randomBytes = (count: number): Uint8Array => {
      const bytes = testBytes(count);
      drawn.push(bytes.join());
      return bytes;
    };
    const rig = new ServerRig({ aead: keys.aead, randomBytes }, 1);
    rig.server.start(1);
    const made = keys.given.filter(({ then }) => drawn.includes(then.join()));
    expect([drawn.length, made.map(({ array }) => array.every((byte) => byte === 0))]).toEqual([2, [true, true]]);
    rig.connected(1);
    expect(rig.server.connectedCount).toBe(1);
  });

  test('when a server closes, then every key that was made is destroyed', () => {
    const keys = keyRecorder();
    const rig = new ServerRig({ aead: keys.aead, previousPrivateKey: testBytes(32) }, 1);
    rig.connected(1);
    rig.request(rig.raw(2));
    rig.server.start(2);
    rig.connected(3, { expireSeconds: 60 });
    rig.request(rig.raw(4));
    expect(keys.count()).toBeGreaterThan(3);
    rig.server.close();
    expect(keys.count()).toBe(0);
  });

  test('when an array of a private key changes later, then the server keeps what it was given', () => {
    const privateKey = PRIVATE_KEY.slice();
    const rig = new ServerRig({ privateKey }, 1);
    privateKey.fill(0);
    rig.connected(1);
    expect(rig.server.connectedCount).toBe(1);
  });
});
