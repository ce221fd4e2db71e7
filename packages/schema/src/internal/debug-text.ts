/** What the escapes of {@link quoted} stand for that have a letter of their own. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
};

/**
 * The quote, the backslash, and what cannot be seen for itself: controls, format characters, lone surrogates, code points without a character,
 * separators other than the space, and marks that change the character before them.
 */
const ESCAPED = /["\\]|(?! )[\p{Other}\p{Separator}\p{Grapheme_Extend}]/gu;

/** Longest text that {@link describe} repeats, in UTF-16 units. */
const MAX_SHOWN_UNITS = 64;

/** The text in double quotes, escaped as a Rust debug string: invisible characters as `\u{hex}`. Source: schema section 7. */
export function quoted(text: string): string {
  const escaped = text.replace(ESCAPED, (found) => SHORT_ESCAPES[found] ?? `\\u{${found.codePointAt(0)!.toString(16)}}`);
  return `"${escaped}"`;
}

/** Names a value in a message: numbers and short texts as they are, anything else by its type and length. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return value.length > MAX_SHOWN_UNITS ? `a text of ${value.length} characters` : quoted(value);
  if (typeof value === 'bigint') return `the bigint ${value}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value;
}
