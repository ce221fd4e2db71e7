/** What is wrong with a definition. `code` of the error is the same word in UPPER_SNAKE. */
export type CatalogueErrorKind =
  /** A catalogue names something that it does not have, or asks for what cannot be; the text names the event or channel. */
  | 'invalidCatalogue'
  /** A codec has a size, range, name or version that no codec can have. */
  | 'invalidCodec'
  /** A validator answered with a promise; found when it is used for the first time. */
  | 'asynchronousSchema';

/**
 * What a catalogue or codec that cannot be defined throws. A fault that the schema itself refuses keeps its `ConfigError`, and the fault of a
 * value is a `CodecError`. Source: codecs section 2.
 */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly kind: CatalogueErrorKind;
  /** `kind` in UPPER_SNAKE, such as `INVALID_CODEC`. */
  readonly code: string;

  constructor(kind: CatalogueErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  }

  /** True for errors of any installed copy of this package (`instanceof` fails across copies). */
  static is(e: unknown): e is CatalogueError {
    return e instanceof Error && e.name === 'CatalogueError' && 'kind' in e && 'code' in e;
  }
}
