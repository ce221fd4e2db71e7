/** What went wrong, as a closed choice. `code` of the error is the same word in UPPER_SNAKE. */
export type HostErrorKind = 'invalidOption' | 'overrun' | 'closed';

/** What an error carries besides its kind and text. */
export interface HostErrorDetails {
  /** The argument or option at fault. */
  readonly field?: string | undefined;
  readonly cause?: unknown;
}

/**
 * What this package throws for misuse by the caller, before any state changes, and what a program finds that did not keep up. Bytes that were
 * read from elsewhere never cause it. Texts contain no payloads.
 */
export class HostError extends Error {
  override readonly name = 'HostError';
  /** What went wrong. */
  readonly kind: HostErrorKind;
  /** `kind` in UPPER_SNAKE, such as `INVALID_OPTION`. */
  readonly code: string;
  /** The argument or option at fault, where one is. */
  readonly field: string | undefined;

  constructor(kind: HostErrorKind, message: string, details: HostErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.field = details.field;
  }

  /** True for errors of any installed copy of this package (`instanceof` fails across copies). */
  static is(e: unknown): e is HostError {
    return e instanceof Error && e.name === 'HostError' && 'kind' in e && 'code' in e;
  }
}
