/** Which fields of a group's cases are compared; every other field is an input or a text for people. */
export interface FieldKinds {
  readonly compared: readonly string[];
  readonly others: readonly string[];
  /** Compared fields whose absence means something, so that the replay of a case without one need not fail. */
  readonly optional?: readonly string[];
  /** Compared fields that also decide what is done, so that the failure may name another place. */
  readonly inputsToo?: readonly string[];
  /** Whether the compared fields are results only, so that the failure names the very place that was changed. */
  readonly resultsOnly: boolean;
  /** How many places of each kind are changed: all of them; the first, the middle and the last one; or the first. */
  readonly places: 'all' | 'some' | 'one';
}

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Kinds of fields inside the objects of a list. */
export const inside = (list: string, fields: readonly string[]): string[] => fields.map((field) => `${list}[].${field}`);

/** Kinds of fields inside an object. */
export const under = (object: string, fields: readonly string[]): string[] => fields.map((field) => `${object}.${field}`);

/** Kinds of fields inside the objects of the list `steps`. */
export const steps = (text: string): string[] => inside('steps', words(text));
