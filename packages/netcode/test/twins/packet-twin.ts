// The slow twin of reading and writing packets, from protocol sections 3, 7 and 8 alone: the checks are a list of rows in the order of the table.
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { openPrivateTwin } from './token-twin.ts';
import { bytesOfHex, fromLe, hexOf, le } from './wire-hex.ts';

const VERSION = Buffer.from('NETCODE 1.02\0', 'latin1').toString('hex');

function cipher(key: Uint8Array, sequence: bigint, protocolId: bigint, prefix: number): ReturnType<typeof chacha20poly1305> {
  return chacha20poly1305(key, bytesOfHex(`00000000${le(sequence, 8)}`), bytesOfHex(VERSION + le(protocolId, 8) + le(prefix, 1)));
}

/** Seals a frame as given, also one that no writer makes: any type, any number of sequence bytes, any body. */
export function sealFrame(
  type: number,
  sequence: bigint,
  body: Uint8Array,
  { key, protocolId, sequenceBytes = minimalBytes(sequence) }: { key: Uint8Array; protocolId: bigint; sequenceBytes?: number },
): Uint8Array {
  const prefix = 16 * sequenceBytes + type;
  const header = le(prefix, 1) + le(sequence, 8).slice(0, 2 * sequenceBytes);
  return bytesOfHex(header + hexOf(cipher(key, sequence, protocolId, prefix).encrypt(body)));
}

/** The fewest bytes that hold a sequence, at least one. */
export function minimalBytes(sequence: bigint): number {
  let count = 1;
  while (256n ** BigInt(count) <= sequence) count++;
  return count;
}

/** What a packet is read with; `received` holds the sequences of a replay window that has not moved past 255. */
export interface TwinReading {
  readonly side: 'server' | 'client';
  readonly protocolId: bigint;
  readonly unixSeconds: bigint;
  readonly earliest: bigint;
  readonly readKey: Uint8Array | undefined;
  readonly privateKey: Uint8Array | undefined;
  readonly received?: ReadonlySet<bigint>;
}

/** What was read: the refusal id, or type, sequence and body; of a request the opened private half, 1008 bytes. */
export type TwinRead = string | { readonly type: number; readonly sequence: bigint; readonly body: Uint8Array };

type Row = readonly [id: string, refuses: () => boolean];

function firstRefusal(rows: readonly Row[]): string | undefined {
  return rows.find(([, refuses]) => refuses())?.[0];
}

/** Reads a packet by the table of section 8. */
export function readTwin(datagram: Uint8Array, o: TwinReading): TwinRead {
  if (datagram.length === 0) return 'empty';
  return datagram[0] === 0 ? readRequestTwin(datagram, o) : readFrameTwin(datagram, o);
}

function readRequestTwin(datagram: Uint8Array, o: TwinReading): TwinRead {
  const part = (from: number, to: number): string => hexOf(datagram.slice(from, to));
  const expire = (): bigint => fromLe(part(22, 30));
  let body: Uint8Array | undefined;
  const refusal = firstRefusal([
    ['request-not-allowed', () => o.side === 'client'],
    ['request-length', () => datagram.length !== 1078],
    ['request-no-private-key', () => o.privateKey === undefined],
    ['request-version', () => part(1, 14) !== VERSION],
    ['request-protocol-id', () => part(14, 22) !== le(o.protocolId, 8)],
    ['request-expired', () => !(expire() > o.unixSeconds)],
    ['request-predates-start', () => !(expire() >= o.earliest)],
    [
      'request-decrypt',
      () => {
        body = openPrivateTwin(datagram.slice(54), o.privateKey ?? new Uint8Array(32), datagram.slice(30, 54), o.protocolId, expire());
        return body === undefined;
      },
    ],
  ]);
  return refusal ?? { type: 0, sequence: 0n, body: body ?? new Uint8Array(0) };
}

function readFrameTwin(datagram: Uint8Array, o: TwinReading): TwinRead {
  const prefix = Number(fromLe(hexOf(datagram.slice(0, 1))));
  const type = prefix % 16;
  const count = (prefix - type) / 16;
  const allowed = o.side === 'server' ? [0, 3, 4, 5, 6] : [1, 2, 4, 5, 6];
  const sequence = (): bigint => fromLe(hexOf(datagram.slice(1, 1 + count)));
  let body: Uint8Array = new Uint8Array(0);
  const opens = (): boolean => {
    try {
      body = cipher(o.readKey ?? new Uint8Array(32), sequence(), o.protocolId, prefix).decrypt(datagram.slice(1 + count));
      return true;
    } catch {
      return false;
    }
  };
  const refusal = firstRefusal([
    ['no-read-key', () => o.readKey === undefined],
    ['too-small', () => datagram.length < 18],
    ['type-invalid', () => type >= 7],
    ['type-not-allowed', () => !allowed.includes(type)],
    ['sequence-bytes', () => count === 0 || count > 8],
    ['short-for-sequence', () => datagram.length < 1 + count + 16],
    ['replay', () => [4, 5, 6].includes(type) && o.received?.has(sequence()) === true],
    ['decrypt', () => !opens()],
    ['size-denied', () => type === 1 && body.length !== 0],
    ['size-challenge', () => type === 2 && body.length !== 308],
    ['size-response', () => type === 3 && body.length !== 308],
    ['size-keep-alive', () => type === 4 && body.length !== 8],
    ['size-payload-small', () => type === 5 && body.length < 1],
    ['size-payload-large', () => type === 5 && body.length > 1200],
    ['size-disconnect', () => type === 6 && body.length !== 0],
    ['type-zero', () => type === 0],
  ]);
  return refusal ?? { type, sequence: sequence(), body };
}
