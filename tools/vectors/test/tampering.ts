/** Where a value stands inside JSON. */
export type Path = readonly (string | number)[];

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A plain value inside JSON, or a list as a whole. */
export interface Place {
  readonly path: Path;
  /** The path with `[]` for every index: the kind of field. */
  readonly kind: string;
  readonly isList: boolean;
}

/** Every plain value and every list of a JSON value, in order. */
export function placesOf(value: Json, path: Path = []): Place[] {
  if (Array.isArray(value)) {
    const list: readonly Json[] = value as readonly Json[];
    return [
      ...(path.length > 0 ? [{ path, kind: kindOf(path), isList: true }] : []),
      ...list.flatMap((entry, i) => placesOf(entry, [...path, i])),
    ];
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, key]));
  return [{ path, kind: kindOf(path), isList: false }];
}

/** The value with another one in one place. */
export function replaceAt(value: Json, path: Path, change: (value: Json) => Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((entry, i) => (i === first ? replaceAt(entry, rest, change) : entry));
  if (typeof value !== 'object' || value === null) throw new Error(`nothing at ${path.join('.')}`);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === first ? replaceAt(member, rest, change) : member]));
}

/** Changes one digit of a plain value, or its last letter when it has no digit; a truth value is turned over. */
export function changeDigit(value: Json): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return Number.isInteger(value) ? value + (value % 10 === 9 ? -1 : 1) : value * 2;
  if (value === null) return 0;
  if (typeof value !== 'string') throw new Error('not a plain value');
  const hex = /^([0-9a-f]{2})+$/.test(value);
  const at = hex ? value.length - 1 : Math.max(value.search(/[0-9](?=[^0-9]*$)/), 0);
  const digit = value.charAt(at);
  const changed = /[0-9]/.test(digit)
    ? String((Number(digit) + 1) % 10)
    : hex && digit !== 'f'
      ? String.fromCharCode(digit.charCodeAt(0) + 1)
      : 'e';
  return value === '' ? '00' : value.slice(0, at) + (changed === digit ? 'd' : changed) + value.slice(at + 1);
}

/** A list without its last entry; an empty list gets an entry. */
export function shorten(value: Json): Json {
  const list = value as readonly Json[];
  return list.length > 0 ? list.slice(0, -1) : [null];
}

/** A list with its last entry once more; an empty list gets an entry. */
export function lengthen(value: Json): Json {
  const list = value as readonly Json[];
  return [...list, list.at(-1) ?? null];
}

/** A path as messages write it. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`), '');
}

function kindOf(path: Path): string {
  return pathText(path).replace(/\[[0-9]+\]/g, '[]');
}
