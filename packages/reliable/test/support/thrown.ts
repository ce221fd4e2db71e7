import { ReliableError } from '../../src/index.ts';

/** What a call throws; fails when it throws nothing or something else than an error of this package. */
export function thrown(call: () => unknown): ReliableError {
  try {
    call();
  } catch (error) {
    if (ReliableError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
