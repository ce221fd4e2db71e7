import { ownedAddress, unmapAddress } from './address.ts';
import type { Address } from './address.ts';
import { MAX_PAYLOAD_BYTES } from './constants.ts';
import { NetcodeError } from './errors.ts';
import { describe } from './internal/check.ts';
import type { Log } from './internal/hooks.ts';

/** Checks the arguments of a send, before anything happens, and returns the length: by default all from `offset`. */
export function checkPayload(bytes: Uint8Array, offset: number, given: number | undefined, log: Log): number {
  if (!(bytes instanceof Uint8Array)) {
    throw new NetcodeError('invalidOption', `bytes: expected a Uint8Array, got ${describe(bytes)}`, { field: 'bytes' });
  }
  const length = given ?? (Number.isInteger(offset) ? bytes.length - offset : 0);
  if (Number.isInteger(length) && length >= 1 && length <= MAX_PAYLOAD_BYTES) {
    if (Number.isInteger(offset) && offset >= 0 && offset + length <= bytes.length) return length;
    throw new NetcodeError('invalidOption', `offset: expected a range within ${bytes.length} bytes, got ${describe(offset)} + ${length}`, {
      field: 'offset',
    });
  }
  const text = `payload: expected 1 … ${MAX_PAYLOAD_BYTES} bytes, got ${describe(length)}`;
  log.error(text);
  throw new NetcodeError('payloadSize', text, { field: 'bytes' });
}

/** Checks that the payload that is taken next fits. */
export function checkReceiveBuffer(out: Uint8Array, needed: number): void {
  if (!(out instanceof Uint8Array)) {
    throw new NetcodeError('invalidOption', `out: expected a Uint8Array, got ${describe(out)}`, { field: 'out' });
  }
  if (out.length >= needed) return;
  throw new NetcodeError('bufferTooSmall', `out: expected room for ${needed} bytes, got ${out.length}`, { field: 'out' });
}

/** Checks the arguments of `processPacket` and gives the sender as a socket's edge does. */
export function checkDatagram(from: Address, bytes: Uint8Array): Address {
  const sender = ownedAddress(from);
  if (sender === undefined) throw new NetcodeError('invalidOption', `from: expected an address, got ${describe(from)}`, { field: 'from' });
  if (!(bytes instanceof Uint8Array)) {
    throw new NetcodeError('invalidOption', `bytes: expected a Uint8Array, got ${describe(bytes)}`, { field: 'bytes' });
  }
  return unmapAddress(sender);
}

/** The range as an array of exactly that length, without a copy; the array itself when the range is all of it. */
export function exactRange(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  return offset === 0 && length === bytes.length ? bytes : bytes.subarray(offset, offset + length);
}

/** The error for a call that would change what a running callback was told. */
export function reentrant(method: string, callback: string): NetcodeError {
  return new NetcodeError('reentrant', `${method}: called inside ${callback}; call it after that has returned`, { field: method });
}
