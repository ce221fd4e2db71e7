import type {
  Catalogue,
  Connection,
  ConnectionShared,
  Counters,
  Failure,
  Inbox,
  InboxRecord,
  MalformedKind,
  PeerId,
  Transmit,
  TransportConfig,
} from '../src/index.ts';
import type { Link, Pair, SplitMix64 } from '../src/simulator/index.ts';
import type { PacketDecoder, PacketLayout, PacketSpec } from '../src/wire.ts';

// Checked by the compiler: what is declared in public fits what is documented.

type Assert<T extends true> = T;
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fits<A, B> = A extends B ? true : false;

/** Never used; compiled only. */
export type Checks = [
  Assert<Equal<Parameters<Transmit>, [bytes: Uint8Array, offset: number, length: number]>>,
  Assert<Equal<Connection['state'], 'handshaking' | 'established' | 'failed'>>,
  Assert<Equal<ReturnType<Connection['trySend']>, 'unknownEvent' | 'payloadTooLarge' | 'queueFull' | undefined>>,
  Assert<Equal<Failure['type'], 'protocolMismatch' | 'schemaMismatch' | 'malformedData' | 'handshakeTimeout' | 'transportError'>>,
  Assert<Fits<Failure<string>, { type: string }>>,
  Assert<Equal<ReturnType<PacketDecoder['decode']>, 'ok' | 'mismatch' | MalformedKind>>,
  Assert<Fits<Partial<TransportConfig>, Parameters<typeof ConnectionShared.create>[1]>>,
  Assert<Fits<Inbox<never>, Inbox<unknown>>>,
  Assert<Fits<Pair['aInbox'], Parameters<Connection['receive']>[1]>>,
  Assert<Fits<Parameters<Link['deliver']>[1], Transmit>>,
  Assert<Fits<Counters, Readonly<Record<string, number>>>>,
  Assert<Fits<{ type: 'lifecycle'; record: string }, InboxRecord<string>>>,
  Assert<Fits<ConstructorParameters<typeof SplitMix64>, [bigint | number]>>,
  Assert<Fits<PeerId, { slot: number; generation: number; value: bigint }>>,
  Assert<Fits<ConstructorParameters<typeof PacketLayout>[0], Catalogue>>,
  Assert<Fits<{ hello: boolean; sections: never[] }, PacketSpec>>,
];
