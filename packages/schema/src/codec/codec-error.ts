/** What is wrong with a value or with a payload. */
export type CodecErrorCode =
  'RANGE' | 'TRUNCATED' | 'TRAILING' | 'PADDING' | 'UTF8' | 'TYPE' | 'TOO_LARGE' | 'DEPTH' | 'VALIDATION' | 'NON_FINITE';

/** The codes as a closed choice of camelCase words. */
export type CodecErrorKind =
  'range' | 'truncated' | 'trailing' | 'padding' | 'utf8' | 'type' | 'tooLarge' | 'depth' | 'validation' | 'nonFinite';

const KINDS: Readonly<Record<CodecErrorCode, CodecErrorKind>> = {
  RANGE: 'range',
  TRUNCATED: 'truncated',
  TRAILING: 'trailing',
  PADDING: 'padding',
  UTF8: 'utf8',
  TYPE: 'type',
  TOO_LARGE: 'tooLarge',
  DEPTH: 'depth',
  VALIDATION: 'validation',
  NON_FINITE: 'nonFinite',
};

/** Moves an error outwards: its path begins with one more step. Only the errors of this copy of the package are moved. */
let moveOutwards: (error: CodecError, step: string | number) => void;

/**
 * What a value that cannot be encoded and a payload that cannot be decoded throw. The text names the place but repeats no content of a payload.
 * Source: codecs section 2.
 */
export class CodecError extends Error {
  override readonly name = 'CodecError';
  readonly code: CodecErrorCode;
  /** `code` in camelCase. */
  readonly kind: CodecErrorKind;
  /** Where in the value: `pos.x`, `items[3].id`; empty for the value as a whole. */
  readonly path: string;
  readonly #problem: string;

  static {
    moveOutwards = (error, step) => {
      const moved = error as { -readonly [K in 'path' | 'message']: string };
      moved.path = joinPath(step, error.path);
      moved.message = textOf(moved.path, error.#problem);
    };
  }

  /**
   * @param problem - what was expected and what arrived, without the place.
   * @param path - the place, empty for the value as a whole.
   */
  constructor(code: CodecErrorCode, problem: string, path: string = '', options?: ErrorOptions) {
    super(textOf(path, problem), options);
    this.code = code;
    this.kind = KINDS[code];
    this.path = path;
    this.#problem = problem;
  }

  /** True for errors of any installed copy of this package (`instanceof` fails across copies). */
  static is(e: unknown): e is CodecError {
    return e instanceof Error && e.name === 'CodecError' && 'code' in e && 'path' in e;
  }
}

/** Adds a step to the path of what was thrown below a field or an element, and gives it back to be thrown on. */
export function located(error: unknown, step: string | number): unknown {
  if (error instanceof CodecError) moveOutwards(error, step);
  return error;
}

/** One step and the path behind it: `pos` and `x` are `pos.x`, `items` and `[3]` are `items[3]`. */
export function joinPath(step: string | number, rest: string): string {
  const first = typeof step === 'number' ? `[${step}]` : step;
  return rest === '' || rest.startsWith('[') ? first + rest : `${first}.${rest}`;
}

function textOf(path: string, problem: string): string {
  return path === '' ? problem : `${path}: ${problem}`;
}
