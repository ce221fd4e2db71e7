/** The text of each kind; those of invalid data are the reference's. */
const TEXTS = {
  truncated: 'capture: unexpected end',
  notACapture: 'capture: not a dream-net capture',
  unknownVersion: 'capture: unknown version',
  invalidName: 'capture: name is not UTF-8',
  unknownRecordKind: 'capture: unknown record kind',
  truncatedPayload: 'capture: truncated payload',
  unknownReason: 'capture: reason',
} as const;

/** What is wrong with a capture, as a closed choice. `code` of the error is the same word in UPPER_SNAKE. */
export type CaptureErrorKind = keyof typeof TEXTS;

/** What a reader throws when its bytes are not a whole and valid capture. Source: hosts section 11.3. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
  /** What is wrong. */
  readonly kind: CaptureErrorKind;
  /** `kind` in UPPER_SNAKE, such as `NOT_A_CAPTURE`. */
  readonly code: string;
  /** Where the field at fault begins, in bytes from the start of the capture. */
  readonly offset: number;

  constructor(kind: CaptureErrorKind, offset: number) {
    super(TEXTS[kind]);
    this.kind = kind;
    this.code = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.offset = offset;
  }

  /** True for errors of any installed copy of this package (`instanceof` fails across copies). */
  static is(e: unknown): e is CaptureError {
    return e instanceof Error && e.name === 'CaptureError' && 'kind' in e && 'code' in e;
  }
}
