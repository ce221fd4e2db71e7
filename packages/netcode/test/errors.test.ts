import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NetcodeError } from '../src/errors.ts';
import type { NetcodeErrorKind } from '../src/errors.ts';

/** Complete by its type: a kind that is added needs its code here. */
const CODES: Record<NetcodeErrorKind, string> = {
  parseAddressFailed: 'PARSE_ADDRESS_FAILED',
  parseAddress2Failed: 'PARSE_ADDRESS2_FAILED',
  simulatorRequiresPort: 'SIMULATOR_REQUIRES_PORT',
  createSocketIpv4Failed: 'CREATE_SOCKET_IPV4_FAILED',
  createSocketIpv6Failed: 'CREATE_SOCKET_IPV6_FAILED',
  bindSocketIpv4Failed: 'BIND_SOCKET_IPV4_FAILED',
  bindSocketIpv6Failed: 'BIND_SOCKET_IPV6_FAILED',
  allocateClientFailed: 'ALLOCATE_CLIENT_FAILED',
  allocateServerFailed: 'ALLOCATE_SERVER_FAILED',
  missingOverrideCallback: 'MISSING_OVERRIDE_CALLBACK',
  wildcardAddress: 'WILDCARD_ADDRESS',
  invalidOption: 'INVALID_OPTION',
  invalidAddress: 'INVALID_ADDRESS',
  invalidKey: 'INVALID_KEY',
  invalidId: 'INVALID_ID',
  invalidUserData: 'INVALID_USER_DATA',
  addressCount: 'ADDRESS_COUNT',
  addressCountMismatch: 'ADDRESS_COUNT_MISMATCH',
  invalidExpiry: 'INVALID_EXPIRY',
  invalidTimeout: 'INVALID_TIMEOUT',
  invalidConnectToken: 'INVALID_CONNECT_TOKEN',
  payloadSize: 'PAYLOAD_SIZE',
  bufferTooSmall: 'BUFFER_TOO_SMALL',
  maxClients: 'MAX_CLIENTS',
  aeadSelfTest: 'AEAD_SELF_TEST',
  reentrant: 'REENTRANT',
  closed: 'CLOSED',
};

describe('NetcodeError', () => {
  afterEach(() => {
    vi.resetModules();
  });

  test.each(Object.entries(CODES))('when the kind is %s, then the code is %s', (kind, code) => {
    const error = new NetcodeError(kind as NetcodeErrorKind, 'text');
    expect([error.kind, error.code, error.message, error.name]).toEqual([kind, code, 'text', 'NetcodeError']);
    expect(error).toBeInstanceOf(Error);
    expect([error.field, error.reason]).toEqual([undefined, undefined]);
    expect('cause' in error).toBe(false);
  });

  test('when details are given, then the error carries them, and the code of the system wins', () => {
    const cause = new Error('bind EADDRINUSE');
    const details = { field: 'address', code: 'EADDRINUSE', reason: 'token-length', cause };
    const error = new NetcodeError('bindSocketIpv4Failed', 'text', details);
    expect(error).toMatchObject({ kind: 'bindSocketIpv4Failed', ...details });
    expect(inspect(error)).toContain('EADDRINUSE');
  });

  test('when the error comes from another copy of the package, then is() knows it though instanceof does not', async () => {
    vi.resetModules();
    const other = await import('../src/errors.ts');
    const error: unknown = new other.NetcodeError('closed', 'text');
    expect(error instanceof NetcodeError).toBe(false);
    expect(NetcodeError.is(error)).toBe(true);
    expect(other.NetcodeError.is(new NetcodeError('closed', 'text'))).toBe(true);
  });

  test.each<[string, unknown]>([
    ['a plain error', new Error('NetcodeError')],
    ['a system error', Object.assign(new Error('x'), { code: 'EADDRINUSE' })],
    ['an error of the name alone', Object.assign(new Error('x'), { name: 'NetcodeError' })],
    ['an error of another class', Object.assign(new Error('x'), { name: 'HostError', kind: 'closed', code: 'CLOSED' })],
    ['an object that only looks like one', { name: 'NetcodeError', kind: 'closed', code: 'CLOSED', message: 'x' }],
    ['a text', 'NetcodeError'],
    ['null', null],
    ['undefined', undefined],
  ])('when it is %s, then is() says no', (_, value) => {
    expect(NetcodeError.is(value)).toBe(false);
  });
});
