/** What went wrong, as a closed choice. `code` of the error is the same word in UPPER_SNAKE. */
export type NetcodeErrorKind =
  | 'parseAddressFailed'
  | 'parseAddress2Failed'
  | 'simulatorRequiresPort'
  | 'createSocketIpv4Failed'
  | 'createSocketIpv6Failed'
  | 'bindSocketIpv4Failed'
  | 'bindSocketIpv6Failed'
  | 'allocateClientFailed'
  | 'allocateServerFailed'
  | 'missingOverrideCallback'
  | 'wildcardAddress'
  | 'invalidOption'
  | 'invalidAddress'
  | 'invalidKey'
  | 'invalidId'
  | 'invalidUserData'
  | 'addressCount'
  | 'addressCountMismatch'
  | 'invalidExpiry'
  | 'invalidTimeout'
  | 'invalidConnectToken'
  | 'payloadSize'
  | 'bufferTooSmall'
  | 'maxClients'
  | 'aeadSelfTest'
  | 'reentrant'
  | 'closed';

/** What an error carries besides its kind and text. */
export interface NetcodeErrorDetails {
  /** The argument or option at fault. */
  field?: string | undefined;
  /** The system's code of a failed socket, such as `EADDRINUSE`. */
  code?: string | undefined;
  /** The refusal id of a token that cannot be read. */
  reason?: string | undefined;
  cause?: unknown;
}

/**
 * Everything this package throws. Thrown for misuse by the caller only, before any state changes; bytes from the network never throw.
 * Texts never contain keys, tokens, nonces or user data.
 */
export class NetcodeError extends Error {
  override readonly name = 'NetcodeError';
  /** What went wrong. */
  readonly kind: NetcodeErrorKind;
  /** `kind` in UPPER_SNAKE; the system's code when a socket could not be opened or bound. */
  readonly code: string;
  /** The argument or option at fault, where one is. */
  readonly field: string | undefined;
  /** The refusal id of protocol section 5.4, for `invalidConnectToken`. */
  readonly reason: string | undefined;

  constructor(kind: NetcodeErrorKind, message: string, details: NetcodeErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = details.code ?? kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.field = details.field;
    this.reason = details.reason;
  }

  /** True for errors of any installed copy of this package and of any realm (`instanceof` fails across both). */
  static is(e: unknown): e is NetcodeError {
    try {
      const isError = Object.prototype.toString.call(e) === '[object Error]';
      return isError && 'kind' in (e as Error) && 'code' in (e as Error) && (e as Error).name === 'NetcodeError';
    } catch {
      return false;
    }
  }
}
