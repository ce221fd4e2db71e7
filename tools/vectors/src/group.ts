import { Fields, shown } from './fields.ts';

/** What a replayer may know besides its case. */
export interface CaseContext {
  /** The whole vector file, for cases that name entries of another group. */
  readonly file: Readonly<Record<string, unknown>>;
  /** Number of the case in its list, from 0. */
  readonly index: number;
}

/** Replays one case against the package and throws an `Error` that names the first difference. */
export type CaseReplayer = (entry: unknown, context: CaseContext) => void;

/** Makes a replayer for cases that are objects; a field it leaves unread is a failure. */
export function objectCase(body: (fields: Fields, context: CaseContext) => void): CaseReplayer {
  return (entry, context) => {
    Fields.read(entry, '', (fields) => {
      body(fields, context);
    });
  };
}

/** Makes a replayer for cases that are lists of a fixed length. */
export function rowCase(length: number, body: (row: readonly unknown[]) => void): CaseReplayer {
  return (entry) => {
    if (!Array.isArray(entry) || entry.length !== length) throw new Error(`case: expected a list of ${length}, got ${shown(entry)}`);
    body(entry);
  };
}

/** A list of cases: one function replays them all. */
export interface ListGroup {
  readonly kind: 'list';
  readonly replay: CaseReplayer;
}

/** An object that is reported as one group: each member is a list of cases with its own replayer. */
export interface MembersGroup {
  readonly kind: 'members';
  readonly members: Readonly<Record<string, CaseReplayer>>;
}

/** How the cases of one group are replayed. */
export type GroupReplayer = ListGroup | MembersGroup;

/** Declares a group that is a list. */
export function listGroup(replay: CaseReplayer): ListGroup {
  return { kind: 'list', replay };
}

/** Declares a group that is an object of lists. */
export function membersGroup(members: Readonly<Record<string, CaseReplayer>>): MembersGroup {
  return { kind: 'members', members };
}

/** A vector file that can be replayed. */
export interface FileReplayer {
  /** Required value of the file's `format` member; absent when the file names no format. */
  readonly format?: string;
  /** Key of the group in the file (`outer.inner` for nested ones) to its replayer. A group without one fails with all its cases. */
  readonly groups: Readonly<Record<string, GroupReplayer | undefined>>;
}

/** File name to its replayer; `notBuilt` marks a file whose package does not exist yet. */
export type Registry = Readonly<Record<string, FileReplayer | 'notBuilt'>>;
