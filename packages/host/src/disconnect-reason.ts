import type { Failure } from '@x/reliable';

// Reasons have a code where they are stored, in capture files:
//
// | code | reason             | meaning                                          |
// | ---- | ------------------ | ------------------------------------------------ |
// | 0    | `requested`        | this side asked                                  |
// | 1    | `remote`           | the other side closed                            |
// | 2    | `timeout`          | silence beyond the timeout of the connect token  |
// | 3    | `denied`           | the server refused: it is full                   |
// | 4    | `authentication`   | the connect token is invalid or expired          |
// | 5    | `protocolMismatch` | the other side speaks another wire version       |
// | 6    | `schemaMismatch`   | the other side has another catalogue             |
// | 7    | `malformedData`    | the other side sent malformed framing            |
// | 8    | `handshakeTimeout` | the other side said no hello in time             |
// | 9    | `transportError`   | the transport refused a datagram                 |

/** Why a connection, or an attempt to connect, ended. Its text is its name. Source: event layer section 14. */
export type DisconnectReason = 'requested' | 'remote' | 'timeout' | 'denied' | 'authentication' | Failure['type'];

/** The code of each reason in capture files, in the order of the codes. Frozen. Source: event layer section 14. */
export const DISCONNECT_REASON_CODES: Readonly<Record<DisconnectReason, number>> = Object.freeze({
  requested: 0,
  remote: 1,
  timeout: 2,
  denied: 3,
  authentication: 4,
  protocolMismatch: 5,
  schemaMismatch: 6,
  malformedData: 7,
  handshakeTimeout: 8,
  transportError: 9,
});

const reasonsByCode = Object.keys(DISCONNECT_REASON_CODES) as DisconnectReason[];

/** The reason with this code, u8; `undefined` when there is none. */
export function disconnectReasonOf(code: number): DisconnectReason | undefined {
  return reasonsByCode[code];
}

/** Whether a value is one of the reasons. */
export function isDisconnectReason(value: unknown): value is DisconnectReason {
  return typeof value === 'string' && Object.hasOwn(DISCONNECT_REASON_CODES, value);
}
