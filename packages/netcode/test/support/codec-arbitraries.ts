import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { ipAddress } from '../../src/address.ts';
import type { Address } from '../../src/address.ts';
import type { ConnectToken, PrivateConnectToken } from '../../src/connect-token.ts';
import type { Packet } from '../../src/packet-codec.ts';

const U64_BORDERS = [0n, 1n, 0xffn, 0x100n, 0xffff_ffffn, 0x1_0000_0000n, 1n << 53n, 1n << 63n, (1n << 64n) - 2n, (1n << 64n) - 1n];

/** Any u64, its borders often. */
export const u64: Arbitrary<bigint> = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) },
  { weight: 1, arbitrary: fc.constantFrom(...U64_BORDERS) },
);

/** Any signed 32-bit integer, its borders often. */
export const i32: Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }) },
  { weight: 1, arbitrary: fc.constantFrom(-0x8000_0000, -1, 0, 1, 0x7fff_ffff) },
);

/** Exactly `length` bytes. */
export function bytesOf(length: number): Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

/** 32 bytes. */
export const key: Arbitrary<Uint8Array> = bytesOf(32);

/** Any port, its borders often. */
export const port: Arbitrary<number> = fc.oneof(fc.integer({ min: 0, max: 65_535 }), fc.constantFrom(0, 1, 9, 80, 65_535));

/** Eight groups of an IPv6 address in which zeros and `ffff` are frequent, so that runs of every length and place occur. */
export const groups: Arbitrary<number[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constant(0xffff) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
  ),
  { minLength: 8, maxLength: 8 },
);

/** An IPv4 or IPv6 address with any port. */
export const address: Arbitrary<Address> = fc.oneof(
  fc.tuple(bytesOf(4), port).map(([octets, number]) => ipAddress(octets, number)),
  fc.tuple(groups, port).map(([list, number]) => ipAddress(Uint8Array.from(list.flatMap((group) => [group >> 8, group & 0xff])), number)),
);

/** 1 … 32 addresses, both ends often. */
export const addressList: Arbitrary<Address[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(address, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(address, { minLength: 32, maxLength: 32 }) },
);

/** The fields of a public half that can be read: it is not created after its expiry. */
export const connectToken: Arbitrary<ConnectToken> = fc
  .record({
    protocolId: u64,
    stamps: fc.tuple(u64, u64),
    nonce: bytesOf(24),
    privateData: bytesOf(1024),
    timeoutSeconds: i32,
    serverAddresses: addressList,
    clientToServerKey: key,
    serverToClientKey: key,
  })
  .map(({ stamps: [a, b], ...rest }) => ({ ...rest, createTimestamp: a < b ? a : b, expireTimestamp: a < b ? b : a }));

/** The fields of a private half. */
export const privateToken: Arbitrary<PrivateConnectToken> = fc.record({
  clientId: u64,
  timeoutSeconds: i32,
  serverAddresses: addressList,
  clientToServerKey: key,
  serverToClientKey: key,
  userData: bytesOf(256),
});

/** A payload of 1 … 1200 bytes, both ends often. */
export const payload: Arbitrary<Uint8Array> = fc.oneof(
  { weight: 3, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: bytesOf(1200) },
);

/** Any packet but a request. */
export const sealedPacket: Arbitrary<Exclude<Packet, { type: 'request' }>> = fc.oneof(
  fc.record({ type: fc.constantFrom('denied' as const, 'disconnect' as const) }),
  fc.record({
    type: fc.constantFrom('challenge' as const, 'response' as const),
    challengeSequence: u64,
    challengeData: bytesOf(300),
  }),
  fc.record({ type: fc.constant('keepAlive' as const), clientIndex: i32, maxClients: i32 }),
  fc.record({ type: fc.constant('payload' as const), payload }),
);
