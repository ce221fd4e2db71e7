/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- types are all that is compared here */
/** Whether two types are the same, `any` and the modifiers of members included. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
export function assertTrue<T extends true>(): T | undefined {
  return undefined;
}
