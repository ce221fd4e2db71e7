import type { Aead } from './aead.ts';
import { NetcodeError } from './errors.ts';
import { checkFunction, checkTime, describe, MAX_U64 } from './internal/check.ts';
import type { Logger } from './logger.ts';
import type { RandomBytes } from './random.ts';
import type { Datagram, NetworkSimulator } from './simulator.ts';
import type { Transport } from './transport.ts';
import type { Address } from './address.ts';

/** Packet functions in place of sockets, as the native libraries have them (protocol section 16.1). */
export interface SendReceiveOverride {
  /** Sends one datagram; `bytes` is borrowed. */
  sendPacket(to: Address, bytes: Uint8Array): void;
  /** The next datagram, or `undefined` when there is none for now. One that never says so makes update loop for ever. */
  receivePacket(): Datagram | undefined;
}

/** What client and server have in common. Exactly one of `transport`, `simulator` and `override` is given. */
export interface MachineOptions {
  /** Monotonic seconds now. */
  time: number;
  transport?: Transport | undefined;
  simulator?: NetworkSimulator | undefined;
  override?: SendReceiveOverride | undefined;
  /** Default `nobleAead`. */
  aead?: Aead | undefined;
  logger?: Logger | undefined;
  /** Told what a callback of the application threw, once per source. Without it `logger.error` is told. */
  onError?: ((error: unknown, source: string) => void) | undefined;
  /** Default: the system's cryptographic generator. */
  randomBytes?: RandomBytes | undefined;
  /** u64 wall-clock seconds; default the system's clock. */
  unixSeconds?: (() => bigint) | undefined;
}

/** What whoever opens the transport itself adds to the options. */
export type Injected = 'time' | 'transport' | 'simulator' | 'override';

/** Checks the options that client and server have in common, before anything is created. */
export function checkCommonOptions(options: Omit<MachineOptions, Injected>): void {
  checkFunction(options.onError, 'onError');
  checkFunction(options.randomBytes, 'randomBytes');
  checkFunction(options.unixSeconds, 'unixSeconds');
  checkObject(options.logger, 'logger');
  checkFunctions<Aead>(options.aead, AEAD_FUNCTIONS, 'aead');
}

/** Checks that there is a time and exactly one way for datagrams. */
export function checkInjected(options: MachineOptions): void {
  checkTime(options.time, 'time');
  const given = [options.transport, options.simulator, options.override].filter((way) => way !== undefined).length;
  if (given !== 1) {
    throw new NetcodeError('invalidOption', `transport: expected exactly one of transport, simulator and override, got ${given}`, {
      field: 'transport',
    });
  }
  checkFunctions(options.transport, TRANSPORT_FUNCTIONS, 'transport');
  checkFunctions(options.simulator, ['sendPacket', 'receivePackets'], 'simulator');
  checkObject(options.override, 'override');
  const override = options.override as Partial<SendReceiveOverride> | undefined;
  if (override === undefined) return;
  for (const name of ['sendPacket', 'receivePacket'] as const) {
    if (typeof override[name] === 'function') continue;
    throw new NetcodeError('missingOverrideCallback', `override.${name}: expected a function, got ${describe(override[name])}`, {
      field: `override.${name}`,
    });
  }
}

/** Reads an injected wall clock and checks what it says. */
export function readUnixSeconds(source: () => bigint): bigint {
  const seconds = source();
  if (typeof seconds === 'bigint' && seconds >= 0n && seconds <= MAX_U64) return seconds;
  throw new NetcodeError('invalidOption', `unixSeconds: expected a bigint in 0 … 2^64 - 1, got ${describe(seconds)}`, {
    field: 'unixSeconds',
  });
}

const AEAD_FUNCTIONS: readonly (keyof Aead)[] = ['createKey', 'destroyKey', 'seal', 'open', 'sealX', 'openX'];
const TRANSPORT_FUNCTIONS: readonly (keyof Transport)[] = ['boundPort', 'send', 'poll', 'flush', 'startCatchUp', 'close'];

/** Checks that an object, where one is given, has these functions. */
function checkFunctions<T extends object>(value: Partial<T> | undefined, names: readonly (keyof T & string)[], field: string): void {
  checkObject(value, field);
  if (value === undefined) return;
  for (const name of names) {
    if (typeof value[name] === 'function') continue;
    throw new NetcodeError('invalidOption', `${field}.${name}: expected a function, got ${describe(value[name])}`, { field });
  }
}

function checkObject(value: unknown, field: string): void {
  if (value === undefined || (typeof value === 'object' && value !== null)) return;
  throw new NetcodeError('invalidOption', `${field}: expected an object, got ${describe(value)}`, { field });
}
