import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, shown } from './fields.ts';
import type { CaseReplayer, FileReplayer, GroupReplayer, Registry } from './group.ts';

/** What became of one group. */
export interface GroupResult {
  readonly name: string;
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly firstFailure?: string;
}

/** What became of one vector file. */
export interface FileResult {
  readonly file: string;
  /** False when the package of this file does not exist yet: its groups are listed and nothing is replayed. */
  readonly built: boolean;
  readonly groups: readonly GroupResult[];
}

/** Sums over files. */
export interface Totals {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
}

/** How strictly a directory is read. */
export interface ReplayOptions {
  readonly registry: Registry;
  /** Whether a file or group that the registry names and the directory lacks is a failure. */
  readonly complete: boolean;
}

/** Name under which a failure of a whole file is listed. */
export const WHOLE_FILE = '(file)';

/**
 * Replays every `*.json` file of a directory, in the order of their names.
 *
 * @throws Error when the directory cannot be read or holds no such file.
 */
export function replayDirectory(directory: string, options: ReplayOptions): FileResult[] {
  const present = jsonFiles(directory);
  const missing = options.complete ? Object.keys(options.registry).filter((file) => !present.includes(file)) : [];
  return [...present, ...missing].sort().map((file) => {
    if (missing.includes(file)) return brokenFile(file, 'the file is missing');
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    } catch (error) {
      return brokenFile(file, `cannot be read: ${messageOf(error)}`);
    }
    return replayFile(file, content, options);
  });
}

/** Replays the content of one vector file. */
export function replayFile(file: string, content: unknown, options: ReplayOptions): FileResult {
  if (!isRecord(content)) return brokenFile(file, `expected an object of groups, got ${shown(content)}`);
  const replayer = Object.hasOwn(options.registry, file) ? options.registry[file] : undefined;
  if (replayer === 'notBuilt') {
    return {
      file,
      built: false,
      groups: groupsOf(content, []).map(([name, value]) => ({ name, cases: countCases(value), passed: 0, failed: 0 })),
    };
  }
  if (replayer === undefined) return failedFile(file, content, [], 'nothing replays a file of this name');
  const known = Object.keys(replayer.groups);
  if (replayer.format !== undefined && content['format'] !== replayer.format) {
    return failedFile(file, content, known, `format: expected ${shown(replayer.format)}, got ${shown(content['format'])}`);
  }
  const groups = groupsOf(content, known).map(([name, value]) => replayGroup(name, value, replayer, content));
  const absent = options.complete ? known.filter((name) => !groups.some((group) => group.name === name && group.cases > 0)) : [];
  return {
    file,
    built: true,
    groups: [
      ...groups.filter(({ name }) => !absent.includes(name)),
      ...absent.map((name) => failedGroup(name, 1, 'the file has no case of this group')),
    ],
  };
}

/** Adds up what became of the files. */
export function totalsOf(files: readonly FileResult[]): Totals {
  const totals = { cases: 0, passed: 0, failed: 0 };
  for (const group of files.flatMap(({ groups }) => groups)) {
    totals.cases += group.cases;
    totals.passed += group.passed;
    totals.failed += group.failed;
  }
  return totals;
}

/** Number of cases of a group: entries of a list; for an object, each member counts as one or as many as it has entries. */
export function countCases(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (!isRecord(value)) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + (Array.isArray(member) ? member.length : 1), 0);
}

function jsonFiles(directory: string): string[] {
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    throw new Error(`cannot read the directory ${directory}: ${messageOf(error)}`, { cause: error });
  }
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json')).map(({ name }) => name);
  if (files.length === 0) throw new Error(`no vector file (*.json) in ${directory}`);
  return files;
}

/** The groups of a file in its order. Plain values beside them describe the file; an object whose members are registered is opened. */
function groupsOf(content: Readonly<Record<string, unknown>>, known: readonly string[]): [string, unknown][] {
  return Object.entries(content).flatMap(([key, value]): [string, unknown][] => {
    if (isRecord(value) && known.some((name) => name.startsWith(`${key}.`))) {
      return Object.entries(value).map(([inner, innerValue]) => [`${key}.${inner}`, innerValue]);
    }
    return known.includes(key) || isRecord(value) || Array.isArray(value) ? [[key, value]] : [];
  });
}

function replayGroup(name: string, value: unknown, replayer: FileReplayer, file: Readonly<Record<string, unknown>>): GroupResult {
  const group = Object.hasOwn(replayer.groups, name) ? replayer.groups[name] : undefined;
  if (group === undefined) return failedGroup(name, countCases(value), 'nothing replays this group');
  const cases = casesOf(value, group);
  if (typeof cases === 'string') return failedGroup(name, countCases(value), cases);
  const failures: string[] = [];
  for (const { label, entry, index, replay } of cases) {
    try {
      replay(entry, { file, index });
    } catch (error) {
      failures.push(`${label}: ${messageOf(error)}`);
    }
  }
  const counts = { name, cases: cases.length, passed: cases.length - failures.length, failed: failures.length };
  return failures[0] === undefined ? counts : { ...counts, firstFailure: failures[0] };
}

interface Case {
  readonly label: string;
  readonly entry: unknown;
  readonly index: number;
  readonly replay: CaseReplayer;
}

/** The cases of a group in order, or what is wrong with the shape of the group. */
function casesOf(value: unknown, group: GroupReplayer): Case[] | string {
  if (group.kind === 'list') return Array.isArray(value) ? listCases('', value, group.replay) : `expected a list, got ${shown(value)}`;
  if (!isRecord(value)) return `expected an object, got ${shown(value)}`;
  const absent = Object.keys(group.members).find((member) => !Object.hasOwn(value, member));
  if (absent !== undefined) return `${absent}: missing`;
  return Object.entries(value).flatMap(([member, list]) => {
    const replay = Object.hasOwn(group.members, member) ? group.members[member] : undefined;
    if (replay === undefined || !Array.isArray(list)) return listCases(member, Array.isArray(list) ? list : [list], unknownMember);
    return listCases(member, list, replay);
  });
}

function unknownMember(): never {
  throw new Error('nothing replays this member');
}

function listCases(prefix: string, list: readonly unknown[], replay: CaseReplayer): Case[] {
  return list.map((entry, index) => {
    const name = isRecord(entry) && typeof entry['name'] === 'string' ? ` ${entry['name']}` : '';
    return { label: `${prefix}[${index}]${name}`, entry, index, replay };
  });
}

function failedGroup(name: string, cases: number, firstFailure: string): GroupResult {
  return { name, cases, passed: 0, failed: cases, firstFailure };
}

function failedFile(file: string, content: Readonly<Record<string, unknown>>, known: readonly string[], reason: string): FileResult {
  const groups = groupsOf(content, known).map(([name, value]) => failedGroup(name, countCases(value), reason));
  return totalsOf([{ file, built: true, groups }]).failed > 0 ? { file, built: true, groups } : brokenFile(file, reason);
}

function brokenFile(file: string, reason: string): FileResult {
  return { file, built: true, groups: [failedGroup(WHOLE_FILE, 1, reason)] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
