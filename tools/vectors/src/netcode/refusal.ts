import type { Refused } from '@x/netcode/protocol';

/** Stands in the field `check` for a case that is accepted. */
export const ACCEPTED = 'accepted';

/** The id of the check that refused, or `accepted`. */
export function checkOf(result: object): string {
  return 'refused' in result && typeof result.refused === 'string' ? result.refused : ACCEPTED;
}

/** The result itself; a refusal throws. `what` names it in the message. */
export function accepted<T extends object>(what: string, result: T): Exclude<T, Refused> {
  const check = checkOf(result);
  if (check !== ACCEPTED) throw new Error(`${what}: refused as ${check}`);
  return result as Exclude<T, Refused>;
}
