import { nobleAead } from '../../src/aead.ts';
import type { Aead } from '../../src/aead.ts';
import type { ClientOptions } from '../../src/client-options.ts';
import { NetcodeError } from '../../src/errors.ts';
import type { ServerOptions } from '../../src/server-options.ts';
import { ClientRig } from './session-client-rig.ts';
import type { FakeTransport } from './session-kit.ts';
import { ServerRig } from './session-server-rig.ts';

/** A value of a type that the compiler would refuse. */
export const wrong = (value: unknown): never => value as never;

/** The code of the error that a call throws; anything but a `NetcodeError` is shown as it is. */
export function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return NetcodeError.is(error) ? error.code : `not a NetcodeError: ${textOf(error)}`;
  }
  return 'nothing';
}

function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'a value without text';
  }
}

/** Throws anything, an `Error` or not. */
export function raise(value: unknown): never {
  throw value as Error;
}

function trap(): never {
  throw new Error('trap');
}

/** Makes values that cannot be made a text of, or that are no errors at all; by a name for the test, which does not look at them itself. */
const ODD: Readonly<Record<string, () => unknown>> = {
  'an object without a prototype': () => Object.create(null) as unknown,
  'a symbol': () => Symbol('thrown'),
  nothing: () => undefined,
  null: () => null,
  'an error whose message is a symbol': () => Object.create(Error.prototype, { message: { value: Symbol('message') } }) as unknown,
  'an error whose texts throw': () => Object.create(Error.prototype, { message: { get: trap }, stack: { get: trap } }) as unknown,
  'an object whose toString throws': () => ({ toString: trap }),
  'a proxy that throws at every touch': () => new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap }),
};

/** Names of odd values to throw. */
export const ODD_NAMES: readonly string[] = Object.keys(ODD);

/** The odd value of a name. */
export function odd(name: string): unknown {
  return ODD[name]!();
}

/** Calls `act` within the send of the next datagram, once it has been sent; `skip` datagrams go before it. */
export function duringSend(transport: FakeTransport, act: () => void, skip: number = 0): void {
  const send = transport.send.bind(transport);
  let left = skip;
  transport.send = (...args) => {
    const isSent = send(...args);
    if (left-- > 0) return isSent;
    transport.send = send;
    act();
    return isSent;
  };
}

/** A server whose datagrams go through packet functions; `afterSend` runs within each send, and may throw. */
export function overrideServerRig(afterSend: () => void, options: Partial<ServerOptions> = {}, slots?: number): ServerRig {
  const rig: ServerRig = new ServerRig(
    {
      ...options,
      transport: undefined,
      override: {
        sendPacket: (to, bytes) => {
          rig.transport.send(to, bytes, 0, bytes.length);
          afterSend();
        },
        receivePacket: () => rig.transport.inbox.shift(),
      },
    },
    slots,
  );
  return rig;
}

/** A client whose datagrams go through packet functions; `afterSend` runs within each send, and may throw. */
export function overrideClientRig(afterSend: () => void, options: Partial<ClientOptions> = {}): ClientRig {
  const rig: ClientRig = new ClientRig({
    ...options,
    transport: undefined,
    override: {
      sendPacket: (to, bytes) => {
        rig.transport.send(to, bytes, 0, bytes.length);
        afterSend();
      },
      receivePacket: () => rig.transport.inbox.shift(),
    },
  });
  return rig;
}

/** How many slots hold a client; the count that the server gives must be the same. */
export function occupied({ server }: ServerRig): number {
  return Array.from({ length: server.maxClients }, (_, slot) => server.isConnected(slot)).filter(Boolean).length;
}

/** An array that was made a key of, and what was in it then. */
export interface GivenKey {
  readonly array: Uint8Array;
  readonly then: readonly number[];
}

/** The default cipher, and the arrays that it was given as keys; `count` tells how many keys there are that have not been destroyed. */
export function keyRecorder(): { aead: Aead; given: GivenKey[]; count: () => number } {
  const given: GivenKey[] = [];
  const alive = new Set<unknown>();
  const aead: Aead = {
    ...nobleAead,
    createKey: (bytes) => {
      given.push({ array: bytes, then: [...bytes] });
      const key = nobleAead.createKey(bytes);
      alive.add(key);
      return key;
    },
    destroyKey: (key) => {
      alive.delete(key);
      nobleAead.destroyKey(key);
    },
  };
  return { aead, given, count: () => alive.size };
}
