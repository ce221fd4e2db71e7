/** What went wrong, as a closed choice. `code` of the error is the same word in UPPER_SNAKE. */
export type ReliableErrorKind =
  'invalidOption' | 'transport' | 'eventTooLarge' | 'invalidRange' | 'emptyPacket' | 'packetTooLarge' | 'bufferTooSmall' | 'reentrant';

/** What an error carries besides its kind and text. */
export interface ReliableErrorDetails {
  /** The argument or option at fault. */
  field?: string | undefined;
  cause?: unknown;
}

/**
 * Everything this package throws. Thrown for misuse by the caller only, before any state changes; bytes from the network never throw.
 */
export class ReliableError extends Error {
  override readonly name = 'ReliableError';
  /** What went wrong. */
  readonly kind: ReliableErrorKind;
  /** `kind` in UPPER_SNAKE, such as `PACKET_TOO_LARGE`. */
  readonly code: string;
  /** The argument or option at fault, where one is. */
  readonly field: string | undefined;

  constructor(kind: ReliableErrorKind, message: string, details: ReliableErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.field = details.field;
  }

  /** True for errors of any installed copy of this package (`instanceof` fails across copies). */
  static is(e: unknown): e is ReliableError {
    return e instanceof Error && e.name === 'ReliableError' && 'kind' in e && 'code' in e;
  }
}
