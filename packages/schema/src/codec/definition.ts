import { CatalogueError } from '../catalogue-error.ts';
import { describe } from '../internal/debug-text.ts';

const MEMBER_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const INTEGER_LIKE = /^(0|[1-9][0-9]*)$/;
const VERSION_TEXT = /^[A-Za-z0-9_.:+-]+$/;
const CODEC_NAME = /^[A-Za-z0-9_.:/-]+$/;

/** Largest `maxBytes` of a codec, that of an event's payload. */
export const MAX_CODEC_BYTES = 16_777_216;

/** Makes the error for a codec that cannot be defined. */
export function invalidCodec(builder: string, problem: string): CatalogueError {
  return new CatalogueError('invalidCodec', `${builder}: ${problem}`);
}

/** Makes the error for an argument of a builder. */
function wrongArgument(builder: string, argument: string, expected: string, value: unknown): CatalogueError {
  return invalidCodec(builder, `${argument}: expected ${expected}, got ${describe(value)}`);
}

/** The value when it is an integer of a range, never negative zero. */
export function checkInteger(builder: string, argument: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value + 0;
  throw wrongArgument(builder, argument, `an integer in ${min} … ${max}`, value);
}

/** The value when it is a finite number, never negative zero. */
export function checkFinite(builder: string, argument: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  throw wrongArgument(builder, argument, 'a finite number', value);
}

/** The value when it can be the `maxBytes` of a codec. */
export function checkMaxBytes(builder: string, value: unknown): number {
  return checkInteger(builder, 'maxBytes', value, 0, MAX_CODEC_BYTES);
}

/** Whether objects would list this key before all others, whatever the order of declaration. */
export function isIntegerLike(key: string): boolean {
  return INTEGER_LIKE.test(key);
}

/** Throws unless the text can name a member of an object on the wire. */
export function checkMemberName(builder: string, name: unknown): string {
  if (typeof name !== 'string') throw wrongArgument(builder, 'name', 'a text', name);
  if (isIntegerLike(name)) {
    throw invalidCodec(
      builder,
      `${describe(name)}: a name like an integer would come before all others, whatever the order of declaration`,
    );
  }
  if (FORBIDDEN_NAMES.has(name)) throw invalidCodec(builder, `${describe(name)}: this name is not allowed`);
  if (!MEMBER_NAME.test(name)) throw invalidCodec(builder, `${describe(name)}: names are [A-Za-z_][A-Za-z0-9_]*`);
  return name;
}

/** Checks a list of names: at least one, each valid, none twice. A frozen copy. */
export function checkNames(builder: string, names: unknown): readonly string[] {
  if (!Array.isArray(names) || names.length === 0) throw wrongArgument(builder, 'names', 'a list of one name or more', names);
  const checked = names.map((name: unknown) => checkMemberName(builder, name));
  const twice = checked.find((name, i) => checked.indexOf(name) !== i);
  if (twice !== undefined) throw invalidCodec(builder, `${describe(twice)} is there twice`);
  return Object.freeze(checked);
}

/** The members of an object that declares some, checked for their names. */
export function checkMembers(builder: string, members: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw wrongArgument(builder, 'members', 'an object of codecs', members);
  }
  // `{ __proto__: x }` in source text declares no member: it sets the prototype.
  const prototype: unknown = Object.getPrototypeOf(members);
  if (prototype !== Object.prototype && prototype !== null) throw invalidCodec(builder, 'members: expected a plain object');
  return Object.entries(members).map(([name, value]) => [checkMemberName(builder, name), value as unknown] as const);
}

/** The text of a version that a codec is given, for its descriptor. */
export function checkVersion(builder: string, version: unknown): string {
  const text = typeof version === 'number' && Number.isFinite(version) ? String(version + 0) : version;
  if (typeof text === 'string' && VERSION_TEXT.test(text)) return text;
  throw wrongArgument(builder, 'version', 'a number or a text of [A-Za-z0-9_.:+-]', version);
}

/** Throws unless the text can name a custom codec. */
export function checkCodecName(builder: string, name: unknown): string {
  if (typeof name === 'string' && CODEC_NAME.test(name)) return name;
  throw wrongArgument(builder, 'name', 'a text of [A-Za-z0-9_.:/-]', name);
}

/** Throws unless the members of some options are functions. */
export function checkFunctions(builder: string, options: object, ...names: readonly string[]): void {
  for (const name of names) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (typeof value !== 'function') throw wrongArgument(builder, name, 'a function', value);
  }
}

/** Throws unless the value is an object whose members can be read. */
export function checkOptions(builder: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw wrongArgument(builder, 'options', 'an object', value);
}
